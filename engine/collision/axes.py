"""The axis of least overlap of two convex pieces, or of largest separation: the separating-axis test.

Candidates are the faces of either piece and the cross products of their edges (Gottschalk, Lin, Manocha 1996 for boxes; for hulls
only edges whose arcs cross on the Gauss map, Gregorius 2013). Everything in the frame of the second piece; the normal w.n points
from the second to the first. A face of the second piece is kept unless another axis is clearly better: of axes about as good, the
same one is taken from step to step.
"""
import math

from ..kernel import kernel
from .frames import back, forth, row_dot
from .seams import FREE, OVER, OWN, PAST, judge_normal

FACE_B, FACE_A, EDGES, CROSSING, NEAREST, APART = range(6)
"""What touches: a face of the second piece, of the first, one edge of either. An axis across two edges is CROSSING until these edges
are found; NEAREST, apart along another axis than this one; APART, out of reach."""

FACE_BIAS, EDGE_BIAS = 2e-4, 5e-4
"""By how much, in sizes of the smaller shape, another face or a pair of edges must be better than the face kept so far."""
SHARE_BIAS = 0.02
"""The same as a share of the overlap."""
PARALLEL = 1e-6
"""Edges with a smaller sine squared between them have no cross product to go by."""


@kernel
def box_axis(w, A, B, faces, edges, limit, size):
    """Two boxes of half sides A and B, or the core of a sphere or capsule (a box without width, its `faces` and `edges` that count: 3 and
    3 for a box, 0 and 1 for a capsule, 0 and 0 for a sphere) and a box. Returns separation and what touches; fills w.n and w.feature[0].
    Separations over `limit` are out of reach."""
    Q, t, n = w.Q, w.t, w.n
    best, how, number = -math.inf, FACE_B, 0
    for i in range(3):
        separation = abs(t[i]) - B[i] - abs(Q[i, 0]) * A[0] - abs(Q[i, 1]) * A[1] - abs(Q[i, 2]) * A[2]
        if separation > best:
            best, number = separation, i
    enough = best + FACE_BIAS * size + SHARE_BIAS * abs(best)
    for j in range(faces):
        place = Q[0, j] * t[0] + Q[1, j] * t[1] + Q[2, j] * t[2]
        separation = abs(place) - A[j] - abs(Q[0, j]) * B[0] - abs(Q[1, j]) * B[1] - abs(Q[2, j]) * B[2]
        if separation > enough:
            best, enough, how, number = separation, separation, FACE_A, j
    if best > limit:
        return best, APART
    # edges: i of b, j of a; a capsule's runs along z
    enough = best + EDGE_BIAS * size + SHARE_BIAS * abs(best)
    for j in range(3 - edges, 3):
        j1, j2 = (j + 1) % 3, (j + 2) % 3
        for i in range(3):
            i1, i2 = (i + 1) % 3, (i + 2) % 3
            across, along = Q[i1, j], Q[i2, j]
            length = across * across + along * along
            if length > PARALLEL:
                overlap = A[j1] * abs(Q[i, j2]) + A[j2] * abs(Q[i, j1]) + B[i1] * abs(along) + B[i2] * abs(across)
                separation = (abs(t[i2] * across - t[i1] * along) - overlap) / math.sqrt(length)
                if separation > enough:
                    best, enough, how, number = separation, separation, CROSSING, 3 * j + i
    if best > limit:
        return best, APART

    i, j = number % 3, number // 3 if how == CROSSING else number
    i1, i2 = (i + 1) % 3, (i + 2) % 3
    x, y = Q[i1, j], Q[i2, j]
    for k in range(3):
        n[k] = Q[k, j] if how == FACE_A else 0.0
    if how == FACE_B:
        n[i] = 1.0
    elif how == CROSSING:
        scale = 1.0 / math.sqrt(x * x + y * y)
        n[i1], n[i2] = -y * scale, x * scale
    # towards the first
    towards = n[0] * t[0] + n[1] * t[1] + n[2] * t[2] >= 0.0
    for k in range(3):
        n[k] = n[k] if towards else -n[k]
    w.feature[0] = 2 * number + (1 if towards == (how == FACE_A) else 0)
    return best, how


