"""Time stepping: what the laws of motion keep, the steps keep; each integrator has its order."""
import numpy as np
import pytest
from heft.engine import BadCharacter, Body, Character, Diverged, Frame, Gear, HeftError, Joint, Range, State, SwingTwist, build, figure
from heft.engine.analysis.balance import balance
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.integrate import DORMAND_PRINCE, runge_kutta_step
from heft.engine.effort.drives import no_drives
from heft.engine.kernel import COMPILED
from heft.engine.simulate import simulate

compiled_only = pytest.mark.skipif(not COMPILED, reason="ten thousand steps take minutes uncompiled")


def thrown(system, seed=0, spread=2.0):
    state = State.rest(system)
    state.v[:] = np.random.default_rng(seed).normal(0, spread, len(state.v))
    return state


@compiled_only
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_free_figure_keeps_energy_and_momentum_for_ten_seconds(far):
    system = build(figure())
    state = thrown(system)
    state.q[0] = far
    trace = simulate(system, state, 10.0, 0.001, "rk4")
    values = balance(system, trace)
    energy = (values.kinetic + values.potential)[:, 0]
    assert np.ptp(energy) < 1e-6 * values.kinetic[0, 0]
    angular, linear = values.angular[:, 0], values.linear[:, 0]
    falling = linear - linear[0] - np.outer(trace.time, system.model.mass.sum() * system.model.gravity)
    assert np.abs(falling).max() < 1e-8 * np.abs(linear).max()
    assert np.abs(angular - angular[0]).max() < 1e-8 * np.abs(angular[0]).max()


def test_far_away_moves_the_same():
    system = build(figure())
    near, far = thrown(system), thrown(system)
    far.q[:3] = 1e4, -1e4, 0
    a, b = (simulate(system, state, 0.1, 0.002, "rk4") for state in (near, far))
    assert np.allclose(a.qvel, b.qvel, rtol=0, atol=1e-11) and np.allclose(a.qacc, b.qacc, rtol=0, atol=1e-9)


def test_pendulum_has_its_period():
    length, swing = 0.7, 1.0
    rod = Body("rod", 2.0, (1e-9, 1e-9, 1e-9), joint=Joint("hinge", axis=(0, 1, 0)), com=(0, 0, -length))
    system = build(Character("pendulum", (rod,)))
    state = State(np.array([swing]), np.zeros(1))
    trace = simulate(system, state, 4.0, 1 / 600, "rk4", fps=60)
    a, b = 1.0, np.cos(swing / 2)                # period by the arithmetic-geometric mean
    for _ in range(20):
        a, b = (a + b) / 2, np.sqrt(a * b)
    crossings = np.flatnonzero(np.diff(np.sign(trace.qpos[:, 0])))
    angle, step = trace.qpos[:, 0], trace.time[1]
    times = [trace.time[s] - angle[s] * step / (angle[s + 1] - angle[s]) for s in crossings]
    assert np.isclose(times[2] - times[0], 2 * np.pi * np.sqrt(length / 9.81) / a, rtol=1e-5)


@pytest.mark.parametrize("method, order, coarsest", [("euler", 1, 16), ("rk4", 4, 16), ("adaptive", 5, 8)])
def test_order_of_convergence(method, order, coarsest):
    balls = Character("chain", (
        Body("a", 1.0, (0.1, 0.2, 0.15), joint=Joint("free")),
        Body("b", 1.0, (0.1, 0.2, 0.15), "a", Joint("ball", Frame((0, 0, 0.3)), Frame((0.1, 0, -0.2)))),
        Body("c", 1.0, (0.2, 0.2, 0.15), "b", Joint("universal", Frame((0.1, 0, 0.3)), Frame((0.1, 0, -0.2))))))
    system = build(balls)
    state = thrown(system, spread=3.0)
    # with such a tolerance the adaptive method takes no finer steps than it is told
    ends = [simulate(system, state, 0.2, 0.2 / n, method, fps=5, tolerance=1e6).qpos[-1] for n in (coarsest, 2 * coarsest, 16 * coarsest)]
    coarse, fine = (np.abs(end - ends[2]).max() for end in ends[:2])
    assert order - 0.35 < np.log2(coarse / fine) < order + 0.6


def test_adaptive_agrees_with_fine_steps():
    system = build(figure())
    state = thrown(system, 1)
    reference = simulate(system, state, 0.1, 0.1 / 400, "rk4", fps=10)
    adaptive = simulate(system, state, 0.1, 0.1, "adaptive", fps=10, tolerance=1e-10)
    assert np.allclose(adaptive.qpos[-1], reference.qpos[-1], atol=1e-8)


def test_quaternions_stay_of_unit_length():
    system = build(figure())
    trace = simulate(system, thrown(system, 2, 5.0), 0.5, 0.002, "euler")
    assert np.abs(np.linalg.norm(trace.qpos[:, 3:7], axis=1) - 1).max() < 1e-14


overflows = pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")           # numpy's, where nothing is compiled


@overflows
@pytest.mark.parametrize("method", ["euler", "rk4", "adaptive"])
@pytest.mark.parametrize("body", ["shin.L", "head", "pelvis"])
def test_divergence_names_body_and_time(method, body):
    system = build(figure("first"), figure("second"))
    state = State.rest(system)
    name = f"second/{body}"
    state.v[system.model.axis_start[system.names.index(name)]] = 1e160
    with pytest.raises(Diverged, match=rf"body '{name}': its motion stopped being finite at 0 s") as error:
        simulate(system, state, 0.5, 0.1, method)
    assert (error.value.body, error.value.time) == (name, 0)


