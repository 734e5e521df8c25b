"""The built zips, installed into fresh profiles of real Blenders and of the bpy modules."""
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REAL_BLENDER = ROOT.parent / "shared/tools/real-blender"
ZIPS = {"3.11": "linux-x64", "3.13": "linux-x64", "3.14": "linux-x64-py314"}

needs_real_blender = pytest.mark.skipif(not REAL_BLENDER.exists(), reason=f"no real Blender: {REAL_BLENDER} is absent")


def build_zip(name: str, folder: Path) -> Path:
    """Built anew each time (seconds, once the wheels are there) and copied to `folder`; one process at a time, as they share files"""
    output = ROOT / "build/test-extension"
    output.mkdir(parents=True, exist_ok=True)
    (ROOT / "build/wheels").mkdir(exist_ok=True)
    if not (output / "wheels").exists():
        (output / "wheels").symlink_to(ROOT / "build/wheels")
    with open(output / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run([sys.executable, ROOT / "tools/build_extension.py", "--output", output, "--only", name])
        return Path(shutil.copy(next(output.glob(f"heft-*.*.*-{name}.zip")), folder))


def run(command: list, profile: Path | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "PYTEST_", "PYTHON"))}
    if profile:
        environment |= {"BLENDER_USER_RESOURCES": str(profile), "HEFT_CACHE_DIR": str(profile / "cache")}
    done = subprocess.run(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def profile():
    # in /tmp, which the real Blenders' roots see, and gone afterwards: unpacked wheels take 200 MB
    with tempfile.TemporaryDirectory(prefix="heft-profile-", dir="/tmp") as folder:
        # without config/ Blender reads the user's own profile
        (Path(folder) / "config").mkdir()
        yield Path(folder)


def blender_ext() -> Path:
    """Blender's own tool for extensions"""
    bpy = pytest.importorskip("bpy", reason="blender_ext.py comes with Blender as a module: pip install heft[blender]")
    return next(Path(bpy.utils.resource_path("LOCAL")).glob("scripts/addons_core/bl_pkg/cli/blender_ext.py"))


def facts(output: str) -> dict:
    found = json.loads(next(line for line in output.splitlines() if line.startswith("HEFT ")).removeprefix("HEFT "))
    print(found)
    return found


def install(version: str, python: str, profile: Path) -> None:
    archive = build_zip(ZIPS[python], profile)
    run([REAL_BLENDER, version, "--command", "extension", "install-file", "-r", "user_default", "-e", archive], profile)


TAGS = {"linux-x64": ("manylinux", "x86_64"), "linux-x64-py314": ("manylinux", "x86_64"), "windows-x64": ("win_amd64", "win_amd64"),
        "macos-arm64": ("macosx", "arm64")}


@pytest.mark.parametrize("name", ["linux-x64-py314", *(pytest.param(name, marks=pytest.mark.slow) for name in TAGS if "py" not in name)])
def test_zip_holds_what_the_manifest_lists_and_its_wheels_and_nothing_else(name, profile):
    archive = build_zip(name, profile)
    with zipfile.ZipFile(archive) as file:
        names = set(file.namelist())
        manifest = tomllib.loads(file.read("blender_manifest.toml").decode())
    listed = [ROOT / entry for entry in tomllib.loads((ROOT / "blender_manifest.toml").read_text())["build"]["paths"]]
    sources = {path for entry in listed for path in ([entry] if entry.is_file() else entry.rglob("*")) if path.is_file()}
    sources = {path.relative_to(ROOT).as_posix() for path in sources if path.parent.name != "__pycache__"}
    wheels = {entry for entry in names if entry.startswith("wheels/")}
    assert names == sources | wheels | {"blender_manifest.toml"}
    assert {"engine/simulate.py", "engine/dynamics/integrate.py", "addon/operators.py", "__main__.py"} <= names
    # nothing but sources: no tests, documents, caches or folders of tools
    assert {Path(entry).suffix for entry in sources} == {".py", ""} and {entry for entry in sources if "." not in entry} == {"LICENSE"}
    assert not {entry.split("/")[0] for entry in names} & {"tests", "docs", "tools", "build", "heft.egg-info"}

    pythons = ["cp314"] if name.endswith("py314") else ["cp311", "cp313"]
    assert sorted((wheel.split("-")[0], wheel.split("-")[2]) for wheel in wheels) == [
        (f"wheels/{package}", python) for package in ("llvmlite", "numba") for python in pythons]
    start, end = TAGS[name]
    assert all(wheel.removesuffix(".whl").split("-")[-1].startswith(start) and wheel.endswith(f"{end}.whl") for wheel in wheels)
    assert manifest["platforms"] == [name.removesuffix("-py314")] and {f"./{wheel}" for wheel in wheels} == set(manifest["wheels"])
    run([sys.executable, blender_ext(), "validate", archive])


@needs_real_blender
@pytest.mark.parametrize("version, python", [("4.3", "3.13"), ("5.2", "3.14")])
def test_installs_in_real_blender(version, python, profile):
    install(version, python, profile)
    found = facts(run([REAL_BLENDER, version, "--background", "--python-exit-code", "1", "--python", HERE / "check_installed.py"], profile))
    assert found["blender"].startswith(version) and found["python"].startswith(python)
    assert found["numba_file"].startswith("extensions/.local/")


@needs_real_blender
@pytest.mark.parametrize("version, python", [pytest.param("4.3", "3.13", marks=pytest.mark.slow), ("5.2", "3.14")])
def test_pytest_runs_inside_real_blender(version, python, profile):
    install(version, python, profile)
    output = run([sys.executable, "-m", "pytest", f"--blender-executable={HERE / f'blender-{version}'}", "-p", "no:cacheprovider", "-q",
                  HERE / "inside_blender.py", ROOT / "tests/addon"], profile)
    assert " passed in " in output and "skipped" not in output, output


@needs_real_blender
@pytest.mark.parametrize("version, python", [("4.3", "3.13"), pytest.param("5.2", "3.14", marks=pytest.mark.slow)])
def test_blender_has_the_commands_and_the_operators(version, python, profile):
    install(version, python, profile)
    output = run([REAL_BLENDER, version, "--command", "heft", "demo", "--output", profile / "demo", "--seconds", "1"], profile)
    assert "uncompiled" not in output
    assert f"written: {profile / 'demo/demo.blend'}" in output.splitlines() and (profile / "demo/demo.blend").exists()
    assert (profile / "demo/demo.npz").exists() and "no plot: matplotlib" in output
    assert "--seconds SECONDS" in run([REAL_BLENDER, version, "--command", "heft", "demo", "--help"], profile)
    run([REAL_BLENDER, version, "--command", "heft", "simulate", "elbow", "--seconds", "0.1", "--blend", profile / "elbow.blend"], profile)
    found = facts(run([REAL_BLENDER, version, "--background", profile / "elbow.blend", "--python-exit-code", "1",
                       "--python", HERE / "check_scene.py"], profile))
    assert found["written"] == ["figure", "figure shapes", "world box", "world box.001", "world plane"]
    assert found["added"] == ["box", "box shapes", "world plane.001"]
    # a second at g (sin - friction cos) down the slope of 30 degrees
    assert found["fall"] == pytest.approx(9.81 * (0.5 - 0.3 * 0.75 ** 0.5) / 2 * 0.5, abs=2e-3)


@needs_real_blender
def test_without_a_numba_that_fits_it_runs_and_says_so(profile):
    archive = build_zip("slow", profile)
    with zipfile.ZipFile(archive) as file:
        assert not {"platforms", "wheels"} & tomllib.loads(file.read("blender_manifest.toml").decode()).keys()
        assert not [entry for entry in file.namelist() if entry.endswith(".whl")]
    run([REAL_BLENDER, "5.2", "--command", "extension", "install-file", "-r", "user_default", "-e", archive], profile)
    quick = ["--seconds", "0.1", "--step", "0.02"]
    output = run([REAL_BLENDER, "5.2", "--command", "heft", "demo", "--output", profile / "demo", *quick], profile)
    assert "Heft runs uncompiled and some hundred times slower: numba is not installed" in output
    assert (profile / "demo/demo.blend").exists() and (profile / "demo/demo.npz").exists()


@needs_real_blender
@pytest.mark.parametrize("version", [pytest.param("4.3", marks=pytest.mark.slow), "5.2"])
def test_the_operator_works_in_a_window(version, profile):
    output = run([REAL_BLENDER, version, "--window", "60", "--enable-event-simulate", "--python", HERE / "heft_from_source.py",
                  "--python", HERE / "in_window.py"], profile)
    assert "HEFT {}" in output.splitlines() and "Error" not in output, output


@pytest.mark.slow
@pytest.mark.parametrize("version", ["4.2", "4.5", "5.0"])
def test_installs_in_bpy_module(version, profile):
    python = ROOT / f".venv-bpy-{version}/bin/python"
    if not python.exists():
        pytest.skip(f"no bpy {version}: {python} is absent, run `make test-all`")
    found = facts(run([python, HERE / "check_installed.py", build_zip("linux-x64", profile)], profile))
    assert found["blender"].startswith(version) and found["python"].startswith("3.11")
    assert found["numba_file"].startswith("extensions/.local/")
