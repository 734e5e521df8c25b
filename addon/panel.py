"""The sidebar of the 3D viewport."""
import functools
import importlib.util
import os

import bpy

from .operators import HEFT_OT_demo


@functools.cache
def engine_is_compiled() -> bool:
    """Whether kernels will run as machine code.

    Only looks for numba: importing it takes a second, and panels are drawn at every move of the mouse. Asked once, since
    the answer can't change while Blender runs.
    """
    return importlib.util.find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class HEFT_PT_sidebar(bpy.types.Panel):
    """Heft's page in the sidebar (N)."""
    bl_label = "Heft"
    bl_idname = "HEFT_PT_sidebar"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Heft"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        if engine_is_compiled():
            layout.label(text="Engine: compiled", icon="CHECKMARK")
        else:
            layout.label(text="Engine: slow, numba is missing or off", icon="ERROR")
        layout.operator(HEFT_OT_demo.bl_idname, icon="ARMATURE_DATA")
