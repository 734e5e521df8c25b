"""Obstacles to meshes: what is moved from outside, with a key at every frame where it moves."""
from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from .action_channels import assign_new_action
from .build_world import build_world
from .write_motion import write_keys

if TYPE_CHECKING:
    from ..engine.collision.build_shapes import Obstacle


def build_obstacles(obstacles: Sequence["Obstacle"], times: np.ndarray, frames: np.ndarray, points: np.ndarray,
                    collection: bpy.types.Collection) -> list[bpy.types.Object]:
    """Add an empty for each obstacle, with a mesh for each of its shapes on it. It is where its path is at `times` (T,) s, keyed at
    `frames` (T,) unless it stands still. `points` as for build_world."""
    from ..engine.collision.build_shapes import obstacle_name
    from ..engine.collision.paths import path_poses, stands_still
    made = []
    for number, obstacle in enumerate(obstacles):
        owner = obstacle_name(number, obstacle)
        places, turns = path_poses(owner, obstacle.path, times)
        thing = bpy.data.objects.new(obstacle.name or owner, None)
        thing.rotation_mode = "QUATERNION"
        thing.location, thing.rotation_quaternion = places[0], turns[0]
        collection.objects.link(thing)
        if not stands_still(owner, obstacle.path):
            _, channels = assign_new_action(thing, f"{thing.name} motion")
            group = channels.groups.new("Object Transforms")
            write_keys(channels, group, "location", frames, places)
            write_keys(channels, group, "rotation_quaternion", frames, turns)
        start = Matrix.LocRotScale(places[0], Quaternion(turns[0]), None)
        for part in build_world(obstacle.shapes, points, collection, thing.name, start):
            # on the empty, where its shape is
            part.matrix_basis = start.inverted() @ part.matrix_basis
            part.parent = thing
        made.append(thing)
    return made
