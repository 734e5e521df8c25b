"""What looks along a given normal: a face of either piece, or an edge or corner of each."""
import math

from ..kernel import kernel
from .axes import EDGES, FACE_A, FACE_B
from .frames import ACROSS, ALIGNED, MERGE, back, forth, put, row_dot, support


@kernel
def facing(w, p, pa, pb, nearest, size):
    """FACE_B, FACE_A (w.feature[0] says which) or EDGES along w.n. `nearest`: w.segment has the nearest points, and is replaced only by
    edges that run side by side; else no face is looked for, and w.segment is filled with the edges that cross. w.feature[1:3] are the
    corners farthest along the normal."""
    Q, t, n = w.Q, w.t, w.n
    x, y, z = n[0], n[1], n[2]
    for side in range(2):
        piece = pa if side else pb
        if side:
            x, y, z = back(Q, -x, -y, -z)
        corner = support(p.vertex, p.vertex_start[piece], p.vertex_start[piece + 1], x, y, z)
        w.feature[2 - side] = corner
        # the face around that corner that looks most that way
        if nearest:
            most = ALIGNED
            for k in range(p.corner_start[corner], p.corner_start[corner + 1]):
                along = row_dot(p.face_normal, p.face_start[piece] + p.corner_face[k], x, y, z)
                if along > most:
                    w.feature[0], most = p.corner_face[k], along
            if most > ALIGNED:
                return FACE_A if side else FACE_B
        # the edge at that corner that runs most across
        edge, least = -1, ACROSS
        for k in range(p.edge_start[piece], p.edge_start[piece + 1]):
            if p.edge_vertex[k, 0] == corner - p.vertex_start[piece] or p.edge_vertex[k, 1] == corner - p.vertex_start[piece]:
                along = abs(row_dot(p.edge_direction, k, x, y, z))
                if along < least:
                    edge, least = k, along
        if side:
            edge_a = edge
        else:
            edge_b = edge
    if nearest:
        if edge_a < 0 or edge_b < 0:
            return EDGES
        x, y, z = forth(Q, p.edge_direction[edge_a, 0], p.edge_direction[edge_a, 1], p.edge_direction[edge_a, 2])
        if abs(row_dot(p.edge_direction, edge_b, x, y, z)) < ALIGNED:
            return EDGES
        # are the nearest points on these edges?
        q, v = w.segment[2], p.vertex[w.feature[2]]
        x, y, z = back(Q, w.segment[0, 0] - t[0], w.segment[0, 1] - t[1], w.segment[0, 2] - t[2])
        u = p.vertex[w.feature[1]]
        if (off_line(p.edge_direction[edge_b], q[0] - v[0], q[1] - v[1], q[2] - v[2]) > MERGE * size
                or off_line(p.edge_direction[edge_a], x - u[0], y - u[1], z - u[2]) > MERGE * size):
            return EDGES
    for end in range(2):
        v = p.vertex_start[pa] + p.edge_vertex[edge_a, end] if edge_a >= 0 else w.feature[1]
        put(w.segment[end], t, Q, p.vertex[v])
        v = p.vertex_start[pb] + p.edge_vertex[edge_b, end] if edge_b >= 0 else w.feature[2]
        for j in range(3):
            w.segment[2 + end, j] = p.vertex[v, j]
    return EDGES


@kernel
def off_line(direction, x, y, z):
    """how far (x, y, z) is from the line through the origin"""
    along = direction[0] * x + direction[1] * y + direction[2] * z
    return math.sqrt(max(0.0, x * x + y * y + z * z - along * along))
