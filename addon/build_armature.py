"""Bodies to bones: an armature that stands in the rest pose of a character."""
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Vector

LONGEST_NAME = 63      # bytes; Blender cuts longer bone names without a word
SHORTEST_BONE = 1e-4   # m; Blender deletes bones of no length when edit mode ends


def build_armature(name: str, bodies: Sequence[str], parents: Sequence[int], positions: np.ndarray, rotations: np.ndarray,
                   tips: np.ndarray) -> bpy.types.Object:
    """Add an armature with a bone for each of `bodies`, and leave it active and alone selected, in object mode.

    World, metres: bones start at `positions` (nb, 3) and end at `tips` (nb, 3); `rotations` (nb, 3, 3) are the bodies' axes,
    which the bones' roll follows. `parents` are indices into `bodies`, -1 for none. No bone is connected: a body may move
    against its parent.
    """
    _check(bodies, positions, tips)
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    _make_active(armature)

    # bones can be made in edit mode only
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        bones = [armature.data.edit_bones.new(body) for body in bodies]
        for i, bone in enumerate(bones):
            bone.head, bone.tail = positions[i], tips[i]
            bone.align_roll(_roll_axis(tips[i] - positions[i], rotations[i]))
            bone.use_connect = False
            if parents[i] >= 0:
                bone.parent = bones[parents[i]]
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _check(bodies: Sequence[str], positions: np.ndarray, tips: np.ndarray) -> None:
    """refuse what Blender would silently rename or delete"""
    if len(set(bodies)) < len(bodies):
        raise ValueError(f"bones {', '.join(bodies)} must have different names")
    for body, length in zip(bodies, np.linalg.norm(np.subtract(tips, positions), axis=1)):
        if not 0 < len(body.encode()) <= LONGEST_NAME:
            raise ValueError(f"bone '{body}': its name has {len(body.encode())} bytes, must have 1 to {LONGEST_NAME}")
        if not length >= SHORTEST_BONE:
            raise ValueError(f"bone '{body}': its length is {length:g} m, must be at least {SHORTEST_BONE:g} m")


def _make_active(armature: bpy.types.Object) -> None:
    """Put it into the scene, active and alone selected: edit mode takes in every selected armature."""
    context = bpy.context
    if context.view_layer.objects.active is not None and context.view_layer.objects.active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    context.collection.objects.link(armature)
    # the active collection may be excluded from the view layer, and an object outside it can't be edited
    if armature.name not in context.view_layer.objects:
        context.collection.objects.unlink(armature)
        context.scene.collection.objects.link(armature)
    for other in context.view_layer.objects:
        other.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature


def _roll_axis(along: np.ndarray, rotation: np.ndarray) -> Vector:
    """the body axis that is most across the bone: the bone's z turns towards it"""
    return Vector(rotation[:, np.argmin(np.abs(np.asarray(along) @ rotation))])
