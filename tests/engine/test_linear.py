"""Small dense systems against numpy, of every size up to a few blocks of four."""
import numpy as np
import pytest
from heft.engine.algebra.linear import solve_linear, solve_symmetric


def bordered(matrix, right) -> np.ndarray:
    A = np.full((len(right) + 2, len(right) + 3), np.nan)          # what lies outside is not read
    A[:len(right), :len(right)], A[:len(right), len(right)] = matrix, right
    return A


@pytest.mark.parametrize("size", range(1, 14))
def test_solutions_are_numpys(size):
    random = np.random.default_rng(size)
    matrix, right = random.normal(size=(size, size)), random.normal(size=size)
    matrix[0, 0] = 0.0 if size > 1 else 1.0                          # needs a pivot
    A = bordered(matrix, right)
    assert solve_linear(A, size)
    np.testing.assert_allclose(A[:size, size], np.linalg.solve(matrix, right), rtol=1e-9)


@pytest.mark.parametrize("size", range(1, 14))
def test_a_symmetric_system_needs_its_upper_triangle_alone(size):
    random = np.random.default_rng(size)
    root, right = random.normal(size=(size, size)), random.normal(size=size)
    matrix = root @ root.T + 0.1 * np.eye(size)
    A = bordered(np.where(np.tri(size, k=-1), np.nan, matrix), right)
    assert solve_symmetric(A, size)
    np.testing.assert_allclose(A[:size, size], np.linalg.solve(matrix, right), rtol=1e-9)


@pytest.mark.parametrize("solver", [solve_linear, solve_symmetric])
def test_a_singular_system_is_refused(solver):
    assert not solver(bordered(np.zeros((5, 5)), np.ones(5)), 5)
