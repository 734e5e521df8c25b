"""Passive forces: springs towards the zero pose, dampers, and the springs that joint limits are."""
from ..algebra.rotations import quaternion_log
from ..kernel import kernel
from ..model.model import BALL, FREE
from .limits import limit_excess

DAMPER_SETS_IN = 1e-3                             # rad or m beyond a limit


@kernel
def update_passive(tau, d, m, q, v, ahead):
    """tau (nv,) = springs, dampers and limits. Springs act where the joint will be after `ahead` seconds at velocity v:
    an implicit step asks for that, any other passes 0."""
    for k in range(tau.shape[0]):
        tau[k] = 0.0
    for i in range(m.parent.shape[0]):
        start, end, iq = m.axis_start[i], m.axis_start[i + 1], m.q_start[i]
        if m.kind[i] == FREE or start == end or (m.stiffness[start] == 0.0 and m.damping[start] == 0.0):
            continue
        if m.kind[i] == BALL:
            quaternion_log(d.scratch, q[iq:iq + 4])
        else:
            for k in range(end - start):
                d.scratch[k] = q[iq + k]
        for k in range(start, end):
            c, rate = m.dof[k], m.ratio[k] * v[m.dof[k]]
            tau[c] -= m.ratio[k] * (m.stiffness[k] * (d.scratch[k - start] + ahead * rate) + m.damping[k] * rate)
    row = d.limit_row
    for l in range(m.limit_body.shape[0]):
        excess = limit_excess(row, d, m, q, l)
        if excess > 0.0:
            start = m.axis_start[m.limit_body[l]]
            n = m.axis_start[m.limit_body[l] + 1] - start
            rate = 0.0
            for k in range(n):
                rate += row[k] * m.ratio[start + k] * v[m.dof[start + k]]
            # a stop pushes back, it never holds on; its damper sets in over the first of its way, so that no force jumps
            damping = m.limit_damping[l] * min(1.0, excess / DAMPER_SETS_IN)
            force = max(0.0, m.limit_stiffness[l] * excess + damping * rate)
            for k in range(n):
                tau[m.dof[start + k]] -= m.ratio[start + k] * row[k] * force


@kernel
def add_elastic_energy(energy, d, m, q):
    """energy (nt,) += what the springs and limits of each tree hold, J."""
    for i in range(m.parent.shape[0]):
        start, end, iq = m.axis_start[i], m.axis_start[i + 1], m.q_start[i]
        if m.kind[i] == FREE or start == end or m.stiffness[start] == 0.0:
            continue
        if m.kind[i] == BALL:
            quaternion_log(d.scratch, q[iq:iq + 4])
        else:
            for k in range(end - start):
                d.scratch[k] = q[iq + k]
        for k in range(start, end):
            energy[m.tree[i]] += 0.5 * m.stiffness[k] * d.scratch[k - start] ** 2
    for l in range(m.limit_body.shape[0]):
        energy[m.tree[m.limit_body[l]]] += 0.5 * m.limit_stiffness[l] * limit_excess(d.limit_row, d, m, q, l) ** 2


@kernel
def write_implicit_diagonal(d, m, step):
    """d.diagonal = armature + step damping + step^2 stiffness: what a step implicit in springs and dampers adds to M."""
    for k in range(d.diagonal.shape[0]):
        d.diagonal[k] = m.armature[k]
    for k in range(m.dof.shape[0]):
        d.diagonal[m.dof[k]] += m.ratio[k] ** 2 * step * (m.damping[k] + step * m.stiffness[k])
