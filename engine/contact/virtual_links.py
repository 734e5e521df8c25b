"""Virtual links: every contact, grab, pin and closed loop as a joint of six rows, some of them constrained (source 000, 2.1-2.3).

Row order of a link: velocity along its frame's x, y, z, then turning about x, y, z times a length l, so that all six are
speeds; a wrench is force, then moment over l. The rows are H_C; the factor of A, made once a step, gives W = L^-T H_C^T, and
B = H_C A^-1 H_C^T = W^T D^-1 W (eq 21) in pieces of two links. Changing what is constrained only picks other rows of B.
"""
from typing import NamedTuple

import numpy as np

from ..kernel import kernel, product
from ..model.model import Model

take_out = product(4, 4, 8, -1, transposed=True)     # rows above -= tile^T rows
add_square = product(8, 4, 8, 1, transposed=True)    # B += (D^-1 W)^T W


class Links(NamedTuple):
    """Links 0 to count[0] - 1. World axes, places from `origin` as in Contacts."""
    # given from outside
    count: np.ndarray   # type: ignore[assignment]   # (1,)
    origin: np.ndarray              # (3,) where places are taken from, world
    body: np.ndarray                # (nl,)
    other: np.ndarray               # (nl,) the other body, -1 the world
    place: np.ndarray               # (nl, 3) of the link's frame, m
    frame: np.ndarray               # (nl, 3, 3) its axes, one a row
    length: np.ndarray              # (nl,) l, m
    island: np.ndarray              # (nl,) links of different islands share no tree
    ratio: np.ndarray               # (nl,) of a coupling, whose row 0 is body's joint less ratio times other's; 0: rows of the frame
    drive: np.ndarray               # (nl, 6) velocity of the other side when that is not a body: an obstacle, a moving target

    # computed by update_rows
    tile_start: np.ndarray          # (nl + 1,) tiles of each link's rows
    tile_block: np.ndarray          # (·,) the block of each, rising
    W: np.ndarray                   # (·, 4, 8) L^-T H_C^T: four dofs by six rows and two of zeros
    free: np.ndarray                # (nl, 8) velocity H_C v of the link for the velocities v handed in
    B: np.ndarray                   # (nl, nl, 8, 8) change of link i's velocity for a unit impulse on link j

    # work arrays
    tile_of: np.ndarray             # (nk,) where a block stands among the link's tiles
    column: np.ndarray              # (8,)
    scaled: np.ndarray              # (4, 8)


def allocate_links(m: Model, links: int) -> Links:
    """Room for `links` links."""
    nk = len(m.block) - 1
    deepest = int(np.diff(m.row_start).max(initial=1))
    tiles = 2 * links * deepest
    return Links(
        count=np.zeros(1, int), origin=np.zeros(3), body=np.zeros(links, int), other=np.zeros(links, int), place=np.zeros((links, 3)),
        frame=np.zeros((links, 3, 3)), length=np.ones(links), island=np.zeros(links, int), drive=np.zeros((links, 6)),
        ratio=np.zeros(links), tile_start=np.zeros(links + 1, int), tile_block=np.zeros(tiles, int), W=np.zeros((tiles, 4, 8)),
        free=np.zeros((links, 8)), B=np.zeros((links, links, 8, 8)), tile_of=np.zeros(nk, int), column=np.zeros(8), scaled=np.zeros((4, 8)))


@kernel
def update_rows(links, d, m, v):
    """Fill tiles, W, free and B. Needs update_pose and factor."""
    for r in range(links.count[0]):
        add_blocks(links, m, r)
        for e in range(6):
            links.free[r, e] = -links.drive[r, e]
        if links.ratio[r] != 0.0:
            add_axis(links, m, r, links.body[r], 1.0, v)
            add_axis(links, m, r, links.other[r], -links.ratio[r], v)
        else:
            add_side(links, d, m, r, links.body[r], 1.0, v)
            if links.other[r] >= 0:
                add_side(links, d, m, r, links.other[r], -1.0, v)
        eliminate(links, d, m, r)
        for s in range(r + 1):
            if links.island[s] == links.island[r]:
                update_pair(links, d, r, s)


