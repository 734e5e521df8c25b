"""Quaternions of whole arrays in numpy: for what happens once, outside the kernels, and where numba shall not be loaded."""
import numpy as np


def unit(vector) -> np.ndarray:
    """A vector or quaternion of length 1 in the same direction."""
    return np.array(vector, float) / np.linalg.norm(vector)


def matrix(quaternion) -> np.ndarray:
    """The rotation matrix of a quaternion of any length: 1 + 2 w u^ + 2 u^ u^ with u^ the cross product by its vector part."""
    w, x, y, z = unit(quaternion)
    u = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * u + 2 * u @ u


def quaternions(matrices: np.ndarray) -> np.ndarray:
    """(T, 4) unit quaternions w x y z of rotations (T, 3, 3), from the largest of the four squares, so that none is divided by a
    small number (Shepperd 1978)."""
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


def rotation_vectors(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(T, 3) axis times angle of the shorter turns from a (T, 4) to b (T, 4), unit quaternions, in a's own axes."""
    w = np.einsum("ti,ti->t", a, b)
    xyz = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    xyz, w = np.where(w < 0, -1, 1)[:, None] * xyz, np.abs(w)
    half = np.linalg.norm(xyz, axis=1)
    return xyz * np.where(half > 1e-9, 2 * np.arctan2(half, w) / np.maximum(half, 1e-9), 2.0)[:, None]


def products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(..., 4) a b: first b, then a."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
                     aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], axis=-1)


def inverses(q: np.ndarray) -> np.ndarray:
    """(..., 4) of unit quaternions."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotated(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """(..., 3) vectors turned by unit quaternions (..., 4): x + 2 w u x x + 2 u x (u x x)."""
    w, u = q[..., :1], q[..., 1:]
    once = crosses(u, vectors)
    return vectors + 2 * (w * once + crosses(u, once))


def crosses(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(..., 3) a x b; np.cross takes some three times as long."""
    ax, ay, az = np.moveaxis(a, -1, 0)
    bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def exponentials(vectors: np.ndarray) -> np.ndarray:
    """(..., 4) unit quaternions of rotation vectors (..., 3), axis times angle."""
    angles = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.concatenate([np.cos(angles / 2), vectors * np.sinc(angles / (2 * np.pi)) / 2], axis=-1)


def logarithms(q: np.ndarray) -> np.ndarray:
    """(..., 3) axis times angle, of length pi at most, of unit quaternions (..., 4)."""
    xyz, w = np.where(q[..., :1] < 0, -1, 1) * q[..., 1:], np.abs(q[..., 0])
    half = np.linalg.norm(xyz, axis=-1)
    return xyz * np.where(half > 1e-9, 2 * np.arctan2(half, w) / np.maximum(half, 1e-9), 2.0)[..., None]


def continuous(q: np.ndarray) -> np.ndarray:
    """(T, ..., 4) the same rotations, each with the sign that is nearer to the one before."""
    flips = np.einsum("t...i,t...i->t...", q[1:], q[:-1]) < 0
    signs = np.concatenate([np.ones((1, *q.shape[1:-1])), np.where(np.cumsum(flips, axis=0) % 2, -1.0, 1.0)])
    return q * signs[..., None]
