"""The axis of a knee, an elbow or a toe joint.

With a motion that bends it: relative rotations R(t) of a hinge are R_mean exp(angle a), so the logarithms of R_mean^T R(t) lie along one
line; a is their first principal axis. Where it stays bent by one angle, the turn from the rest pose tells. A motion that never bends it
says nothing: then a limb that is bent at rest bends in its own plane,
and a straight one the way people do, knees backwards and elbows and toes forwards.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import inverses, logarithms, products, rotated, unit

ENOUGH_BEND = np.radians(4.0)                    # rms about the mean; less is noise
BENT_AT_REST = np.radians(8.0)


class Hinge(NamedTuple):
    axis: np.ndarray                # (3,) unit, in the child's axes; bending turns positively about it
    zero: np.ndarray                # (4,) the child against its parent where the angle is 0
    origin: str                     # "motion", "bend of the motion", "rest pose" or "anatomy"
    off_axis: float                 # rms of what the hinge can't follow, rad; NaN without a motion


def find_hinge(upper: np.ndarray, lower: np.ndarray, bend_to: np.ndarray, turns: np.ndarray | None) -> Hinge:
    """`upper`, `lower`: the two bones' directions at rest; `bend_to`: where the lower one goes when it bends, at rest;
    `turns` (T, 4): the child against its parent."""
    upper, lower = unit(upper), unit(lower)
    expected = np.cross(lower, bend_to)
    expected = unit(expected) if np.linalg.norm(expected) > 1e-6 else _any_across(lower)
    bend = np.cross(upper, lower)
    rest = np.array([1.0, 0.0, 0.0, 0.0])
    # about the mean, or, where it stays bent all the time, about the rest pose
    for mean, origin in (() if turns is None else ((mean_rotation(turns), "motion"), (rest, "bend of the motion"))):
        logs = logarithms(products(inverses(mean), np.asarray(turns)))
        values, vectors = np.linalg.eigh(logs.T @ logs / len(logs))
        if values[2] > ENOUGH_BEND ** 2 and values[2] > 4 * values[1]:
            axis = vectors[:, 2]
            axis = axis if axis @ expected > 0 else -axis
            return Hinge(axis, _straightest(mean, axis, upper, lower), origin, float(np.sqrt(max(values[:2].sum(), 0.0))))
    if np.linalg.norm(bend) > np.sin(BENT_AT_REST):
        axis = unit(bend)
        return Hinge(axis if axis @ expected > 0 else -axis, rest, "rest pose", _off(turns, axis))
    return Hinge(expected, rest, "anatomy", _off(turns, expected))


def _off(turns: np.ndarray | None, axis: np.ndarray) -> float:
    return float(np.sqrt(np.mean(hinge_angles(turns, np.array([1.0, 0, 0, 0]), axis)[1] ** 2))) if turns is not None else float("nan")


def _any_across(direction: np.ndarray) -> np.ndarray:
    return unit(np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))]))


def _straightest(mean: np.ndarray, axis: np.ndarray, upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """mean exp(angle axis) with the angle that brings `lower` nearest to `upper`"""
    wanted = rotated(inverses(mean), upper)
    a, b = wanted - axis * (axis @ wanted), lower - axis * (axis @ lower)
    angle = np.arctan2(np.cross(b, a) @ axis, a @ b)
    return products(mean, np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)]))


def hinge_angles(turns: np.ndarray, zero: np.ndarray, axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles (T,) of the nearest turns zero exp(angle axis), and how far from those the turns are (T,), rad: the twist about the axis
    maximises the scalar part of what remains."""
    q = products(inverses(zero)[None], turns)
    along = q[:, 1:] @ axis
    angles = np.unwrap(2 * np.arctan2(along, q[:, 0]))
    angles -= 2 * np.pi * np.round(np.median(angles) / (2 * np.pi))
    return angles, 2 * np.arccos(np.clip(np.hypot(q[:, 0], along), 0.0, 1.0))


def mean_rotation(turns: np.ndarray) -> np.ndarray:
    """(4,) the rotation nearest to all of (T, 4): first eigenvector of the sum of q q^T (Markley 2007)."""
    mean = np.linalg.eigh(turns.T @ turns)[1][:, -1]
    return mean if mean[0] >= 0 else -mean
