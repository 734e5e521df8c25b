"""Jacobians of bodies and the accelerations they have when no coordinate accelerates.

A point of a body moves with velocity J v and acceleration J a + drift (source 000's H_C and H_C' theta', eqs 6, 7).
"""
from ..kernel import kernel


@kernel
def body_jacobian(J, d, m, i, point):
    """J (6, nv): linear velocity of the point of body i that is at `point` (world), and angular velocity. Needs update_pose."""
    for j in range(6):
        for k in range(J.shape[1]):
            J[j, k] = 0.0
    origin = d.origin[m.tree[i]]
    x, y, z = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    while i >= 0:
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            S, c = d.S[k], m.dof[k]
            J[0, c] += S[0] + S[4] * z - S[5] * y
            J[1, c] += S[1] + S[5] * x - S[3] * z
            J[2, c] += S[2] + S[3] * y - S[4] * x
            J[3, c] += S[3]
            J[4, c] += S[4]
            J[5, c] += S[5]
        i = m.parent[i]


@kernel
def body_drift(out, d, m, i, point):
    """out (6,) = J' v: acceleration of the point and of the body's turning when a = 0. Needs update_velocity."""
    body = i
    origin, V = d.origin[m.tree[i]], d.V[body]
    for j in range(6):
        out[j] = 0.0
    while i >= 0:
        for j in range(6):
            out[j] += d.C[i, j]
        i = m.parent[i]
    x, y, z = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    # from the spatial acceleration at the origin to the point's own: + alpha x r + w x v_point
    vx = V[0] + V[4] * z - V[5] * y
    vy = V[1] + V[5] * x - V[3] * z
    vz = V[2] + V[3] * y - V[4] * x
    out[0] += out[4] * z - out[5] * y + V[4] * vz - V[5] * vy
    out[1] += out[5] * x - out[3] * z + V[5] * vx - V[3] * vz
    out[2] += out[3] * y - out[4] * x + V[3] * vy - V[4] * vx
