"""Figures of a given motion that need no forces: how far it sinks in, how it jitters, how it flies."""
from collections.abc import Sequence

import numpy as np

from ..dynamics.poses import body_poses
from ..model.character import Shape
from ..model.model import System
from ..motion.centre import runs
from ..motion.features import Feature
from ..motion.surfaces import distances


def depths(system: System, q: np.ndarray, listed: Sequence[Feature], surfaces: Sequence[Shape]) -> np.ndarray:
    """(T, features) how deep each feature's deepest point is inside any surface, m; 0 where it is outside all."""
    places, rotations = body_poses(system, q)
    out = np.zeros((len(q), len(listed)))
    for number, feature in enumerate(listed):
        points = places[:, feature.body, None] + np.einsum("tij,pj->tpi", rotations[:, feature.body], feature.points)
        for shape in surfaces:
            np.maximum(out[:, number], feature.radius - distances(shape, points).min(axis=1), out=out[:, number])
    return out


def jitter(places: np.ndarray, fps: float) -> float:
    """mean size of the third derivative of joint positions (T, joints, 3), m/s^3, by differences"""
    return float(np.linalg.norm(np.diff(places, 3, axis=0), axis=2).mean() * fps ** 3) if len(places) > 3 else 0.0


def flights(touches: np.ndarray) -> np.ndarray:
    """(T,) frames in the air whose neighbours are too: an acceleration by central differences there knows nothing of the ground"""
    air = ~np.asarray(touches, bool)
    return air & np.append(air[1:], air[-1]) & np.insert(air[:-1], 0, air[0])


def spin_drift(angular: np.ndarray, flying: np.ndarray) -> float:
    """the largest change of angular momentum (T, 3) within one flight, over its peak in the clip"""
    peak = np.linalg.norm(angular, axis=1).max(initial=1e-9)
    changes = [np.linalg.norm(angular[first:last] - angular[first], axis=1).max() for first, last in runs(flying)]
    return float(max(changes, default=0.0) / peak)
