"""The rules of the house (who may import whom), read from the sources."""
import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import heft
import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted([*ROOT.glob("*.py"), *(source for folder in ("addon", "commands", "engine") for source in (ROOT / folder).rglob("*.py"))])
BLENDER = {"bpy", "mathutils", "bmesh", "gpu", "bpy_extras", "gpu_extras", "blf", "bl_ext"}

# inside the engine, each may import itself and what stands before it; the verbs, modules of their own, come last
ORDER = ["algebra", "model", "effort", "dynamics", "collision", "contact", "soft", "humanoid", "motion", "forces", "export", "analysis",
         "verbs"]
VERBS = {"analyse", "simulate", "correct", "demo", "scenes"}
FOR_ALL = {"kernel", "compiled", "cache", "errors"}


def imports(source: Path) -> Iterator[tuple[int, str, int]]:
    """(relative level, module with the package's name in front, line) of every import, also those inside functions"""
    # the package that `from .` means here
    package = ["heft", *source.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            yield from ((0, name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            if node.level and not _is_file(base):
                # from . import a, b: each name is a module
                yield from ((node.level, ".".join([*base, name.name]), node.lineno) for name in node.names)
            else:
                yield node.level, ".".join(base), node.lineno


def _is_file(module: list[str]) -> bool:
    return ROOT.joinpath(*module[1:]).with_suffix(".py").is_file() and len(module) > 1


def layer(module: str) -> str | None:
    """heft.engine.dynamics.data -> dynamics; None for what anyone may import"""
    parts = module.split(".")
    name = parts[2] if len(parts) > 2 else ""
    if name in VERBS:
        return "verbs"
    return None if name in FOR_ALL else name


def where(source: Path, line: int) -> str:
    return f"{source.relative_to(ROOT)}:{line}"


def module_of(source: Path) -> str:
    return ".".join(["heft", *source.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")


def offences(source: Path) -> list[str]:
    found = []
    own = module_of(source)
    in_engine = own.startswith("heft.engine")
    for level, module, line in imports(source):
        top = module.split(".")[0]
        if top == "heft" and not level:
            found.append(f"{where(source, line)}: imports {module} by its full name, must be relative")
        if top == "numba" and own != "heft.engine.compiled":
            found.append(f"{where(source, line)}: imports numba, only engine/compiled.py may")
        if in_engine and top in BLENDER:
            found.append(f"{where(source, line)}: the engine imports {module}, must know nothing of Blender")
        if in_engine and top == "heft":
            if not module.startswith("heft.engine"):
                found.append(f"{where(source, line)}: the engine imports {module}, outside itself")
            elif own != "heft.engine":
                found += [f"{where(source, line)}: {text}" for text in _order(own, module)]
    return found


def _order(own: str, module: str) -> list[str]:
    mine, other = layer(own), layer(module)
    if other is None:
        return []
    if mine is None:
        return [f"{own} is for all, so it may not import {module}"]
    for name in (mine, other):
        if name not in ORDER:
            return [f"'{name}' of {own} -> {module} has no place in the order {' -> '.join(ORDER)}: give it one"]
    return [] if ORDER.index(other) <= ORDER.index(mine) else [f"{mine} imports {module}, which comes after it"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.relative_to(ROOT).as_posix())
def test_imports_keep_the_order(source):
    assert offences(source) == []


@pytest.mark.parametrize("place, text, wrong", [
    ("engine/model/x.py", "from ..dynamics.data import Data", "comes after it"),
    ("engine/model/x.py", "from .. import simulate", "comes after it"),
    ("engine/cache.py", "from .model.model import Model", "is for all"),
    ("engine/algebra/x.py", "def f():\n    import bpy", "nothing of Blender"),
    ("engine/algebra/x.py", "from ...addon import operators", "outside itself"),
    ("engine/algebra/x.py", "from numba import njit", "imports numba"),
    ("addon/x.py", "import numba", "imports numba"),
    ("addon/x.py", "from heft.engine import simulate", "must be relative"),
    ("engine/odd/x.py", "from ..model import model", "has no place"),
    ("engine/dynamics/x.py", "from ..model.model import Model\nfrom ..kernel import kernel", None),
    ("addon/x.py", "import bpy\nfrom ..engine import simulate", None),
])
def test_the_rules_see_what_breaks_them(place, text, wrong, tmp_path, monkeypatch):
    source = tmp_path / place
    source.parent.mkdir(parents=True)
    source.write_text(text)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    found = offences(source)
    assert (len(found) == 1 and wrong in found[0]) if wrong else found == [], found


def test_pyproject_lists_every_package():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    there = {module_of(source) for source in SOURCES if source.name == "__init__.py"}
    assert set(listed) == there and len(listed) == len(there)


def test_the_manifest_has_the_version_of_the_package():
    assert tomllib.loads((ROOT / "blender_manifest.toml").read_text())["version"] == heft.__version__ == metadata.version("heft")


def test_every_folder_of_sources_is_a_package():
    assert [str(source) for source in SOURCES if not (source.parent / "__init__.py").exists()] == []


def test_engine_imports_quickly_and_without_blender():
    code = ("import sys, time; start = time.perf_counter(); import heft.engine; "
            "print(time.perf_counter() - start, sorted({'bpy', 'mathutils'} & set(sys.modules)))")
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(maxsplit=1)
            for _ in range(3)]
    assert {modules.strip() for _, modules in runs} == {"[]"}
    assert min(float(seconds) for seconds, _ in runs) < 0.1
