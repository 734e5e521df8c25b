"""The floor under a motion: its height and tilt, from where soles are slow.

Of each foot the lowest edge counts, where it is slow and low. A plane through those by least absolute deviations (reweighted least
squares), with a small penalty on tilt, so that a few standing feet don't tip the room.
"""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import exponentials, products, rotated
from ..dynamics.poses import body_poses
from ..errors import HeftError
from ..humanoid.feet import Sole
from ..model.model import FREE, System
from .motion import Motion

SLOW, WINDOW = 0.25, 0.10                        # m/s; m above the lowest slow points
RESOLUTION = 0.004                               # m; nearer than this all points count alike
TILT_PENALTY = 0.05                              # m^2, of the mean square of the points' distances


class Floor(NamedTuple):
    point: np.ndarray               # (3,) on the floor, m
    normal: np.ndarray              # (3,) unit, up
    spread: float                   # median distance of slow soles from it, m
    soles: int                      # how many slow soles it rests on

    @property
    def tilt(self) -> float:
        """rad"""
        return float(np.arccos(np.clip(self.normal[2], -1, 1)))


def sole_edges(system: System, soles: Sequence[Sole], q: np.ndarray) -> np.ndarray:
    """(T, feet, 3, 2, 3) the two ends of heel, ball and tip of each foot, m."""
    places, rotations = body_poses(system, q)
    index = {name: i for i, name in enumerate(system.names)}
    out = np.zeros((len(q), len(soles), 3, 2, 3))
    for number, sole in enumerate(soles):
        for edge, (body, points) in enumerate(((sole.foot, sole.heel), (sole.toe, sole.ball), (sole.toe, sole.tip))):
            i = index[body]
            out[:, number, edge] = places[:, i, None] + np.einsum("tij,pj->tpi", rotations[:, i], points)
    return out


def fit_floor(edges: np.ndarray, fps: float, level: bool = False) -> Floor:
    """The floor below `sole_edges` of a motion; `level` allows no tilt. Raises HeftError where no foot is ever slow."""
    middles = edges.mean(axis=3)
    speeds = np.linalg.norm(np.gradient(middles, 1 / fps, axis=0), axis=3)
    lowest = np.argmin(middles[..., 2], axis=2)[..., None]
    points = np.take_along_axis(middles, lowest[..., None], axis=2)[:, :, 0]
    slow = np.take_along_axis(speeds, lowest, axis=2)[..., 0] < SLOW
    points = points[slow]
    if len(points) < 3:
        raise HeftError(f"no sole is slower than {SLOW:g} m/s for more than {len(points)} frames: give the floor's height")
    points = points[points[:, 2] < np.percentile(points[:, 2], 5) + WINDOW]
    middle = points.mean(axis=0)
    A = np.column_stack([np.ones(len(points)), points[:, 0] - middle[0], points[:, 1] - middle[1]])
    penalty = np.diag([0, 1, 1]) * (1e12 if level else TILT_PENALTY) * len(points)
    weights, found = np.ones(len(points)), np.zeros(3)
    for _ in range(20):
        found = np.linalg.solve(A.T @ (weights[:, None] * A) + penalty, A.T @ (weights * points[:, 2]))
        weights = RESOLUTION / np.maximum(np.abs(points[:, 2] - A @ found), RESOLUTION)
    normal = np.array([-found[1], -found[2], 1.0])
    normal /= np.linalg.norm(normal)
    return Floor(np.array([middle[0], middle[1], found[0]]), normal, float(np.median(np.abs(points[:, 2] - A @ found))), len(points))


def place_on_floor(system: System, motion: Motion, floor: Floor) -> Motion:
    """The motion with `floor` at height 0 and level, turned about the floor's point by the smallest angle."""
    axis = np.cross(floor.normal, [0.0, 0.0, 1.0])
    size = np.linalg.norm(axis)
    turn = exponentials(axis / size * floor.tilt if size > 1e-12 else np.zeros(3))
    to = np.array([floor.point[0], floor.point[1], 0.0])
    q = np.array(motion.q)
    for i in np.flatnonzero(system.model.kind == FREE):
        start = system.model.q_start[i]
        q[:, start:start + 3] = to + rotated(turn, q[:, start:start + 3] - floor.point)
        q[:, start + 3:start + 7] = products(turn[None], q[:, start + 3:start + 7])
    return motion._replace(q=q, joints=to + rotated(turn, motion.joints - floor.point))
