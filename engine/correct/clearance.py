"""Feet that would pass through the floor: their targets are lifted or pitched, smoothly in time, and kept to more firmly.

Where nothing of a foot touches it is lifted; where one end touches, or is about to, it turns about that end until the other is out.
"""
import numpy as np

from ..algebra.quaternions import exponentials
from .grid import Grid, distance_to
from .smooth import fitted
from .stances import ROWS, Targets, _matrices

MARGIN = 0.0015                                  # m over the floor, for what does not touch
TOLERANCE = 0.0003                               # m that a foot may go in
FADE, HOLD = 0.05, 0.02                          # s, over which a lift fades, and within which it follows what is needed
NEAR = 0.025                                     # s to a contact, within which a foot is no longer lifted, only pitched
MORE, FIRMER = 1.5, 1.0                          # of what is needed; powers of ten by which rows harden
FIRMEST = 1e-4                                   # softness below which nothing is hardened
SHORTEST = 0.03                                  # m, of an arm to turn by


def clear(targets: Targets, grid: Grid, edges: np.ndarray) -> float:
    """Change the targets by what a motion with sole `edges` (S, F, 3, 2, 3) needs; returns the deepest point that should not touch, m."""
    deepest = 0.0
    for foot in range(len(targets.foot)):
        on = grid.on[foot]
        touching = on.any(axis=0)
        depth = np.maximum(np.where(on.T, 0.0, MARGIN - edges[:, foot, :, :, 2].min(axis=2)), 0.0)           # (S, 3)
        deepest = max(deepest, float(depth.max() - MARGIN))
        if depth.max() <= MARGIN + TOLERANCE:
            continue
        x = np.clip(distance_to(touching) * grid.step / NEAR, 0, 1)
        near = (1 - x * x * (3 - 2 * x))[:, None]
        _lift(targets, grid, foot, (depth * (1 - near)).max(axis=1), touching)
        _pitch(targets, grid, foot, edges[:, foot], depth * near)
    return deepest


def _lift(targets: Targets, grid: Grid, foot: int, need: np.ndarray, touching: np.ndarray) -> None:
    lift = _smooth(need, touching, grid.step)
    targets.place[foot, :, 2] += lift
    _harden(targets.softness[:, ROWS * foot:ROWS * (foot + 1)], lift, 0.01)


def _pitch(targets: Targets, grid: Grid, foot: int, edges: np.ndarray, depth: np.ndarray) -> None:
    """turn the foot about its anchor, the end that stands or comes next, until depth (S, 3) of heel, ball and tip is gone"""
    across = targets.foot_axes[foot, :, 0]
    middle = edges.mean(axis=2)
    low = np.take_along_axis(middle, depth.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    anchor = np.einsum("sk,ski->si", targets.share[foot], middle)
    rise = np.cross(across, low - anchor)[:, 2]
    long = np.abs(rise) > SHORTEST
    need = np.where(long, depth.max(axis=1) / np.where(long, rise, 1.0), 0.0)
    row = ROWS * foot + 5
    turn = _smooth(need, targets.softness[:, row] == 0.0, grid.step)
    targets.foot_R[foot] = _matrices(exponentials(turn[:, None] * across)) @ targets.foot_R[foot]
    if targets.toe[foot] == targets.foot[foot]:
        targets.toe_R[foot] = targets.foot_R[foot]
    _harden(targets.softness[:, row:row + 1], turn, 0.1)


def _smooth(need: np.ndarray, hard: np.ndarray, step: float) -> np.ndarray:
    """(S,) zero where hard, near what is needed elsewhere"""
    needed = need != 0
    if not needed.any():
        return np.zeros(len(need))
    return fitted(MORE * need, hard, np.where(needed, (step / HOLD) ** 4, (step / FADE) ** 4))


def _harden(softness: np.ndarray, change: np.ndarray, much: float) -> None:
    """rows whose target changed, down to a floor"""
    firmer = softness * 10 ** (-FIRMER * np.minimum(np.abs(change) / much, 1.0))[:, None]
    softness[:] = np.where(softness > FIRMEST, np.maximum(firmer, FIRMEST), softness)
