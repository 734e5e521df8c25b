# Everything runs in an own virtual environment, .venv, made by the first target that needs it.
PYTHON ?= python3.11
RUN = .venv/bin/python
CORE_TESTS = $(patsubst %,tests/engine/test_%.py,rotations kinematics mass_matrix assembly peers momentum response springs)
BLENDER_MODULES = .venv-bpy-4.2/ready .venv-bpy-4.5/ready .venv-bpy-5.0/ready

.PHONY: setup demo test test-all bench studies lint extension

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --editable ".[dev]" && touch $@

# the oldest, the current and the newest Blender as a module, without numba: the extension brings its own
.venv-bpy-%/ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet "bpy==$*.*" "numpy<2" && touch $@

demo: setup
	$(RUN) -m heft demo --output build/demo

# compiled, and the heart of the engine once more as plain Python
test: lint
	$(RUN) -m pytest -n 2 -q -m "not slow" --ignore=tests/test_architecture.py
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -n 2 -q $(CORE_TESTS)

test-all: test $(BLENDER_MODULES)
	$(RUN) -m pytest -n 2 -q -m slow
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -n 2 -q tests/engine

bench: setup
	$(RUN) tests/benchmarks/bench.py --output build/bench.json

# the table of docs/soft-contact.md, and figures 3 and 5 of source 002
studies: setup
	$(RUN) tests/studies/box_drop.py
	$(RUN) tests/studies/smooth_figures.py --output build/studies

lint: setup
	mkdir -p build/typecheck && ln -sfn ../.. build/typecheck/heft
	$(RUN) -m ruff check . && $(RUN) -m mypy && $(RUN) -m pytest -q tests/test_architecture.py

extension: setup
	$(RUN) tools/build_extension.py --output build
