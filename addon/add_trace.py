"""A simulation in Blender: its characters as armatures that move, its world as meshes, or all of it in a file."""
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from .build_armature import build_armature
from .build_obstacles import build_obstacles
from .build_skin import SOLID, build_skin, placed, reached
from .build_world import build_world
from .write_motion import write_motion

if TYPE_CHECKING:
    from ..engine.collision.build_shapes import Obstacle
    from ..engine.model.character import Shape
    from ..engine.model.model import Model, System

SHORTEST_BONE = 0.01   # m; shorter ones can't be seen or clicked


def shares(parts: Iterator[tuple[float, Any]]) -> Generator[float, None, Any]:
    """A simulation in parts: yields the share done, returns the trace."""
    trace = None
    for share, trace in parts:             # noqa: B007  the last one counts
        yield share
    return trace


def add_to_scene(scene: bpy.types.Scene, trace: Any, system: "System") -> list[bpy.types.Object]:
    """Add the moving characters from the scene's first frame on; its range grows where the motion is longer."""
    armatures = add_trace(scene.frame_start, trace, system)
    scene.frame_end = max(scene.frame_end, scene.frame_start + len(trace.frame_step) - 1)
    return armatures


def save_trace(path: Path, trace: Any, system: "System", obstacles: Sequence["Obstacle"] = ()) -> None:
    """Add a simulation to an empty file, look at it and save it as `path`; what was open before is gone."""
    from ..engine.dynamics.poses import body_poses
    from ..engine.errors import Unwritable
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    add_trace(1, trace, system, obstacles)
    # Blender's rate is a whole number over a base
    scene.render.fps = max(1, round(trace.fps))
    scene.render.fps_base = scene.render.fps / trace.fps
    scene.frame_start, scene.frame_end = 1, len(trace.frame_step)
    look_at(reached(system.bodies, *body_poses(system, trace.qpos[trace.frame_step])), system.shapes)
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()))
    except RuntimeError as error:          # Blender's word for every failure
        raise Unwritable(path, OSError(str(error).strip())) from None


def add_trace(first_frame: int, trace: Any, system: "System", obstacles: Sequence["Obstacle"] = ()) -> list[bpy.types.Object]:
    """Add one armature for each character of a simulation to the scene, a key at every frame of the trace from `first_frame` on, and
    around them the shapes of the world, the ground that bodies carry, and `obstacles`, keyed as the armatures are."""
    from ..engine.dynamics.poses import body_poses
    from ..engine.model.state import rest_coordinates
    rest_positions, rest_rotations = (rest[0] for rest in body_poses(system, rest_coordinates(system.model)[None]))
    positions, rotations = body_poses(system, trace.qpos[trace.frame_step])
    heads, tips = bone_ends(system.model, rest_positions, rest_rotations)
    frames = first_frame + np.arange(len(trace.frame_step))

    armatures = []
    for number, character in enumerate(system.characters):
        own = np.flatnonzero(system.character == number)
        names = [system.bodies[i].name for i in own]
        # a character's bodies are a block: its parents become indices into the block
        parents = [int(p) - int(own[0]) if p >= 0 else -1 for p in system.model.parent[own]]
        armature = build_armature(character.name, names, parents, heads[own], rest_rotations[own], tips[own])
        write_motion(armature, names, positions[:, own], rotations[:, own], rest_positions[own], rest_rotations[own],
                     frames, f"{character.name} motion")
        build_skin(armature, [system.bodies[i] for i in own], rest_positions[own], rest_rotations[own])
        # thin bones, seen through the skin
        armature.data.display_type, armature.show_in_front = "WIRE", True
        armatures.append(armature)
    points, collection = reached(system.bodies, positions, rotations), armatures[0].users_collection[0]
    build_world(system.shapes, points, collection)
    for i, body in enumerate(system.bodies):
        # ground on a body, which then stands still: no part of the skin
        place = Matrix.LocRotScale(rest_positions[i], Matrix(rest_rotations[i].tolist()), None)
        build_world([shape for shape in body.shapes if shape.kind not in SOLID], points, collection, system.names[i], place)
    build_obstacles(obstacles, trace.time[trace.frame_step], frames, points, collection)
    return armatures


def bone_ends(model: "Model", positions: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heads and tips (nb, 3) of the bones, from the rest pose of the bodies in the world.

    A bone starts at its joint, so that turning the joint needs no location keys. It ends amid the joints of its children;
    without children, as far beyond the centre of mass as that is from the joint.
    """
    heads = positions + np.einsum("ijk,ik->ij", rotations, model.plug)
    centres = positions + np.einsum("ijk,ik->ij", rotations, model.com)
    tips = heads + 2.0 * (centres - heads)
    for i in range(len(heads)):
        children = heads[model.parent == i]
        apart = children[np.linalg.norm(children - heads[i], axis=1) > SHORTEST_BONE]
        if len(apart):
            tips[i] = apart.mean(axis=0)
        tips[i] = heads[i] + _lengthened(tips[i] - heads[i], rotations[i][:, 2])
    return heads, tips


def _lengthened(along: np.ndarray, fallback: np.ndarray) -> np.ndarray:
    """at least the shortest bone; in the direction of `fallback` where there is none"""
    length = float(np.linalg.norm(along))
    if length >= SHORTEST_BONE:
        return along
    return SHORTEST_BONE * (along / length if length > 1e-6 else fallback)


def look_at(points: np.ndarray, shapes: Sequence["Shape"] = ()) -> None:
    """Turn every 3D viewport to points (n, 3), from the side where no plane of `shapes` hides them."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, distance = Vector((low + high) / 2), 1.4 * float(np.linalg.norm(high - low))
    planes = [placed(shape).inverted() for shape in shapes if shape.kind == "plane"]
    # from the front, a little from the side and above; else from one of the other sides
    views = [Euler((np.radians(80), 0.0, np.radians(turn))).to_quaternion() for turn in (70, 160, 250, 340)]
    from_behind = lambda view: sum((plane @ (middle + distance * (view @ Vector((0, 0, 1))))).z < 0 for plane in planes)
    best = min(views, key=from_behind)
    spaces = (area.spaces.active for screen in bpy.data.screens for area in screen.areas if area.type == "VIEW_3D")
    for view in (space.region_3d for space in spaces):
        view.view_location, view.view_distance, view.view_rotation = middle, distance, best
