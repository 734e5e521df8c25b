"""The centre of mass over a clip, and runs of frames."""
import numpy as np

from ..dynamics.poses import body_poses
from ..model.model import System


def centre_of_mass(system: System, q: np.ndarray) -> np.ndarray:
    """(T, 3) m."""
    m = system.model
    places, rotations = body_poses(system, q)
    return np.einsum("b,tbi->ti", m.mass, places + np.einsum("tbij,bj->tbi", rotations, m.com)) / m.mass.sum()


def runs(on: np.ndarray) -> list[tuple[int, int]]:
    """(first, one after the last) of each run of True"""
    change = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(on).astype(int), [0]])))
    return list(zip(change[::2].tolist(), change[1::2].tolist()))
