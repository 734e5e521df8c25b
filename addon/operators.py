"""What the animator can press."""
import bpy

from ..engine.errors import HeftError
from . import demo


class HEFT_OT_demo(bpy.types.Operator):
    """Simulate the demo characters (metres, kilograms, seconds) and add them as animated armatures"""
    bl_idname = "heft.demo"
    bl_label = "Add Demo"
    bl_options = {"REGISTER", "UNDO"}

    seconds: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Duration", description="How long to simulate, in seconds", default=2.0, min=1.0, max=10.0,
        subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")

    def execute(self, context: bpy.types.Context) -> set[str]:
        try:
            armatures = demo.add_demo(context.scene, self.seconds)
        except HeftError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Added {', '.join(armature.name for armature in armatures)}: {self.seconds:g} s")
        return {"FINISHED"}
