# Everything runs in an own virtual environment, .venv, made by the first target that needs it.
PYTHON ?= python3.11
RUN = .venv/bin/python

.PHONY: setup demo test test-all bench lint extension

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --editable ".[dev]" && touch $@

demo: setup
	$(RUN) -m heft demo --output build/demo

test: lint
	$(RUN) -m pytest -n 2 -q

test-all: test
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -n 2 -q tests/engine

bench: setup
	$(RUN) tests/benchmarks/bench.py --output build/bench.json

lint: setup
	$(RUN) -m ruff check . && $(RUN) -m mypy

extension: setup
	$(RUN) tools/build_extension.py --output build
