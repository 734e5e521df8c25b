"""The parts of a correction against plain linear algebra."""
import numpy as np
from heft.engine.correct.grid import distance_to, distance_to_edge
from heft.engine.correct.skyline import BLOCKS, REACH, factor_blocks, solve_blocks
from heft.engine.correct.smooth import filled, fitted


def test_the_blocks_solve_the_whole_system():
    rng, S = np.random.default_rng(3), 9
    whole, blocks = np.zeros((12 * S, 12 * S)), np.zeros((2 * S, BLOCKS, 6, 6))

    def put(b, j, block):
        whole[6 * b:6 * b + 6, 6 * j:6 * j + 6] = block
        whole[6 * j:6 * j + 6, 6 * b:6 * b + 6] = block.T
        blocks[b, j - 2 * (b // 2 - REACH)] = block

    for s in range(S):
        for o in range(1, min(s, REACH) + 1):
            put(2 * s, 2 * (s - o), 0.3 * rng.normal(size=(6, 6)))
        put(2 * s, 2 * s, 12 * np.eye(6))
        put(2 * s + 1, 2 * s + 1, -1e-6 * np.eye(6))
        put(2 * s + 1, 2 * s, rng.normal(size=(6, 6)))
        if s:
            put(2 * s, 2 * s - 1, rng.normal(size=(6, 6)))
            put(2 * s + 1, 2 * s - 2, rng.normal(size=(6, 6)))
    b = rng.normal(size=(2 * S, 6))
    x, L, D = b.copy(), np.zeros_like(blocks), np.zeros((2 * S, 6))
    factor_blocks(blocks, L, D)
    solve_blocks(x, L, D)
    np.testing.assert_allclose(whole @ x.ravel(), b.ravel(), atol=1e-9)


def test_filled_has_the_least_second_differences():
    rng, S, pull = np.random.default_rng(1), 40, 1e-3
    hard = np.zeros(S, bool)
    hard[[0, 1, 12, 13, 14, 30]] = True
    x = rng.normal(size=(S, 2))
    out = filled(x, hard, pull)
    D2 = np.diff(np.eye(S), 2, axis=0)
    slope = (D2.T @ D2 + pull * np.eye(S)) @ out
    np.testing.assert_allclose(out[hard], x[hard])
    np.testing.assert_allclose(slope[~hard], 0, atol=1e-10)


def test_fitted_is_zero_where_hard_and_least_elsewhere():
    S = 30
    hard, pull = np.arange(S) < 5, np.where(np.arange(S) > 20, 1.0, 1e-4)
    wanted = np.where(np.arange(S) > 20, 0.3, 0.0)
    out = fitted(wanted, hard, pull)
    D2 = np.diff(np.eye(S), 2, axis=0)
    np.testing.assert_allclose(out[hard], 0)
    np.testing.assert_allclose((D2.T @ D2 @ out + pull * (out - wanted))[~hard], 0, atol=1e-10)


def test_distances_count_steps():
    on = np.array([0, 0, 1, 1, 1, 0, 0, 0, 1], bool)
    assert distance_to(on).tolist() == [2, 1, 0, 0, 0, 1, 2, 1, 0]
    # the last run goes on beyond the clip: only its beginning is an edge
    assert distance_to_edge(on)[on].tolist() == [0, 1, 0, 0]
