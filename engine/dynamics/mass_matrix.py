"""The mass matrix, its factor along the branches of the tree, and forward dynamics by it.

Composite rigid body algorithm (Featherstone 2008, ch. 6.2) and L^T D L factorisation without fill-in (ch. 6.4).
A dof couples only with the dofs above it. Row k holds those, topmost first, so that the row of any dof above is as long
as the piece of row k up to it, entry by entry: the inner loop of the factorisation runs over two plain arrays.
"""
from ..algebra.spatial import dot6, inertia_times
from ..kernel import kernel


@kernel
def update_mass_matrix(d, m):
    """Fill d.M, packed. Needs update_pose."""
    nb = m.parent.shape[0]
    Ic, M = d.Ic, d.M
    # composite inertias: what hangs on each joint
    for i in range(nb):
        for j in range(10):
            Ic[i, j] = d.I[i, j]
    for i in range(nb - 1, 0, -1):
        p = m.parent[i]
        if p >= 0:
            for j in range(10):
                Ic[p, j] += Ic[i, j]
    for e in range(M.shape[0]):
        M[e] = 0.0
    for k in range(d.diagonal.shape[0]):
        M[m.row_start[k + 1] - 1] = d.diagonal[k]
    # M_kl = S_l . Ic_i S_k for every axis l between the root and axis k of body i
    force = d.scratch_motion[0]
    for i in range(nb):
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            inertia_times(force, Ic[i], d.S[k])
            for e in range(m.path_start[k], m.path_start[k + 1]):
                M[m.path_entry[e]] += dot6(d.S[m.path_axis[e]], force)


@kernel
def factor(d, m):
    """Fill d.L and d.inverse_D: M = L^T D L."""
    L = d.L
    for e in range(L.shape[0]):
        L[e] = d.M[e]
    for k in range(d.inverse_D.shape[0] - 1, -1, -1):
        start, own = m.row_start[k], m.row_start[k + 1] - 1
        inverse = 1.0 / L[own]
        d.inverse_D[k] = inverse
        # take dof k out of the rows above it
        for e in range(own - 1, start - 1, -1):
            ratio = L[e] * inverse
            row = m.row_start[m.row_dof[e]]
            for n in range(e - start + 1):
                L[row + n] -= ratio * L[start + n]
            L[e] = ratio


@kernel
def solve(x, d, m):
    """x = M^-1 x. Needs factor."""
    nv = x.shape[0]
    L, row_dof = d.L, m.row_dof
    for k in range(nv - 1, -1, -1):
        for e in range(m.row_start[k], m.row_start[k + 1] - 1):
            x[row_dof[e]] -= L[e] * x[k]
    for k in range(nv):
        s = x[k] * d.inverse_D[k]
        for e in range(m.row_start[k], m.row_start[k + 1] - 1):
            s -= L[e] * x[row_dof[e]]
        x[k] = s


@kernel
def write_dense(out, m, packed):
    """out = the packed symmetric matrix as nv x nv"""
    nv = out.shape[0]
    for k in range(nv):
        for j in range(nv):
            out[k, j] = 0.0
    for k in range(nv):
        for e in range(m.row_start[k], m.row_start[k + 1]):
            out[k, m.row_dof[e]] = packed[e]
            out[m.row_dof[e], k] = packed[e]
