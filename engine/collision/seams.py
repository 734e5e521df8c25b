"""What may touch a triangle of a mesh beside its face: the rules that keep things from stumbling over its seams.

An edge may be touched from between the normals of its two faces, a corner where no neighbour of it lies farther out.
"""
from ..kernel import kernel
from .frames import ACROSS, ALIGNED, row_dot, support
from .shapes import BLUNT, BORDER

OWN, FREE, OVER, PAST = range(4)
"""The normal is the triangle's own; is that of one of its edges or corners; leads over an edge into the surface beyond; is a
neighbouring triangle's own."""


@kernel
def judge_normal(n, p, triangle):
    """Whether the normal n may be, at the corner or edge of the triangle that lies farthest along it."""
    x, y, z = n[0], n[1], n[2]
    if row_dot(p.face_normal, p.face_start[triangle], x, y, z) > ALIGNED:
        return OWN
    first, edges = p.vertex_start[triangle], p.edge_start[triangle]
    corner = support(p.vertex, first, first + 3, x, y, z)
    # an edge across the normal
    e, f = edges + corner - first, edges + (corner - first + 2) % 3
    along, other = abs(row_dot(p.edge_direction, e, x, y, z)), abs(row_dot(p.edge_direction, f, x, y, z))
    if other < along:
        e, along = f, other
    if along < ACROSS:
        if p.edge_kind[e] <= BLUNT:
            return OVER
        if p.edge_kind[e] == BORDER:
            return FREE
        # d x m points out of the neighbour, whose normal is m: n must lean that way, n . (d x m) = m . (n x d), or is its own
        d = p.edge_direction[e]
        out = row_dot(p.edge_normal[e], 1, y * d[2] - z * d[1], z * d[0] - x * d[2], x * d[1] - y * d[0])
        return OVER if out < -ACROSS else PAST if out < ACROSS else FREE
    # a corner
    verdict = FREE
    for k in range(p.ring_start[p.ring[corner]], p.ring_start[p.ring[corner] + 1]):
        if row_dot(p.ring_direction, k, x, y, z) > ACROSS:
            return OVER
        if row_dot(p.ring_normal, k, x, y, z) > ALIGNED:
            verdict = PAST
    return verdict
