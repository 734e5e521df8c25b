"""Centre of mass, momentum, its rate and energy of every tree, from what the kinematics hold.

Angular momentum is taken about the tree's own centre of mass, so it does not depend on where the tree is.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.spatial import add_cross_force, add_scaled6, dot6, inertia_times
from ..algebra.vectors import cross
from ..dynamics.data import Data
from ..dynamics.inverse_dynamics import update_acceleration
from ..dynamics.passive import add_elastic_energy
from ..kernel import kernel
from ..model.model import Model


class Momentum(NamedTuple):
    """World axes; nt trees."""
    mass: np.ndarray                # (nt,) kg
    com: np.ndarray                 # (nt, 3) centre of mass, m
    linear: np.ndarray              # (nt, 3) N s
    angular: np.ndarray             # (nt, 3) about the centre of mass, N m s
    linear_rate: np.ndarray         # (nt, 3) N
    angular_rate: np.ndarray        # (nt, 3) N m
    kinetic: np.ndarray             # (nt,) J, rotors (armature) included
    potential: np.ndarray           # (nt,) J, of gravity, above the world's origin


def momentum(d: Data, m: Model, v: np.ndarray, a: np.ndarray | None = None) -> Momentum:
    """For the pose and velocity of the last update_kinematics(d, m, q, v); rates for accelerations `a`, NaN without. Changes d.A."""
    out = allocate_momentum(m)
    update_momentum(out, d, m, v)
    if a is None:
        out.linear_rate[:] = out.angular_rate[:] = np.nan
    else:
        update_momentum_rate(out, d, m, a)
    return out


def energy(d: Data, m: Model, q: np.ndarray, v: np.ndarray) -> float:
    """Kinetic, gravitational and elastic energy of the whole system, J. Needs update_kinematics(d, m, q, v)."""
    trees = momentum(d, m, v)
    add_elastic_energy(trees.potential, d, m, q)
    return float(trees.kinetic.sum() + trees.potential.sum())


def allocate_momentum(m: Model) -> Momentum:
    """Room for the momentum of every tree."""
    nt = len(m.tree_start) - 1
    vector = lambda: np.zeros((nt, 3))
    return Momentum(np.zeros(nt), vector(), vector(), vector(), vector(), vector(), np.zeros(nt), np.zeros(nt))


@kernel
def update_momentum(out, d, m, v):
    """Fill `out`, all but the rates. Needs update_kinematics."""
    for t in range(m.tree_start.shape[0] - 1):
        total, P, com = d.scratch_tree[0], d.scratch_motion[0], d.scratch
        mass = energy = 0.0
        for j in range(6):
            total[j] = 0.0
        for j in range(3):
            com[j] = 0.0
        for i in range(m.tree_start[t], m.tree_start[t + 1]):
            mass += m.mass[i]
            for j in range(3):
                com[j] += m.mass[i] * d.c[i, j]
            inertia_times(P, d.I[i], d.V[i])
            add_scaled6(total, P, 1.0)
            energy += 0.5 * dot6(P, d.V[i])
        out.mass[t] = mass
        out.kinetic[t] = energy
        out.potential[t] = 0.0
        for j in range(3):
            com[j] /= mass
            out.com[t, j] = d.origin[t, j] + com[j]
            out.potential[t] -= mass * m.gravity[j] * out.com[t, j]
            out.linear[t, j] = total[j]
        # from the origin to the centre of mass
        cross(P, com, total)
        for j in range(3):
            out.angular[t, j] = total[3 + j] - P[j]
    # rotors: a group's members share theirs, which are counted with the first
    for g in range(m.group_parent.shape[0]):
        i = m.group_body[m.group_start[g]]
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            out.kinetic[m.tree[i]] += 0.5 * m.armature[m.dof[k]] * v[m.dof[k]] ** 2


@kernel
def update_momentum_rate(out, d, m, a):
    """Fill the rates of `out` for accelerations a. Needs update_momentum."""
    update_acceleration(d, m, a)
    for t in range(m.tree_start.shape[0] - 1):
        rate, P, F, com = d.scratch_tree[0], d.scratch_motion[0], d.scratch_motion[1], d.scratch
        for j in range(6):
            rate[j] = 0.0
        for j in range(3):
            com[j] = 0.0
        for i in range(m.tree_start[t], m.tree_start[t + 1]):
            for j in range(3):
                com[j] += m.mass[i] / out.mass[t] * d.c[i, j]
            # I A + V x* I V
            inertia_times(P, d.I[i], d.V[i])
            inertia_times(F, d.I[i], d.A[i])
            add_cross_force(F, d.V[i], P)
            add_scaled6(rate, F, 1.0)
        for j in range(3):
            out.linear_rate[t, j] = rate[j] + out.mass[t] * m.gravity[j]        # A is less gravity
        # from the origin to the centre of mass, where gravity has no moment
        cross(P, com, rate)
        for j in range(3):
            out.angular_rate[t, j] = rate[3 + j] - P[j]
