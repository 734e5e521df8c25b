"""Patches on a mesh that are nobody's way out: near an edge or corner a thing lies behind the planes of all the faces there, as deep
behind most of them as it is long. Those from which a shallower patch frees it too are dropped.
"""
import math

from ..kernel import kernel
from .axes import FACE_BIAS, SHARE_BIAS, lowest
from .frames import back, row_dot
from .shapes import MESH


@kernel
def drop_needless(c, s):
    """Mark patches on meshes (their feature becomes -1) where moving out of another patch's triangle, along that patch's normal, is
    shorter and leads out of this one's too. Needs find_patches."""
    first = 0
    for k in range(c.patch_count[0]):
        a, b = c.patch[k, 0], c.patch[k, 1]
        if c.patch[first, 0] != a or c.patch[first, 1] != b:
            first = k
        bias = FACE_BIAS * s.size[a]
        if s.kind[b] != MESH or depth(c, k) < bias:
            continue
        other = first
        while other < c.patch_count[0] and c.patch[other, 0] == a and c.patch[other, 1] == b:
            n = c.patch_normal[other]
            bottom = level_below(c, s, a, n)
            enough = bias + (1.0 + SHARE_BIAS) * (level_above(c, s, b, c.patch[other, 3], n) - bottom)
            if depth(c, k) > enough >= level_above(c, s, b, c.patch[k, 3], n) - bottom:
                c.patch[k, 2] = -1
                break
            other += 1


@kernel
def depth(c, patch):
    """of the deepest vertex of a patch, m"""
    least = math.inf
    for v in range(c.patch_start[patch], c.patch_start[patch + 1]):
        least = min(least, c.patch_gap[v])
    return -least


@kernel
def level_below(c, s, a, n):
    """where shape a, of one piece, begins along n"""
    x, y, z = back(c.R[a], n[0], n[1], n[2])
    piece = s.piece_start[a]
    return (row_dot(c.x, a, n[0], n[1], n[2]) - s.radius[a]
            + lowest(s.pieces.vertex, s.pieces.vertex_start[piece], s.pieces.vertex_start[piece + 1], x, y, z))


@kernel
def level_above(c, s, b, triangle, n):
    """where a triangle of mesh b ends along n"""
    x, y, z = back(c.R[b], n[0], n[1], n[2])
    v = s.pieces.vertex_start[triangle]
    return row_dot(c.x, b, n[0], n[1], n[2]) - lowest(s.pieces.vertex, v, v + 3, -x, -y, -z)
