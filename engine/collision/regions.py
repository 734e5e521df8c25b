"""Regions from patches: the triangles of one plane give one region, the convex hull of their patches (gift wrapping, Jarvis 1973);
every region gets its kind, at most eight vertices, and the values of the pair.
"""
import math

from ..kernel import kernel
from .contacts import MOST_VERTICES, POINT
from .frames import MERGE, row_dot
from .shapes import MESH

SAME_NORMAL = 1e-9
"""Edges and corners of a mesh touch in one region where their normals' product differs by less from 1 ..."""
SAME_LEVEL = 1e-3
"""... and their planes by less than this share of the size."""
KEY = 2 ** 32


@kernel
def find_regions(c, s):
    """Fill the regions. Needs find_patches and drop_needless."""
    c.count[0] = 0
    total = c.patch_count[0]
    for first in range(total):
        a, b, own = c.patch[first, 0], c.patch[first, 1], c.patch[first, 2]
        if own < 0:
            continue                             # part of an earlier region, or needless
        if c.count[0] == c.kind.shape[0]:
            c.dropped[2] += 1
            continue
        # with it the patches of the same plane, or of edges and corners of the mesh with the same normal at the same height
        size, planes, mesh, group = min(s.size[a], s.size[b]), s.group_count[b], s.kind[b] == MESH, own
        n, start = c.patch_normal[first], c.patch_start[first]
        level = row_dot(c.patch_vertex, start, n[0], n[1], n[2])
        count, other = c.patch_start[first + 1] - start, first + 1
        for v in range(count):
            c.gathered[v] = start + v
        while mesh and other < total and c.patch[other, 0] == a and c.patch[other, 1] == b:
            feature = c.patch[other, 2]
            if feature == own or (feature >= planes and own >= planes
                                  and row_dot(c.patch_normal, other, n[0], n[1], n[2]) > 1.0 - SAME_NORMAL
                                  and abs(row_dot(c.patch_vertex, c.patch_start[other], n[0], n[1], n[2]) - level) < SAME_LEVEL * size):
                for v in range(c.patch_start[other], c.patch_start[other + 1]):
                    c.gathered[count] = v
                    count += 1
                group = min(group, feature)
                c.patch[other, 2] = -1
            other += 1
        deepest = least(c.patch_gap, c.gathered, count)
        for limit in (math.inf, deepest + SAME_LEVEL * size):
            count = keep(c.gathered, c.patch_gap, count, limit)
            corners = wrap(c.order, c.flat, c.gathered, c.patch_vertex, n, count, MERGE * size)
            # on a tip of a mesh the deepest vertex may be inside: then only those as deep make the region
            if own < planes or is_corner(c.order, corners, c.patch_gap, c.gathered, deepest + MERGE * size):
                break
        write_region(c, s, first, group, reduced(c.order, c.flat, corners))


@kernel
def least(gap, gathered, count):
    found = math.inf
    for k in range(count):
        found = min(found, gap[gathered[k]])
    return found


@kernel
def keep(gathered, gap, count, limit):
    """of the vertices gathered those with a gap up to the limit; returns how many"""
    kept = 0
    for k in range(count):
        if gap[gathered[k]] <= limit:
            gathered[kept] = gathered[k]
            kept += 1
    return kept


@kernel
def is_corner(order, corners, gap, gathered, limit):
    """is a vertex with a gap up to the limit among the corners?"""
    for k in range(corners):
        if gap[gathered[order[k]]] <= limit:
            return True
    return False


@kernel
def wrap(order, flat, gathered, vertex, n, count, merge):
    """order: the corners of the convex hull of the vertices gathered, counter-clockwise about n; returns how many"""
    # axes in the plane: e across n, f across both
    if abs(n[0]) < 0.6:
        scale = 1.0 / math.sqrt(n[1] * n[1] + n[2] * n[2])
        ex, ey, ez = 0.0, n[2] * scale, -n[1] * scale
    else:
        scale = 1.0 / math.sqrt(n[0] * n[0] + n[1] * n[1])
        ex, ey, ez = n[1] * scale, -n[0] * scale, 0.0
    fx, fy, fz = n[1] * ez - n[2] * ey, n[2] * ex - n[0] * ez, n[0] * ey - n[1] * ex
    start = 0
    for k in range(count):
        p = vertex[gathered[k]]
        flat[k, 0] = ex * p[0] + ey * p[1] + ez * p[2]
        flat[k, 1] = fx * p[0] + fy * p[1] + fz * p[2]
        if flat[k, 0] < flat[start, 0] or (flat[k, 0] == flat[start, 0] and flat[k, 1] < flat[start, 1]):
            start = k
    found, here = 0, start
    while found < order.shape[0]:
        order[found] = here
        found += 1
        # the next corner has every other on its left; of those in line the farthest
        best, bx, by, length, slack = -1, 0.0, 0.0, 0.0, 0.0
        for k in range(count):
            x, y = flat[k, 0] - flat[here, 0], flat[k, 1] - flat[here, 1]
            away, turn = x * x + y * y, bx * y - by * x
            if away > merge * merge and (best < 0 or turn < -slack or (turn <= slack and away > length)):
                best, bx, by, length, slack = k, x, y, away, merge * math.sqrt(away)
        if best < 0:
            break
        closing = corner_near(order, found, flat, best, merge)
        if closing >= 0:
            # a twin of the first corner may close the round at a later one; those before it are then not part of it
            found -= closing
            for l in range(found):
                order[l] = order[l + closing]
            break
        here = best
    return found


@kernel
def corner_near(order, found, flat, k, merge):
    """the first of the corners found that point k is, or is as good as; -1 where there is none"""
    for l in range(found):
        x, y = flat[k, 0] - flat[order[l], 0], flat[k, 1] - flat[order[l], 1]
        if x * x + y * y <= merge * merge:
            return l
    return -1


@kernel
def reduced(order, flat, count):
    """leave out corners, those that take off least area, until few enough are left; returns how many"""
    while count > MOST_VERTICES:
        least, area = 0, math.inf
        for k in range(count):
            p, q, r = flat[order[k - 1 if k else count - 1]], flat[order[k]], flat[order[(k + 1) % count]]
            here = abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))
            if here < area:
                least, area = k, here
        for k in range(least, count - 1):
            order[k] = order[k + 1]
        count -= 1
    return count


@kernel
def write_region(c, s, patch, group, count):
    k = c.count[0]
    a, b = c.patch[patch, 0], c.patch[patch, 1]
    c.shape_a[k] = a
    c.shape_b[k] = b
    c.body[k] = s.body[a]
    c.other[k] = s.body[b]
    c.key[k] = (a * s.kind.shape[0] + b) * KEY + group
    c.kind[k] = POINT + min(count, 3) - 1        # POINT, LINE, AREA
    c.friction[k] = max(s.friction[a], s.friction[b])
    c.dynamic_friction[k] = max(s.dynamic_friction[a], s.dynamic_friction[b])
    c.restitution[k] = max(s.restitution[a], s.restitution[b])
    for j in range(3):
        c.normal[k, j] = c.patch_normal[patch, j]
    start = c.vertex_start[k]
    for l in range(count):
        v = c.gathered[c.order[l]]
        for j in range(3):
            c.vertex[start + l, j] = c.patch_vertex[v, j]
        c.gap[start + l] = c.patch_gap[v]
    c.vertex_start[k + 1] = start + count
    c.count[0] = k + 1
