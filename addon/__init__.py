"""Everything that knows Blender.

The engine is imported when a command needs it, never here: enabling the extension must not wait for numba.
"""
import bpy

from ..engine import cache
from . import commands, operators, panel

CLASSES = (operators.HEFT_OT_demo, operators.HEFT_PG_scene, operators.HEFT_OT_add_scene, panel.HEFT_PT_sidebar)


def register() -> None:
    """Add Heft to Blender."""
    _place_cache()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.WindowManager.heft_scene = bpy.props.PointerProperty(type=operators.HEFT_PG_scene)
    commands.register()


def unregister() -> None:
    """Take it away again, last added first."""
    commands.unregister()
    del bpy.types.WindowManager.heft_scene
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)


def _place_cache() -> None:
    """Compiled kernels go where Blender lets an extension write; its own folder may be read-only and is replaced by updates."""
    root = __package__.rpartition(".")[0]
    if root.startswith("bl_ext."):
        cache.set_root(bpy.utils.extension_path_user(root, create=True))
