"""The mass matrix, its factor along the branches of the tree, and forward dynamics by it.

Composite rigid body algorithm (Featherstone 2008, ch. 6.2) and L^T D L factorisation without fill-in (ch. 6.4).
A dof couples only with the dofs above it. Dofs that hang on each other in one unbranched line are taken four at a time, a
*block*; a row of blocks holds one 4 x 4 *tile* for each block above and, last, its own, of which the lower triangle counts.
The blocks above a block are a row of their own, so entry e of both rows is the same block: no index is searched for, and
every inner loop is one vector of four numbers wide. A short block has rows and columns of zeros.
"""
from ..algebra.spatial import dot6, inertia_times
from ..kernel import kernel, product

write_tile = product(4, 6, 4, 0)                             # tile = F S, four axes by four
subtract_tiles = product(4, 4, 4, -1, transposed=True)       # tile -= X^T Y
subtract_row = product(1, 1, 4, -1)
scale_row = product(1, 1, 4, 0)
subtract_from_above = product(1, 4, 4, -1)                   # y -= x tile


@kernel
def update_mass_matrix(d, m):
    """Fill d.M. Needs update_pose."""
    nb = m.parent.shape[0]
    Ic = d.Ic
    # composite inertias: what hangs on each joint
    for i in range(nb):
        for j in range(10):
            Ic[i, j] = d.I[i, j]
    for i in range(nb - 1, 0, -1):
        p = m.parent[i]
        if p >= 0:
            for j in range(10):
                Ic[p, j] += Ic[i, j]
    update_added(d, m)
    if m.fold_to.shape[0] == 0:
        write_products(d.M, d, m)
    else:
        # geared axes share dofs: the products of axes are added up
        write_products(d.axis_M, d, m)
        for e in range(d.M.shape[0]):
            for k in range(4):
                for n in range(4):
                    d.M[e, k, n] = 0.0
        for e in range(m.fold_to.shape[0]):
            f, t = m.fold_from[e], m.fold_to[e]
            d.M[t // 16, t // 4 % 4, t % 4] += m.fold_weight[e] * d.axis_M[f // 16, f // 4 % 4, f % 4]
    for b in range(m.block.shape[0] - 1):
        own, first = m.row_start[b + 1] - 1, m.block[b]
        for k in range(m.block[b + 1] - first):
            d.M[own, k, k] += d.diagonal[first + k]


@kernel
def update_added(d, m):
    """the same for what contacts add, from the bodies they touch to the root"""
    nb = m.parent.shape[0]
    for i in range(nb):
        d.below[i] = d.loaded[i]
        if d.loaded[i]:
            for j in range(6):
                for k in range(6):
                    d.Kc[i, j, k] = d.added[i, j, k]
    for i in range(nb - 1, 0, -1):
        p = m.parent[i]
        if d.below[i] and p >= 0:
            for j in range(6):
                for k in range(6):
                    d.Kc[p, j, k] = (d.Kc[p, j, k] if d.below[p] else 0.0) + d.Kc[i, j, k]
            d.below[p] = 1


@kernel
def write_products(tiles, d, m):
    """tiles = S_l . Ic S_k for every axis l between the root and axis k, with Ic what hangs on axis k"""
    columns, forces = d.columns, d.forces
    for b in range(m.axis_block.shape[0] - 1):
        first, size = m.axis_block[b], m.axis_block[b + 1] - m.axis_block[b]
        for k in range(size):
            S = d.S[first + k]
            i = m.axis_body[first + k]
            inertia_times(forces[k], d.Ic[i], S)
            if d.below[i]:
                for j in range(6):
                    forces[k, j] += dot6(d.Kc[i, j], S)
            for j in range(6):
                columns[b, j, k] = S[j]
        for k in range(size, 4):
            for j in range(6):
                forces[k, j] = 0.0
        for e in range(m.axis_row_start[b], m.axis_row_start[b + 1]):
            write_tile(tiles[e], forces, columns[m.axis_row_block[e]])


@kernel
def factor(d, m):
    """d.M becomes its own factor L, with M = L^T D L; fills d.inverse_D."""
    L, inverse, ratio, scaled = d.M, d.inverse_D, d.ratio, d.scaled
    for b in range(m.block.shape[0] - 2, -1, -1):
        start, own = m.row_start[b], m.row_start[b + 1] - 1
        # inside the block: take its last dof out of the others, and so on
        for k in range(m.block[b + 1] - m.block[b] - 1, -1, -1):
            inverse[b, k] = 1.0 / L[own, k, k]
            for l in range(k - 1, -1, -1):
                ratio[0] = L[own, k, l] * inverse[b, k]
                for e in range(start, own + 1):
                    subtract_row(L[e, l], ratio, L[e, k])
                L[own, k, l] = ratio[0]
        # take the whole block out of the rows above it
        for e in range(own - 1, start - 1, -1):
            for k in range(4):
                scale_row(scaled[k], inverse[b, k:], L[e, k])
            row = m.row_start[m.row_block[e]] - start
            for f in range(start, e + 1):
                subtract_tiles(L[row + f], scaled, L[f])
            for k in range(4):
                scale_row(L[e, k], inverse[b, k:], L[e, k])


@kernel
def solve(x, d, m):
    """x = M^-1 x. Needs factor."""
    L, y = d.M, d.blocked
    for b in range(m.block.shape[0] - 1):
        size = m.block[b + 1] - m.block[b]
        for k in range(size):
            y[b, k] = x[m.block[b] + k]
        for k in range(size, 4):
            y[b, k] = 0.0
    # y = L^-T x, lowest block first
    for b in range(m.block.shape[0] - 2, -1, -1):
        own = m.row_start[b + 1] - 1
        T = L[own]
        y3 = y[b, 3]
        y2 = y[b, 2] - T[3, 2] * y3
        y1 = y[b, 1] - T[3, 1] * y3 - T[2, 1] * y2
        y[b, 2] = y2
        y[b, 1] = y1
        y[b, 0] -= T[3, 0] * y3 + T[2, 0] * y2 + T[1, 0] * y1
        for e in range(m.row_start[b], own):
            subtract_from_above(y[m.row_block[e]], y[b], L[e])
    # x = L^-1 D^-1 y, topmost block first
    for b in range(m.block.shape[0] - 1):
        own, D = m.row_start[b + 1] - 1, d.inverse_D[b]
        T = L[own]
        y0, y1, y2, y3 = D[0] * y[b, 0], D[1] * y[b, 1], D[2] * y[b, 2], D[3] * y[b, 3]
        for e in range(m.row_start[b], own):
            above, X = y[m.row_block[e]], L[e]
            y0 -= (X[0, 0] * above[0] + X[0, 1] * above[1]) + (X[0, 2] * above[2] + X[0, 3] * above[3])
            y1 -= (X[1, 0] * above[0] + X[1, 1] * above[1]) + (X[1, 2] * above[2] + X[1, 3] * above[3])
            y2 -= (X[2, 0] * above[0] + X[2, 1] * above[1]) + (X[2, 2] * above[2] + X[2, 3] * above[3])
            y3 -= (X[3, 0] * above[0] + X[3, 1] * above[1]) + (X[3, 2] * above[2] + X[3, 3] * above[3])
        y1 -= T[1, 0] * y0
        y2 -= T[2, 0] * y0 + T[2, 1] * y1
        y3 -= T[3, 0] * y0 + T[3, 1] * y1 + T[3, 2] * y2
        y[b, 0] = y0
        y[b, 1] = y1
        y[b, 2] = y2
        y[b, 3] = y3
        for k in range(m.block[b], m.block[b + 1]):
            x[k] = y[b, k - m.block[b]]


@kernel
def write_dense(out, m, tiles):
    """out = the symmetric matrix in tiles as nv x nv"""
    nv = out.shape[0]
    for k in range(nv):
        for j in range(nv):
            out[k, j] = 0.0
    for b in range(m.block.shape[0] - 1):
        for e in range(m.row_start[b], m.row_start[b + 1]):
            above = m.row_block[e]
            for k in range(m.block[b], m.block[b + 1]):
                for l in range(m.block[above], min(k + 1, m.block[above + 1])):
                    out[k, l] = tiles[e, k - m.block[b], l - m.block[above]]
                    out[l, k] = out[k, l]