@overflows
@pytest.mark.parametrize("method", ["euler", "rk4", "adaptive"])
def test_a_force_without_measure_names_its_body(method):
    system = build(figure())
    motor = np.zeros(system.model.nv)
    motor[system.model.axis_start[system.names.index("forearm.R")]] = 1e300
    with pytest.raises(Diverged, match=r"forearm\.R"):
        simulate(system, State.rest(system), 0.5, 0.1, method, motor=motor)


@overflows
def test_a_spring_too_stiff_for_the_step_names_its_body():
    def limb(name, parent, mass, **joint):
        return Body(name, mass, (0.1 * mass,) * 3, parent, Joint("hinge", axis=(0, 1, 0), **joint))

    # wheels on one axle, the light one between heavy ones: nothing but the spring couples them
    chain = Character("c", (limb("a", None, 100.0), limb("stiff", "a", 1.0, stiffness=1e7), limb("b", "a", 100.0)))
    state = State.rest(system := build(chain))
    state.q[-2] = 0.01
    with pytest.raises(Diverged, match="stiff") as error:
        simulate(system, state, 5.0, 0.01, "rk4")
    assert 0.01 < error.value.time < 5


def test_a_step_that_breaks_has_no_small_error():
    """a NaN must not pass for an error of nothing: the adaptive method would not refine"""
    system = build(figure())
    m, d, state = system.model, allocate(system.model), State.rest(system)
    state.v[8] = 1e160
    q = state.q.copy()
    with np.errstate(all="ignore"):
        error = runge_kutta_step(state.q, state.v, d, m, no_drives(m), 0.01, DORMAND_PRINCE, 0.0)
    assert error == np.inf
    # nothing but the culprit is changed
    np.testing.assert_array_equal(state.q, q)
    assert np.flatnonzero(np.isnan(state.v)).tolist() == [8]


def test_stiff_springs_hold_with_large_steps():
    rod = Body("rod", 1.0, (1, 1, 1), joint=Joint("hinge", stiffness=1e8, damping=1e5, axis=(0, 1, 0)), com=(0.5, 0, 0))
    trace = simulate(build(Character("stiff", (rod,))), State(np.array([0.1]), np.zeros(1)), 2.0, 0.05, "euler", fps=20)
    assert abs(trace.qpos[-1, 0]) < 1e-6


def test_limits_stop_and_never_pull():
    hinge = Joint("hinge", axis=(0, 1, 0), limits=(Range(-0.5, 0.5),), limit_stiffness=1e5, limit_damping=100.0)
    rod = Body("rod", 1.0, (0.1, 0.1, 0.1), joint=hinge, com=(0, 0, -0.5))
    trace = simulate(build(Character("stop", (rod,))), State(np.zeros(1), np.array([10.0])), 0.5, 1e-3, "rk4")
    assert 0.5 < trace.qpos.max() < 0.6 and trace.tau.min() < 0 and (trace.tau * trace.qpos).max() <= 0


def test_ball_limit_keeps_its_cone():
    ball = Joint("ball", limits=(SwingTwist(0.4, 0.8, Range(-0.3, 0.3)),), limit_stiffness=1e5, limit_damping=100.0)
    rod = Body("rod", 1.0, (0.1, 0.1, 0.1), joint=ball, com=(0, 0, 0.3))
    state = State.rest(system := build(Character("cone", (rod,))))
    state.v[:] = 3.0, 2.0, 4.0
    trace = simulate(system, state, 1.0, 1e-3, "rk4")
    from heft.engine.algebra.rotations import swing_twist
    angles = np.zeros((len(trace.time), 3))
    for s, q in enumerate(trace.qpos):
        swing_twist(angles[s], q.copy())
    assert ((angles[:, 0] / 0.4) ** 2 + (angles[:, 1] / 0.8) ** 2).max() < 1.3
    assert np.abs(angles[:, 2]).max() < 0.4


def test_geared_motion_keeps_its_ratio_and_energy():
    def link(name, parent):
        hinge = Joint("hinge", Frame((0, 0, -0.5 if parent else 0)), axis=(0, 1, 0))
        return Body(name, 1.0, (0.1, 0.1, 0.1), parent, hinge, com=(0, 0, -0.25))

    tail = Character("tail", (link("a", None), link("b", "a"), link("c", "b")), (Gear("a", "b", 0.5), Gear("b", "c", -2.0)))
    system = build(tail)
    state = State(np.array([0.4, 0.2, -0.4]), np.array([1.0]))
    trace = simulate(system, state, 1.0, 1e-3, "rk4")
    assert np.allclose(trace.qpos[:, 1], 0.5 * trace.qpos[:, 0]) and np.allclose(trace.qvel[:, 2], -trace.qvel[:, 0])
    values = balance(system, trace)
    assert np.ptp((values.kinetic + values.potential)[:, 0]) < 1e-8


def test_bad_input_is_refused():
    system = build(figure())
    state = State.rest(system)
    for wrong in ({"seconds": -1.0}, {"step": np.nan}, {"method": "magic"}, {"motor": np.zeros(3)}):
        with pytest.raises(HeftError):
            simulate(system, state, **{"seconds": 1.0} | wrong)
    with pytest.raises(BadCharacter):
        build()
