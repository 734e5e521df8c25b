"""Triangle meshes and height fields of the world, as pieces: one a triangle, solid below, open above.

So that nothing stumbles over the seams of a floor, each edge says what may touch it: nothing where the surface goes on flat or
hollow, else only what comes from between the two faces' normals. Triangles in one plane that hang together are one group, and
share one plane exactly.
"""
import numpy as np

from ..model.character import Shape
from .pieces import Parts, bounds, make_parts
from .shapes import BLUNT, BORDER, SEAM, SHARP

FLAT_ANGLE = 2e-3
"""Faces that differ by less, rad, and by FLAT_HEIGHT, m, lie in one plane."""
FLAT_HEIGHT = 2e-5
LEAF = 4
"""Triangles in the smallest boxes of the tree."""


def mesh_pieces(shape: Shape) -> Parts:
    points, triangles = mesh_triangles(shape)
    middle, half = bounds(points[triangles].reshape(-1, 3))
    order, boxes, following, leaves = _tree(points - middle, triangles)
    return _pieces(points - middle, triangles[order])._replace(
        middle=middle, half=half, node_box=boxes, node_next=following, node_piece=leaves)


def mesh_triangles(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """the corners and triangles of a mesh, in its own frame; corners at one place are one, triangles without area left out"""
    points, triangles = np.asarray(shape.points, float), np.asarray(shape.triangles, int)
    size = np.ptp(points[triangles].reshape(-1, 3), axis=0).max()
    _, first, number = np.unique(np.round(points / max(1e-7 * size, 1e-12)), axis=0, return_index=True, return_inverse=True)
    points, triangles = points[first], number.reshape(-1)[triangles]
    return points, triangles[np.linalg.norm(_areas(points, triangles), axis=1) > 1e-12 * size ** 2]


def height_pieces(shape: Shape) -> Parts:
    """cell by cell, along x first; the diagonal runs from low x and y to high x and y, as in MuJoCo"""
    points, triangles = height_triangles(shape)
    middle, half = bounds(points)
    return _pieces(points - middle, triangles)._replace(middle=middle, half=half, grid=np.array(np.shape(shape.heights)) - 1)


def height_triangles(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """the corners and triangles of a height field, in its own frame"""
    heights = np.asarray(shape.heights, float)
    rows, columns = heights.shape
    x = (np.arange(columns) - (columns - 1) / 2) * float(shape.size[0])
    y = (np.arange(rows) - (rows - 1) / 2) * float(shape.size[1])
    points = np.stack([*np.meshgrid(x, y), heights], axis=-1).reshape(-1, 3)
    low = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    triangles = np.stack([low, low + 1, low + columns + 1, low, low + columns + 1, low + columns], axis=-1).reshape(-1, 3)
    return points, triangles


def _areas(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def _pieces(points: np.ndarray, triangles: np.ndarray) -> Parts:
    count = len(triangles)
    normals = _areas(points, triangles)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    neighbours = _neighbours(triangles)
    group, normals, offsets = _groups(points, triangles, normals, neighbours)

    # edge k runs from corner k to the next; `outwards` lies in the triangle's plane
    corners = points[triangles]
    along = np.roll(corners, -1, axis=1) - corners
    along /= np.linalg.norm(along, axis=2)[:, :, None]
    outwards = np.cross(along, normals[:, None])
    other = np.where(neighbours >= 0, neighbours, 0)
    other_normal = np.where((neighbours >= 0)[:, :, None], normals[other], outwards)
    # sharp where the neighbour falls away: its normal leans outwards
    lean = (other_normal * outwards).sum(2)
    kind = np.where(neighbours < 0, BORDER, np.where(group[other] == group[:, None], SEAM, np.where(lean < FLAT_ANGLE, BLUNT, SHARP)))
    # flat where each corner has triangles of one group all around it
    edged = np.zeros(len(points), bool)
    for k in range(3):
        edged[triangles[kind[:, k] != SEAM][:, [k, (k + 1) % 3]]] = True
    ring = np.argsort(triangles.reshape(-1), kind="stable")     # corners at one place, one after another
    return make_parts(
        vertex_count=np.full(count, 3), vertex=corners.reshape(-1, 3), corner_count=np.ones(3 * count, int),
        corner_face=np.zeros(3 * count, int), face_count=np.ones(count, int), face_normal=normals, face_offset=offsets,
        loop_count=np.full(count, 3), loop=np.tile(np.arange(3), count), edge_count=np.full(count, 3),
        edge_vertex=np.tile([[0, 1], [1, 2], [2, 0]], (count, 1)),
        edge_normal=np.stack([np.broadcast_to(normals[:, None], along.shape), other_normal], axis=2).reshape(-1, 2, 3).copy(),
        edge_direction=-along.reshape(-1, 3), edge_kind=kind.reshape(-1),
        flat=(~edged[triangles].any(1)).astype(int), group=group,
        # each triangle at a corner gives its two edges there; two thirds would do
        ring=triangles.reshape(-1), ring_count=2 * np.bincount(triangles.reshape(-1), minlength=len(points)),
        ring_direction=np.stack([along, -np.roll(along, 1, axis=1)], axis=2).reshape(-1, 2, 3)[ring].reshape(-1, 3),
        ring_normal=np.repeat(np.repeat(normals, 3, axis=0)[ring], 2, axis=0))


def _neighbours(triangles: np.ndarray) -> np.ndarray:
    """(n, 3) the triangle on the other side of each edge, -1 where there is none or more than one"""
    ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    size = int(triangles.max()) + 1
    forward, backward = ends[:, 0] * size + ends[:, 1], ends[:, 1] * size + ends[:, 0]
    order = np.argsort(forward, kind="stable")
    lower, upper = (np.searchsorted(forward[order], backward, side=side) for side in ("left", "right"))
    same = np.searchsorted(forward[order], forward, side="right") - np.searchsorted(forward[order], forward, side="left")
    one = (upper - lower == 1) & (same == 1)
    return np.where(one, order[np.minimum(lower, len(order) - 1)] // 3, -1).reshape(-1, 3)


def _groups(points, triangles, normals, neighbours) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """the group of each triangle, its normal and offset: those of the group's first triangle"""
    group = np.full(len(triangles), -1)
    offsets = (normals * points[triangles[:, 0]]).sum(1)
    normals, corners, count = normals.copy(), points[triangles], 0
    # only edges between faces that look alike can join groups
    alike = (neighbours >= 0) & ((normals[:, None] * normals[neighbours]).sum(2) > np.cos(FLAT_ANGLE))
    for start in range(len(triangles)):
        if group[start] >= 0:
            continue
        group[start] = count
        normal, offset = normals[start].copy(), offsets[start]
        waiting = [start] if alike[start].any() else []
        while waiting:
            here = waiting.pop()
            for other in neighbours[here][alike[here]]:
                if group[other] < 0 and normals[other] @ normal > np.cos(FLAT_ANGLE) \
                        and np.abs(corners[other] @ normal - offset).max() < FLAT_HEIGHT:
                    group[other] = count
                    normals[other], offsets[other] = normal, offset
                    waiting.append(int(other))
        count += 1
    return group, normals, offsets


def _tree(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """an order of the triangles, and boxes around runs of them: halves along the longest side, depth first.
    Each box says which box to look at when it is missed; leaves say which triangles they hold."""
    low, high = points[triangles].min(1), points[triangles].max(1)
    middle = (low + high) / 2
    order: list[int] = []
    boxes: list[np.ndarray] = []
    following: list[int] = []
    leaves: list[tuple[int, int]] = []
    waiting: list[tuple[np.ndarray, int]] = [(np.arange(len(triangles)), -1)]
    while waiting:
        members, closes = waiting.pop()
        if closes >= 0:
            following[closes] = len(boxes)       # everything below that box has been listed
            continue
        here = len(boxes)
        boxes.append(np.concatenate([low[members].min(0), high[members].max(0)]))
        following.append(0)
        waiting.append((members, here))
        if len(members) <= LEAF:
            leaves.append((len(order), len(order) + len(members)))
            order += members.tolist()
        else:
            leaves.append((0, 0))
            axis = int(np.argmax(np.ptp(middle[members], axis=0)))
            ranked = members[np.argsort(middle[members, axis], kind="stable")]
            waiting += [(ranked[len(ranked) // 2:], -1), (ranked[:len(ranked) // 2], -1)]
    return np.array(order), np.array(boxes), np.array(following), np.array(leaves)
