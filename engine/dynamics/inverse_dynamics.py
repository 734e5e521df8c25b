"""Inverse dynamics: the generalised forces that make a system follow a motion.

Recursive Newton-Euler algorithm (Featherstone 2008, ch. 5), every vector in world axes about the root. There a body's
vectors add directly to its parent's, and joint types never appear: d.S already holds them.
"""
from ..algebra.spatial import add_cross_force, add_scaled6, dot6, inertia_times
from ..kernel import kernel


@kernel
def rnea(tau, d, m, a):
    """tau = M(q) a + C(q, v) v + g(q) - J^T external. Needs update_kinematics."""
    for k in range(tau.shape[0]):
        tau[k] = d.diagonal[k] * a[k]
    for i in range(m.parent.shape[0]):
        carry(d, m, i)
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            add_scaled6(d.A[i], d.S[k], a[m.dof[k]])            # A_i = A_p + S a + S' v
        write_force(d, i)
    add_joint_forces(tau, d, m)


@kernel
def update_bias(bias, d, m):
    """bias = C(q, v) v + g(q) - J^T external: rnea for a = 0, without its multiplications by zero."""
    for k in range(bias.shape[0]):
        bias[k] = 0.0
    for i in range(m.parent.shape[0]):
        carry(d, m, i)
        write_force(d, i)
    add_joint_forces(bias, d, m)


@kernel
def update_acceleration(d, m, a):
    """Fill d.A alone. Needs update_kinematics."""
    for i in range(m.parent.shape[0]):
        carry(d, m, i)
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            add_scaled6(d.A[i], d.S[k], a[m.dof[k]])


@kernel
def carry(d, m, i):
    """A_i = A_p + S' v, with A_0 = -g: standing in gravity is like being lifted"""
    p, A = m.parent[i], d.A[i]
    for j in range(3):
        A[j] = (d.A[p, j] if p >= 0 else -m.gravity[j]) + d.C[i, j]
        A[3 + j] = (d.A[p, 3 + j] if p >= 0 else 0.0) + d.C[i, 3 + j]


@kernel
def add_lift(out, d, m, sign):
    """out (nb, 6) += sign times what contacts add to inertias (Data.added), times the acceleration that bodies have when no
    coordinate accelerates: it answers to changes of velocities, not to gravity or to turning. Fills d.A where any is loaded."""
    any_loaded = False
    for i in range(m.parent.shape[0]):
        any_loaded = any_loaded or d.loaded[i] == 1
    for i in range(m.parent.shape[0] if any_loaded else 0):
        carry(d, m, i)
        for j in range(6 if d.loaded[i] else 0):
            out[i, j] += sign * dot6(d.added[i, j], d.A[i])


@kernel
def write_force(d, i):
    """F_i = I A + V x* I V - external: the force that body i needs"""
    F, momentum = d.F[i], d.scratch_motion[0]
    inertia_times(F, d.I[i], d.A[i])
    inertia_times(momentum, d.I[i], d.V[i])
    add_cross_force(F, d.V[i], momentum)
    add_scaled6(F, d.external[i], -1.0)


@kernel
def add_joint_forces(tau, d, m):
    """tau += S^T F, from the tips inward: each joint carries the force of everything beyond it"""
    for i in range(m.parent.shape[0] - 1, -1, -1):
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            tau[m.dof[k]] += dot6(d.S[k], d.F[i])
        if m.parent[i] >= 0:
            add_scaled6(d.F[m.parent[i]], d.F[i], 1.0)
