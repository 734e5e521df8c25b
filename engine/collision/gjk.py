"""The distance of two convex pieces that do not meet, by the nearest point of their Minkowski difference to the origin:
Gilbert, Johnson and Keerthi (1988), the nearest point of a simplex by its regions (Ericson 2005, 5.1.5).
"""
import math

from ..kernel import kernel
from .frames import back, forth, row_dot, support

MOST_ROUNDS = 64
FLAT = 1e-18
"""A tetrahedron lower than this, squared and in sides of its base, is flat."""


@kernel
def nearest_points(w, p, pa, pb):
    """Fills w.n, from the second piece to the first, and w.segment with the nearest points; starts along w.n. Returns their distance,
    or -1 where the pieces meet. In the second piece's frame."""
    simplex, corner, weight, Q, t, n, segment = w.simplex, w.simplex_corner, w.weight, w.Q, w.t, w.n, w.segment
    x, y, z = n[0], n[1], n[2]
    count, distance = 0, math.inf
    for _ in range(MOST_ROUNDS):
        # the corner of the difference farthest against (x, y, z)
        ax, ay, az = back(Q, x, y, z)
        a = support(p.vertex, p.vertex_start[pa], p.vertex_start[pa + 1], -ax, -ay, -az)
        b = support(p.vertex, p.vertex_start[pb], p.vertex_start[pb + 1], x, y, z)
        ax, ay, az = forth(Q, p.vertex[a, 0], p.vertex[a, 1], p.vertex[a, 2])
        ax, ay, az = ax + t[0] - p.vertex[b, 0], ay + t[1] - p.vertex[b, 1], az + t[2] - p.vertex[b, 2]
        # no corner nearer than the plane through the nearest point: done
        known = count > 0 and x * (x - ax) + y * (y - ay) + z * (z - az) <= 1e-14 * distance * distance
        for k in range(count):
            known = known or (corner[k, 0] == a and corner[k, 1] == b)
        if known:
            break
        simplex[count, 0], simplex[count, 1], simplex[count, 2], corner[count, 0], corner[count, 1] = ax, ay, az, a, b
        count = reduce_simplex(simplex, corner, weight, count + 1)
        x, y, z = 0.0, 0.0, 0.0
        for k in range(count):
            x += weight[k] * simplex[k, 0]
            y += weight[k] * simplex[k, 1]
            z += weight[k] * simplex[k, 2]
        closer = math.sqrt(x * x + y * y + z * z)
        if count == 4 or closer < 1e-12:
            return -1.0
        if closer >= distance:
            break                                # as near as rounding lets us come
        distance = closer
    distance = math.sqrt(x * x + y * y + z * z)
    n[0], n[1], n[2] = x / distance, y / distance, z / distance
    x, y, z = 0.0, 0.0, 0.0
    for k in range(count):
        x += weight[k] * p.vertex[corner[k, 1], 0]
        y += weight[k] * p.vertex[corner[k, 1], 1]
        z += weight[k] * p.vertex[corner[k, 1], 2]
    for end in range(2):
        segment[2 + end, 0], segment[2 + end, 1], segment[2 + end, 2] = x, y, z
        for j in range(3):
            segment[end, j] = segment[2 + end, j] + distance * n[j]
    return distance


@kernel
def reduce_simplex(simplex, corner, weight, count):
    """Keep the corners that the point nearest to the origin is made of, with their weights; returns how many, 4 where the origin is
    inside."""
    best, b1, b2, f0, f1, f2 = math.inf, 0.0, 0.0, 0, 0, 0
    for face in range(4 if count == 4 else 1):
        # corners of this triangle; a point or segment is a triangle with corners in one place
        i0 = 1 if face == 3 else 0
        i1 = 2 if face > 1 else min(1, count - 1)
        i2 = 3 if face > 0 else min(2, count - 1)
        ax, ay, az = simplex[i0, 0], simplex[i0, 1], simplex[i0, 2]
        ux, uy, uz = simplex[i1, 0] - ax, simplex[i1, 1] - ay, simplex[i1, 2] - az
        wx, wy, wz = simplex[i2, 0] - ax, simplex[i2, 1] - ay, simplex[i2, 2] - az
        uu, uw, ww = ux * ux + uy * uy + uz * uz, ux * wx + uy * wy + uz * wz, wx * wx + wy * wy + wz * wz
        if count == 4:
            # only faces with the origin on their outer side can be nearest; a flat tetrahedron has no inside
            nx, ny, nz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
            level = nx * ax + ny * ay + nz * az
            height = row_dot(simplex, 3 - face, nx, ny, nz) - level
            if level * height < 0.0 and height * height > FLAT * (nx * nx + ny * ny + nz * nz) * max(uu, ww):
                continue
        ua, wa = -(ux * ax + uy * ay + uz * az), -(wx * ax + wy * ay + wz * az)
        # nearest point a + g u + h w: inside, else on one of the three sides
        determinant = uu * ww - uw * uw
        for side in range(4):
            if side == 0:
                if determinant <= 1e-14 * uu * ww:
                    continue
                g, h = (ua * ww - wa * uw) / determinant, (wa * uu - ua * uw) / determinant
                if g < 0.0 or h < 0.0 or g + h > 1.0:
                    continue
            elif side == 1:
                g, h = (min(1.0, max(0.0, ua / uu)) if uu > 0.0 else 0.0), 0.0
            elif side == 2:
                g, h = 0.0, (min(1.0, max(0.0, wa / ww)) if ww > 0.0 else 0.0)
            else:
                across = uu - 2.0 * uw + ww
                h = min(1.0, max(0.0, (wa - ua + uu - uw) / across)) if across > 0.0 else 0.0
                g = 1.0 - h
            x, y, z = ax + g * ux + h * wx, ay + g * uy + h * wy, az + g * uz + h * wz
            nearest = x * x + y * y + z * z
            if nearest < best:
                best, b1, b2, f0, f1, f2 = nearest, g, h, i0, i1, i2
            if side == 0:
                break
    if best == math.inf:
        return 4
    kept = 0
    for k in range(3):
        number, share = (f0, 1.0 - b1 - b2) if k == 0 else (f1, b1) if k == 1 else (f2, b2)
        if share > 0.0:
            # numbers rise, so nothing is overwritten before it is read
            for j in range(3):
                simplex[kept, j] = simplex[number, j]
            corner[kept, 0], corner[kept, 1], weight[kept] = corner[number, 0], corner[number, 1], share
            kept += 1
    return kept
