"""Every test of the add-on starts in an empty Blender file."""
import pytest

bpy = pytest.importorskip("bpy", reason="needs Blender as a module: pip install heft[blender]")


@pytest.fixture(autouse=True)
def empty_file():
    bpy.ops.wm.read_factory_settings(use_empty=True)
