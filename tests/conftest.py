"""Tests share their makers of random systems by name, wherever pytest is started, also inside a Blender.

    pytest --blender-executable=PATH tests/addon          by pytest-blender, in the Python of that Blender
"""
import importlib.util
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent
EXECUTABLE = "--blender-executable"

sys.path[:0] = [str(HERE / "engine"), str(HERE / "motion"), str(HERE / "analyse"), str(HERE / "correct")]

# a Blender's own Python does not have this package installed
if importlib.util.find_spec("heft") is None:
    runpy.run_path(str(HERE / "extension/heft_from_source.py"))

# pytest-blender starts a Blender whenever it is loaded, so pyproject.toml switches it off; here it comes in where it is asked for.
# It takes its own options out of what it hands on to Blender, but only those whose value stands apart.
for number, argument in enumerate(sys.argv):
    if argument.startswith(f"{EXECUTABLE}="):
        sys.argv[number:number + 1] = argument.split("=", 1)
if EXECUTABLE in sys.argv:
    pytest_plugins = ["pytest_blender.plugin"]
