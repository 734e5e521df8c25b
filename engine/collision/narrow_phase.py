"""Narrow phase: the patch, if any, where each candidate pair touches.

Two convex pieces: least overlap or largest separation first (axes); then the two faces that look at each other are cut to each
other (clipping). Where the pieces are apart and that axis is not their true distance, the nearest points give the normal (gjk), and
faces within 2.5 degrees of it are cut all the same (facing). Otherwise two edges meet in a point, or in a line where they are
parallel (distance). Round shapes are pieces without faces; two of them meet like edges. A plane, and a triangle
amid others in its plane, can only be touched along its own normal.
"""
import math

from ..kernel import kernel
from .axes import APART, CROSSING, EDGES, FACE_A, FACE_B, NEAREST, box_axis, piece_axis
from .clipping import cut_faces
from .distance import nearest_in_box, touch_segments
from .facing import facing
from .frames import ALIGNED, place_in, put, row_dot, swap
from .gjk import nearest_points
from .seams import OVER, judge_normal
from .shapes import BOX, CAPSULE, MESH

MOST_FACES = 4096
"""Features of a mesh are numbered: planes, then faces of what touches it, then its edges."""

SEARCH, EXACT, LAST = range(3)
"""The normal comes from the axes; from the nearest points; this time the points found are the last word."""


@kernel
def find_patches(c, s, margin):
    """Fill c.patch and what belongs to it. Needs find_candidates."""
    w, p = c.work, s.pieces
    c.patch_count[0] = 0
    for candidate in range(c.candidate_count[0]):
        # the simpler shape first
        a, b = c.candidate[candidate, 0], c.candidate[candidate, 1]
        ordered = s.kind[a] <= s.kind[b]
        first, second = (a, b) if ordered else (b, a)
        pa, pb = s.piece_start[first], max(s.piece_start[second], c.candidate[candidate, 2])
        kind_a, kind_b = s.kind[first], s.kind[second]
        size, radius = min(s.size[a], s.size[b]), s.radius[a] + s.radius[b]
        mesh, reach = kind_b == MESH, margin + radius

        # along which axis are they nearest?
        separation, how, stage, swapped, local = 0.0, EDGES, SEARCH, False, True
        if kind_b <= CAPSULE:
            stage, local = LAST, False
            for side in range(2):
                k = second if side else first
                for j in range(3):
                    along = c.R[k, j, 2] * s.half[k, 2]
                    w.segment[2 * side, j] = c.x[k, j] - along
                    w.segment[2 * side + 1, j] = c.x[k, j] + along
        else:
            place_in(w, c.x[first], c.R[first], c.x[second], c.R[second])
            if kind_b == BOX:
                separation, how = box_axis(w, s.half[first], s.half[second], 3 if kind_a == BOX else 0,
                                           3 if kind_a == BOX else kind_a, reach, size)
            elif p.flat[pb]:
                how, stage = FACE_B, LAST
                face_normal(w, p, pb)
            else:
                separation, how = piece_axis(w, p, pa, pb, mesh, reach, size)
            if how == APART:
                continue

        # the points along that axis, or along a better one; the piece with the face that cuts is the second one
        count, had, face, turned = 0, 0, -1, how == FACE_A
        while True:
            if turned != swapped:
                swap(w)
                pa, pb, swapped = pb, pa, turned
            if how == NEAREST:
                if kind_b == BOX and kind_a <= CAPSULE:
                    separation = nearest_in_box(w, s.half[first, 2], s.half[second])
                else:
                    separation = nearest_points(w, p, pa, pb)
                if separation > reach or (mesh and (separation < 0.0 or judge_normal(w.n, p, pb) >= OVER)):
                    if had == 0 and separation >= 0.0:
                        count = 0
                        break
                    # not this triangle's affair, but what lies over its face is: the face that does, or any that does
                    face = -1 if had > 0 else 0
                    how, stage = FACE_B, LAST
                    face_normal(w, p, pb)
                elif separation < 0.0:
                    separation, how = 0.0, CROSSING
                else:
                    stage = EXACT
            if how == NEAREST or how == CROSSING:
                how = facing(w, p, pa, pb, how == NEAREST, size)
                turned = how == FACE_A
                continue
            if how == EDGES:
                count, lowest = touch_segments(w, local, s.radius[first], s.radius[second], margin, size)
            else:
                count, lowest = cut_faces(w, p, pa, pb, face, mesh and not swapped, radius, margin, size)
                if count == 0 and 0 <= face < p.face_start[pa + 1] - p.face_start[pa] - 1:
                    face += 1
                    continue
            if stage == LAST or (stage == EXACT and count > 0 and (how == EDGES or lowest < separation + 1e-6 * size)):
                break
            if stage == EXACT:
                how, stage, turned = EDGES, LAST, False
            elif (separation > 0.0 or (mesh and (how == EDGES or lowest == math.inf))) and lowest > abs(separation) + 1e-9 * size:
                had = count if mesh and how == FACE_B else 0
                how, turned = NEAREST, False
            elif count > 0 or mesh:
                break
            else:
                # overlapping, but not in front of the face: the deepest corner
                put(w.segment[0], w.t, w.Q, p.vertex[w.feature[1]])
                for j in range(3):
                    w.segment[1, j] = w.segment[0, j]
                    w.segment[2, j] = w.segment[0, j] - separation * w.n[j]
                    w.segment[3, j] = w.segment[2, j]
                how, stage = EDGES, LAST
        if count > 0:
            feature = 0
            if mesh and swapped:
                feature = s.group_count[b] + w.feature[0]
            elif mesh:
                feature = p.group[pb]
                if how == EDGES and row_dot(p.face_normal, p.face_start[pb], w.n[0], w.n[1], w.n[2]) < ALIGNED:
                    feature = s.group_count[b] + MOST_FACES + w.feature[2] - p.vertex_start[s.piece_start[b]]
            write_patch(c, a, b, feature, pa if swapped else pb, first if swapped else second, ordered != swapped, count, local)


@kernel
def face_normal(w, p, piece):
    """the first face of a piece is what touches"""
    w.feature[0] = 0
    for j in range(3):
        w.n[j] = p.face_normal[p.face_start[piece], j]


@kernel
def write_patch(c, a, b, feature, piece, frame, forward, count, local):
    """Append the points, gaps and normal of c.work, turned to world axes if they are `local` to the frame of a shape; `forward` if the
    normal points into shape a."""
    w, k = c.work, c.patch_count[0]
    if k == c.patch.shape[0] or c.patch_start[k] + count > c.patch_gap.shape[0]:
        c.dropped[1] += 1
        return
    start, R, x = c.patch_start[k], c.R[frame], c.x[frame]
    c.patch[k, 0], c.patch[k, 1], c.patch[k, 2], c.patch[k, 3] = a, b, feature, piece
    sign = 1.0 if forward else -1.0
    for j in range(3):
        turned = R[j, 0] * w.n[0] + R[j, 1] * w.n[1] + R[j, 2] * w.n[2]
        c.patch_normal[k, j] = sign * (turned if local else w.n[j])
    for v in range(count):
        if local:
            put(c.patch_vertex[start + v], x, R, w.point[v])
        else:
            for j in range(3):
                c.patch_vertex[start + v, j] = w.point[v, j]
        c.patch_gap[start + v] = w.gap[v]
    c.patch_start[k + 1] = start + count
    c.patch_count[0] = k + 1
