"""The convex hull of points, as corners and flat faces: quickhull (Barber, Dobkin, Huhdanpaa 1996), then faces that lie in one
plane made one polygon, so that a contact sees a sole and not its triangles.
"""
from collections import Counter

import numpy as np

FLAT = 1e-5
"""Corners this share of the hull's size off a plane still lie in it."""

Triangle = tuple[int, int, int]


def convex_hull(points: np.ndarray) -> tuple[np.ndarray, list[list[int]]]:
    """(corners (n, 3), faces): each face a loop of corners, counter-clockwise seen from outside."""
    points = np.asarray(points, float)
    size = np.ptp(points, axis=0).max()
    loops = _merge(points, _quickhull(points, 0.1 * FLAT * size), FLAT * size)
    used = sorted({corner for loop in loops for corner in loop})
    number = {corner: k for k, corner in enumerate(used)}
    return points[used], [[number[corner] for corner in loop] for loop in loops]


def face_plane(corners: np.ndarray) -> np.ndarray:
    """the unit normal of a loop of corners (Newell's sum)"""
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(0) if len(corners) > 3 else np.cross(
        corners[1] - corners[0], corners[2] - corners[0])
    return normal / np.linalg.norm(normal)


def _quickhull(points: np.ndarray, tolerance: float) -> list[Triangle]:
    # the first tetrahedron: far apart points, its faces looking outwards
    a = int(np.argmin(points[:, 0]))
    b = int(np.argmax(np.linalg.norm(points - points[a], axis=1)))
    c = int(np.argmax(np.linalg.norm(np.cross(points - points[a], points[b] - points[a]), axis=1)))
    d = int(np.argmax(np.abs((points - points[a]) @ np.cross(points[b] - points[a], points[c] - points[a]))))
    if (points[d] - points[a]) @ np.cross(points[b] - points[a], points[c] - points[a]) > 0:
        b, c = c, b
    triangles: list[Triangle] = []
    outside: list[np.ndarray] = []               # the points above each triangle, the farthest first
    planes = np.zeros((64, 4))                   # normal and -level of each triangle; -inf once it is gone
    waiting = np.setdiff1d(np.arange(len(points)), [a, b, c, d])
    new = [(a, b, c), (a, d, b), (b, d, c), (c, d, a)]
    while True:
        for triangle in new:
            if len(triangles) == len(planes):
                planes = np.concatenate([planes, np.zeros_like(planes)])
            normal = face_plane(points[list(triangle)])
            planes[len(triangles)] = [*normal, -normal @ points[triangle[0]]]
            height = points[waiting] @ normal + planes[len(triangles), 3]
            above = height > tolerance
            outside.append(waiting[above][np.argsort(-height[above], kind="stable")])
            waiting = waiting[~above]
            triangles.append(triangle)
        full = next((number for number, points_above in enumerate(outside) if len(points_above)), None)
        if full is None:
            return [triangle for triangle, level in zip(triangles, planes[:, 3]) if np.isfinite(level)]
        # the farthest point replaces every face it sees by a fan over their common border
        top = int(outside[full][0])
        seen = np.flatnonzero(planes[:len(triangles), :3] @ points[top] + planes[:len(triangles), 3] > tolerance)
        waiting = np.setdiff1d(np.concatenate([outside[number] for number in seen]), [top])
        edges = {edge for number in seen for edge in _edges(triangles[number])}
        new = [(i, j, top) for i, j in sorted(edges) if (j, i) not in edges]
        for number in seen:
            outside[number], planes[number, 3] = waiting[:0], -np.inf


def _edges(triangle) -> list[tuple[int, int]]:
    return [(triangle[0], triangle[1]), (triangle[1], triangle[2]), (triangle[2], triangle[0])]


def _merge(points: np.ndarray, triangles: list[Triangle], tolerance: float) -> list[list[int]]:
    """polygons of triangles that lie in one plane, the largest triangles first"""
    owner = {edge: number for number, triangle in enumerate(triangles) for edge in _edges(triangle)}
    area = [np.linalg.norm(np.cross(points[b] - points[a], points[c] - points[a])) for a, b, c in triangles]
    face = [-1] * len(triangles)
    loops = []
    for start in sorted(range(len(triangles)), key=lambda number: -area[number]):
        if face[start] >= 0:
            continue
        normal = face_plane(points[list(triangles[start])])
        level = points[triangles[start][0]] @ normal
        face[start] = start
        members, waiting = [start], [start]
        while waiting:
            for i, j in _edges(triangles[waiting.pop()]):
                other = owner[j, i]
                if face[other] < 0 and np.abs(points[list(triangles[other])] @ normal - level).max() < tolerance:
                    face[other] = start
                    members.append(other)
                    waiting.append(other)
        edges = {edge for number in members for edge in _edges(triangles[number])}
        following = {i: j for i, j in edges if (j, i) not in edges}
        loop = [min(following)]
        while following[loop[-1]] != loop[0] and len(loop) < len(following):
            loop.append(following[loop[-1]])
        # a border that touches itself is no loop: its triangles stay as they are
        loops += [loop] if len(loop) == len(following) == len(edges) - 2 * (len(members) - 1) else [list(triangles[k]) for k in members]
    # a corner of two faces only lies in the middle of an edge
    uses = Counter(corner for loop in loops for corner in loop)
    return [[corner for corner in loop if uses[corner] > 2] for loop in loops]
