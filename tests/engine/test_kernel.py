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
with report_compiling(lambda name, seconds: print(name, seconds > 0), INNER):
    add_two(out)
    add_two(out)
assert out[0] == 4.0
"""

HELPER = """
from heft.engine.kernel import kernel

@kernel
def add(out):
    out[0] += NUMBER
"""

CALLER = """
import sys
import numpy as np
from heft.engine.kernel import kernel, report_compiling
from helper import add

@kernel
def add_twice(out):
    add(out)
    add(out)

out = np.zeros(1)
with report_compiling(lambda name, seconds: print(name)):
    add_twice(out)
print(out[0])
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
OTHER_NUMBA = "import numba.core.caching; del numba.core.caching._CacheLocator\n"
BROKEN_NUMBA = "import sys; sys.modules['llvmlite.binding'] = None\n"


def run(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    path = folder / "script.py"
    path.parent.mkdir(exist_ok=True)
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
    cold, warm = (run(TWO_KERNELS.replace("INNER", "True"), tmp_path, HEFT_CACHE_DIR=str(tmp_path / "cache")).stdout.splitlines()
                  for _ in range(2))
    assert {"add_one True", "add_two True"} == set(cold)
    assert warm == []
    assert list((tmp_path / "cache").glob("kernels-*"))
    outer = run(TWO_KERNELS.replace("INNER", "False"), tmp_path, HEFT_CACHE_DIR=str(tmp_path / "another")).stdout
    assert outer == "add_two True\n"


def test_a_script_of_ones_own_is_compiled_anew_when_it_or_what_it_calls_changes(tmp_path):
    pytest.importorskip("numba", reason="nothing compiles without numba")

    def said(folder: str, script: str, number: str) -> list[str]:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "helper.py").write_text(HELPER.replace("NUMBER", number))
        return run(script, tmp_path / folder, HEFT_CACHE_DIR=str(tmp_path / "cache")).stdout.splitlines()

    assert said("here", CALLER, "1.0") == ["add_twice", "2.0"]
    assert said("here", CALLER, "1.0") == ["2.0"]
    assert said("here", CALLER, "3.0") == ["add_twice", "6.0"]
    assert said("here", CALLER.replace("    add(out)\n", "", 1), "3.0") == ["add_twice", "3.0"]
    assert said("there", CALLER, "5.0") == ["add_twice", "10.0"]       # the same names and lines in another folder
    assert said("here", CALLER.replace("    add(out)\n", "", 1), "3.0") == ["3.0"]


def test_a_kernel_without_a_file_is_not_kept(tmp_path):
    pytest.importorskip("numba", reason="nothing compiles without numba")
    script = f"exec(compile({TWO_KERNELS.replace('INNER', 'False')!r}, '<console>', 'exec'))"
    for _ in range(2):
        assert run(script, tmp_path, HEFT_CACHE_DIR=str(tmp_path / "cache")).stdout == "add_two True\n"


def test_uncompiled_kernels_report_nothing(tmp_path):
    assert run(NO_NUMBA + TWO_KERNELS.replace("INNER", "True"), tmp_path).stdout == ""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    pytest.importorskip("numba", reason="nothing to compare with: numba is not installed")
    done = run(PENDULUM, tmp_path_factory.mktemp("compiled"))
    assert done.stderr == ""
    was_compiled, *values = json.loads(done.stdout)
    assert was_compiled
    return values


@pytest.mark.parametrize("before, environment, reason", [
    (NO_NUMBA, {}, "numba is not installed"), ("", {"NUMBA_DISABLE_JIT": "1"}, "NUMBA_DISABLE_JIT is set"),
    ("import numba.core.registry as r\nr.CPUDispatcher.compile = lambda *_: 1 / 0\n", {}, "can't compile here: division by zero"),
    (BROKEN_NUMBA, {}, "import of llvmlite.binding halted"), (OTHER_NUMBA, {}, "has no attribute '_CacheLocator'"),
], ids=["no numba", "no JIT", "no compile", "broken numba", "another numba"])
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


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """where the cache goes when its own folder can't be written; not there yet"""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / f"tmp/heft-{os.getuid()}"


def test_a_cache_that_cannot_be_written_is_kept_in_the_temporary_folder(engine, temporary):
    cache = load_cache("heft", engine)
    assert cache.folder() == temporary / f"kernels-{cache.engine_hash()}"
    assert cache.folder().is_dir() and temporary.stat().st_mode & 0o777 == 0o700


def test_no_cache_in_a_temporary_folder_that_others_can_write(engine, temporary):
    temporary.mkdir()
    temporary.chmod(0o777)
    assert load_cache("heft", engine).folder() is None


def test_no_cache_behind_a_link_in_the_temporary_folder(engine, temporary, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    temporary.symlink_to(tmp_path / "elsewhere")
    assert load_cache("heft", engine).folder() is None


def test_without_any_cache_kernels_compile_in_every_run(tmp_path):
    pytest.importorskip("numba", reason="nothing compiles without numba")
    (tmp_path / "file").write_text("in the way")
    script = f"import tempfile; tempfile.tempdir = {str(tmp_path / 'file')!r}\n" + TWO_KERNELS.replace("INNER", "False")
    for _ in range(2):
        assert run(script, tmp_path, HEFT_CACHE_DIR=str(tmp_path / "file")).stdout == "add_two True\n"


def test_the_versions_used_last_are_kept(engine, tmp_path, monkeypatch):
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path / "cache"))
    cache = load_cache("heft", engine)
    for age in range(20):
        old = tmp_path / f"cache/kernels-{age}"
        old.mkdir(parents=True)
        os.utime(old, (1e9 - age, 1e9 - age))
    current = cache.folder()
    assert {path.name for path in current.parent.iterdir()} == {current.name, *(f"kernels-{age}" for age in range(cache.KEPT))}
    assert cache.folder() == current and not cache.has_kernels("run")
    (current / "run.nbi").touch()
    assert cache.has_kernels("run") and not cache.has_kernels("other")
