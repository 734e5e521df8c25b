"""Feet that would pass through the floor: their targets are lifted or pitched, smoothly in time, and kept to more firmly.

Where nothing of a foot touches it is lifted; where one end touches, or is about to, it turns about that end until the other is out.
"""
import numpy as np

from ..algebra.quaternions import exponentials
from .grid import Grid, distance_to
from .stances import ROWS, Targets, _matrices

MARGIN = 0.001                                   # m over the floor, for what does not touch
SPREAD = 0.04                                    # s, by which a lift reaches before and after
NEAR = 0.025                                     # s to a contact, within which a foot is no longer lifted, only pitched
MORE, FIRMER = 1.2, 1.0                          # of what is needed; powers of ten by which rows harden


def clear(targets: Targets, grid: Grid, edges: np.ndarray) -> float:
    """Change the targets by what a motion with sole `edges` (S, F, 3, 2, 3) needs; returns the deepest point that should not touch, m."""
    deepest = 0.0
    for foot in range(len(targets.foot)):
        on = grid.on[foot]
        touching = on.any(axis=0)
        depth = np.where(on.T, 0.0, MARGIN - edges[:, foot, :, :, 2].min(axis=2))            # (S, 3)
        depth[depth < 0] = 0.0
        deepest = max(deepest, float(depth.max() - MARGIN))
        if depth.max() <= MARGIN:
            continue
        x = np.clip(distance_to(touching) * grid.step / NEAR, 0, 1)
        free = x * x * (3 - 2 * x)
        depth = np.where(depth > MARGIN / 2, depth, 0.0)
        lift = free * _spread(depth.max(axis=1), grid.step)
        targets.place[foot, :, 2] += MORE * lift
        # what lifting leaves, by turning about the end that stands or comes next
        _pitch(targets, grid, foot, edges[:, foot], np.maximum(depth - lift[:, None], 0.0) * (1 - free)[:, None])
        rows = slice(ROWS * foot, ROWS * foot + 5)
        targets.softness[:, rows] *= (10 ** (-FIRMER * _spread((lift > 0) * 1.0, grid.step)))[:, None]
    return deepest


def _pitch(targets: Targets, grid: Grid, foot: int, edges: np.ndarray, depth: np.ndarray) -> None:
    """turn the foot, or the toe where the foot stands on its tip, about the anchor until depth (S, 3) of heel, ball and tip is gone"""
    across = targets.foot_axes[foot, :, 0]
    worst = depth.argmax(axis=1)
    low = np.take_along_axis(edges.mean(axis=2), worst[:, None, None], axis=1)[:, 0]
    anchor = np.einsum("sk,ski->si", targets.share[foot], edges.mean(axis=2))
    rise = np.cross(across, low - anchor)[:, 2]
    need = depth.max(axis=1)
    angle = np.where((need > 0) & (np.abs(rise) > 0.03), need / np.where(np.abs(rise) > 0.03, rise, 1.0), 0.0)
    for sign in (1.0, -1.0):
        turn = sign * MORE * _spread(np.maximum(sign * angle, 0.0), grid.step)
        turn[targets.softness[:, ROWS * foot + 5] == 0.0] = 0.0
        rotation = _matrices(exponentials(turn[:, None] * across))
        targets.foot_R[foot] = rotation @ targets.foot_R[foot]
        if targets.toe[foot] == targets.foot[foot]:
            targets.toe_R[foot] = targets.foot_R[foot]
    targets.softness[:, ROWS * foot + 5] *= 10 ** (-FIRMER * _spread((angle != 0) * 1.0, grid.step))


def _spread(x: np.ndarray, step: float) -> np.ndarray:
    """(S,) the largest of its neighbours' values, less with time between them"""
    reach = int(np.ceil(3 * SPREAD / step))
    out = x.copy()
    for o in range(1, min(reach, len(x) - 1) + 1):
        fade = np.exp(-0.5 * (o * step / SPREAD) ** 2)
        np.maximum(out[o:], fade * x[:-o], out=out[o:])
        np.maximum(out[:-o], fade * x[o:], out=out[:-o])
    return out
