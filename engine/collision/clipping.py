"""The face of one piece cut to the face of another: where two flat things touch, seen along the contact's normal
(Sutherland and Hodgman 1974). A round thing's core, a point or a segment, is cut like a face.

A triangle of a mesh is only part of a face. What a cut along a seam makes is no corner of the contact: the next triangle goes on.
"""
import math

from ..kernel import kernel
from .frames import MERGE, back, forth, put, row_dot, support
from .shapes import BLUNT, SEAM

CORNER, RIM = 1, 2
"""Marks: a corner of the contact; the side that follows lies on the rim of the face that cuts."""


@kernel
def cut_faces(w, p, pa, pb, face, mesh, radius, margin, size):
    """Cut a face of the first piece, the one that looks at face w.feature[0] of the second if `face` is -1, to that face. Fills w.point and
    w.gap with what comes within the margin, halfway between the surfaces, and w.feature[1], the first piece's corner farthest that way;
    returns how many points, and the least distance of the cores along w.n: infinite where nothing is left, minus infinite where the
    farthest corner lies only beyond edges where the mesh goes on. All of `radius` belongs to the first piece;
    what is MERGE of `size` beyond a side is on it."""
    Q, t, n, old, new, old_mark, new_mark = w.Q, w.t, w.n, w.polygon[0], w.polygon[1], w.mark[0], w.mark[1]
    # the face at the corner that lies deepest, or all corners of a round thing's core
    x, y, z = back(Q, n[0], n[1], n[2])
    first = p.vertex_start[pa]
    corner = support(p.vertex, first, p.vertex_start[pa + 1], -x, -y, -z)
    w.feature[1] = corner
    least = math.inf
    for k in range(p.corner_start[corner], p.corner_start[corner + 1] if face < 0 else 0):
        along = row_dot(p.face_normal, p.face_start[pa] + p.corner_face[k], x, y, z)
        if along < least:
            least, face = along, p.corner_face[k]
    f = p.face_start[pa] + face
    start = p.loop_start[f] if face >= 0 else 0
    count = p.loop_start[f + 1] - start if face >= 0 else p.vertex_start[pa + 1] - first
    dx, dy, dz = forth(Q, p.vertex[corner, 0], p.vertex[corner, 1], p.vertex[corner, 2])
    dx, dy, dz = dx + t[0], dy + t[1], dz + t[2]
    for k in range(count):
        put(old[k], t, Q, p.vertex[first + (p.loop[start + k] if face >= 0 else k)])
        old_mark[k] = CORNER

    # side by side
    f = p.face_start[pb] + w.feature[0]
    start, corners, first = p.loop_start[f], p.loop_start[f + 1] - p.loop_start[f], p.vertex_start[pb]
    beyond, outside = False, False
    for k in range(corners):
        here, there = p.vertex[first + p.loop[start + k]], p.vertex[first + p.loop[start + (k + 1 if k + 1 < corners else 0)]]
        x, y, z = there[0] - here[0], there[1] - here[1], there[2] - here[2]
        x, y, z = y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]      # across this side, out of the face
        level, rounding = x * here[0] + y * here[1] + z * here[2], MERGE * size * math.sqrt(x * x + y * y + z * z)
        rim = RIM
        if mesh:
            kind = p.edge_kind[p.edge_start[pb] + k]
            rim = 0 if kind == SEAM else RIM
            if x * dx + y * dy + z * dz > level:
                beyond, outside = beyond or kind <= BLUNT, outside or kind > BLUNT
        kept, last = 0, count - 1
        last_height = row_dot(old, last, x, y, z) - level if count > 0 else 0.0
        for v in range(count):
            height = row_dot(old, v, x, y, z) - level
            if (height > rounding) != (last_height > rounding):
                share = min(1.0, max(0.0, last_height / (last_height - height)))
                for j in range(3):
                    new[kept, j] = old[last, j] + share * (old[v, j] - old[last, j])
                new_mark[kept] = (CORNER if rim | (old_mark[last] & RIM) else 0) | (rim if height > rounding else old_mark[last] & RIM)
                kept += 1
            if height <= rounding:
                for j in range(3):
                    new[kept, j] = old[v, j]
                new_mark[kept] = old_mark[v]
                kept += 1
            last, last_height = v, height
        old, new, old_mark, new_mark, count = new, old, new_mark, old_mark, kept

    # distances along the normal
    slope = 1.0 / row_dot(p.face_normal, f, n[0], n[1], n[2])
    lowest, kept = math.inf, 0
    for k in range(count):
        distance = (row_dot(p.face_normal, f, old[k, 0], old[k, 1], old[k, 2]) - p.face_offset[f]) * slope
        lowest = min(lowest, distance)
        if distance - radius <= margin and old_mark[k] & CORNER:
            for j in range(3):
                w.point[kept, j] = old[k, j] - 0.5 * (distance + radius) * n[j]
            w.gap[kept] = distance - radius
            kept += 1
    return kept, -math.inf if beyond and not outside else lowest
