"""Paths: motion that is given from outside, of obstacles and of what holds are pinned to.

Sampled once for every step of the simulation's grid, and between two samples a constant velocity: so a body that follows the
path at its velocity is where the path is, however an impact cuts the step.
"""
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.curves import curve
from ..algebra.quaternions import continuous, rotation_vectors
from ..algebra.rotations import quaternion_matrix, quaternion_turn
from ..errors import HeftError
from ..kernel import kernel


@dataclass(frozen=True)
class Path:
    """Places at times, in the world; through them runs a smooth curve, as of keys with clamped handles. Before the first and after the last
    time it stands still."""
    times: ArrayLike                              # (n,) s, rising
    positions: ArrayLike                          # (n, 3) m
    rotations: ArrayLike | None = None            # (n, 4) quaternions w x y z; None: never turned


class Paths(NamedTuple):
    """np paths, T samples."""
    step: np.ndarray                # (1,) s, between samples
    x: np.ndarray                   # (np, T, 3) m
    q: np.ndarray                   # (np, T, 4)
    velocity: np.ndarray            # (np, T, 6) from a sample to the next: linear, world; angular, in the path's own axes


def build_paths(paths: Sequence[tuple[str, Path]], step: float, seconds: float) -> Paths:
    """Checks `paths`, each with the name of what follows it, and samples them every `step` s."""
    times = step * np.arange(math.ceil(seconds / step) + 2)
    x, q = np.zeros((len(paths), len(times), 3)), np.zeros((len(paths), len(times), 4))
    for number, (owner, path) in enumerate(paths):
        x[number], q[number] = path_poses(owner, path, times)
    velocity = np.zeros((len(paths), len(times), 6))
    velocity[:, :-1, :3] = np.diff(x, axis=1) / step
    for number in range(len(paths)):
        velocity[number, :-1, 3:] = rotation_vectors(q[number, :-1], q[number, 1:]) / step
    return Paths(np.array([step]), x, q, velocity)


def path_poses(owner: str, path: Path, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (T, 3) in m and quaternions (T, 4) of `path` at `times` s; errors name its owner."""
    known, positions, rotations = checked_path(owner, path)
    q = curve(times, known, continuous(rotations))
    return curve(times, known, positions), q / np.linalg.norm(q, axis=1, keepdims=True)


def stands_still(owner: str, path: Path) -> bool:
    """Whether it stays at one place, unturned."""
    _, positions, rotations = checked_path(owner, path)
    return bool((positions == positions[0]).all() and (continuous(rotations) == rotations[0]).all())


def checked_path(owner: str, path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """times, positions and rotations; raises HeftError"""
    if not isinstance(path, Path):
        raise HeftError(f"{owner}: its path is {path!r}, must be a Path; one time and place stand still: Path([0], [(x, y, z)])")
    times = np.atleast_1d(_numbers(owner, "times", path.times))
    positions = _numbers(owner, "positions", path.positions)
    rotations = np.tile([1.0, 0, 0, 0], (len(times), 1)) if path.rotations is None else _numbers(owner, "rotations", path.rotations)
    if times.ndim != 1 or not len(times) or not (np.diff(times) > 0).all():
        raise HeftError(f"{owner}: its path's times are {times.tolist()} s, must rise, at least one of them")
    for what, array, width in (("positions", positions, 3), ("rotations", rotations, 4)):
        if array.shape != (len(times), width):
            raise HeftError(f"{owner}: its path's {what} have shape {array.shape}, must be ({len(times)}, {width}), a row for each time")
    lengths = np.linalg.norm(rotations, axis=1)
    if not (np.abs(lengths - 1) < 1e-3).all():
        raise HeftError(f"{owner}: its path's rotations have lengths {lengths.round(4).tolist()}, must be quaternions of length 1")
    return times, positions, rotations


def _numbers(owner: str, what: str, values: ArrayLike) -> np.ndarray:
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        raise HeftError(f"{owner}: its path's {what} are {values!r}, must be rows of numbers") from None
    if not np.isfinite(array).all():
        raise HeftError(f"{owner}: its path's {what} are {array.tolist()}, must be finite")
    return array


@kernel
def follow(x, R, V, q, paths, p, time):
    """place x (3,), axes R (3, 3) and velocity V (6,) [linear; angular], world axes, of path p at `time` s. q (4,) is scratch."""
    step = paths.step[0]
    n = min(max(int(time / step + 1e-9), 0), paths.x.shape[1] - 1)
    past = max(0.0, time - n * step)
    velocity = paths.velocity[p, n]
    for j in range(3):
        x[j] = paths.x[p, n, j] + past * velocity[j]
        V[j] = velocity[j]
        V[3 + j] = past * velocity[3 + j]
    for j in range(4):
        q[j] = paths.q[p, n, j]
    quaternion_turn(q, V[3:6])
    quaternion_matrix(R, q)
    for j in range(3):
        V[3 + j] = R[j, 0] * velocity[3] + R[j, 1] * velocity[4] + R[j, 2] * velocity[5]
