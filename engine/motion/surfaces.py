"""How far points are from what can be touched: planes and boxes that stand still."""
from collections.abc import Sequence

import numpy as np

from ..algebra.quaternions import matrix
from ..errors import HeftError
from ..model.character import Shape


def distances(shape: Shape, points: np.ndarray) -> np.ndarray:
    """(...) m from the surface to points (..., 3), negative inside."""
    R, x = matrix(shape.frame.rotation), np.asarray(shape.frame.position, float)
    local = (points - x) @ R
    if shape.kind == "plane":
        return local[..., 2]
    if shape.kind == "box":
        beyond = np.abs(local) - np.asarray(shape.size, float)
        return np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(axis=-1), 0)
    raise HeftError(f"contacts are found on planes and boxes, not on a {shape.kind}: put a box in its place")


def normals(shape: Shape, points: np.ndarray) -> np.ndarray:
    """(..., 3) the surface's normal nearest to points (..., 3)."""
    R, x = matrix(shape.frame.rotation), np.asarray(shape.frame.position, float)
    if shape.kind == "plane":
        return np.broadcast_to(R[:, 2], points.shape)
    local = (points - x) @ R
    beyond = np.abs(local) - np.asarray(shape.size, float)
    face = np.eye(3)[np.argmax(beyond, axis=-1)] * np.sign(np.where(local == 0, 1.0, local))
    return face @ R.T


def floor_and(obstacles: Sequence[Shape]) -> tuple[Shape, ...]:
    """The floor at height 0, then the obstacles: surface 0 is the floor."""
    return (Shape("plane"), *obstacles)
