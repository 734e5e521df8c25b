"""Outlines of regions: each corner once, all points inside, however close some of them are to each other."""
import numpy as np
from heft.engine.collision.regions import wrap

MERGE = 1e-5                                      # m


def test_an_outline_goes_round_once():
    """corners of a square, each with twins about as far apart as are taken for one"""
    n = np.array([0.0, 0.0, 1.0])
    for seed in range(300):
        random = np.random.default_rng(seed)
        corners = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0]])
        points = np.concatenate([corners + random.uniform(-1, 1, (4, 3)) * [MERGE, MERGE, 0] for _ in range(3)])
        order, flat = np.zeros(32, int), np.zeros((len(points), 2))
        count = wrap(order, flat, np.arange(len(points)), points, n, len(points), MERGE)
        outline = flat[order[:count]]
        apart = np.linalg.norm(outline[:, None] - outline[None], axis=2) + np.eye(count)
        assert 4 <= count <= 12 and apart.min() > MERGE
        edges = np.roll(outline, -1, axis=0) - outline
        turns = edges[:, 0, None] * (flat[:, 1] - outline[:, 1, None]) - edges[:, 1, None] * (flat[:, 0] - outline[:, 0, None])
        assert (turns / np.linalg.norm(edges, axis=1)[:, None]).min() > -3 * MERGE
