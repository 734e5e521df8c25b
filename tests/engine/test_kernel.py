"""Kernels: compiled once, kept on disk, and the same numbers where numba is missing."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

CACHE = Path(__file__).resolve().parents[2] / "engine/cache.py"

TWO_KERNELS = """
import numpy as np
from heft.engine.kernel import kernel, report_compiling

@kernel
def add_one(out):
    out[0] += 1.0

@kernel
def add_two(out):
    add_one(out)
    add_one(out)

out = np.zeros(1)
with report_compiling(lambda name, seconds: print(name, seconds > 0)):
    add_two(out)
    add_two(out)
assert out[0] == 4.0
"""

PENDULUM = """
import json, sys
from heft.engine import Body, Character, Frame, Joint, Range, build
from heft.engine.kernel import COMPILED
from heft.engine.simulate import State, simulate
arm = Body("arm", 2.0, (0.02, 0.03, 0.01), joint=Joint("ball", plug=Frame((0, 0, 0.5)), damping=0.1))
hand = Body("hand", 1.0, (0.01, 0.02, 0.03), "arm", Joint("hinge", axis=(0, 1, 0), limits=(Range(-0.2, 0.5),), stiffness=3.0))
system = build(Character("pendulum", (arm, hand)))
state = State.rest(system)
state.v[:] = 1.0, 2.0, 3.0, 4.0
trace = simulate(system, state, 0.2, 0.005)
print(json.dumps([COMPILED, trace.qpos[-1].tolist(), trace.tau[-1].tolist()]))
"""
NO_NUMBA = "import sys; sys.modules['numba'] = None\n"


def run(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    path = folder / "script.py"
    path.write_text(script)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run([sys.executable, path], env=kept | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def load_cache(package: str, engine: Path):
    """engine/cache.py as a module of another package"""
    spec = importlib.util.spec_from_file_location(f"{package}.engine.cache", engine / "cache.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def engine(tmp_path) -> Path:
    """an engine of two files"""
    (tmp_path / "engine/model").mkdir(parents=True)
    shutil.copy(CACHE, tmp_path / "engine")
    (tmp_path / "engine/model/build.py").write_text("x = 1\n")
    return tmp_path / "engine"


def test_compiling_is_reported_kernel_by_kernel_and_only_once(tmp_path):
    pytest.importorskip("numba", reason="nothing compiles without numba")
    cold, warm = (run(TWO_KERNELS, tmp_path, HEFT_CACHE_DIR=str(tmp_path / "cache")).stdout.splitlines() for _ in range(2))
    assert {"add_one True", "add_two True"} == set(cold)
    assert warm == []
    assert list((tmp_path / "cache").glob("kernels-*"))


def test_uncompiled_kernels_report_nothing(tmp_path):
    assert run(NO_NUMBA + TWO_KERNELS, tmp_path).stdout == ""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    pytest.importorskip("numba", reason="nothing to compare with: numba is not installed")
    done = run(PENDULUM, tmp_path_factory.mktemp("compiled"))
    assert done.stderr == ""
    was_compiled, *values = json.loads(done.stdout)
    assert was_compiled
    return values


@pytest.mark.parametrize("before, environment, reason", [
    (NO_NUMBA, {}, "numba is not installed"), ("", {"NUMBA_DISABLE_JIT": "1"}, "NUMBA_DISABLE_JIT is set")], ids=["no numba", "no JIT"])
def test_uncompiled_the_engine_gives_the_same_and_says_once_that_it_is_slow(before, environment, reason, compiled, tmp_path):
    done = run(before + PENDULUM, tmp_path, **environment)
    was_compiled, *values = json.loads(done.stdout)
    assert not was_compiled
    for own, other in zip(values, compiled):
        np.testing.assert_allclose(own, other, rtol=1e-12, atol=1e-12)
    assert len(done.stderr.splitlines()) == 1
    assert "slower" in done.stderr and reason in done.stderr


def test_the_cache_changes_with_the_package_and_with_any_source(engine):
    first = load_cache("heft", engine).engine_hash()
    assert load_cache("heft", engine).engine_hash() == first
    assert load_cache("bl_ext.user_default.heft", engine).engine_hash() != first
    (engine / "notes.txt").write_text("not a source")
    assert load_cache("heft", engine).engine_hash() == first
    (engine / "model/build.py").write_text("x = 2\n")
    edited = load_cache("heft", engine).engine_hash()
    (engine / "model/build.py").rename(engine / "model/built.py")
    assert len({first, edited, load_cache("heft", engine).engine_hash()}) == 3


def test_the_cache_lies_where_it_is_asked_to(engine, tmp_path, monkeypatch):
    cache = load_cache("heft", engine)
    monkeypatch.delenv("HEFT_CACHE_DIR", raising=False)
    cache.set_root(tmp_path / "set")
    assert cache.folder().parent == tmp_path / "set" and cache.folder().is_dir()
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path / "asked"))
    assert cache.folder().parent == tmp_path / "asked" and cache.folder().is_dir()


def test_a_cache_that_cannot_be_written_is_kept_in_the_temporary_folder(engine, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path / "file"))
    cache = load_cache("heft", engine)
    assert Path(tempfile.gettempdir()) in cache.folder().parents
    assert cache.folder().name == f"kernels-{cache.engine_hash()}"
