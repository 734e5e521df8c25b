"""What the floor must give: the force and moment on the whole body at each step, and how they answer the six numbers of three steps.

Inverse dynamics with velocities and accelerations as central differences on the manifold. The moment is about a point that stays where the
centre of mass was, so that it is linear in contact forces at places that stay. Derivatives are forward differences along the basis.
"""
from typing import NamedTuple

import numpy as np

from ..dynamics.data import Data, allocate
from ..dynamics.inverse_dynamics import rnea
from ..dynamics.kinematics import update_pose, update_velocity
from ..kernel import kernel
from ..model.model import Model
from .rows import move, write_difference

NUDGE = 1e-6                                     # m or rad


class Wrench(NamedTuple):
    """Of every step but the outermost."""
    w: np.ndarray                   # (S, 6) force and moment, N and N m
    B: np.ndarray                   # (S, 3, 6, 6) by the numbers of the step before, of its own and of the one after


class Moving(NamedTuple):
    """Work arrays."""
    d: Data
    q: np.ndarray                   # (nq,)
    by: np.ndarray                  # (nv,)
    before: np.ndarray              # (nv,)
    after: np.ndarray               # (nv,)
    other: np.ndarray               # (nv,)
    v: np.ndarray                   # (nv,)
    a: np.ndarray                   # (nv,)
    tau: np.ndarray                 # (nv,)
    scratch: np.ndarray             # (4,)
    w: np.ndarray                   # (6,)


def allocate_wrench(steps: int) -> Wrench:
    return Wrench(np.zeros((steps, 6)), np.zeros((steps, 3, 6, 6)))


def allocate_moving(m: Model) -> Moving:
    row = lambda: np.zeros(m.nv)
    return Moving(allocate(m), np.zeros(m.nq), row(), row(), row(), row(), row(), row(), row(), np.zeros(4), np.zeros(6))


@kernel
def update_wrench(wrench, q, m, Z, centre, step, columns, w):
    """Fill wrench.w, and wrench.B where `columns` is 1."""
    variants = 19 if columns == 1 else 1
    for s in range(1, q.shape[0] - 1):
        write_difference(w.before, m, q[s - 1], q[s], w.scratch)
        write_difference(w.after, m, q[s], q[s + 1], w.scratch)
        # first as it is, then each of three poses nudged along six columns, its own last: only there the pose itself changes
        for variant in range(variants):
            which, column = (variant - 1) // 6, (variant - 1) % 6
            before, after = w.before, w.after
            if variant > 0:
                pose = s - 1 if which == 0 else s + 1 if which == 1 else s
                for k in range(w.q.shape[0]):
                    w.q[k] = q[pose, k]
                for k in range(w.by.shape[0]):
                    w.by[k] = Z[pose, column, k]
                move(w.q, m, w.by, NUDGE)
                if which == 0:
                    write_difference(w.other, m, w.q, q[s], w.scratch)
                    before = w.other
                elif which == 1:
                    write_difference(w.other, m, q[s], w.q, w.scratch)
                    after = w.other
                else:
                    write_difference(w.other, m, q[s - 1], w.q, w.scratch)
                    write_difference(w.by, m, w.q, q[s + 1], w.scratch)
                    before, after = w.other, w.by
            else:
                for k in range(w.q.shape[0]):
                    w.q[k] = q[s, k]
            for k in range(w.v.shape[0]):
                w.v[k] = (before[k] + after[k]) / (2.0 * step)
                w.a[k] = (after[k] - before[k]) / (step * step)
            if variant == 0 or which == 2:
                update_pose(w.d, m, w.q)
            update_velocity(w.d, m, w.v)
            rnea(w.tau, w.d, m, w.a)
            F, origin = w.d.F[0], w.d.origin[0]
            x, y, z = origin[0] - centre[s, 0], origin[1] - centre[s, 1], origin[2] - centre[s, 2]
            for j in range(3):
                w.w[j] = F[j]
            w.w[3] = F[3] + y * F[2] - z * F[1]
            w.w[4] = F[4] + z * F[0] - x * F[2]
            w.w[5] = F[5] + x * F[1] - y * F[0]
            if variant == 0:
                for j in range(6):
                    wrench.w[s, j] = w.w[j]
            else:
                place = 0 if which == 0 else 2 if which == 1 else 1
                for j in range(6):
                    wrench.B[s, place, j, column] = (w.w[j] - wrench.w[s, j]) / NUDGE
