"""Explicit steps of soft contact: Runge-Kutta of order 4 and semi-implicit Euler, with the states of all contact points in the same step
as the bodies (source 002, eqs 17, 18).

Contact is found once a step. Within it a point is a pair of material points, one on either side, and a normal that stays: its
gap changes by how far they move apart along it.
"""
from ..algebra.vectors import rotate
from ..contact.step import finish
from ..dynamics.forward_dynamics import forward_dynamics
from ..dynamics.integrate import RK4, move, write_rate
from ..dynamics.kinematics import update_kinematics
from ..dynamics.passive import update_passive
from ..effort.force import MOST_PASSES, apply_drives, revise_sides, update_commands
from ..effort.force import add_forces as add_drives
from ..effort.stages import keep_first, update_forces, write_stage_current, write_stage_rate
from ..kernel import kernel
from .compliant import write_joint_forces
from .laws import SMOOTH, friction, smooth_push, smooth_rate, spring_push
from .points import write_velocity
from .wrenches import add_wrench


@kernel
def explicit_euler_step(w, soft, q, v, drives, step, time, law):
    """Semi-implicit Euler, implicit in joint springs and drives alone: velocities first, then places with the new ones.
    Needs find_points."""
    d, m, p = w.d, w.m, soft.points
    update_passive(d.passive, d, m, q, v, step)
    update_commands(drives, m, q, v, time, step)
    begin_stage(soft, 0.0, 0)
    update_gaps(w, soft, 0.0)
    add_forces(w, soft, 0, law)
    for turn in range(MOST_PASSES):
        write_joint_forces(d, m, drives, step)
        forward_dynamics(d.a, d, m, d.tau)
        for k in range(v.shape[0]):
            w.v_new[k] = v[k] + step * d.a[k]
        if turn == MOST_PASSES - 1 or not revise_sides(drives, w.v_new):
            break
    apply_drives(drives, w.v_new, step)
    for k in range(v.shape[0]):
        d.tau[k] -= (d.diagonal[k] - m.armature[k]) * d.a[k]
        d.diagonal[k] = m.armature[k]
    keep_forces(soft)
    for k in range(p.count[0]):
        p.e[k] += step * soft.e_rate[0, k]
        for j in range(3):
            p.stretch[k, j] += step * soft.stretch_rate[0, k, j]
    finish(q, v, d, m, drives, w.v_new, step)
    clear_forces(d)


@kernel
def explicit_rk4_step(w, soft, q, v, drives, step, time, law):
    """Runge-Kutta of order 4. Leaves the first stage's acceleration in d.a and its forces in d.first_tau, drives.first and p.force.
    Needs find_points."""
    d, m, p = w.d, w.m, soft.points
    for s in range(4):
        ahead = 0.0 if s == 0 else step if s == 3 else 0.5 * step
        before = max(0, s - 1)
        for k in range(d.turned.shape[0]):
            d.turned[k] = ahead * d.stage_rate[before, k] if s else 0.0
        for k in range(v.shape[0]):
            d.v[k] = v[k] + (ahead * d.stage_a[before, k] if s else 0.0)
        for k in range(q.shape[0]):
            d.q[k] = q[k]
        move(d.q, d, m)
        update_kinematics(d, m, d.q, d.v)
        update_passive(d.passive, d, m, d.q, d.v, 0.0)
        write_stage_current(drives, RK4, s, step)
        update_forces(drives, m, d.q, d.v, time + ahead)
        write_stage_rate(drives, s)
        for k in range(v.shape[0]):
            d.diagonal[k] = m.armature[k]
            d.tau[k] = d.passive[k]
        add_drives(d.tau, drives)
        begin_stage(soft, ahead, before)
        update_gaps(w, soft, ahead)
        add_forces(w, soft, s, law)
        forward_dynamics(d.stage_a[s], d, m, d.tau)
        write_rate(d.stage_rate[s], d, m)
        if s == 0:
            keep_first(drives)
            keep_forces(soft)
            for k in range(v.shape[0]):
                d.a[k] = d.stage_a[0, k]
                d.first_tau[k] = d.tau[k]
        clear_forces(d)
    sixth = step / 6.0
    for k in range(d.turned.shape[0]):
        X = d.stage_rate
        d.turned[k] = sixth * (X[0, k] + 2.0 * X[1, k] + 2.0 * X[2, k] + X[3, k])
    for k in range(v.shape[0]):
        X = d.stage_a
        v[k] += sixth * (X[0, k] + 2.0 * X[1, k] + 2.0 * X[2, k] + X[3, k])
        d.tau[k] = d.first_tau[k]
    move(q, d, m)
    write_stage_current(drives, RK4, 4, step)
    for j in range(drives.current.shape[0]):
        drives.current[j] = drives.stage_current[j]
    for k in range(p.count[0]):
        E, A = soft.e_rate, soft.stretch_rate
        p.e[k] += sixth * (E[0, k] + 2.0 * E[1, k] + 2.0 * E[2, k] + E[3, k])
        for j in range(3):
            p.stretch[k, j] += sixth * (A[0, k, j] + 2.0 * A[1, k, j] + 2.0 * A[2, k, j] + A[3, k, j])


