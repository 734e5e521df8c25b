"""The fit inside cones: as near as non-negative least squares over many edges, nearer than any other, the least among equals."""
import numpy as np
import pytest
from heft.engine.algebra.quaternions import exponentials, matrix
from heft.engine.forces.cones import allocate_cones, fit_in_cones
from least_squares import cone_columns, nnls

MU = 0.8
EDGES = 96


def fit(b, points, normals, mu=MU, ease=None):
    force, c = np.zeros((len(points), 3)), allocate_cones()
    steps = fit_in_cones(force, c, np.array(b, float), np.ascontiguousarray(points, float), np.ascontiguousarray(normals, float),
                         np.ones(len(points)) if ease is None else np.array(ease, float), mu)
    assert steps < 100
    return force, np.array(b) - np.concatenate([force.sum(axis=0), np.cross(points, force).sum(axis=0)])


def problem(seed):
    """up to twelve points about a metre below the centre of mass, some on slopes; half of the wrenches can't be given"""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 13))
    points = np.column_stack([0.4 * rng.normal(size=(n, 2)), np.full(n, -3.0)])
    normals = np.tile([0.0, 0, 1], (n, 1))
    if seed % 3 == 0:
        points[:, 2] += rng.normal(size=n)
        normals[:, :2] = 0.4 * rng.normal(size=(n, 2))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
    b = np.concatenate([0.4 * rng.normal(size=2), [1.0 if seed % 4 else rng.normal()], 0.3 * (seed % 2) * rng.normal(size=3)])
    return b, points, normals


@pytest.mark.parametrize("seed", range(40))
def test_as_near_as_non_negative_least_squares(seed):
    b, points, normals = problem(seed)
    A = cone_columns(points, normals, MU, EDGES)
    edges, round_cones = np.linalg.norm(b - A @ nnls(A, b)), np.linalg.norm(fit(b, points, normals)[1])
    # round cones hold those with edges, and are held by those that are as much wider
    wider = cone_columns(points, normals, MU / np.cos(np.pi / EDGES), EDGES)
    assert np.linalg.norm(b - wider @ nnls(wider, b)) - 1e-5 < round_cones < edges + 1e-5


@pytest.mark.parametrize("seed", range(40))
def test_forces_keep_their_cones_and_nothing_better_is_left(seed):
    b, points, normals = problem(seed)
    force, left = fit(b, points, normals)
    push = np.einsum("ki,ki->k", force, normals)
    side = np.linalg.norm(force - push[:, None] * normals, axis=1)
    assert (push >= 0).all() and (side <= MU * push * (1 + 1e-9) + 1e-12).all()
    # no edge of any cone has a part along what is left
    A = cone_columns(points, normals, MU, 32)
    assert (A.T @ left).max() < 2e-5
    assert abs(np.concatenate([force.sum(axis=0), np.cross(points, force).sum(axis=0)]) @ left) < 1e-5


def test_the_least_of_equal_forces():
    """a load in the middle of four corners is shared alike; a corner that is less willing takes less"""
    corners = np.array([[1.0, 1, -1], [-1, 1, -1], [-1, -1, -1], [1, -1, -1]])
    up = np.tile([0.0, 0, 1], (4, 1))
    force, left = fit([0, 0, 1, 0, 0, 0], corners, up)
    assert force == pytest.approx(np.tile([0, 0, 0.25], (4, 1)), abs=1e-6) and np.linalg.norm(left) < 1e-5
    uneven, left = fit([0, 0, 1, 0, 0, 0], corners, up, ease=[4, 1, 4, 1])
    assert uneven[0, 2] == pytest.approx(uneven[2, 2]) and uneven[0, 2] < 0.2 < 0.3 < uneven[1, 2] and np.linalg.norm(left) < 1e-5


def test_nothing_pulls():
    force, left = fit([0, 0, -1, 0, 0, 0], [[0, 0, -1.0]], [[0, 0, 1.0]])
    assert not force.any() and left == pytest.approx([0, 0, -1, 0, 0, 0])


@pytest.mark.parametrize("seed", range(10))
def test_turning_the_world_turns_the_forces(seed):
    b, points, normals = problem(seed)
    R = matrix(exponentials(np.random.default_rng(seed).normal(size=3)))
    force, _ = fit(b, points, normals)
    turned, _ = fit(np.concatenate([R @ b[:3], R @ b[3:]]), points @ R.T, normals @ R.T)
    assert turned == pytest.approx(force @ R.T, abs=1e-7)
