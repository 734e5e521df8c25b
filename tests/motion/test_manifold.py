"""Velocities, filter and resampling on the manifold: closed forms, orders of convergence, no overshoot, invariance."""
import numpy as np
import pytest
from heft.engine import Body, Character, HeftError, Joint, build
from heft.engine.algebra.quaternions import continuous, exponentials, inverses, logarithms, products, rotated
from heft.engine.model.state import rest_coordinates
from heft.engine.motion.low_pass import filter_columns, low_pass
from heft.engine.motion.manifold import derivatives, difference, moved
from heft.engine.motion.resample import resample
from random_systems import random_system

ONE = build(Character("one", (Body("body", 1, (1, 1, 1), joint=Joint("hinge")),))).model
BALL = build(Character("one", (Body("body", 1, (1, 1, 1), joint=Joint("ball")),))).model
ROOT = build(Character("one", (Body("body", 1, (1, 1, 1), joint=Joint("free")),))).model


def tumbling(t):
    """(T, 4) a rotation about an axis that turns itself"""
    first, second = np.outer(np.sin(3 * t), [1.0, 0.2, 0.0]), np.outer(1.5 * np.sin(2 * t + 1), [0.1, 0.3, 1.0])
    return products(exponentials(first), exponentials(second))


def test_products_and_logarithms():
    rng = np.random.default_rng(3)
    r = 0.6 * rng.standard_normal((50, 3))
    assert logarithms(exponentials(r)) == pytest.approx(r, abs=1e-12)
    a, b, x = exponentials(r[:25]), exponentials(r[25:]), rng.standard_normal((25, 3))
    assert rotated(products(a, b), x) == pytest.approx(rotated(a, rotated(b, x)), abs=1e-12)
    assert rotated(inverses(a), rotated(a, x)) == pytest.approx(x, abs=1e-12)


def test_signs_follow_each_other():
    q = tumbling(np.linspace(0, 5, 200))
    steps = continuous(q * np.random.default_rng(1).choice([-1, 1], (200, 1)))
    assert (np.einsum("ti,ti->t", steps[1:], steps[:-1]) > 0).all()


def test_moved_undoes_difference():
    system = random_system(np.random.default_rng(5), 8)
    m = system.model
    rng = np.random.default_rng(2)
    a = moved(m, np.tile(rest_coordinates(m), (20, 1)), rng.standard_normal((20, m.na)))
    b = moved(m, a, 0.5 * rng.standard_normal((20, m.na)))
    assert difference(m, moved(m, a, difference(m, a, b)), b) == pytest.approx(np.zeros((20, m.na)), abs=1e-12)


def errors(step):
    t = np.arange(0, 2, step)
    v, a = derivatives(BALL, tumbling(t), step)
    fine = 1e-5
    rate = lambda s: logarithms(products(inverses(tumbling(s - fine)), tumbling(s + fine))) / (2 * fine)
    exact_a = (rate(t + 1e-4) - rate(t - 1e-4)) / 2e-4
    # the derivative of a body velocity, in the body's axes
    return np.abs(v - rate(t))[1:-1].max(), np.abs(a - exact_a)[1:-1].max()


def test_derivatives_are_of_second_order():
    coarse, fine = errors(0.02), errors(0.01)
    assert coarse[0] / fine[0] == pytest.approx(4, rel=0.1) and coarse[1] / fine[1] == pytest.approx(4, rel=0.1)
    assert fine[0] < 0.01 and fine[1] < 0.05


def test_derivatives_need_three_frames():
    with pytest.raises(HeftError, match="at least 3 frames, there are 2"):
        derivatives(ONE, np.zeros((2, 1)), 0.1)


