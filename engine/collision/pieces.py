"""Corners, faces and edges of one shape, in numpy: what build_shapes puts together to the arrays of Shapes and Pieces."""
from typing import NamedTuple

import numpy as np

from ..model.character import Shape
from .convex_hull import convex_hull, face_plane
from .shapes import SHARP

BOX_FACES = [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]]
"""x+ x- y+ y- z+ z-; corner k stands at the signs of its bits: 1 for x, 2 for y, 4 for z. The axis search relies on this order."""


class Parts(NamedTuple):
    """The pieces of one shape; `_count` arrays say how many entries belong to each piece, corner, face or ring. Arrays as in Pieces and
    Shapes."""
    middle: np.ndarray              # (3,) of the bounding box, in the frame that the shape was given in
    half: np.ndarray                # (3,)
    grid: np.ndarray
    vertex_count: np.ndarray
    vertex: np.ndarray
    corner_count: np.ndarray
    corner_face: np.ndarray
    face_count: np.ndarray
    face_normal: np.ndarray
    face_offset: np.ndarray
    loop_count: np.ndarray
    loop: np.ndarray
    edge_count: np.ndarray
    edge_vertex: np.ndarray
    edge_normal: np.ndarray
    edge_direction: np.ndarray
    edge_kind: np.ndarray
    flat: np.ndarray
    group: np.ndarray
    ring: np.ndarray
    ring_count: np.ndarray
    ring_direction: np.ndarray
    ring_normal: np.ndarray
    node_box: np.ndarray
    node_next: np.ndarray
    node_piece: np.ndarray


EMPTY = {"middle": np.zeros(3), "half": np.zeros(3), "grid": np.zeros(2, int), "face_offset": np.zeros(0),
         "edge_normal": np.zeros((0, 2, 3)), "edge_vertex": np.zeros((0, 2), int), "node_piece": np.zeros((0, 2), int),
         "node_box": np.zeros((0, 6)),
         **{name: np.zeros((0, 3)) for name in ("vertex", "face_normal", "edge_direction", "ring_direction", "ring_normal")}}


def make_parts(**given: np.ndarray) -> Parts:
    """What is not given is empty; pieces that say nothing of it are not flat and of one group."""
    zeros = np.zeros(len(given.get("vertex_count", ())), int)
    given = EMPTY | {"flat": zeros, "group": zeros} | given
    return Parts(**{name: given.get(name, np.zeros(0, int)) for name in Parts._fields})


def plane_pieces(_shape: Shape) -> Parts:
    return make_parts(vertex_count=np.array([0]), face_count=np.array([1]), face_normal=np.array([[0.0, 0.0, 1.0]]),
                      face_offset=np.zeros(1), loop_count=np.array([0]), edge_count=np.array([0]), flat=np.array([1]))


def round_pieces(shape: Shape) -> Parts:
    """a sphere's or capsule's core"""
    if shape.kind == "sphere":
        return make_parts(vertex_count=np.array([1]), vertex=np.zeros((1, 3)), corner_count=np.array([0]), face_count=np.array([0]),
                          edge_count=np.array([0]))
    end = np.array([0.0, 0.0, float(shape.size[1])])
    return make_parts(half=end, vertex_count=np.array([2]), vertex=np.array([-end, end]), corner_count=np.array([0, 0]),
                      face_count=np.array([0]), edge_count=np.array([1]), edge_vertex=np.array([[0, 1]]),
                      edge_normal=np.zeros((1, 2, 3)), edge_direction=np.array([[0.0, 0.0, 1.0]]), edge_kind=np.array([SHARP]))


def box_pieces(shape: Shape) -> Parts:
    half = np.array(shape.size, float)
    corners = np.array([[1 if k & bit else -1 for bit in (1, 2, 4)] for k in range(8)]) * half
    return _polyhedron(np.zeros(3), half, corners, BOX_FACES)


def hull_pieces(shape: Shape) -> Parts:
    corners, faces = convex_hull(np.asarray(shape.points, float))
    middle, half = bounds(corners)
    return _polyhedron(middle, half, corners - middle, faces)


def bounds(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """middle and half sides of the bounding box"""
    low, high = points.min(0), points.max(0)
    return (low + high) / 2, (high - low) / 2


def _polyhedron(middle, half, corners: np.ndarray, faces: list[list[int]]) -> Parts:
    normals = np.array([face_plane(corners[face]) for face in faces])
    around: list[list[int]] = [[number for number, face in enumerate(faces) if k in face] for k in range(len(corners))]
    side = {edge: number for number, face in enumerate(faces) for edge in zip(face, face[1:] + face[:1])}
    edges = sorted((i, j) for i, j in side if i < j)
    both = np.array([[normals[side[i, j]], normals[side[j, i]]] for i, j in edges])
    directions = np.array([corners[j] - corners[i] for i, j in edges])
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    # seen from outside the first face lies to the left of i -> j: second x first normal points backwards
    flat = [corner for face in faces for corner in face]
    return make_parts(
        middle=middle, half=half, vertex_count=np.array([len(corners)]), vertex=corners,
        corner_count=np.array([len(row) for row in around]), corner_face=np.array([face for row in around for face in row]),
        face_count=np.array([len(faces)]), face_normal=normals,
        face_offset=np.array([(corners[face] @ normal).max() for face, normal in zip(faces, normals)]),
        loop_count=np.array([len(face) for face in faces]), loop=np.array(flat), edge_count=np.array([len(edges)]),
        edge_vertex=np.array(edges), edge_normal=both, edge_direction=-directions, edge_kind=np.full(len(edges), SHARP))
