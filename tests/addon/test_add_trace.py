"""A trace's armatures move exactly as the engine's bodies."""
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from heft.addon.add_trace import SHORTEST_BONE, add_trace, bone_ends, look_at
from heft.engine.demo import run_demo
from heft.engine.dynamics.poses import body_poses
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.state import rest_coordinates
from mathutils import Quaternion, Vector

from .evaluated import bone_poses, matrices, rest_poses

HINGE = Joint("hinge", socket=Frame((0.1, 0.0, -0.2), (0.8, 0.6, 0.0, 0.0)), plug=Frame((0.0, 0.05, 0.1)), axis=(1.0, 0.0, 0.0))
SLIDER = Joint("slider", socket=Frame((0.0, 0.3, 0.0)), axis=(0.0, 1.0, 0.0))


def two_characters():
    """a free body with a hinged leg whose frame is off its joint, and a slider on the world"""
    inertia = (0.01, 0.02, 0.03)
    figure = Character("Figure", (Body("trunk", 2.0, inertia, joint=Joint("free")),
                                  Body("leg", 1.0, inertia, "trunk", HINGE, com=(0.0, 0.0, -0.2)),
                                  Body("dot", 1.0, inertia, "leg", Joint("ball"))))
    return build(figure, Character("Piston", (Body("trunk", 1.0, inertia, joint=SLIDER),)))


def two_second_trace(system) -> SimpleNamespace:
    """any coordinates do: 200 steps of random ones"""
    random = np.random.default_rng(1)
    qpos = random.normal(size=(200, system.model.nq))
    for i in range(system.model.nb):
        kind = system.bodies[i].joint.kind
        if kind in ("free", "ball"):
            start = system.model.q_start[i] + (3 if kind == "free" else 0)
            qpos[:, start:start + 4] /= np.linalg.norm(qpos[:, start:start + 4], axis=1, keepdims=True)
    return SimpleNamespace(time=np.arange(200) / 100, qpos=qpos, frame_step=np.arange(0, 200, 4), fps=25)


def assert_bones_follow_bodies(armatures, system, trace, atol: float, first_frame: int = 1) -> None:
    frames = first_frame + np.arange(len(trace.frame_step))
    bodies = matrices(*body_poses(system, trace.qpos[trace.frame_step]))
    rest = matrices(*body_poses(system, rest_coordinates(system.model)))[0]
    for number, armature in enumerate(armatures):
        own = np.flatnonzero(system.character == number)
        names = [system.bodies[i].name for i in own]
        expected = bodies[:, own] @ np.linalg.inv(rest[own]) @ rest_poses(armature, names)
        np.testing.assert_allclose(bone_poses(armature, names, frames), expected, atol=atol)


def test_each_character_gets_an_armature_that_follows_its_bodies():
    system = two_characters()
    trace = two_second_trace(system)
    armatures = add_trace(7, trace, system)
    assert [armature.name for armature in armatures] == ["Figure", "Piston"]
    assert_bones_follow_bodies(armatures, system, trace, 1e-4, 7)


def test_bones_go_from_joint_to_joint_and_are_never_too_short():
    system = two_characters()
    rest = body_poses(system, rest_coordinates(system.model))
    heads, tips = bone_ends(system.model, rest[0][0], rest[1][0])
    np.testing.assert_allclose(heads[1], (0.1, 0.0, -0.2), atol=1e-12)       # the socket on the trunk
    np.testing.assert_allclose(tips[0], heads[1])
    np.testing.assert_allclose(tips[1], heads[2])
    assert np.linalg.norm(tips - heads, axis=1).min() >= SHORTEST_BONE - 1e-12


def test_the_engines_demo_in_blender():
    system, trace = run_demo(1.0)
    assert_bones_follow_bodies(add_trace(1, trace, system), system, trace, 1e-4)


@pytest.mark.parametrize("turned", range(4))
def test_the_view_is_never_from_behind_a_wall(turned):
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    half = np.pi / 4 * turned
    wall = Shape("plane", frame=Frame(rotation=(np.cos(half) * np.sqrt(0.5), -np.sin(half) * np.sqrt(0.5), np.cos(half) * np.sqrt(0.5),
                                                np.sin(half) * np.sqrt(0.5))))
    look_at(np.array([[-1, -1, 0], [1, 1, 2]], float), [Shape("plane"), wall])
    view = next(area.spaces.active.region_3d for screen in bpy.data.screens for area in screen.areas if area.type == "VIEW_3D")
    eye = view.view_location + view.view_distance * (view.view_rotation @ Vector((0, 0, 1)))
    normal = Quaternion(wall.frame.rotation) @ Vector((0, 0, 1))
    np.testing.assert_allclose(normal, (np.cos(2 * half), np.sin(2 * half), 0), atol=1e-6)
    assert eye.z > 0 and eye.dot(normal) > 0
