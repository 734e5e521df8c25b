"""Rotation matrices to the quaternions Blender keys."""
import numpy as np

from ..engine.algebra.quaternions import quaternions


def continuous_quaternions(matrices: np.ndarray) -> np.ndarray:
    """(T, 4) w x y z from rotations (T, 3, 3) through time.

    q and -q are the same rotation, but F-curves blend numbers: a sign that flips between two keys would spin the bone, so each
    quaternion takes the sign nearer to the one before.
    """
    q = quaternions(matrices)
    flips = np.einsum("ti,ti->t", q[1:], q[:-1]) < 0.0
    q[1:] *= np.where(np.cumsum(flips) % 2, -1.0, 1.0)[:, None]
    return q
