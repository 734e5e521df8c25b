"""The world's own shapes are meshes where the engine has them."""
import bpy
import numpy as np
import pytest
from heft.addon.add_trace import add_trace
from heft.addon.build_skin import outline, reached
from heft.addon.build_world import build_world
from heft.engine.collision.triangles import height_triangles
from heft.engine.model.character import Body, Frame, Shape
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate

PLACE = Frame((0.1, -0.2, 0.3), (1.2, 1.6, 0.0, 0.0))
TURN = np.array([[1, 0, 0], [0, -0.28, -0.96], [0, 0.96, -0.28]])      # of PLACE
CORNERS = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1]], float)
MESH = Shape("mesh", frame=PLACE, points=CORNERS, triangles=np.array([[0, 2, 1], [1, 2, 3]]))
HEIGHTS = Shape("heights", (0.5, 0.25), PLACE, heights=np.arange(12.0).reshape(3, 4))
ORIGIN = np.zeros((1, 3))


def in_world(thing) -> np.ndarray:
    bpy.context.view_layer.update()
    return np.array([thing.matrix_world @ corner.co for corner in thing.data.vertices])


def build_one(shape, points=ORIGIN):
    return build_world([shape], points, bpy.context.scene.collection)[0]


@pytest.mark.parametrize("shape, corners", [
    (Shape("box", (0.1, 0.2, 0.3), PLACE), outline(Shape("box", (0.1, 0.2, 0.3)))),
    (Shape("sphere", (0.2,), PLACE), outline(Shape("sphere", (0.2,)))),
    (Shape("capsule", (0.1, 0.3), PLACE), None),
    (Shape("hull", frame=PLACE, points=CORNERS), CORNERS), (MESH, CORNERS), (HEIGHTS, height_triangles(HEIGHTS)[0])],
    ids=lambda value: getattr(value, "kind", ""))
def test_every_kind_is_where_it_collides(shape, corners):
    thing = build_one(shape)
    assert thing.name == f"world {shape.kind}" and thing.data.polygons and not thing.data.validate()
    found = (in_world(thing) - PLACE.position) @ TURN
    if corners is None:
        np.testing.assert_allclose(np.ptp(found, axis=0), (0.2, 0.2, 0.8), atol=1e-5)
        return
    distances = np.linalg.norm(found[:, None] - corners, axis=2)
    assert distances.min(axis=0).max() < 1e-5 and distances.min(axis=1).max() < 1e-5


@pytest.mark.parametrize("shape", [Shape("plane"), MESH, HEIGHTS], ids=lambda shape: shape.kind)
def test_faces_look_outward(shape):
    normals = np.array([face.normal for face in build_one(shape).data.polygons])
    if shape.kind == "mesh":
        np.testing.assert_allclose(normals[0], (0, 0, -1), atol=1e-6)
    else:
        assert normals[:, 2].min() > 0


@pytest.mark.parametrize("reach, lengths", [((0, 0, 0), (4, 4)), ((7.1, -1, 9), (7.5, 4)), ((1000, 0, 0), (1008, 4))],
                         ids=["small", "large", "huge"])
def test_planes_reach_as_far_as_the_motion(reach, lengths):
    plane = build_one(Shape("plane", frame=PLACE), np.array([PLACE.position, PLACE.position + TURN @ reach]))
    corners = (in_world(plane) - PLACE.position) @ TURN
    np.testing.assert_allclose(np.ptp(corners, axis=0)[:2], lengths, atol=0.51)
    assert np.abs(corners[:, 2]).max() < 1e-3
    assert corners[:, 0].min() < 1e-3 and corners[:, 0].max() > reach[0] - 1e-3
    assert len(plane.data.polygons) <= 65 * 9


def test_where_the_bodies_get_to():
    body = Body("box", 1.0, (1, 1, 1), shapes=(Shape("box", (0.1, 0.2, 0.3), PLACE), Shape("plane")))
    turns = np.array([np.eye(3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]]], float)[:, None]
    found = reached([body], np.array([[[0, 0, 0]], [[5, 0, 0]]], float), turns)
    corners = outline(body.shapes[0]) @ TURN.T + PLACE.position
    corners = np.concatenate([corners, corners @ turns[1, 0].T + (5, 0, 0), [[0, 0, 0], [5, 0, 0]]])
    np.testing.assert_allclose(found.min(axis=0), corners.min(axis=0), atol=1e-6)
    np.testing.assert_allclose(found.max(axis=0), corners.max(axis=0), atol=1e-6)


def test_the_wall_of_the_ladder_stands_on_the_floor_and_is_high_enough():
    scene = SCENES["ladder"]()
    add_trace(1, simulate(scene.system, scene.state, 0.1, contact="rigid"), scene.system)
    floor, wall = in_world(bpy.data.objects["world plane"]), in_world(bpy.data.objects["world plane.001"])
    np.testing.assert_allclose(floor[:, 2], 0, atol=1e-6)
    np.testing.assert_allclose(wall[:, 0], 0, atol=1e-6)
    assert wall[:, 2].min() > -0.6 and wall[:, 2].max() > 3.0
