"""Broad phase: which pairs could touch, by the boxes around them.

Pairs inside a tree are listed once and for all; trees are sorted along x and swept, so that far figures cost nothing; planes,
meshes and other shapes that stay are tried tree by tree, then shape by shape. A mesh answers with its triangles near the shape.
"""
import math

from ..kernel import kernel
from .frames import place_in
from .shapes import MESH, PLANE


@kernel
def find_candidates(c, s, margin):
    """Fill c.candidate. Needs update_places."""
    c.candidate_count[0] = 0
    nt = c.tree_lower.shape[0]
    sort_trees(c.tree_order, c.tree_lower)
    for rank in range(nt):
        tree = c.tree_order[rank]
        # inside the tree, along its longest side first
        x, y, z = (c.tree_upper[tree, 0] - c.tree_lower[tree, 0], c.tree_upper[tree, 1] - c.tree_lower[tree, 1],
                   c.tree_upper[tree, 2] - c.tree_lower[tree, 2])
        axis = 0 if x > y and x > z else 1 if y > z else 2
        for pair in range(s.pair_start[tree], s.pair_start[tree + 1]):
            a, b = s.pair[pair, 0], s.pair[pair, 1]
            if (c.lower[a, axis] <= c.upper[b, axis] and c.lower[b, axis] <= c.upper[a, axis]
                    and overlap(c.lower, c.upper, a, c.lower, c.upper, b)):
                add_candidate(c.candidate, c.candidate_count, c.dropped, a, b, -1)
        # trees that begin before this one ends, and last of all what stays
        later = rank
        while later < nt:
            later += 1
            if later < nt:
                other = c.tree_order[later]
                if c.tree_lower[other, 0] > c.tree_upper[tree, 0]:
                    later = nt - 1
                    continue
                first, end = s.tree_start[other], s.tree_start[other + 1]
                if not overlap(c.tree_lower, c.tree_upper, tree, c.tree_lower, c.tree_upper, other):
                    continue
            else:
                first, end = s.tree_start[nt], s.kind.shape[0]
            for b in range(first, end):
                if not overlap(c.tree_lower, c.tree_upper, tree, c.lower, c.upper, b):
                    continue
                kind = s.kind[b]
                for a in range(s.tree_start[tree], s.tree_start[tree + 1]):
                    if s.may_touch[a, b] and overlap(c.lower, c.upper, a, c.lower, c.upper, b):
                        if kind == MESH:
                            add_triangles(c, s, a, b, margin)
                        elif kind != PLANE or plane_gap(c, a, b) <= 0.5 * margin:
                            add_candidate(c.candidate, c.candidate_count, c.dropped, min(a, b), max(a, b), -1)


@kernel
def sort_trees(order, lower):
    """by lower x, then by number: an insertion sort, quick because the order hardly changes"""
    for rank in range(1, order.shape[0]):
        tree, k = order[rank], rank
        while k > 0 and (lower[order[k - 1], 0] > lower[tree, 0] or (lower[order[k - 1], 0] == lower[tree, 0] and order[k - 1] > tree)):
            order[k] = order[k - 1]
            k -= 1
        order[k] = tree


@kernel
def overlap(lower, upper, k, other_lower, other_upper, l):
    """do box k of the one and box l of the other meet?"""
    return (lower[k, 0] <= other_upper[l, 0] and other_lower[l, 0] <= upper[k, 0]
            and lower[k, 1] <= other_upper[l, 1] and other_lower[l, 1] <= upper[k, 1]
            and lower[k, 2] <= other_upper[l, 2] and other_lower[l, 2] <= upper[k, 2])


@kernel
def plane_gap(c, a, b):
    """how far the nearest corner of a's box is above plane b"""
    gap = 0.0
    for j in range(3):
        n = c.R[b, j, 2]
        gap += n * ((c.lower[a, j] if n > 0.0 else c.upper[a, j]) - c.x[b, j])
    return gap


@kernel
def add_candidate(candidate, count, dropped, a, b, piece):
    k = count[0]
    if k == candidate.shape[0]:
        dropped[0] += 1
    else:
        candidate[k, 0], candidate[k, 1], candidate[k, 2] = a, b, piece
        count[0] = k + 1


@kernel
def add_triangles(c, s, a, b, margin):
    """the triangles of mesh b whose boxes meet that of shape a, in the mesh's frame"""
    w, low, high = c.work, c.work.segment[0], c.work.segment[1]
    place_in(w, c.x[a], c.R[a], c.x[b], c.R[b])
    for j in range(3):
        half = s.radius[a] + margin + abs(w.Q[j, 0]) * s.half[a, 0] + abs(w.Q[j, 1]) * s.half[a, 1] + abs(w.Q[j, 2]) * s.half[a, 2]
        low[j] = w.t[j] - half
        high[j] = w.t[j] + half
    # a height field: the triangles of the cells under the box, row by row; a mesh: those of the leaves it meets, box by box
    columns, start, run = s.grid[b, 1], s.piece_start[b], 0
    node, end = s.node_start[b], s.node_start[b + 1]
    if columns > 0:
        first_column = cell(low[0] + s.half[b, 0], s.spacing[b, 0], columns)
        run = 2 * (cell(high[0] + s.half[b, 0], s.spacing[b, 0], columns) - first_column + 1)
        node = cell(low[1] + s.half[b, 1], s.spacing[b, 1], s.grid[b, 0])
        end = cell(high[1] + s.half[b, 1], s.spacing[b, 1], s.grid[b, 0]) + 1
        start += 2 * first_column
    while node < end:
        if columns > 0:
            piece, last = start + 2 * columns * node, start + 2 * columns * node + run
            node += 1
        elif overlap(w.segment, w.segment[1:], 0, s.node_box, s.node_box[:, 3:], node):
            piece, last = s.node_piece[node, 0], s.node_piece[node, 1]
            node += 1
        else:
            piece, last = 0, 0
            node = s.node_next[node]
        while piece < last:
            v = s.pieces.vertex_start[piece]
            apart = False
            for j in range(3):
                x, y, z = s.pieces.vertex[v, j], s.pieces.vertex[v + 1, j], s.pieces.vertex[v + 2, j]
                apart = apart or min(x, min(y, z)) > high[j] or max(x, max(y, z)) < low[j]
            if not apart:
                add_candidate(c.candidate, c.candidate_count, c.dropped, a, b, piece)
            piece += 1


@kernel
def cell(place, spacing, count):
    """the cell of a height field at `place` from its border, the nearest one outside"""
    return min(count - 1, max(0, math.floor(place / spacing)))
