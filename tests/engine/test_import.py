"""The engine is a library of its own: quick to import, and without Blender."""
import subprocess
import sys


def test_engine_imports_no_blender_and_no_numba():
    code = "import sys, heft.engine; print(sorted({'bpy', 'numba', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
