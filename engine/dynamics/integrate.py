"""Steps in time, on the manifold of poses: quaternions stay of unit length by construction.

Runge-Kutta in the Lie algebra (Munthe-Kaas 1998): a stage turns every joint from where the step began by the rotation
vector r, whose rate is the inverse right Jacobian of r times the velocity; without that factor RK4 loses its order on balls.

A step that leaves the finite numbers changes nothing but one velocity, which becomes NaN: that of the body to blame.
The inverse of the mass matrix spreads a NaN over the whole tree at once, so afterwards nobody could tell.
"""
import math

import numpy as np

from ..algebra.rotations import quaternion_turn, rotation_vector_rate
from ..effort.force import MOST_PASSES, add_diagonal, add_forces, apply_drives, choose_forces, revise_sides, take_current, update_commands
from ..effort.stages import current_error, keep_first, update_forces, write_stage_current, write_stage_rate
from ..kernel import kernel
from ..model.model import BALL, FREE
from .forward_dynamics import forward_dynamics
from .kinematics import update_kinematics
from .passive import update_passive, write_implicit_diagonal

# Butcher tableaus: one row a stage, then the weights of the step, then those of its error
RK4 = np.array([
    [0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0],
    [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0, 0, 0, 0]])
DORMAND_PRINCE = np.array([
    [0, 0, 0, 0, 0, 0, 0], [1 / 5, 0, 0, 0, 0, 0, 0], [3 / 40, 9 / 40, 0, 0, 0, 0, 0], [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0], [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]])


LARGEST = 1e150                                  # a number whose square is still one


@kernel
def forward(a, d, m, q, v, drives, time):
    """a under drives, springs, dampers, limits and gravity; d.tau all forces on the dofs."""
    update_kinematics(d, m, q, v)
    update_passive(d.passive, d, m, q, v, 0.0)
    update_forces(drives, m, q, v, time)
    for k in range(a.shape[0]):
        d.diagonal[k] = m.armature[k]
        d.tau[k] = d.passive[k]
    add_forces(d.tau, drives)
    forward_dynamics(a, d, m, d.tau)


@kernel
def euler_step(q, v, d, m, drives, step, time):
    """Semi-implicit Euler, implicit in springs, dampers and drives. Leaves the acceleration in d.a and the forces in d.tau."""
    broken = 0
    update_kinematics(d, m, q, v)
    update_passive(d.passive, d, m, q, v, step)
    update_commands(drives, m, q, v, time, step)
    for turn in range(MOST_PASSES):
        choose_forces(drives, step)
        write_implicit_diagonal(d, m, step)
        add_diagonal(d.diagonal, drives, step)
        for k in range(v.shape[0]):
            d.tau[k] = d.passive[k]
        add_forces(d.tau, drives)
        forward_dynamics(d.a, d, m, d.tau)
        for k in range(v.shape[0]):
            d.v[k] = v[k] + step * d.a[k]
        if turn == MOST_PASSES - 1 or not revise_sides(drives, d.v):
            break
    apply_drives(drives, d.v, step)
    for k in range(v.shape[0]):
        broken += 0 if abs(d.v[k]) <= LARGEST else 1
    if broken:
        blame(v, m, d.tau, step)
    # the forces applied: springs and dampers as they are at the end of the step
    for k in range(v.shape[0]):
        d.tau[k] -= (d.diagonal[k] - m.armature[k]) * d.a[k]
        d.diagonal[k] = m.armature[k]
    if broken:
        return
    take_current(drives)
    for k in range(v.shape[0]):
        v[k] = d.v[k]
    for k in range(d.turned.shape[0]):
        d.turned[k] = step * m.ratio[k] * v[m.dof[k]]
    move(q, d, m)


