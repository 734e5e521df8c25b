"""Contact forces from a motion alone: what its masses and accelerations ask for, given as far as points that touch can give it.

Inverse dynamics gives the wrench that the whole system needs from outside, frame by frame. Forces inside friction cones at the touching
points come as near to it as they can (cones.py), force and moment about the centre of mass compared over a lever of about a radius of
gyration. What is left is the residual: a hand from nowhere.
"""
from typing import NamedTuple

import numpy as np

from ..dynamics.data import allocate
from ..dynamics.inverse_dynamics import add_joint_forces, rnea
from ..dynamics.kinematics import update_kinematics
from ..kernel import kernel
from ..model.model import System
from .cones import allocate_cones, fit_in_cones
from .touching import Touching

LEVER = 0.17                                     # of the stature: 0.3 m at 1.75 m


class Fit(NamedTuple):
    """T frames, N touching points. Wrenches are force and moment about the centre of mass, world axes, N and N m."""
    force: np.ndarray               # (N, 3) on the body, N
    needed: np.ndarray              # (T, 6) what the motion asks for
    residual: np.ndarray            # (T, 6) what is left of it
    com: np.ndarray                 # (T, 3) m
    tau: np.ndarray                 # (T, nv) forces of the joints; on free roots what is left
    velocity: np.ndarray            # (N, 3) of the body at each point, m/s
    steps: np.ndarray               # (T,) Newton steps taken


def fit_forces(system: System, q: np.ndarray, v: np.ndarray, a: np.ndarray, touching: Touching, friction: float, stature: float) -> Fit:
    """`q` (T, nq), velocities and accelerations (T, nv); `stature` in m."""
    m, T, N = system.model, len(q), len(touching.frame)
    out = Fit(np.zeros((N, 3)), np.zeros((T, 6)), np.zeros((T, 6)), np.zeros((T, 3)), np.zeros((T, m.nv)), np.zeros((N, 3)),
              np.zeros(T, int))
    most = int(np.diff(touching.start).max(initial=0))
    weight = float(m.mass.sum() * np.linalg.norm(m.gravity))
    write_fit(out, allocate_cones(), np.zeros(6), np.zeros((most, 3)), allocate(m), m, *(np.ascontiguousarray(x) for x in (q, v, a)),
              touching.start, touching.body, touching.point, touching.normal, touching.ease, float(friction), weight, LEVER * stature)
    return out


@kernel
def write_fit(out, c, b, arm, d, m, q, v, a, start, body, point, normal, ease, mu, weight, lever):
    for t in range(q.shape[0]):
        update_kinematics(d, m, q[t], v[t])
        rnea(out.tau[t], d, m, a[t])
        write_needed(out.needed[t], out.com[t], d, m)
        first, last = start[t], start[t + 1]
        for j in range(3):
            b[j] = out.needed[t, j] / weight
            b[3 + j] = out.needed[t, 3 + j] / (weight * lever)
            for p in range(first, last):
                arm[p - first, j] = (point[p, j] - out.com[t, j]) / lever
        out.steps[t] = fit_in_cones(out.force[first:last], c, b, arm, normal[first:last], ease[first:last], mu)
        for j in range(6):
            out.residual[t, j] = out.needed[t, j]
        take_forces(out, d, m, t, first, last, body, point, weight)


@kernel
def write_needed(needed, com, d, m):
    """needed (6,): the wrenches of all roots together, about the centre of mass `com`. Needs rnea."""
    mass = 0.0
    for j in range(3):
        com[j] = 0.0
        needed[j] = needed[3 + j] = 0.0
    for i in range(m.parent.shape[0]):
        mass += m.mass[i]
        for j in range(3):
            com[j] += m.mass[i] * (d.origin[m.tree[i], j] + d.c[i, j])
    for j in range(3):
        com[j] /= mass
    for t in range(m.tree_start.shape[0] - 1):
        F = d.F[m.tree_start[t]]
        x, y, z = d.origin[t, 0] - com[0], d.origin[t, 1] - com[1], d.origin[t, 2] - com[2]
        for j in range(6):
            needed[j] += F[j]
        needed[3] += y * F[2] - z * F[1]
        needed[4] += z * F[0] - x * F[2]
        needed[5] += x * F[1] - y * F[0]


@kernel
def take_forces(out, d, m, t, first, last, body, point, weight):
    """Forces from weights to N; taken from the residual and, through the joints, from tau; velocities of the points."""
    for i in range(m.parent.shape[0]):
        for j in range(6):
            d.F[i, j] = 0.0
    for p in range(first, last):
        i, f, r, V = body[p], out.force[p], out.residual[t], d.V[body[p]]
        for j in range(3):
            f[j] *= weight
            r[j] -= f[j]
        x, y, z = point[p, 0] - out.com[t, 0], point[p, 1] - out.com[t, 1], point[p, 2] - out.com[t, 2]
        r[3] -= y * f[2] - z * f[1]
        r[4] -= z * f[0] - x * f[2]
        r[5] -= x * f[1] - y * f[0]
        origin, F = d.origin[m.tree[i]], d.F[i]
        x, y, z = point[p, 0] - origin[0], point[p, 1] - origin[1], point[p, 2] - origin[2]
        for j in range(3):
            F[j] -= f[j]
        F[3] -= y * f[2] - z * f[1]
        F[4] -= z * f[0] - x * f[2]
        F[5] -= x * f[1] - y * f[0]
        out.velocity[p, 0] = V[0] + V[4] * z - V[5] * y
        out.velocity[p, 1] = V[1] + V[5] * x - V[3] * z
        out.velocity[p, 2] = V[2] + V[3] * y - V[4] * x
    add_joint_forces(out.tau[t], d, m)
