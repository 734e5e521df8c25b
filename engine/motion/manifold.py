"""Whole clips of coordinates as points on a manifold: differences and moves with one number an axis, velocities, accelerations.

A ball's or root's rotation differs by a rotation vector in its own axes, as velocities do (integrate.py): q' = q exp(r).
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import exponentials, inverses, logarithms, products
from ..errors import HeftError
from ..model.model import BALL, FREE, Model


class Columns(NamedTuple):
    """Which columns of q and of the axes belong together."""
    plain: np.ndarray               # (np,) columns of q that are angles or lengths
    plain_axis: np.ndarray          # (np,) their axes
    turn: np.ndarray                # (nr, 4) columns of q that are quaternions
    turn_axis: np.ndarray           # (nr, 3) their axes


def columns(m: Model) -> Columns:
    plain: list[int] = []
    plain_axis: list[int] = []
    turn, turn_axis = [], []
    for i in range(m.nb):
        q, k, end = int(m.q_start[i]), int(m.axis_start[i]), int(m.axis_start[i + 1])
        if m.kind[i] in (FREE, BALL):
            before = 3 if m.kind[i] == FREE else 0
            plain += range(q, q + before)
            plain_axis += range(k, k + before)
            turn.append(np.arange(q + before, q + before + 4))
            turn_axis.append(np.arange(k + before, end))
        else:
            plain += range(q, q + end - k)
            plain_axis += range(k, end)
    return Columns(np.array(plain, int), np.array(plain_axis, int),
                   np.array(turn, int).reshape(-1, 4), np.array(turn_axis, int).reshape(-1, 3))


def difference(m: Model, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(T, na) that moves a (T, nq) to b (T, nq) by the shorter turns."""
    c = columns(m)
    out = np.zeros((len(a), m.na))
    out[:, c.plain_axis] = b[:, c.plain] - a[:, c.plain]
    out[:, c.turn_axis] = logarithms(products(inverses(a[:, c.turn]), b[:, c.turn]))
    return out


def moved(m: Model, q: np.ndarray, by: np.ndarray) -> np.ndarray:
    """(T, nq) q moved by (T, na)."""
    c = columns(m)
    out = np.array(q, float)
    out[:, c.plain] += by[:, c.plain_axis]
    out[:, c.turn] = products(q[:, c.turn], exponentials(by[:, c.turn_axis]))
    return out


def derivatives(m: Model, q: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and accelerations (T, nv) of frames `step` s apart, by central differences: with d- and d+ the differences to the frames
    before and after, over the step, v = (d- + d+) / 2 and a = (d+ - d-) / step. A rotation vector is the same in the axes of either end,
    so both are in the frame's own. First and last frame keep their neighbour's acceleration."""
    if len(q) < 3:
        raise HeftError(f"velocities need at least 3 frames, there are {len(q)}")
    d = difference(m, q[:-1], q[1:]) / step
    a = np.zeros((len(q), m.na))
    a[1:-1] = (d[1:] - d[:-1]) / step
    a[0], a[-1] = a[1], a[-2]
    v = np.concatenate([d[:1] - a[:1] * step / 2, (d[1:] + d[:-1]) / 2, d[-1:] + a[-1:] * step / 2])
    return _on_dofs(m, v), _on_dofs(m, a)


def _on_dofs(m: Model, axes: np.ndarray) -> np.ndarray:
    """(T, nv) from (T, na): geared axes all say the same"""
    out = np.zeros((len(axes), m.nv))
    out[:, m.dof] = axes / m.ratio
    return out