@kernel
def add_blocks(links, m, r):
    """list the blocks of the dofs that move either side, rising, and clear their tiles"""
    e = links.tile_start[r]
    i, j = m.body_block[links.body[r]], -1
    if links.other[r] >= 0:
        j = m.body_block[links.other[r]]
    f, f_end = (m.row_start[i], m.row_start[i + 1]) if i >= 0 else (0, 0)
    g, g_end = (m.row_start[j], m.row_start[j + 1]) if j >= 0 else (0, 0)
    while f < f_end or g < g_end:
        if g == g_end or (f < f_end and m.row_block[f] < m.row_block[g]):
            b = m.row_block[f]
            f += 1
        else:
            b = m.row_block[g]
            if f < f_end and m.row_block[f] == b:
                f += 1
            g += 1
        links.tile_block[e] = b
        links.tile_of[b] = e
        for k in range(4):
            for n in range(8):
                links.W[e, k, n] = 0.0
        e += 1
    links.tile_start[r + 1] = e


@kernel
def add_side(links, d, m, r, i, sign, v):
    """add body i's columns of H_C to W, and its velocity to `free`"""
    frame, l, column = links.frame[r], links.length[r], links.column
    origin = d.origin[m.tree[i]]
    x = links.place[r, 0] + (links.origin[0] - origin[0])
    y = links.place[r, 1] + (links.origin[1] - origin[1])
    z = links.place[r, 2] + (links.origin[2] - origin[2])
    while i >= 0:
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            S, c = d.S[k], m.dof[k]
            a0, a1, a2 = S[0] + S[4] * z - S[5] * y, S[1] + S[5] * x - S[3] * z, S[2] + S[3] * y - S[4] * x
            for j in range(3):
                column[j] = sign * (frame[j, 0] * a0 + frame[j, 1] * a1 + frame[j, 2] * a2)
                column[3 + j] = sign * l * (frame[j, 0] * S[3] + frame[j, 1] * S[4] + frame[j, 2] * S[5])
            b = m.dof_block[c]
            rows = links.W[links.tile_of[b], c - m.block[b]]
            for j in range(6):
                rows[j] += column[j]
                links.free[r, j] += column[j] * v[c]
        i = m.parent[i]


@kernel
def add_axis(links, m, r, i, factor, v):
    """the same for a coupling: `factor` times the rate of body i's joint"""
    k = m.axis_start[i]
    c = m.dof[k]
    b = m.dof_block[c]
    links.W[links.tile_of[b], c - m.block[b], 0] += factor * m.ratio[k]
    links.free[r, 0] += factor * m.ratio[k] * v[c]


@kernel
def add_velocity(out, links, r, V, origin, sign):
    """out += sign times the velocity at link r of a body that moves with V about `origin`, in the link's rows"""
    x = links.place[r, 0] + (links.origin[0] - origin[0])
    y = links.place[r, 1] + (links.origin[1] - origin[1])
    z = links.place[r, 2] + (links.origin[2] - origin[2])
    vx, vy, vz = V[0] + V[4] * z - V[5] * y, V[1] + V[5] * x - V[3] * z, V[2] + V[3] * y - V[4] * x
    for j in range(3):
        frame = links.frame[r, j]
        out[j] += sign * (frame[0] * vx + frame[1] * vy + frame[2] * vz)
        out[3 + j] += sign * links.length[r] * (frame[0] * V[3] + frame[1] * V[4] + frame[2] * V[5])


