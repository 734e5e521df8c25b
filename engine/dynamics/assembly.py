"""Forward dynamics by assembly and disassembly, O(N), as source 003 describes it (Fig 1): in inverse inertias.

Every body starts as a part of its own, with an inverse inertia Phi and the acceleration A that it would have alone. Assembly
adds the joints one by one, from the tips inward: a joint between parts c and p carries the force f for which both sides move
apart by S a + C alone, (Phi_c + Phi_p) f = S a + C + A_p - A_c, S^T f = tau; Phi_p and A_p become those of the grown part. Forces
of joints added later are not in f: disassembly goes back, latest joint first, and takes them as forces from outside.

Contact joints with the world have six dofs and are driven by springs and dampers; stepped implicitly they add the derivatives
of their forces to their own body's inertia (Data.added). Those between two moving bodies close loops and are
rows of virtual links (soft/pairs.py).
Carried as inertias instead of inverse inertias the same recursion is the articulated-body algorithm, which needs no inverse of
Phi_c + Phi_p. That one is faster (`make bench` has both), so a step runs on it or on the mass matrix; tests hold all three together.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.linear import factor_cholesky, solve_cholesky
from ..algebra.spatial import add_cross_force, add_scaled6, dot6, inertia_matrix, inertia_times
from ..kernel import kernel
from ..model.model import Model
from .inverse_dynamics import add_lift


class Assembly(NamedTuple):
    """Work arrays. A group is the bodies that move by the same dofs, mostly one (see Model): its joint has a side for each."""
    S: np.ndarray                   # (na, 6) axes, each with those of its gear group above it
    C: np.ndarray                   # (nb, 6) their rates likewise
    Phi: np.ndarray                 # (nb, 6, 6) inverse inertia of each part where its own joint will be
    Phi_alone: np.ndarray           # (nb, 6, 6) that of the body alone
    Phi_before: np.ndarray          # (nb, 6, 6) that of the parent's part before the joint is added, for the first body of a group
    A: np.ndarray                   # (nb, 6) acceleration of each part
    force: np.ndarray               # (nb, 6) external - V x* I V, on each body while it is alone
    P: np.ndarray                   # (nb, 6, 6 n) rows of the factor of the joint's Phi_c + Phi_p, for a group of up to n bodies
    Y: np.ndarray                   # (na, 6) P^-1 S
    D: np.ndarray                   # (nv, 6) factor of S^T P^-1 S and what is on the dofs' diagonal
    Z: np.ndarray                   # (nb, 6, 6) force of the joint on the body for a later force on its parent
    Q: np.ndarray                   # (nv, 6) acceleration of the dof for such a force
    f: np.ndarray                   # (nb, 6) force of the joint on the body
    later: np.ndarray               # (nb, 6) forces of all joints that were added later
    matrix: np.ndarray              # (6 n, 6 n)
    column: np.ndarray              # (6 n,)
    dofs: np.ndarray                # (6,)


def allocate_assembly(m: Model) -> Assembly:
    """Work arrays for `m`."""
    n = 6 * int(np.diff(m.group_start).max(initial=1))
    shapes = {"S": (m.na, 6), "C": (m.nb, 6), "Phi": (m.nb, 6, 6), "Phi_alone": (m.nb, 6, 6),
              "Phi_before": (m.nb, 6, 6), "A": (m.nb, 6), "force": (m.nb, 6), "P": (m.nb, 6, n), "Y": (m.na, 6), "D": (m.nv, 6),
              "Z": (m.nb, 6, 6), "Q": (m.nv, 6), "f": (m.nb, 6), "later": (m.nb, 6), "matrix": (n, n), "column": (n,), "dofs": (6,)}
    return Assembly(**{name: np.zeros(shape) for name, shape in shapes.items()})


@kernel
def assembly_disassembly(a, w, d, m, tau):
    """a = M^-1 (tau - bias), with tau all forces on the dofs. Needs update_kinematics."""
    update_parts(w, d, m)
    write_lone_forces(w, d, m)
    assemble(a, w, m, tau)
    disassemble(a, w, m)


@kernel
def update_parts(w, d, m):
    """Fill w.S, C, Phi, P, Y, D, Z, Q: what depends on the pose alone, joint by joint from the tips inward."""
    X, column = w.matrix, w.column
    for i in range(m.parent.shape[0]):
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            for j in range(6):
                w.S[k, j] = d.S[k, j]
        for j in range(6):
            w.C[i, j] = d.C[i, j]
        if m.group_inner[i]:
            p = m.parent[i]
            add_scaled6(w.C[i], w.C[p], 1.0)
            for j in range(m.axis_start[i + 1] - m.axis_start[i]):
                add_scaled6(w.S[m.axis_start[i] + j], w.S[m.axis_start[p] + j], 1.0)
        # a body alone: Phi = (I + added)^-1
        inertia_matrix(X, d.I[i])
        for j in range(6):
            if d.loaded[i]:
                add_scaled6(X[j], d.added[i, j], 1.0)
        factor_cholesky(X, 6)
        for n in range(6):
            for j in range(6):
                column[j] = 1.0 if j == n else 0.0
            solve_cholesky(column, X, 6)
            for j in range(6):
                w.Phi[i, j, n] = w.Phi_alone[i, j, n] = column[j]
    for g in range(m.group_parent.shape[0] - 1, -1, -1):
        add_joint(w, d, m, g)


@kernel
def add_joint(w, d, m, g):
    """the joint of group g: its operators, and Phi of the parent that has grown by it"""
    X, column = w.matrix, w.column
    p, first, size = m.group_parent[g], m.group_start[g], m.group_start[g + 1] - m.group_start[g]
    start = m.axis_start[m.group_body[first]]
    n = m.axis_start[m.group_body[first] + 1] - start
    k0, rows = m.dof[start] if n else 0, 6 * size
    # P = Phi_c + Phi_p, a block a member
    for e in range(size):
        i = m.group_body[first + e]
        for b in range(size):
            for j in range(6):
                for l in range(6):
                    X[6 * e + j, 6 * b + l] = (w.Phi[p, j, l] if p >= 0 else 0.0) + (w.Phi[i, j, l] if e == b else 0.0)
    factor_cholesky(X, rows)
    for e in range(size):
        for j in range(6):
            for l in range(6 * (e + 1)):
                w.P[m.group_body[first + e], j, l] = X[6 * e + j, l]
    # Y = P^-1 S, D = S^T Y
    for k in range(n):
        for e in range(size):
            for j in range(6):
                column[6 * e + j] = w.S[m.axis_start[m.group_body[first + e]] + k, j]
        solve_cholesky(column, X, rows)
        for l in range(n):
            w.D[k0 + l, k] = d.diagonal[k0 + k] if l == k else 0.0
        for e in range(size):
            s = m.axis_start[m.group_body[first + e]]
            for j in range(6):
                w.Y[s + k, j] = column[6 * e + j]
            for l in range(n):
                w.D[k0 + l, k] += dot6(w.S[s + l], w.Y[s + k])
    factor_cholesky(w.D[k0:k0 + n], n)
    # what a later force on the parent does: it moves by Phi_p, the joint answers by W Phi_p with W = P^-1 - Y D^-1 Y^T
    for c in range(6 if p >= 0 else 0):
        for e in range(size):
            for j in range(6):
                column[6 * e + j] = w.Phi[p, j, c]
        solve_cholesky(column, X, rows)
        for k in range(n):
            w.dofs[k] = 0.0
            for e in range(size):
                for j in range(6):
                    w.dofs[k] -= w.Y[m.axis_start[m.group_body[first + e]] + k, j] * w.Phi[p, j, c]
        solve_cholesky(w.dofs, w.D[k0:k0 + n], n)
        for k in range(n):
            w.Q[k0 + k, c] = w.dofs[k]
        for e in range(size):
            i = m.group_body[first + e]
            for j in range(6):
                w.Z[i, j, c] = column[6 * e + j]
                for k in range(n):
                    w.Z[i, j, c] += w.Y[m.axis_start[i] + k, j] * w.dofs[k]
    if p >= 0:
        before = w.Phi_before[m.group_body[first]]
        for j in range(6):
            for c in range(6):
                before[j, c] = w.Phi[p, j, c]
        for e in range(size):
            i = m.group_body[first + e]
            for j in range(6):
                for c in range(6):
                    for l in range(6):
                        w.Phi[p, j, c] -= before[j, l] * w.Z[i, l, c]


@kernel
def write_lone_forces(w, d, m):
    """Fill w.force. Needs update_kinematics."""
    momentum, rate = d.scratch_motion[0], d.scratch_motion[1]
    for i in range(m.parent.shape[0]):
        inertia_times(momentum, d.I[i], d.V[i])
        for j in range(6):
            rate[j] = 0.0
        add_cross_force(rate, d.V[i], momentum)
        for j in range(6):
            w.force[i, j] = d.external[i, j] - rate[j]
    add_lift(w.force, d, m, 1.0)


@kernel
def assemble(a, w, m, tau):
    """Fill w.f and a as they are when each joint has just been added. Needs update_parts and w.force."""
    column, X = w.column, w.matrix
    for i in range(m.parent.shape[0]):
        for j in range(6):
            w.A[i, j] = dot6(w.Phi_alone[i, j], w.force[i])
    for g in range(m.group_parent.shape[0] - 1, -1, -1):
        p, first, size = m.group_parent[g], m.group_start[g], m.group_start[g + 1] - m.group_start[g]
        start = m.axis_start[m.group_body[first]]
        n = m.axis_start[m.group_body[first] + 1] - start
        k0 = m.dof[start] if n else 0
        # P f = S a + C + A_p - A_c; the world stands in gravity as if it were lifted
        for e in range(size):
            i = m.group_body[first + e]
            for j in range(6):
                column[6 * e + j] = w.C[i, j] - w.A[i, j] + (w.A[p, j] if p >= 0 else -m.gravity[j] if j < 3 else 0.0)
                for l in range(6 * (e + 1)):
                    X[6 * e + j, l] = w.P[i, j, l]
        solve_cholesky(column, X, 6 * size)
        for k in range(n):
            a[k0 + k] = tau[k0 + k]
            for e in range(size):
                a[k0 + k] -= dot6(w.S[m.axis_start[m.group_body[first + e]] + k], column[6 * e:6 * e + 6])
        solve_cholesky(a[k0:k0 + n], w.D[k0:k0 + n], n)
        for e in range(size):
            i = m.group_body[first + e]
            for j in range(6):
                w.f[i, j] = column[6 * e + j]
            for k in range(n):
                add_scaled6(w.f[i], w.Y[m.axis_start[i] + k], a[k0 + k])
            if p >= 0:
                for j in range(6):
                    column[j] = dot6(w.Phi_before[m.group_body[first], j], w.f[i])
                add_scaled6(w.A[p], column, -1.0)


@kernel
def disassemble(a, w, m):
    """w.f and a as they are in the whole, latest joint first: forces of joints added later act on the parent from outside."""
    for i in range(m.parent.shape[0]):
        for j in range(6):
            w.later[i, j] = 0.0
    for g in range(m.group_parent.shape[0]):
        p, first = m.group_parent[g], m.group_start[g]
        start = m.axis_start[m.group_body[first]]
        n = m.axis_start[m.group_body[first] + 1] - start
        k0 = m.dof[start] if n else 0
        if p >= 0:
            for k in range(k0, k0 + n):
                a[k] += dot6(w.Q[k], w.later[p])
        for e in range(first, m.group_start[g + 1]):
            i = m.group_body[e]
            for j in range(6):
                if p >= 0:
                    w.f[i, j] += dot6(w.Z[i, j], w.later[p])
                w.later[i, j] += w.f[i, j]
        # only now: the sides of a joint are added at once
        for e in range(first, m.group_start[g + 1]):
            if p >= 0:
                add_scaled6(w.later[p], w.f[m.group_body[e]], -1.0)
