"""Joint limits: rows are gradients of what they measure, bounded everywhere, so that the springs they make keep energy."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Joint, Range, State, SwingTwist, build
from heft.engine.analysis.balance import balance
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.integrate import move
from heft.engine.dynamics.limits import limit_excess
from heft.engine.kernel import COMPILED
from heft.engine.simulate import simulate

CONES = [SwingTwist(0.3, 0.9, Range(-0.2, 0.1)), SwingTwist(2.0, 2.9, Range(-1.0, 2.0)), SwingTwist(0.3, 2.5), SwingTwist(1.0, np.pi)]
CLOSE_TO_PI = [1.5, 0.7, 0.1, 1e-2, 1e-4]                  # rad before a swing of pi


def limited(limits: SwingTwist, plug=(1, 0, 0, 0), **joint) -> Body:
    return Body("arm", 1.0, (0.1, 0.12, 0.05), joint=Joint("ball", plug=Frame(rotation=plug), limits=(limits,), **joint))


def swung(theta: float, psi: float, twist: float) -> np.ndarray:
    """the quaternion of a swing by theta about (cos psi, sin psi, 0) after a twist about z"""
    w, s, c, z = np.cos(theta / 2), np.sin(theta / 2), np.cos(twist / 2), np.sin(twist / 2)
    x, y = s * np.cos(psi), s * np.sin(psi)
    return np.array([w * c, x * c + y * z, y * c - x * z, w * z])


def moved(m, d, q, v, seconds):
    """q after moving at constant v"""
    out = q.copy()
    d.turned[:] = seconds * v
    move(out, d, m)
    return out


@pytest.mark.parametrize("limits", CONES)
@pytest.mark.parametrize("close", CLOSE_TO_PI)
def test_rows_by_differences_up_to_a_swing_of_pi(limits, close):
    m = build(Character("c", (limited(limits),))).model
    rng, d, row, checked = np.random.default_rng(0), allocate(m), np.zeros(3), 0
    for _ in range(40 if COMPILED else 8):
        q, w = swung(np.pi - close, *rng.uniform(-np.pi, np.pi, 2)), rng.normal(size=3)
        for l in range(len(m.limit_body)):
            excess = limit_excess(row, d, m, q, l)
            rate, step = row @ w, 1e-4 * min(close, 0.1)
            ahead, back = (limit_excess(row, d, m, moved(m, d, q, w, s), l) for s in (step, -step))
            # but not at the edge of the range, nor where the other end of the twist becomes the nearer one
            if min(excess, ahead, back) > 0 and abs(ahead - 2 * excess + back) < step ** 1.5:
                assert np.isclose((ahead - back) / (2 * step), rate, rtol=1e-5, atol=1e-6)
                checked += 1
    assert checked


@pytest.mark.parametrize("seed", range(20))
def test_rows_by_differences_with_any_plug(seed):
    rng = np.random.default_rng(seed)
    plug = rng.normal(size=4)
    m = build(Character("c", (limited(CONES[0], plug / np.linalg.norm(plug)),))).model
    d, row, q, w = allocate(m), np.zeros(3), rng.normal(size=4), rng.normal(size=3)
    q /= np.linalg.norm(q)
    for l in range(len(m.limit_body)):
        excess = limit_excess(row, d, m, q, l)
        rate, step = row @ w, 1e-7
        ahead, back = (limit_excess(row, d, m, moved(m, d, q, w, s), l) for s in (step, -step))
        if excess > 1e-3:
            assert np.isclose((ahead - back) / (2 * step), rate, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("limits", CONES)
def test_rows_are_bounded_everywhere(limits):
    m = build(Character("c", (limited(limits),))).model
    rng, d, row = np.random.default_rng(1), allocate(m), np.zeros(3)
    for number in range(2000 if COMPILED else 100):
        q = swung(np.pi - 10 ** rng.uniform(-15, 0.4) * (number > 0), *rng.uniform(-np.pi, np.pi, 2))
        for l in range(len(m.limit_body)):
            assert 0 <= limit_excess(row, d, m, q, l) <= np.pi
            assert np.linalg.norm(row) < 12                   # was 1e9


def test_the_excess_of_a_twist_does_not_jump_around_the_circle():
    m = build(Character("c", (limited(SwingTwist(np.pi, np.pi, Range(-0.2, 0.1))),))).model
    d, row = allocate(m), np.zeros(3)
    found = [limit_excess(row, d, m, swung(0.3, 0.2, twist), 0) for twist in np.linspace(-np.pi, np.pi, 2001)]
    assert np.abs(np.diff([*found, found[0]])).max() < 1.01 * 2 * np.pi / 2000
    assert max(found) == pytest.approx((2 * np.pi - 0.3) / 2, abs=0.01)


@pytest.mark.parametrize("q", [(0, 1, 0, 0), (0, 0.6, 0.8, 0), (1, 0, 0, 0), (0, 0, 0, 1), (1e-13, 1, 0, 0)])
def test_limits_are_finite_at_the_singularities(q):
    m = build(Character("c", (limited(CONES[0]),))).model
    d, row = allocate(m), np.zeros(3)
    for l in range(len(m.limit_body)):
        assert np.isfinite(limit_excess(row, d, m, np.array(q, float), l)) and np.isfinite(row).all()


@pytest.mark.parametrize("limits", [SwingTwist(0.4, 0.4), CONES[0]], ids=["round", "elliptical with twist"])
@pytest.mark.parametrize("aside", [0.0, 1e-6, 1e-2])
def test_a_motion_through_a_swing_of_pi_keeps_energy(limits, aside):
    """thrown so hard against its stop that it passes it, right through and close by where the swing is pi"""
    system = build(Character("c", (limited(limits, limit_stiffness=50.0, limit_damping=0.0),)), gravity=(0, 0, 0))
    state = State(swung(np.pi - 0.3, 0.0, 0.0), np.array([20.0, aside, 0.0]))
    trace = simulate(system, state, 0.05, 1e-4 if COMPILED else 5e-4, "rk4", fps=100)
    values = balance(system, trace)
    swing = 2 * np.arctan2(np.hypot(trace.qpos[:, 1], trace.qpos[:, 2]), np.hypot(trace.qpos[:, 0], trace.qpos[:, 3]))
    assert swing.max() > np.pi - 1e-2 and swing[-1] < np.pi - 0.3
    assert np.abs(trace.tau).max() < 50 * np.pi * 12
    assert np.ptp(values.energy) < 1e-6 * values.energy[0, 0]