@kernel
def add_drift(out, links, d, m, r, i, sign):
    """out (6,) += sign times the acceleration of body i at link r when no coordinate accelerates, in the link's rows: H_C' v"""
    frame, l, V, origin = links.frame[r], links.length[r], d.V[i], d.origin[m.tree[i]]
    x = links.place[r, 0] + (links.origin[0] - origin[0])
    y = links.place[r, 1] + (links.origin[1] - origin[1])
    z = links.place[r, 2] + (links.origin[2] - origin[2])
    a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    while i >= 0:
        C = d.C[i]
        a0, a1, a2, b0, b1, b2 = a0 + C[0], a1 + C[1], a2 + C[2], b0 + C[3], b1 + C[4], b2 + C[5]
        i = m.parent[i]
    # from the acceleration at the tree's origin to the point's own: + alpha x r + w x v_point
    vx, vy, vz = V[0] + V[4] * z - V[5] * y, V[1] + V[5] * x - V[3] * z, V[2] + V[3] * y - V[4] * x
    a0 += b1 * z - b2 * y + V[4] * vz - V[5] * vy
    a1 += b2 * x - b0 * z + V[5] * vx - V[3] * vz
    a2 += b0 * y - b1 * x + V[3] * vy - V[4] * vx
    for j in range(3):
        out[j] += sign * (frame[j, 0] * a0 + frame[j, 1] * a1 + frame[j, 2] * a2)
        out[3 + j] += sign * l * (frame[j, 0] * b0 + frame[j, 1] * b1 + frame[j, 2] * b2)


@kernel
def eliminate(links, d, m, r):
    """W = L^-T H_C^T: the first half of mass_matrix.solve, for six right sides and along the link's own branches"""
    L, W = d.M, links.W
    for e in range(links.tile_start[r + 1] - 1, links.tile_start[r] - 1, -1):
        b = links.tile_block[e]
        start, own = m.row_start[b], m.row_start[b + 1] - 1
        for k in range(m.block[b + 1] - m.block[b] - 1, 0, -1):
            for l in range(k):
                for n in range(8):
                    W[e, l, n] -= L[own, k, l] * W[e, k, n]
        for f in range(start, own):
            take_out(W[links.tile_of[m.row_block[f]]], L[f], W[e])


@kernel
def update_pair(links, d, r, s):
    """B between links r and s <= r, both ways"""
    B, W = links.B[r, s], links.W
    for j in range(8):
        for n in range(8):
            B[j, n] = 0.0
    e, f = links.tile_start[r], links.tile_start[s]
    while e < links.tile_start[r + 1] and f < links.tile_start[s + 1]:
        if links.tile_block[e] < links.tile_block[f]:
            e += 1
        elif links.tile_block[e] > links.tile_block[f]:
            f += 1
        else:
            b = links.tile_block[e]
            for k in range(4):
                for n in range(8):
                    links.scaled[k, n] = d.inverse_D[b, k] * W[e, k, n]
            add_square(B, links.scaled, W[f])
            e += 1
            f += 1
    if s < r:
        for j in range(6):
            for n in range(6):
                links.B[s, r, n, j] = B[j, n]


@kernel
def apply_impulses(v, links, d, m, impulse):
    """v += A^-1 H_C^T impulse (nl, 6), the impulses on all links; the second half of mass_matrix.solve"""
    L, y = d.M, d.blocked
    for b in range(y.shape[0]):
        for k in range(4):
            y[b, k] = 0.0
    for r in range(links.count[0]):
        for e in range(links.tile_start[r], links.tile_start[r + 1]):
            b = links.tile_block[e]
            for k in range(4):
                x = 0.0
                for n in range(6):
                    x += links.W[e, k, n] * impulse[r, n]
                y[b, k] += x
    for b in range(y.shape[0]):
        own = m.row_start[b + 1] - 1
        for k in range(4):
            y[b, k] *= d.inverse_D[b, k]
        for e in range(m.row_start[b], own):
            above = y[m.row_block[e]]
            for k in range(4):
                x = 0.0
                for n in range(4):
                    x += L[e, k, n] * above[n]
                y[b, k] -= x
        for k in range(1, m.block[b + 1] - m.block[b]):
            for l in range(k):
                y[b, k] -= L[own, k, l] * y[b, l]
        for c in range(m.block[b], m.block[b + 1]):
            v[c] += y[b, c - m.block[b]]
