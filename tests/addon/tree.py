"""A small tree of bodies in random poses: forks, two roots, no axis along the world's."""
import numpy as np

NAMES = ["root", "spine", "arm.L", "arm.R", "hand.L", "other root", "tail"]
PARENTS = [-1, 0, 1, 1, 2, -1, 5]


def random_rotations(random: np.random.Generator, *shape: int) -> np.ndarray:
    """(…, 3, 3) proper rotations"""
    q, _ = np.linalg.qr(random.normal(size=(*shape, 3, 3)))
    return q * np.where(np.linalg.det(q) < 0, -1.0, 1.0)[..., None, None]


def turn(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(T, 3, 3) by Rodrigues' formula"""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * cross + (1 - c) * cross @ cross


class Tree:
    """Rest pose and a smooth motion of several full turns. Joints hold their place on the parent, but the tail slides."""

    def __init__(self, frames: int = 40, seed: int = 0):
        random = np.random.default_rng(seed)
        nb, time = len(NAMES), np.linspace(0.0, 1.0, frames)
        self.frames = np.arange(5, 5 + frames)
        self.rest_positions = random.normal(size=(nb, 3))
        self.rest_rotations = random_rotations(random, nb)
        self.tips = self.rest_positions + 0.3 * random.normal(size=(nb, 3))
        self.positions = np.zeros((frames, nb, 3))
        self.rotations = np.zeros((frames, nb, 3, 3))
        for i, p in enumerate(PARENTS):
            spin = turn(random.normal(size=3), 4 * np.pi * time * random.uniform(0.3, 1.0) + random.uniform(-3, 3))
            self.rotations[:, i] = spin @ self.rest_rotations[i]
            if p < 0:
                self.positions[:, i] = self.rest_positions[i] + np.outer(time, random.normal(size=3))
            else:
                arm = self.rest_rotations[p].T @ (self.rest_positions[i] - self.rest_positions[p])
                self.positions[:, i] = self.positions[:, p] + self.rotations[:, p] @ arm
        self.positions[:, -1] += np.outer(np.sin(9 * time), random.normal(size=3))
