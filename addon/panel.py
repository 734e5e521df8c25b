"""The sidebar of the 3D viewport."""
import importlib.util
import sys

import bpy

from .operators import HEFT_OT_add_scene, HEFT_OT_demo, SceneSettings

KERNEL = f"{__package__.rpartition('.')[0]}.engine.kernel"


def engine_state() -> tuple[str, str]:
    """How the engine runs, and if it is slow, why.

    Known once the engine is loaded. Until then only numba is looked for: loading it takes a second, and panels are drawn at every
    move of the mouse.
    """
    if KERNEL in sys.modules:
        why_slow = sys.modules[KERNEL].WHY_SLOW      # type: ignore[attr-defined]
        return ("slow", why_slow) if why_slow else ("compiled", "")
    return ("not loaded yet", "") if importlib.util.find_spec("numba") else ("slow", "numba is not installed")


class HEFT_PT_sidebar(bpy.types.Panel):
    """Heft's page in the sidebar (N)."""
    bl_label = "Heft"
    bl_idname = "HEFT_PT_sidebar"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Heft"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        state, why_slow = engine_state()
        layout.label(text=f"Engine: {state}", icon="ERROR" if why_slow else "CHECKMARK" if state == "compiled" else "INFO")
        if why_slow:
            layout.label(text=why_slow)
        layout.operator(HEFT_OT_demo.bl_idname, icon="ARMATURE_DATA")
        draw_scene(layout, context.window_manager.heft_scene)


def draw_scene(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Which scene, what model of contact, for how long, in what steps, and the button."""
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(settings, "scene", text="")
    button = row.operator(HEFT_OT_add_scene.bl_idname, text="Simulate", icon="PHYSICS")
    column.prop(settings, "contact", text="")
    row = column.row(align=True)
    row.prop(settings, "seconds")
    row.prop(settings, "step")
    for name in SceneSettings.__annotations__:
        setattr(button, name, getattr(settings, name))
