"""The mesh of the collision shapes moves with the bodies."""
import bpy
import numpy as np
import pytest
from heft.addon.add_trace import add_trace
from heft.addon.build_skin import build_skin, outline
from heft.engine.dynamics.poses import body_poses
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.simulate import State, simulate

CORNERS = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1]], float)
PLACE = Frame((0.1, -0.2, 0.3), (1.2, 1.6, 0.0, 0.0))      # not of unit length, as a person writes it
BOX, HULL = Shape("box", (0.1, 0.2, 0.3), PLACE), Shape("hull", points=CORNERS)
TURN = np.array([[1, 0, 0], [0, -0.28, -0.96], [0, 0.96, -0.28]])      # of PLACE


def shown_vertices(skin) -> np.ndarray:
    shown = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])


def test_every_vertex_follows_its_body():
    inertia = (0.01, 0.01, 0.01)
    trunk = Body("trunk", 1.0, inertia, joint=Joint("free"), shapes=(BOX,))
    arm = Body("arm", 1.0, inertia, "trunk", Joint("ball", socket=Frame((0, 0, 0.5))), com=(0, 0, 0.1), shapes=(HULL,))
    system = build(Character("Doll", (trunk, arm)))
    state = State.rest(system)
    state.v[:] = np.linspace(-3, 3, len(state.v))
    trace = simulate(system, state, 0.5)
    add_trace(1, trace, system)
    skin = bpy.data.objects["Doll shapes"]
    positions, rotations = body_poses(system, trace.qpos[trace.frame_step])
    for frame in (1, 8, 16):
        bpy.context.scene.frame_set(frame)
        R, x = rotations[frame - 1], positions[frame - 1]
        corners = np.concatenate([(outline(BOX) @ TURN.T + PLACE.position) @ R[0].T + x[0], CORNERS @ R[1].T + x[1]])
        found = shown_vertices(skin)
        assert len(found) == len(corners)
        distances = np.linalg.norm(found[:, None] - corners, axis=2)
        assert distances.min(axis=0).max() < 1e-4 and distances.min(axis=1).max() < 1e-4


@pytest.mark.parametrize("shape, lengths", [
    (Shape("sphere", (0.2,)), (0.4, 0.4, 0.4)), (Shape("capsule", (0.1, 0.3)), (0.2, 0.2, 0.8)),
    (BOX, (0.2, 0.4, 0.6)), (HULL, (0.3, 0.2, 0.1))],
    ids=lambda value: getattr(value, "kind", ""))
def test_outlines_are_as_large_as_their_shapes(shape, lengths):
    np.testing.assert_allclose(np.ptp(outline(shape), axis=0), lengths, rtol=1e-12)


def test_without_shapes_there_is_no_mesh():
    armature = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    bpy.context.scene.collection.objects.link(armature)
    plane = Body("floor", 1.0, (1, 1, 1), shapes=(Shape("plane"),))
    assert build_skin(armature, [plane], np.zeros((1, 3)), np.eye(3)[None]) is None
    assert not bpy.data.meshes
