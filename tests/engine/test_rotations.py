"""Rotations: every map has its inverse, also where angles vanish or reach pi."""
import numpy as np
import pytest
from heft.engine.algebra.rotations import (
    from_swing_twist,
    quaternion_exp,
    quaternion_log,
    quaternion_matrix,
    quaternion_product,
    quaternion_turn,
    rotation_vector_rate,
    swing_twist,
)

RNG = np.random.default_rng(3)


def filled(function, size, *arguments):
    out = np.zeros(size)
    function(out, *(np.array(argument, float) for argument in arguments))
    return out


def turned(q, r):
    out = q.copy()
    quaternion_turn(out, r)
    return out


@pytest.mark.parametrize("angle", [0, 1e-9, 1e-5, 0.3, 2, np.pi - 1e-7, np.pi])
def test_log_inverts_exp(angle):
    axis = RNG.normal(size=3)
    r = angle * axis / np.linalg.norm(axis)
    assert np.allclose(filled(quaternion_log, 3, filled(quaternion_exp, 4, r)), r, atol=1e-8)


@pytest.mark.parametrize("swing", [0, 1e-9, 1e-4, 1, 3, np.pi - 1e-3, np.pi - 1e-7, np.pi - 1e-10])
@pytest.mark.parametrize("twist", [0, 1e-9, -2, np.pi - 1e-6, -np.pi + 1e-6, np.pi])
def test_swing_twist_round_trip(swing, twist):
    for direction in np.linspace(0, 2 * np.pi, 9):
        angles = np.array([swing * np.cos(direction), swing * np.sin(direction), twist])
        q = filled(from_swing_twist, 4, angles)
        back = filled(swing_twist, 3, q)
        assert np.linalg.norm(back[:2]) <= np.pi and -np.pi < back[2] <= np.pi
        # pi and -pi are one twist; close to a swing of pi all three are still as precise as numbers are
        np.testing.assert_allclose(back[:2], angles[:2], rtol=0, atol=2e-15)
        assert abs((back[2] - twist + np.pi) % (2 * np.pi) - np.pi) < 2e-15
        assert_same_rotation(filled(from_swing_twist, 4, back), q)


@pytest.mark.parametrize("twist", [0, -2, np.pi])
def test_swing_of_pi_is_the_same_rotation_back_and_forth(twist):
    """any twist would do there, with another direction of the swing"""
    for direction in np.linspace(0, 2 * np.pi, 9):
        q = filled(from_swing_twist, 4, (np.pi * np.cos(direction), np.pi * np.sin(direction), twist))
        back = filled(swing_twist, 3, q)
        assert back[2] == 0 and abs(np.linalg.norm(back[:2]) - np.pi) < 1e-15
        assert_same_rotation(filled(from_swing_twist, 4, back), q)


def assert_same_rotation(a, b):
    """q and -q are one"""
    np.testing.assert_allclose(a * np.sign(a @ b), b, rtol=0, atol=2e-15)


def test_swing_of_pi_has_no_twist():
    for direction in np.linspace(0, 6, 7):
        q = np.array([0, np.cos(direction), np.sin(direction), 0])
        back = filled(swing_twist, 3, q)
        assert back[2] == 0 and np.isclose(np.linalg.norm(back[:2]), np.pi)


def test_swing_is_the_angle_between_the_axes():
    for _ in range(20):
        q = RNG.normal(size=4)
        q /= np.linalg.norm(q)
        R = filled(quaternion_matrix, (3, 3), q)
        assert np.isclose(np.linalg.norm(filled(swing_twist, 3, q)[:2]), np.arccos(R[2, 2]))       # 001, eq 27


def test_product_composes_matrices():
    a, b = RNG.normal(size=(2, 4))
    A, B, AB = (filled(quaternion_matrix, (3, 3), q) for q in (a, b, filled(quaternion_product, 4, a, b)))
    assert np.allclose(A @ B, AB, atol=1e-14)


@pytest.mark.parametrize("angle", [1e-6, 1e-2, 1.0, 3.0])
def test_rotation_vector_rate_by_differences(angle):
    q = RNG.normal(size=4)
    q /= np.linalg.norm(q)
    r, w = RNG.normal(size=(2, 3))
    r *= angle / np.linalg.norm(r)
    rate, step = filled(rotation_vector_rate, 3, r, w), 1e-6
    # q exp(r) turned on by w for a moment is q exp(r + step r')
    later = turned(turned(q, r), step * w)
    assert abs(abs(later @ turned(q, r + step * rate)) - 1) < 1e-15 + 1e-11 * step
    relative = filled(quaternion_product, 4, np.array([1, -1, -1, -1]) * turned(q, r + step * rate), later)
    assert np.linalg.norm(filled(quaternion_log, 3, relative)) < 1e-10


def test_rotation_vector_rate_has_no_gap_at_pi():
    """the factor was 0 / 0 there"""
    r, w = np.array([0.6, 0.0, 0.8]), np.array([0.3, -0.2, 0.5])
    before, at, after = (filled(rotation_vector_rate, 3, angle * r, w) for angle in (np.pi - 1e-9, np.pi, np.pi + 1e-9))
    np.testing.assert_allclose([before, after], [at, at], rtol=0, atol=1e-8)
    np.testing.assert_allclose(filled(rotation_vector_rate, 3, (np.pi - 1e-6) * r, w), at, rtol=0, atol=1e-5)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
@pytest.mark.parametrize("r", [(np.inf, 0, 0), (0, np.nan, 0), (1e200, 0, 0), (-np.inf, np.inf, 0)])
def test_a_turn_that_is_no_number_gives_none_and_no_error(r):
    assert np.isnan(turned(np.array([1.0, 0, 0, 0]), np.array(r, float))).all()
