"""Build the extension's zips: one for each platform, with the wheels of numba for the Pythons of its Blenders, and one without
wheels for all others: Blender refuses a zip whose wheels are for another Python, and without numba the engine runs, if slowly.

    python tools/build_extension.py --output build [--only linux-x64 ...]

Wheels are downloaded once into OUTPUT/wheels. What ships is read from `[build] paths` of blender_manifest.toml.
"""
import argparse
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = "blender_manifest.toml"
WHEELS = {"numba": "0.68.1", "llvmlite": "0.50.0"}


class Target(NamedTuple):
    platform: str             # as Blender names it; empty: any
    tags: tuple[str, ...]     # as wheels name it
    pythons: tuple[str, ...]


LINUX = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
TARGETS = {
    "linux-x64": Target("linux-x64", LINUX, ("3.11", "3.13")),
    "windows-x64": Target("windows-x64", ("win_amd64",), ("3.11", "3.13")),
    "macos-arm64": Target("macos-arm64", ("macosx_14_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"), ("3.11", "3.13")),
    # Debian's Blender 5.2; apart, because each Python adds some 60 MB
    "linux-x64-py314": Target("linux-x64", LINUX, ("3.14",)),
    "slow": Target("", (), ()),
}


class BuildError(Exception):
    """Says what went wrong and what to do about it."""


def run(command: Sequence[str | Path], advice: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{done.stdout}{done.stderr}\n{advice}")


def blender_ext() -> Path:
    """Blender's own tool for extensions, a file of the bpy module that runs without it"""
    spec = importlib.util.find_spec("bpy")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for tool in Path(folder).glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"):
            return tool
    raise BuildError(f"{sys.executable} has no bpy module with blender_ext.py: run `make setup`, then use .venv/bin/python")


def find_wheel(folder: Path, package: str, python: str, tags: Sequence[str]) -> Path | None:
    abi = "cp" + python.replace(".", "")
    for wheel in sorted(folder.glob(f"{package}-{WHEELS[package]}-{abi}-{abi}-*.whl")):
        if set(wheel.stem.split("-")[-1].split(".")) & set(tags):
            return wheel
    return None


def get_wheel(folder: Path, package: str, python: str, tags: Sequence[str]) -> Path:
    """The wheel in `folder`, downloaded where it is not there yet"""
    wheel = find_wheel(folder, package, python, tags)
    if wheel is None:
        wanted = f"{package}=={WHEELS[package]}"
        platforms = [word for tag in tags for word in ("--platform", tag)]
        run([sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--no-deps", *platforms,
             "--python-version", python, "--dest", folder, wanted],
            f"{wanted} for Python {python} on {tags[0]} can't be downloaded: check the network and pip's index, "
            f"or put the wheel into {folder} by hand")
        wheel = find_wheel(folder, package, python, tags)
    if wheel is None:
        raise BuildError(f"pip put no {package} {WHEELS[package]} for Python {python} with a tag of {', '.join(tags)} into {folder}: "
                         "look at the names there, and add the new tag to TARGETS")
    return wheel


def shipped_files() -> list[str]:
    """`[build] paths` with each folder replaced by its files"""
    files: list[str] = []
    for name in tomllib.loads((ROOT / MANIFEST).read_text())["build"]["paths"]:
        path = ROOT / name
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        found = [file for file in found if file.is_file() and file.suffix != ".pyc"]
        if not found:
            print(f"note: {MANIFEST} lists {name}, which is missing or empty: left out", file=sys.stderr)
        files += [file.relative_to(ROOT).as_posix() for file in found]
    return files


def staged_manifest(target: Target, files: list[str], wheels: list[str]) -> str:
    """The manifest with one platform, its wheels, and every file by name"""
    text = (ROOT / MANIFEST).read_text()
    built_for = f'platforms = ["{target.platform}"]\nwheels = {json.dumps(wheels)}' if target.platform else ""
    text, platforms = re.subn(r"(?m)^platforms = .*$", built_for, text)
    text, paths = re.subn(r"(?m)^paths = .*$", f"paths = {json.dumps(files)}", text)
    if (platforms, paths) != (1, 1):
        raise BuildError(f"{MANIFEST} must have one line `platforms = [...]` and one line `paths = [...]`")
    return text


def build(name: str, output: Path) -> Path:
    """Stage one zip's files under OUTPUT/stage, build and validate the zip"""
    target, tool = TARGETS[name], blender_ext()
    (output / "wheels").mkdir(parents=True, exist_ok=True)
    wheels = [get_wheel(output / "wheels", package, python, target.tags) for python in target.pythons for package in WHEELS]

    stage = output / "stage" / name
    shutil.rmtree(stage, ignore_errors=True)
    files = shipped_files()
    for source, place in [(ROOT / file, file) for file in files] + [(wheel, f"wheels/{wheel.name}") for wheel in wheels]:
        (stage / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, stage / place)
    (stage / MANIFEST).write_text(staged_manifest(target, files, [f"./wheels/{wheel.name}" for wheel in wheels]))

    version = tomllib.loads((ROOT / MANIFEST).read_text())["version"]
    result = output / f"heft-{version}-{name}.zip"
    tags: list[str | Path] = ["--valid-tags", tool.parents[3] / "modules/_bpy_internal/extensions/tags.py"]
    run([sys.executable, tool, "build", "--source-dir", stage, "--output-filepath", result, *tags],
        f"{name}: Blender's tool refused to build it: correct {MANIFEST}")
    run([sys.executable, tool, "validate", *tags, result], f"{result} is not a valid extension: correct {MANIFEST}")
    shutil.rmtree(stage)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, help="folder for the zips and downloaded wheels")
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=list(TARGETS), metavar="PLATFORM", help=", ".join(TARGETS))
    options = parser.parse_args(arguments)
    try:
        for name in options.only:
            result = build(name, options.output.resolve())
            print(f"{result}  {result.stat().st_size / 1e6:.0f} MB")
    except BuildError as error:
        print(f"build_extension: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
