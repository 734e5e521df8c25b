"""Energy and momentum over a whole trace: what must stay, and how far it drifts."""
from typing import NamedTuple

import numpy as np

from ..dynamics.data import allocate
from ..dynamics.kinematics import update_kinematics
from ..dynamics.passive import add_elastic_energy
from ..export.trace import Trace
from ..kernel import kernel
from ..model.model import System
from .momentum import allocate_momentum, update_momentum


class Balance(NamedTuple):
    """For every step and tree: sizes S steps, nt trees."""
    kinetic: np.ndarray             # (S, nt) J
    potential: np.ndarray           # (S, nt) J, of gravity
    elastic: np.ndarray             # (S, nt) J, of springs and limits
    com: np.ndarray                 # (S, nt, 3) m
    linear: np.ndarray              # (S, nt, 3) N s
    angular: np.ndarray             # (S, nt, 3) N m s, about the tree's centre of mass

    @property
    def energy(self) -> np.ndarray:
        """(S, nt) J: the sum of the three"""
        return self.kinetic + self.potential + self.elastic


def balance(system: System, trace: Trace) -> Balance:
    """Energy and momentum at every step."""
    m = system.model
    steps, trees = len(trace.time), len(m.tree_start) - 1
    out = Balance(*(np.zeros((steps, trees)) for _ in range(3)), *(np.zeros((steps, trees, 3)) for _ in range(3)))
    first_axis = np.array([int(np.flatnonzero(m.dof == k)[0]) for k in range(m.nv)])
    velocities = np.ascontiguousarray(trace.qvel[:, first_axis] / m.ratio[first_axis])
    update_balance(out, allocate_momentum(m), allocate(m), m, np.ascontiguousarray(trace.qpos), velocities)
    return out


@kernel
def update_balance(out, work, d, m, qpos, v):
    for s in range(qpos.shape[0]):
        update_kinematics(d, m, qpos[s], v[s])
        update_momentum(work, d, m, v[s])
        add_elastic_energy(out.elastic[s], d, m, qpos[s])
        for t in range(work.mass.shape[0]):
            out.kinetic[s, t] = work.kinetic[t]
            out.potential[s, t] = work.potential[t]
            for j in range(3):
                out.com[s, t, j] = work.com[t, j]
                out.linear[s, t, j] = work.linear[t, j]
                out.angular[s, t, j] = work.angular[t, j]
