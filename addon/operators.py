"""What the animator can press."""
from collections.abc import Iterator

import bpy

from . import demo
from .working import Working


class HEFT_OT_demo(Working, bpy.types.Operator):
    """Simulate the demo characters (metres, kilograms, seconds) and add them as animated armatures"""
    bl_idname = "heft.demo"
    bl_label = "Add Demo"
    bl_options = {"REGISTER", "UNDO"}

    seconds: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Duration", description="How long to simulate, in seconds", default=2.0, min=1.0, max=10.0,
        subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")

    def work(self, context: bpy.types.Context) -> Iterator[float | str]:
        armatures = yield from demo.adding_demo(context.scene, self.seconds)
        self.report({"INFO"}, f"Added {', '.join(armature.name for armature in armatures)}: {self.seconds:g} s")
