"""A test that runs in a real Blender, through pytest-blender (its name keeps it out of a plain run):

    pytest --blender-executable=tests/extension/blender-4.3 tests/extension/inside_blender.py
"""
import sys


def test_runs_in_a_real_blender():
    import bpy
    assert bpy.app.background and bpy.app.binary_path


def test_heft_is_the_source_and_compiled():
    import heft
    from heft.engine.kernel import COMPILED
    assert "bl_ext" not in heft.__file__ and "extensions" not in heft.__file__
    assert COMPILED, sys.path
