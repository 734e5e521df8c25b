"""Kinematics: where every body is and how it moves, from the coordinates q and velocities v.

World axes, positions from the root of each tree. Joint types appear in this file alone: what comes after sees only the
axes S (source 001's J-hat, eq 12) and the velocity products C (its C-hat, eq 16).
"""
import math

from ..algebra.rotations import quaternion_matrix
from ..algebra.spatial import add_cross_motion, add_scaled6, body_inertia
from ..algebra.vectors import compose, rotate
from ..kernel import kernel
from ..model.model import BALL, FREE, HINGE, SLIDER, UNIVERSAL


@kernel
def update_pose(d, m, q):
    """Fill d.origin, x, R, c, S, I."""
    for i in range(m.parent.shape[0]):
        p, kind = m.parent[i], m.kind[i]
        iq, k = m.q_start[i], m.axis_start[i]
        R, x, anchor, axis = d.R[i], d.x[i], d.anchor, d.axis

        # orientation, and the joint's place
        if kind == FREE:
            quaternion_matrix(R, q[iq + 3:iq + 7])
            for j in range(3):
                d.origin[m.tree[i], j] = q[iq + j]
                anchor[j] = 0.0
        else:
            update_joint_rotation(d.joint_R, d.scratch_R, m, q, i)
            if p < 0:
                for j in range(3):
                    d.origin[m.tree[i], j] = m.socket[i, j]
                    anchor[j] = 0.0
                    for l in range(3):
                        R[j, l] = d.joint_R[j, l]
            else:
                compose(R, d.R[p], d.joint_R)
                rotate(anchor, d.R[p], m.socket[i])
                for j in range(3):
                    anchor[j] += d.x[p, j]

        # the body's frame: its plug sits at the joint's place
        rotate(x, R, m.plug[i])
        for j in range(3):
            x[j] = anchor[j] - x[j]

        # axes
        if kind == HINGE:
            rotate(axis, R, m.axis[k])
            write_turn(d.S[k], anchor, axis, m.ratio[k])
        elif kind == BALL:
            for j in range(3):
                write_turn(d.S[k + j], anchor, R[:, j], m.ratio[k + j])
        elif kind == SLIDER:
            rotate(axis, R, m.axis[k])
            for j in range(3):
                # a root takes its tree's origin along
                if p < 0:
                    d.origin[m.tree[i], j] += q[iq] * axis[j]
                else:
                    x[j] += q[iq] * axis[j]
                d.S[k, j] = m.ratio[k] * axis[j]
                d.S[k, 3 + j] = 0.0
        elif kind == UNIVERSAL:
            # the first axis stays in the socket: it is where the second turn has not yet moved it
            rotate(d.scratch, m.rotation[i], m.axis[k])
            if p < 0:
                write_turn(d.S[k], anchor, d.scratch, m.ratio[k])
            else:
                rotate(axis, d.R[p], d.scratch)
                write_turn(d.S[k], anchor, axis, m.ratio[k])
            rotate(axis, R, m.axis[k + 1])
            write_turn(d.S[k + 1], anchor, axis, m.ratio[k + 1])
        elif kind == FREE:
            for j in range(3):
                for l in range(6):
                    d.S[k + j, l] = 0.0
                d.S[k + j, j] = 1.0
                write_turn(d.S[k + 3 + j], anchor, R[:, j], 1.0)

        # mass
        rotate(d.c[i], R, m.com[i])
        for j in range(3):
            d.c[i, j] += x[j]
        body_inertia(d.I[i], m.mass[i], d.c[i], R, m.inertia[i])


@kernel
def write_turn(S, place, axis, ratio):
    """S = the motion of a turn about a line through `place`: the origin moves with place x axis"""
    S[0] = ratio * (place[1] * axis[2] - place[2] * axis[1])
    S[1] = ratio * (place[2] * axis[0] - place[0] * axis[2])
    S[2] = ratio * (place[0] * axis[1] - place[1] * axis[0])
    S[3] = ratio * axis[0]
    S[4] = ratio * axis[1]
    S[5] = ratio * axis[2]


@kernel
def update_joint_rotation(out, scratch, m, q, i):
    """out = body axes in the parent's"""
    kind, iq, k = m.kind[i], m.q_start[i], m.axis_start[i]
    if kind == BALL:
        quaternion_matrix(scratch, q[iq:iq + 4])
        compose(out, m.rotation[i], scratch)
    elif kind == HINGE:
        turn(out, m.turn[k], q[iq])
    elif kind == UNIVERSAL:
        turn(scratch, m.turn[k], q[iq])
        # the second turn's matrix, one column at a time
        s, c = math.sin(q[iq + 1]), math.cos(q[iq + 1])
        T = m.turn[k + 1]
        for j in range(3):
            for l in range(3):
                out[j, l] = 0.0
                for n in range(3):
                    out[j, l] += scratch[j, n] * (T[0, n, l] + s * T[1, n, l] + c * T[2, n, l])
    else:
        for j in range(3):
            for l in range(3):
                out[j, l] = m.rotation[i, j, l]


@kernel
def turn(out, T, angle):
    """out = T[0] + sin T[1] + cos T[2], Rodrigues' formula"""
    s, c = math.sin(angle), math.cos(angle)
    for j in range(3):
        for l in range(3):
            out[j, l] = T[0, j, l] + s * T[1, j, l] + c * T[2, j, l]


@kernel
def update_velocity(d, m, v):
    """Fill d.V, C. Needs update_pose."""
    for i in range(m.parent.shape[0]):
        p, kind, start, end = m.parent[i], m.kind[i], m.axis_start[i], m.axis_start[i + 1]
        V, C = d.V[i], d.C[i]
        # V_i = V_p + S v (001, eq 12)
        for j in range(6):
            V[j] = d.V[p, j] if p >= 0 else 0.0
            C[j] = 0.0
        for k in range(start, end):
            add_scaled6(V, d.S[k], v[m.dof[k]])
        # S' v (001, eq 16): axes that ride with the parent or the body turn alike, V_p x S v = V_p x V_i
        if p >= 0:
            add_cross_motion(C, d.V[p], V, 1.0)
        # second axes ride on first ones: J1 x J2
        if kind == UNIVERSAL:
            add_cross_motion(C, d.S[start], d.S[start + 1], v[m.dof[start]] * v[m.dof[start + 1]])
        elif kind == FREE:
            linear, angular = d.scratch_motion[0], d.scratch_motion[1]
            for j in range(6):
                linear[j] = v[m.dof[start] + j] if j < 3 else 0.0
                angular[j] = V[j] - linear[j]
            add_cross_motion(C, linear, angular, 1.0)


@kernel
def update_kinematics(d, m, q, v):
    """Pose, then velocity."""
    update_pose(d, m, q)
    update_velocity(d, m, v)
