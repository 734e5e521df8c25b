"""Hulls of points and trees of triangles: what detection is built from."""
import numpy as np
import pytest
from heft.engine.collision.convex_hull import convex_hull, face_plane
from heft.engine.collision.pieces import box_pieces, hull_pieces
from heft.engine.collision.shapes import BLUNT, BORDER, SEAM, SHARP
from heft.engine.collision.triangles import mesh_pieces
from heft.engine.model.character import Shape
from heft.tests.engine.random_systems import random_quaternion
from heft.tests.engine.touching import box_mesh, grid_mesh, matrix

CUBE = np.array([[x, y, z] for x in (0, 1, 2) for y in (0, 1, 2) for z in (0.0, 0.5, 1.0)])


def check_hull(points: np.ndarray, precision: float = 3e-5) -> tuple[np.ndarray, list[list[int]]]:
    """closed, convex, around every point; Euler's formula holds"""
    corners, faces = convex_hull(points)
    edges = {edge for face in faces for edge in zip(face, face[1:] + face[:1])}
    assert all((j, i) in edges for i, j in edges) and len(corners) - len(edges) // 2 + len(faces) == 2
    for face in faces:
        assert ((points - corners[face[0]]) @ face_plane(corners[face])).max() < precision * np.ptp(points)
    return corners, faces


@pytest.mark.parametrize("seed", range(10))
def test_random_points(seed):
    rng = np.random.default_rng(seed)
    check_hull(rng.normal(size=(rng.integers(4, 120), 3)))


@pytest.mark.parametrize("kind", [float, np.float32])
@pytest.mark.parametrize("seed", range(3))
def test_flat_faces_are_one_polygon(kind, seed):
    """a box of 27 points, turned any way and in single precision as Blender gives it, is a box again"""
    turned = (CUBE @ matrix(random_quaternion(np.random.default_rng(seed))).T).astype(kind).astype(float)
    corners, faces = check_hull(turned)
    assert len(corners) == 8 and sorted(map(len, faces)) == [4] * 6


def test_cylinder():
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    corners, faces = check_hull(np.array([[np.cos(a), np.sin(a), z] for a in angles for z in (0, 1)]))
    assert len(corners) == 64 and sorted(map(len, faces)) == [4] * 32 + [32] * 2


def test_box_as_hull_is_the_box():
    box, hull = box_pieces(Shape("box", (0.1, 0.2, 0.3))), hull_pieces(Shape("hull", points=box_mesh((0.1, 0.2, 0.3)).points + 5.0))
    np.testing.assert_allclose(hull.middle, (5, 5, 5))
    for name in ("vertex", "face_normal", "edge_direction"):
        rows = [np.unique(np.round(np.abs(getattr(part, name)), 9), axis=0) for part in (box, hull)]
        np.testing.assert_allclose(*rows)
    for part in (box, hull):
        # directions run along second x first normal
        np.testing.assert_allclose(np.cross(part.edge_normal[:, 1], part.edge_normal[:, 0]), part.edge_direction, atol=1e-12)


def test_edges_of_a_mesh():
    box = mesh_pieces(box_mesh((0.1, 0.2, 0.3)))
    assert sorted(box.edge_kind) == [SEAM] * 12 + [SHARP] * 24 and len(set(box.group)) == 6
    floor = mesh_pieces(grid_mesh(1.0, 4))
    assert sorted(floor.edge_kind) == [SEAM] * 80 + [BORDER] * 16 and len(set(floor.group)) == 1
    # away from its border only its faces can be touched
    assert floor.flat.sum() == 8 and not box.flat.any()
    # seen from inside the box is a room: nothing rests on its edges
    room = box_mesh((0.1, 0.2, 0.3))
    hollow = mesh_pieces(Shape("mesh", points=room.points, triangles=room.triangles[:, ::-1]))
    assert sorted(hollow.edge_kind) == [SEAM] * 12 + [BLUNT] * 24


def test_points_given_twice_are_one():
    mesh = box_mesh((0.1, 0.2, 0.3))
    loose = Shape("mesh", points=mesh.points[mesh.triangles].reshape(-1, 3), triangles=np.arange(36).reshape(-1, 3))
    np.testing.assert_array_equal(np.sort(mesh_pieces(loose).edge_kind), np.sort(mesh_pieces(mesh).edge_kind))


def test_tree_of_boxes_holds_every_triangle_once():
    rng = np.random.default_rng(0)
    mesh = grid_mesh(1.0, 13, lambda x, y: rng.normal(0, 0.1, x.shape))
    parts = mesh_pieces(mesh)
    leaves = parts.node_piece[parts.node_piece[:, 1] > parts.node_piece[:, 0]]
    assert sorted(k for first, end in leaves for k in range(first, end)) == list(range(len(mesh.triangles)))
    corners = parts.vertex.reshape(-1, 3, 3)
    for node, (first, end) in enumerate(parts.node_piece):
        assert node < parts.node_next[node] <= len(parts.node_next)
        low, high = parts.node_box[node, :3], parts.node_box[node, 3:]
        assert (corners[first:end] >= low).all() and (corners[first:end] <= high).all()
        # all that is skipped with a box lies in it
        below = parts.node_box[node:parts.node_next[node]]
        assert (below[:, :3] >= low).all() and (below[:, 3:] <= high).all()
