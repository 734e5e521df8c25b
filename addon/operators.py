"""What the animator can press."""
from collections.abc import Iterator

import bpy

from . import demo, scenes
from .working import Working

SCENES = scenes.list_scenes()      # Blender needs its texts kept alive


class HEFT_OT_demo(Working, bpy.types.Operator):
    """Simulate the demo characters (metres, kilograms, seconds) and add them as animated armatures"""
    bl_idname = "heft.demo"
    bl_label = "Add Demo"
    bl_options = {"REGISTER", "UNDO"}

    seconds: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Duration", description="How long to simulate, in seconds", default=2.0, min=1.0, max=10.0,
        subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")

    def work(self, context: bpy.types.Context) -> Iterator[float | str]:
        armatures = yield from demo.adding_demo(context.scene, decimal(self.seconds))
        self.report({"INFO"}, f"Added {', '.join(armature.name for armature in armatures)}: {self.seconds:g} s")


class SceneSettings:
    """What to simulate: the panel keeps it and the operator takes it."""
    scene: bpy.props.EnumProperty(name="Scene", description="A built-in scene with contact", items=SCENES)  # type: ignore[valid-type]
    contact: bpy.props.EnumProperty(  # type: ignore[valid-type]
        name="Contact", description="How things touch", default="rigid", items=[
            ("rigid", "Rigid", "Nothing gives way; impacts are found inside the step"),
            ("compliant", "Compliant", "Materials give way by their sinkage; large steps are safe"),
            ("smooth", "Smooth", "Materials give way; forces never jump, and steps are shortened as they need")])
    # no lower bounds: Blender would quietly take another value, the engine says what is wrong
    seconds: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Duration", description="How long to simulate, in seconds; 0 is as long as the scene needs", default=0.0, soft_min=0.0,
        soft_max=10.0, max=3600.0, subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")
    step: bpy.props.FloatProperty(  # type: ignore[valid-type]
        name="Step", description="Longest time step, in seconds; it is shortened so that every frame falls on a step", default=0.001,
        soft_min=0.0001, soft_max=0.01, max=1.0, step=0.01, precision=4, subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")


class HEFT_PG_scene(SceneSettings, bpy.types.PropertyGroup):
    """What the panel shows; not part of the file."""


class HEFT_OT_add_scene(SceneSettings, Working, bpy.types.Operator):
    """Simulate a built-in scene with contact (metres, kilograms, seconds); adds animated armatures and meshes of its world"""
    bl_idname = "heft.add_scene"
    bl_label = "Simulate Scene"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, context: bpy.types.Context) -> Iterator[float | str]:
        report = yield from scenes.adding_scene(context.scene, self.scene, decimal(self.seconds), decimal(self.step), self.contact)
        self.report({"INFO"}, scenes.in_one_line(self.scene, report))


def decimal(value: float) -> float:
    """The number as it was typed: Blender keeps seven digits, and its 0.9 s would be a frame too short."""
    return float(f"{value:.7g}")
