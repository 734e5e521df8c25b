"""Rotation matrices to the quaternions Blender keys."""
import numpy as np


def continuous_quaternions(matrices: np.ndarray) -> np.ndarray:
    """(T, 4) w x y z from rotations (T, 3, 3) through time.

    q and -q are the same rotation, but F-curves blend numbers: a sign that flips between two keys would spin the bone, so each
    quaternion takes the sign nearer to the one before.
    """
    q = quaternions(matrices)
    flips = np.einsum("ti,ti->t", q[1:], q[:-1]) < 0.0
    q[1:] *= np.where(np.cumsum(flips) % 2, -1.0, 1.0)[:, None]
    return q


def quaternions(matrices: np.ndarray) -> np.ndarray:
    """(T, 4) unit quaternions, from the largest of the four squares so that none is divided by a small number."""
    m = np.asarray(matrices, float)
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    wx, wy, wz = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    xy, xz, yz = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    # 4 q q^T; every row is the quaternion times four of its own entries
    outer = np.array([[1 + xx + yy + zz, wx, wy, wz],
                      [wx, 1 + xx - yy - zz, xy, xz],
                      [wy, xy, 1 - xx + yy - zz, yz],
                      [wz, xz, yz, 1 - xx - yy + zz]]).transpose(2, 0, 1)
    largest = np.argmax(np.diagonal(outer, axis1=1, axis2=2), axis=1)
    q = outer[np.arange(len(m)), largest]
    return q / np.linalg.norm(q, axis=1, keepdims=True)