@kernel
def begin_stage(soft, ahead, before):
    """soft.e and stretch: the points' states after `ahead` s at the rates of stage `before`"""
    p = soft.points
    for k in range(p.count[0]):
        soft.e[k] = p.e[k] + (ahead * soft.e_rate[before, k] if ahead > 0.0 else 0.0)
        for j in range(3):
            soft.stretch[k, j] = p.stretch[k, j] + (ahead * soft.stretch_rate[before, k, j] if ahead > 0.0 else 0.0)


@kernel
def update_gaps(w, soft, ahead):
    """soft.gap and place at the pose that w.d has, `ahead` s into the step"""
    d, m, p, found = w.d, w.m, soft.points, w.found
    for k in range(p.count[0]):
        soft.gap[k] = p.gap[k]
        for j in range(3):
            soft.place[k, j] = 0.0
        for side in range(2):
            i = p.body[k] if side == 0 else p.other[k]
            sign = 1.0 if side == 0 else -1.0
            if i >= 0:
                rotate(soft.arm, d.R[i], p.local[k] if side == 0 else p.local_other[k])
                for j in range(3):
                    soft.arm[j] += d.x[i, j] + (d.origin[m.tree[i], j] - found.origin[j]) - p.place[k, j]
            else:
                for j in range(3):
                    soft.arm[j] = 0.0
                if i < -1:
                    # an obstacle goes on as it goes
                    V, x = found.obstacle_V[-2 - i], found.obstacle_x[-2 - i]
                    a, b, c = (p.place[k, 0] + (found.origin[0] - x[0]), p.place[k, 1] + (found.origin[1] - x[1]),
                               p.place[k, 2] + (found.origin[2] - x[2]))
                    soft.arm[0] = ahead * (V[0] + V[4] * c - V[5] * b)
                    soft.arm[1] = ahead * (V[1] + V[5] * a - V[3] * c)
                    soft.arm[2] = ahead * (V[2] + V[3] * b - V[4] * a)
            for j in range(3):
                soft.gap[k] += sign * p.normal[k, j] * soft.arm[j]
                if side == 0:
                    soft.place[k, j] = p.place[k, j] + soft.arm[j]


@kernel
def add_forces(w, soft, s, law):
    """Forces of all points at this stage on d.external, kept in soft.u; rates of their states in row s."""
    d, m, p, found = w.d, w.m, soft.points, w.found
    force, slip = soft.force, soft.arm
    for k in range(p.count[0]):
        n = p.normal[k]
        write_velocity(slip, p, k, d.V, d, m, found)
        out = n[0] * slip[0] + n[1] * slip[1] + n[2] * slip[2]
        for j in range(3):
            slip[j] -= out * n[j]
        soft.e_rate[s, k] = 0.0
        if law == SMOOTH:
            push = smooth_push(soft.gap[k], soft.e[k], p.K[k], p.alpha[k], p.beta[k])
            soft.e_rate[s, k] = smooth_rate(soft.gap[k], soft.e[k], p.alpha[k], p.beta[k])
        else:
            push = spring_push(soft.gap[k], out, p.K[k], p.damper[k])
        slides = friction(force, soft.stretch_rate[s, k], soft.stretch[k], slip, p.dynamic_friction[k] * push, p.K[k], p.grip_beta[k])
        for j in range(3):
            force[j] += push * n[j]
            soft.u[k, j] = force[j]
        if s == 0:
            p.pushes[k] = 1 if push > 0.0 else 0
            p.slides[k] = 1 if slides and push > 0.0 else 0
        for side in range(2):
            i = p.body[k] if side == 0 else p.other[k]
            if i < 0:
                continue
            at = d.origin[m.tree[i]]
            for j in range(3):
                slip[j] = soft.place[k, j] + (found.origin[j] - at[j])
            add_wrench(d.external[i], slip, force, 1.0 if side == 0 else -1.0)


@kernel
def keep_forces(soft):
    p = soft.points
    for k in range(p.count[0]):
        for j in range(3):
            p.force[k, j] = soft.u[k, j]


@kernel
def clear_forces(d):
    for i in range(d.external.shape[0]):
        for j in range(6):
            d.external[i, j] = 0.0
