"""Every test of the add-on starts in an empty Blender file."""
import sys

import pytest

bpy = pytest.importorskip("bpy", reason="needs Blender as a module: pip install heft[blender]")


@pytest.fixture(autouse=True)
def empty_file():
    # not read_factory_settings, which also switches off the extension that brings numba
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.fixture(scope="session", autouse=True)
def alone():
    """the extension that brings numba has registered the same names"""
    installed = sys.modules.get("bl_ext.user_default.heft")
    if installed:
        installed.unregister()
    yield
    if installed:
        installed.register()


@pytest.fixture
def registered():
    import heft
    heft.register()
    yield
    heft.unregister()