@kernel
def runge_kutta_step(q, v, d, m, drives, step, tableau, time):
    """One step by a Butcher tableau; returns the estimated error, relative to 1 rad, m, rad/s or m/s, infinite where the step
    breaks. Leaves the first stage's acceleration in d.a and its forces in d.first_tau."""
    stages = tableau.shape[1]
    for s in range(stages):
        # the stage's state
        broken, moment = 0, time
        for r in range(s):
            moment += step * tableau[s, r]
        write_stage_current(drives, tableau, s, step)
        for k in range(d.turned.shape[0]):
            x = 0.0
            for r in range(s):
                x += step * tableau[s, r] * d.stage_rate[r, k]
            d.turned[k] = x
            broken += 0 if abs(x) <= LARGEST else 1
        for k in range(v.shape[0]):
            x = v[k]
            for r in range(s):
                x += step * tableau[s, r] * d.stage_a[r, k]
            d.v[k] = x
            broken += 0 if abs(x) <= LARGEST else 1
        if broken and s:
            blame(v, m, d.first_tau, step)
            return math.inf
        for k in range(q.shape[0]):
            d.q[k] = q[k]
        move(d.q, d, m)
        # its rates
        forward(d.stage_a[s], d, m, d.q, d.v, drives, moment)
        write_stage_rate(drives, s)
        write_rate(d.stage_rate[s], d, m)
        if s == 0:
            for k in range(v.shape[0]):
                d.a[k] = d.stage_a[0, k]
                d.first_tau[k] = d.tau[k]
            keep_first(drives)
    # the whole step and its error
    write_stage_current(drives, tableau, stages, step)
    error, broken = current_error(drives, tableau, step), 0
    for k in range(d.turned.shape[0]):
        d.turned[k] = 0.0
        x = 0.0
        for s in range(stages):
            d.turned[k] += step * tableau[stages, s] * d.stage_rate[s, k]
            x += step * tableau[stages + 1, s] * d.stage_rate[s, k]
        error = max(error, abs(x))
        broken += 0 if abs(d.turned[k]) <= LARGEST else 1
    for k in range(v.shape[0]):
        d.v[k] = v[k]
        x = 0.0
        for s in range(stages):
            d.v[k] += step * tableau[stages, s] * d.stage_a[s, k]
            x += step * tableau[stages + 1, s] * d.stage_a[s, k]
        error = max(error, abs(x))
        broken += 0 if abs(d.v[k]) <= LARGEST else 1
    if broken:
        blame(v, m, d.first_tau, step)
        return math.inf
    for j in range(drives.current.shape[0]):
        drives.current[j] = drives.stage_current[j]
    for k in range(v.shape[0]):
        v[k] = d.v[k]
    move(q, d, m)
    return error


@kernel
def move(q, d, m):
    """q becomes q moved by d.turned, one number an axis"""
    for i in range(m.parent.shape[0]):
        start, iq = m.axis_start[i], m.q_start[i]
        if m.kind[i] == BALL:
            quaternion_turn(q[iq:iq + 4], d.turned[start:start + 3])
        elif m.kind[i] == FREE:
            for j in range(3):
                q[iq + j] += d.turned[start + j]
            quaternion_turn(q[iq + 3:iq + 7], d.turned[start + 3:start + 6])
        else:
            for k in range(m.axis_start[i + 1] - start):
                q[iq + k] += d.turned[start + k]


@kernel
def write_rate(rate, d, m):
    """rate = that of d.turned at the stage's velocity d.v"""
    for i in range(m.parent.shape[0]):
        start, end = m.axis_start[i], m.axis_start[i + 1]
        for k in range(start, end):
            rate[k] = m.ratio[k] * d.v[m.dof[k]]
        if m.kind[i] == BALL or m.kind[i] == FREE:
            ball = end - 3
            for j in range(3):
                d.scratch[j] = rate[ball + j]
            rotation_vector_rate(rate[ball:end], d.turned[ball:end], d.scratch)


@kernel
def blame(v, m, tau, step):
    """NaN for the fastest velocity of the step's start; a force counts as the speed that it gives its body's mass in the step"""
    worst, culprit = -1.0, 0
    for k in range(m.dof.shape[0]):
        c = m.dof[k]
        speed = abs(v[c]) + step * abs(tau[c]) / m.mass[m.axis_body[k]]
        if not math.isfinite(speed):
            culprit = c
            break
        if speed > worst:
            worst, culprit = speed, c
    v[culprit] = math.nan


@kernel
def first_broken_body(m, q, v):
    """The first body whose coordinates or velocities are not finite, or -1."""
    for i in range(m.parent.shape[0]):
        for k in range(m.q_start[i], m.q_start[i + 1]):
            if not math.isfinite(q[k]):
                return i
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            if not math.isfinite(v[m.dof[k]]):
                return i
    return -1
