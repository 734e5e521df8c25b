"""Where an action keeps its F-curves: the one place that knows which Blender this is.

Up to 4.3 an action is a list of F-curves. From 4.4 it has slots, one for each thing it animates, and the F-curves of a slot
lie in a channelbag; 5.0 took the old list away.
"""
from typing import Any

import bpy


def assign_new_action(target: bpy.types.Object, name: str) -> tuple[bpy.types.Action, Any]:
    """Make an empty action that animates `target`; returns it and what holds its `fcurves` and `groups`.

    The action it replaces loses a user, and Blender drops actions without users when it saves: a fake user keeps it.
    """
    animation = target.animation_data_create()
    replaced = animation.action
    if replaced is not None and replaced.library is None:
        replaced.use_fake_user = True

    action = bpy.data.actions.new(name)
    animation.action = action
    if not hasattr(action, "slots"):
        return action, action
    slot = action.slots.new(id_type="OBJECT", name=target.name)
    animation.action_slot = slot
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return action, strip.channelbag(slot, ensure=True)
