"""The built zips, installed into fresh profiles of real Blenders and of the bpy modules."""
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
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


def facts(output: str) -> dict:
    found = json.loads(next(line for line in output.splitlines() if line.startswith("HEFT ")).removeprefix("HEFT "))
    print(found)
    return found


def install(version: str, python: str, profile: Path) -> None:
    archive = build_zip(ZIPS[python], profile)
    run([REAL_BLENDER, version, "--command", "extension", "install-file", "-r", "user_default", "-e", archive], profile)


def test_zip_holds_the_sources_and_its_wheels_and_nothing_else(profile):
    with zipfile.ZipFile(build_zip("linux-x64-py314", profile)) as archive:
        names = set(archive.namelist())
    sources = {path.relative_to(ROOT).as_posix() for folder in ("addon", "engine") for path in (ROOT / folder).rglob("*.py")}
    wheels = {name for name in names if name.startswith("wheels/") and name.endswith("-cp314-cp314-" + name.split("-")[-1])}
    assert {name.split("/")[1].split("-")[0] for name in wheels} == {"numba", "llvmlite"} and len(wheels) == 2
    rest = names - sources - wheels - {"blender_manifest.toml", "__init__.py", "__main__.py", "LICENSE"}
    assert sources <= names and all(name.startswith("presets/") for name in rest), sorted(rest)


@needs_real_blender
@pytest.mark.parametrize("version, python", [("4.3", "3.13"), ("5.2", "3.14")])
def test_installs_in_real_blender(version, python, profile):
    install(version, python, profile)
    found = facts(run([REAL_BLENDER, version, "--background", "--python-exit-code", "1", "--python", HERE / "check_installed.py"], profile))
    assert found["blender"].startswith(version) and found["python"].startswith(python)
    assert found["numba_file"].startswith("extensions/.local/")


@pytest.mark.slow
@needs_real_blender
@pytest.mark.parametrize("version, python", [("4.3", "3.13"), ("5.2", "3.14")])
def test_pytest_runs_inside_real_blender(version, python, profile):
    install(version, python, profile)
    output = run([sys.executable, "-m", "pytest", "-p", "pytest-blender", "--blender-executable", HERE / f"blender-{version}",
                  "-p", "no:cacheprovider", "-q", HERE / "inside_blender.py"], profile)
    assert "2 passed" in output, output


@pytest.mark.slow
@pytest.mark.parametrize("version", ["4.2", "4.5", "5.0"])
def test_installs_in_bpy_module(version, profile):
    python = ROOT / f".venv-bpy-{version}/bin/python"
    if not python.exists():
        pytest.skip(f"no bpy {version}: {python} is absent, run `make venvs`")
    found = facts(run([python, HERE / "check_installed.py", build_zip("linux-x64", profile)], profile))
    assert found["blender"].startswith(version) and found["python"].startswith("3.11")
    assert found["numba_file"].startswith("extensions/.local/")
