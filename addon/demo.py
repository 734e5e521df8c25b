"""The demo: the engine's own scene as armatures that move."""
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from .build_armature import build_armature
from .write_motion import write_motion

if TYPE_CHECKING:
    from ..engine.model.model import Model, System

FIRST_FRAME = 1
SHORTEST_BONE = 0.01   # m; shorter ones can't be seen or clicked


def add_demo(scene: bpy.types.Scene, seconds: float) -> list[bpy.types.Object]:
    """Simulate the demo and add its characters, moving, to the scene."""
    from ..engine.demo import run_demo
    system, trace = run_demo(seconds)
    return add_trace(scene, trace, system)


def add_trace(scene: bpy.types.Scene, trace: Any, system: "System") -> list[bpy.types.Object]:
    """Add one armature for each character of a simulation, and set the scene's rate and range to it."""
    from ..engine.dynamics.poses import body_poses
    from ..engine.model.pose import rest_coordinates
    rest_positions, rest_rotations = (rest[0] for rest in body_poses(system, rest_coordinates(system.model)[None]))
    positions, rotations = body_poses(system, trace.qpos[trace.frame_step])
    heads, tips = bone_ends(system.model, rest_positions, rest_rotations)
    frames = FIRST_FRAME + np.arange(len(trace.frame_step))
    set_timeline(scene, trace.fps, frames)

    armatures = []
    for number, character in enumerate(system.characters):
        own = np.flatnonzero(system.character == number)
        names = [system.bodies[i].name for i in own]
        # a character's bodies are a block: its parents become indices into the block
        parents = [int(p) - int(own[0]) if p >= 0 else -1 for p in system.model.parent[own]]
        armature = build_armature(character.name, names, parents, heads[own], rest_rotations[own], tips[own])
        write_motion(armature, names, positions[:, own], rotations[:, own], rest_positions[own], rest_rotations[own],
                     frames, f"{character.name} demo")
        armatures.append(armature)
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


def set_timeline(scene: bpy.types.Scene, fps: float, frames: np.ndarray) -> None:
    """Play these frames at this rate; Blender's rate is a whole number over a base."""
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps
    scene.frame_start, scene.frame_end = int(frames[0]), int(frames[-1])
