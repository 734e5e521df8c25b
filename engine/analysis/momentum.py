"""Centre of mass, momentum, its rate and energy of every tree, from what the kinematics hold.

Angular momentum is taken about the tree's own centre of mass, so it does not depend on where the tree is.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.spatial import add_cross_force, add_scaled6, dot6, inertia_times
from ..algebra.vectors import cross
from ..dynamics.data import Data
from ..dynamics.passive import elastic_energy
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
    kinetic: np.ndarray             # (nt,) J, armature included
    potential: np.ndarray           # (nt,) J, of gravity, above the world's origin


def momentum(d: Data, m: Model) -> Momentum:
    """For the pose and velocity of the last update_kinematics; the rates for the accelerations of the last rnea or aba."""
    out = allocate_momentum(m)
    update_momentum(out, d, m)
    return out


def allocate_momentum(m: Model) -> Momentum:
    """Room for the momentum of every tree."""
    nt = len(m.tree_start) - 1
    vector = lambda: np.zeros((nt, 3))
    return Momentum(np.zeros(nt), vector(), vector(), vector(), vector(), vector(), np.zeros(nt), np.zeros(nt))


@kernel
def update_momentum(out, d, m):
    """Fill `out`."""
    for t in range(m.tree_start.shape[0] - 1):
        total, rate = d.scratch_tree[0], d.scratch_tree[1]
        P, F = d.scratch_motion[0], d.scratch_motion[1]
        com = d.scratch
        mass = energy = 0.0
        for j in range(6):
            total[j] = 0.0
            rate[j] = 0.0
        for j in range(3):
            com[j] = 0.0
        for i in range(m.tree_start[t], m.tree_start[t + 1]):
            mass += m.mass[i]
            for j in range(3):
                com[j] += m.mass[i] * d.c[i, j]
            inertia_times(P, d.I[i], d.V[i])
            add_scaled6(total, P, 1.0)
            energy += 0.5 * dot6(P, d.V[i])
            # I A + V x* I V, with gravity given back: A is less gravity
            inertia_times(F, d.I[i], d.A[i])
            add_cross_force(F, d.V[i], P)
            add_scaled6(rate, F, 1.0)
        out.mass[t] = mass
        out.kinetic[t] = energy
        out.potential[t] = 0.0
        for j in range(3):
            com[j] /= mass
            out.com[t, j] = d.origin[t, j] + com[j]
            out.potential[t] -= mass * m.gravity[j] * out.com[t, j]
            out.linear[t, j] = total[j]
            out.linear_rate[t, j] = rate[j] + mass * m.gravity[j]
        # moments from the origin to the centre of mass; gravity has none there
        cross(P, com, total)
        cross(F, com, rate)
        for j in range(3):
            out.angular[t, j] = total[3 + j] - P[j]
            out.angular_rate[t, j] = rate[3 + j] - F[j]


@kernel
def add_armature_energy(kinetic, m, v):
    """kinetic (nt,) += the energy of rotors"""
    for i in range(m.parent.shape[0]):
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            # a geared dof's rotors are counted once, at its first axis
            first = True
            for j in range(k):
                if m.dof[j] == m.dof[k]:
                    first = False
            if first:
                kinetic[m.tree[i]] += 0.5 * m.armature[m.dof[k]] * v[m.dof[k]] ** 2


def energy(d: Data, m: Model, q: np.ndarray, v: np.ndarray) -> float:
    """Kinetic, gravitational and elastic energy of the whole system, J. Needs update_kinematics(d, m, q, v)."""
    all_trees = momentum(d, m)
    add_armature_energy(all_trees.kinetic, m, v)
    return float(all_trees.kinetic.sum() + all_trees.potential.sum() + elastic_energy(d, m, q))