@pytest.mark.parametrize("model, motion", [(ONE, lambda t: np.sin(7 * t)[:, None]), (BALL, tumbling)], ids=["hinge", "ball"])
def test_resampling_is_of_fourth_order(model, motion):
    wanted = np.linspace(0.4, 1.6, 500)
    found = []
    for count in (40, 80):
        t = np.linspace(0, 2, count + 1)
        found.append(np.abs(difference(model, resample(model, motion(t), t, wanted), motion(wanted))).max())
    assert found[0] / found[1] > 12 and found[1] < 1e-4


def test_a_resampled_swing_keeps_its_acceleration():
    """a monotone cubic would lose all of it at the turning points"""
    t = np.linspace(0, 2, 61)
    fine = np.arange(0.5, 1.5, 1 / 240)
    a = derivatives(ONE, resample(ONE, np.sin(7 * t)[:, None], t, fine), 1 / 240)[1][2:-2, 0]
    assert np.abs(a + 49 * np.sin(7 * fine[2:-2])).max() < 0.15 * 49


def test_steps_do_not_shoot_over():
    t = np.arange(20.0)
    fine = np.linspace(0, 19, 1901)
    hinge = resample(ONE, np.repeat([0.3, 1.3], 10)[:, None], t, fine)[:, 0]
    assert hinge.min() >= 0.3 and hinge.max() <= 1.3 and (np.diff(hinge) >= 0).all()
    q = np.repeat([[1.0, 0, 0, 0], [np.cos(1), np.sin(1) * 0.6, np.sin(1) * 0.8, 0]], 10, axis=0)
    angle = np.linalg.norm(logarithms(resample(BALL, q, t, fine)), axis=1)
    assert angle.max() <= 2 + 1e-12 and (np.diff(angle) >= -1e-12).all()


def test_resampling_goes_through_the_frames_and_stands_still_outside():
    t = np.linspace(0, 2, 41)
    q = tumbling(t)
    assert resample(BALL, q, t, t) == pytest.approx(continuous(q) * np.sign(continuous(q)[0] @ resample(BALL, q, t, t)[0]), abs=1e-12)
    assert np.abs(difference(BALL, resample(BALL, q, t, np.array([-1.0, 5.0])), q[[0, -1]])).max() < 1e-12


def test_resampling_at_uneven_times_is_refused():
    with pytest.raises(HeftError, match="equal times"):
        resample(ONE, np.zeros((3, 1)), np.array([0, 1, 3.0]), np.array([0.5]))


@pytest.mark.parametrize("frequency, gain", [(1.0, 1.0), (10.0, 0.5 ** 0.5), (40.0, 0.004)])
def test_gain_of_the_filter(frequency, gain):
    t = np.arange(4000) / 480
    x = np.sin(2 * np.pi * frequency * t)[:, None]
    y = filter_columns(x, 480, 10)[1000:3000]
    # no lag: what comes out is a share of what went in
    share = float((y * x[1000:3000]).sum() / (x[1000:3000] ** 2).sum())
    assert share == pytest.approx(gain, abs=0.01)
    assert np.abs(y - share * x[1000:3000]).max() < 2e-3


def test_the_filter_keeps_lines_to_their_ends():
    x = np.linspace(0, 3, 200)[:, None]
    assert filter_columns(x, 120, 6)[20:-20] == pytest.approx(x[20:-20], abs=1e-6) and np.abs(filter_columns(x, 120, 6) - x).max() < 1e-2


def test_the_filter_does_not_see_how_the_world_is_turned():
    t = np.linspace(0, 2, 240)
    rng = np.random.default_rng(4)
    q = np.column_stack([rng.standard_normal((240, 3)), products(tumbling(t), exponentials(0.05 * rng.standard_normal((240, 3))))])
    turn = exponentials(np.array([0.3, -1.0, 2.0]))
    turned = np.column_stack([rotated(turn, q[:, :3]), products(turn[None], q[:, 3:])])
    y = low_pass(ROOT, q, 120, 8)
    assert np.abs(difference(ROOT, low_pass(ROOT, turned, 120, 8),
                             np.column_stack([rotated(turn, y[:, :3]), products(turn[None], y[:, 3:])]))).max() < 1e-9