@kernel
def piece_axis(w, p, pa, pb, mesh, limit, size):
    """The same for any two pieces. Of a triangle of a mesh all edges are tried, sharp or not, and its back: an axis may show that it is out
    of reach, but touches only if its surroundings allow it. An axis that belongs to another triangle puts this one out of reach."""
    Q, t, n, corner, axis = w.Q, w.t, w.n, w.simplex, w.simplex[3]
    best, how, face, verdict, apart = -math.inf, FACE_B, 0, FREE, -math.inf
    first_a, end_a, first_b, end_b = p.vertex_start[pa], p.vertex_start[pa + 1], p.vertex_start[pb], p.vertex_start[pb + 1]
    # faces of the second against corners of the first, in the first's frame
    for f in range(p.face_start[pb], p.face_start[pb + 1]):
        x, y, z = back(Q, p.face_normal[f, 0], p.face_normal[f, 1], p.face_normal[f, 2])
        offset = row_dot(p.face_normal, f, t[0], t[1], t[2]) - p.face_offset[f]
        separation = lowest(p.vertex, first_a, end_a, x, y, z) + offset
        if separation > best:
            best, face = separation, f - p.face_start[pb]
        if mesh:
            apart = lowest(p.vertex, first_a, end_a, -x, -y, -z) - offset
    own = best
    # faces of the first against corners of the second
    enough = best + FACE_BIAS * size + SHARE_BIAS * abs(best)
    for f in range(p.face_start[pa], p.face_start[pa + 1]):
        x, y, z = forth(Q, p.face_normal[f, 0], p.face_normal[f, 1], p.face_normal[f, 2])
        separation = lowest(p.vertex, first_b, end_b, x, y, z) - (x * t[0] + y * t[1] + z * t[2]) - p.face_offset[f]
        apart = max(apart, separation)
        if separation > enough:
            allowed = FREE
            if mesh:
                n[0], n[1], n[2] = -x, -y, -z
                allowed = judge_normal(n, p, pb)
            if allowed != OVER:
                best, enough, how, face, verdict = separation, separation, FACE_A, f - p.face_start[pa], allowed
    if max(best, apart) > limit:
        return best, APART

    # edges, in the first's frame
    enough = best + EDGE_BIAS * size + SHARE_BIAS * abs(best)
    edge_normal, edge_direction = p.edge_normal, p.edge_direction
    if mesh:
        for v in range(3):
            corner[v, 0], corner[v, 1], corner[v, 2] = back(
                Q, p.vertex[first_b + v, 0] - t[0], p.vertex[first_b + v, 1] - t[1], p.vertex[first_b + v, 2] - t[2])
    solid = p.face_start[pa] < p.face_start[pa + 1]
    for f in range(p.edge_start[pb], p.edge_start[pb + 1]):
        # the second's edge, its normals and a point of it
        dx, dy, dz = back(Q, edge_direction[f, 0], edge_direction[f, 1], edge_direction[f, 2])
        ux, uy, uz = back(Q, edge_normal[f, 0, 0], edge_normal[f, 0, 1], edge_normal[f, 0, 2])
        wx, wy, wz = back(Q, edge_normal[f, 1, 0], edge_normal[f, 1, 1], edge_normal[f, 1, 2])
        v = first_b + p.edge_vertex[f, 0]
        qx, qy, qz = back(Q, p.vertex[v, 0] - t[0], p.vertex[v, 1] - t[1], p.vertex[v, 2] - t[2])
        for e in range(p.edge_start[pa], p.edge_start[pa + 1]):
            # do the arcs of their normals cross? a triangle's edge counts with every normal across it, and so does a capsule's core
            first, second = row_dot(edge_direction, e, ux, uy, uz), row_dot(edge_direction, e, wx, wy, wz)
            if first * second >= 0.0 and not mesh:
                continue
            if solid:
                third, fourth = row_dot(edge_normal[e], 0, dx, dy, dz), row_dot(edge_normal[e], 1, dx, dy, dz)
                if third * fourth >= 0.0 or (first * fourth >= 0.0 and not mesh):
                    continue
            ex, ey, ez = edge_direction[e, 0], edge_direction[e, 1], edge_direction[e, 2]
            x, y, z = ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx
            length = x * x + y * y + z * z
            if length < PARALLEL:
                continue
            # out of the second; of a triangle: towards the solid first, or to whichever side of it the core lies
            scale = 1.0 / math.sqrt(length)
            if solid and mesh:
                sign = -row_dot(edge_normal[e], 0, x, y, z) - row_dot(edge_normal[e], 1, x, y, z)
            elif mesh:
                sign = -(x * (corner[0, 0] + corner[1, 0] + corner[2, 0]) + y * (corner[0, 1] + corner[1, 1] + corner[2, 1])
                         + z * (corner[0, 2] + corner[1, 2] + corner[2, 2]))
            else:
                sign = x * (ux + wx) + y * (uy + wy) + z * (uz + wz)
            if sign < 0.0:
                scale = -scale
            x, y, z = scale * x, scale * y, scale * z
            offset = -lowest(corner, 0, 3, -x, -y, -z) if mesh else x * qx + y * qy + z * qz
            separation = row_dot(p.vertex, first_a + p.edge_vertex[e, 0], x, y, z) - offset
            apart = max(apart, separation)
            if separation > enough:
                allowed = FREE
                if mesh:
                    n[0], n[1], n[2] = forth(Q, x, y, z)
                    allowed = judge_normal(n, p, pb)
                if allowed != OVER:
                    best, enough, how, verdict = separation, separation, CROSSING, allowed
                    axis[0], axis[1], axis[2] = x, y, z
    if max(best, apart) > limit or verdict == PAST:
        return best, APART

    # a triangle's own normal is taken from it
    if verdict == OWN:
        best, how, face = own, FACE_B, 0
    w.feature[0] = face
    if how == FACE_B:
        f = p.face_start[pb] + face
        n[0], n[1], n[2] = p.face_normal[f, 0], p.face_normal[f, 1], p.face_normal[f, 2]
    else:
        if how == FACE_A:
            f = p.face_start[pa] + face
            axis[0], axis[1], axis[2] = -p.face_normal[f, 0], -p.face_normal[f, 1], -p.face_normal[f, 2]
        n[0], n[1], n[2] = forth(Q, axis[0], axis[1], axis[2])
    return best, how


@kernel
def lowest(vertex, first, end, x, y, z):
    """of the corners along (x, y, z)"""
    least = math.inf
    for v in range(first, end):
        least = min(least, row_dot(vertex, v, x, y, z))
    return least
