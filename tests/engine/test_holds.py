"""Holds: moving targets, obstacles that push, rolling, couplings, and what is refused."""
import numpy as np
import pytest
from heft.engine import Body, Character, Coupling, Frame, HeftError, Hold, Joint, Obstacle, Path, Shape, State, build
from heft.engine.collision.paths import build_paths, curve
from heft.engine.scenes.props import ball, box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import compiled

UPRIGHT = (1, 0, 0, 0)


@compiled
def test_pin_follows_its_target():
    times = np.linspace(0, 2, 61)
    angle = 0.5 * np.sin(3 * times)
    path = Path(times, np.c_[0.3 * np.sin(2 * times), 0 * times, 1 + 0 * times], np.array([turn((0, 1, 0), a) for a in angle]))
    system = build(box("a"))
    trace = simulate(system, placed(system, ((0, 0, 1), UPRIGHT)), 2.0, contact="rigid", holds=[Hold("a", to=path, rows=(True,) * 6)])
    frames = trace.qpos[trace.frame_step]
    assert np.abs(frames[:, 0] - 0.3 * np.sin(2 * times)).max() < 1e-9
    assert np.abs(2 * np.arctan2(frames[:, 5], frames[:, 3]) - angle).max() < 1e-6
    # the target's acceleration is the force's, by Newton's law
    force = trace.contact_force[:, 0]
    assert np.allclose(force, trace.qacc[trace.contact_step, 0], atol=1e-9)


@compiled
def test_obstacle_pushes_a_box_and_stops():
    system = build(box("a", friction=0.5), shapes=(Shape("plane", friction=0.5),))
    pusher = Obstacle("pusher", (Shape("box", (0.05, 0.3, 0.1)),), Path([0, 1, 2], [(-0.3, 0, 0.1), (0.2, 0, 0.1), (0.2, 0, 0.1)]))
    trace = simulate(system, placed(system, ((0, 0, 0.1), UPRIGHT)), 2.0, contact="rigid", obstacles=[pusher])
    assert trace.qpos[-1, :3] == pytest.approx([0.2 + 0.05 + 0.1, 0, 0.1], abs=1e-3)
    assert np.abs(trace.qvel[-1]).max() < 1e-6 and trace.contact_depth.max() < 1e-4


@compiled
def test_lift_carries_a_box():
    system = build(box("a"))
    times = np.linspace(0, 2, 61)
    lift = Obstacle("lift", (Shape("box", (0.3, 0.3, 0.1)),), Path(times, np.c_[0 * times, 0 * times, 0.2 * (1 - np.cos(times)) - 0.1]))
    trace = simulate(system, placed(system, ((0, 0, 0.1), UPRIGHT)), 1.9, contact="rigid", obstacles=[lift])
    assert trace.qpos[:, 2] == pytest.approx(0.1 + 0.2 * (1 - np.cos(trace.time)), abs=1e-4)
    weight = 9.81 + 0.2 * np.cos(trace.time[trace.contact_step])
    assert trace.contact_force[:, 2].mean() == pytest.approx(weight.mean(), rel=1e-3)


@compiled
def test_turntable_carries_a_box_round():
    """an obstacle's turning carries by friction: the box stays where it stands on it"""
    system = build(box("a"))
    times = np.linspace(0, 3, 91)
    angle = 0.25 * times ** 2
    table = Obstacle("table", (Shape("box", (1, 1, 0.1)),), Path(times, np.tile([0, 0, -0.1], (91, 1)),
                                                                 np.array([turn((0, 0, 1), a) for a in angle])))
    trace = simulate(system, placed(system, ((0.5, 0, 0.1), UPRIGHT)), 2.0, contact="rigid", obstacles=[table])
    x, y = trace.qpos[-1, :2]
    assert np.hypot(x, y) == pytest.approx(0.5, abs=2e-3) and np.arctan2(y, x) == pytest.approx(0.25 * trace.time[-1] ** 2, abs=5e-3)


@compiled
def test_coupling_keeps_its_ratio_as_the_dense_solution_does():
    """two pendulums far apart in the tree, geared 1 : -2: M a = g + J^T f, J a = 0"""
    rod = lambda name, y: Body(name, 1.0, (0.1, 0.1, 0.1), None, Joint("hinge", Frame((0, y, 0)), axis=(0, 1, 0)), com=(0, 0, -0.5))
    system = build(Character("machine", (rod("a", 0), rod("b", 1), rod("c", 2))))
    state = State(np.array([0.5, 0.1, -1.0]), np.zeros(3))
    trace = simulate(system, state, 2.0, contact="rigid", holds=[Coupling("a", "c", -2.0)])
    assert np.abs(trace.qpos[:, 2] + 2 * trace.qpos[:, 0]).max() < 1e-9 and np.ptp(trace.qpos[:, 0]) > 0.5
    inertia, J = 0.1 + 0.25, np.array([2.0, 0.0, 1.0])
    gravity = -9.81 * 0.5 * np.sin(trace.qpos[0])
    force = -J @ gravity / (J @ J)
    assert trace.qacc[0] == pytest.approx((gravity + J * force) / inertia, rel=1e-6)
    assert trace.tau[0] == pytest.approx(J * force, rel=1e-6)


@compiled
def test_sleigh_on_a_runner_rolls_as_chaplygin_says():
    """a non-holonomic row: v' = a w^2, w' = -m a v w / (I + m a^2), at first order in the step"""
    mass, inertia, a = 1.0, 0.02, 0.1
    system = build(Character("sleigh", (Body("sleigh", mass, (inertia,) * 3, joint=Joint("free"), com=(a, 0, 0)),)), gravity=(0, 0, 0))
    state = State.rest(system)
    state.v[:] = 0.5, 0, 0, 0, 0, 2.0
    runner = Hold("sleigh", rows=(False, True, True, True, True, False), rolling=True)
    braking = mass * a / (inertia + mass * a * a)
    rate = lambda s: np.array([a * s[1] ** 2, -braking * s[0] * s[1], s[1], s[0] * np.cos(s[2]), s[0] * np.sin(s[2])])
    s, h = np.array([0.5, 2.0, 0, 0, 0]), 1e-3
    for _ in range(1000):
        k1 = rate(s)
        k2 = rate(s + h / 2 * k1)
        k3 = rate(s + h / 2 * k2)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(s + h * k3))
    ends = [simulate(system, state, 1.0, step, contact="rigid", holds=[runner]).qpos[-1, :2] for step in (2e-3, 1e-3)]
    errors = [np.abs(end - s[3:]).max() for end in ends]
    assert errors[1] < 3e-4 and errors[0] / errors[1] == pytest.approx(2, rel=0.1)


@compiled
def test_ball_rolls_down_a_slope():
    """friction alone makes it roll: 5/7 g sin"""
    angle = np.radians(20)
    system = build(ball("ball", friction=1.0), shapes=(Shape("plane", frame=Frame(rotation=turn((0, 1, 0), angle)), friction=1.0),))
    trace = simulate(system, placed(system, (0.1 * np.array([np.sin(angle), 0, np.cos(angle)]), UPRIGHT)), 1.0, contact="rigid")
    assert np.linalg.norm(trace.qvel[-1, :3]) == pytest.approx(5 / 7 * 9.81 * np.sin(angle) * trace.time[-1], rel=2e-3)


@compiled
def test_grab_a_little_off_closes_gently():
    """a millimetre apart, at rest: it comes together in a tenth of a second and does not break"""
    system = build(box("a"), gravity=(0, 0, 0))
    grab = Hold("a", to=Frame((0.001, 0, 0)), rows=(True,) * 6, break_force=10.0)
    trace = simulate(system, placed(system, ((0, 0, 0), UPRIGHT)), 0.3, contact="rigid", holds=[grab])
    assert np.linalg.norm(trace.contact_force, axis=1).max() < 5.0
    assert trace.qpos[-1, 0] == pytest.approx(0.001, abs=1e-5)


@compiled
def test_hold_feels_no_spike_from_an_impact_elsewhere():
    system = build(box("a"), ball("b", restitution=0.9), shapes=(Shape("plane", restitution=0.9),))
    pin = Hold("a/a", Frame((0, 0, 0.3)), to=Frame((5, 0, 2)))
    trace = simulate(system, placed(system, ((5, 0, 1.7), UPRIGHT, (1, 0, 0, 0, 0, 0)), ((0, 0, 0.5), UPRIGHT)), 2.0, contact="rigid",
                     holds=[pin])
    force = np.linalg.norm(trace.contact_force[trace.contact_kind == 1], axis=1)
    assert len(trace.impact_step) > 2 and force[5:].max() < 2 * np.median(force)


@compiled
def test_late_coupling_keeps_the_angle_between():
    rod = lambda name, y: Body(name, 1.0, (0.1, 0.1, 0.1), None, Joint("hinge", Frame((0, y, 0)), axis=(0, 1, 0)))
    system = build(Character("machine", (rod("a", 0), rod("b", 1))), gravity=(0, 0, 0))
    trace = simulate(system, State(np.array([0.0, 0.7]), np.zeros(2)), 0.5, contact="rigid", holds=[Coupling("a", "b", 2.0, begin=0.1)])
    assert np.abs(trace.qpos - trace.qpos[0]).max() < 1e-9


def test_curve_passes_through_its_points_and_never_shoots_over():
    known, values = np.array([0.0, 1, 2, 3]), np.array([[0.0], [1], [1], [0]])
    fine = curve(np.linspace(-1, 4, 501), known, values)
    assert fine.min() >= 0 and fine.max() <= 1
    assert curve(known, known, values) == pytest.approx(values)


def test_path_velocity_leads_from_sample_to_sample():
    path = Path([0.0, 1.0], [(0, 0, 0), (1, 2, 3)], [UPRIGHT, turn((0, 0, 1), 1.0)])
    paths = build_paths([("target", path)], 0.1, 1.0)
    assert paths.x[0, 0] + 0.1 * paths.velocity[0, :10, :3].sum(0) == pytest.approx(paths.x[0, 10])
    assert 0.1 * paths.velocity[0, :10, 3:].sum(0) == pytest.approx([0, 0, 1.0])


@pytest.mark.parametrize("holds, message", [
    ([Hold("b")], "hold 0 of body 'b': body 'b' does not exist, must be one of a"),
    ([Hold("a", other="a")], "holds body 'a' to itself"),
    ([Hold("a", rows=(True,))], "rows has 1 entries, must have 6"),
    ([Hold("a", rows=(False,) * 6)], "none of its rows is held"),
    ([Hold("a", stiffness=(-1, 0, 0, 0, 0, 0))], "stiffness is .* must be finite and not negative"),
    (Hold("a"), "holds must be a tuple of Hold or Coupling"),
    ([Hold("a", stiffness=100)], "stiffness is 100, must be six values"),
    ([Hold("a", to=(0, 0, 1))], r"to is \(0, 0, 1\), must be a Frame or a Path"),
    ([Hold("a", begin=1.0, end=0.5)], "must end later"),
    ([Hold("a", damping=(1, 0, 0, 0, 0, 0))], "damping goes with a stiffness"),
    ([Hold("a", break_force=0.0)], "break_force is 0.0, must be positive"),
    ([Hold("a", to=Path([1, 0], np.zeros((2, 3))))], "its path.s times are .* must rise"),
    ([Hold("a", to=Path([0, 1], np.zeros((2, 2))))], r"positions have shape \(2, 2\), must be \(2, 3\)"),
    ([Coupling("a", "a", 2.0)], "holds body 'a' to itself")])
def test_bad_holds_are_refused(holds, message):
    system = build(box("a"))
    with pytest.raises(HeftError, match=message):
        simulate(system, placed(system, ((0, 0, 0), UPRIGHT)), 0.1, contact="rigid", holds=holds)


@pytest.mark.parametrize("options, message", [
    ({"holds": [Hold("armm")]}, "must be one of arm: did you mean 'arm'?"),
    ({"holds": [Hold("arm", to=Path([1, 0], np.zeros((2, 3))))]}, "hold 0 of body 'arm': its path's times are"),
    ({"obstacles": [Obstacle("fan", (Shape("box", (1, 1, 1)),), Path([0], [(0, 0)]))]}, "obstacle 'fan': its path's positions have shape"),
    ({"obstacles": [Obstacle("fan", (Shape("box", (1, 1, -1)),))]}, "obstacle 'fan': size of its box"),
    ({"obstacles": [Obstacle("", (Shape("box", (1, 1, -1)),))]}, "obstacle 0: size of its box")])
def test_errors_name_what_they_are_about_and_what_was_meant(options, message):
    system = build(box("arm"))
    with pytest.raises(HeftError) as caught:
        simulate(system, placed(system, ((0, 0, 0), UPRIGHT)), 0.1, contact="rigid", **options)
    assert message in str(caught.value)


def test_coupling_needs_one_axis_each():
    system = build(box("a"), box("b"))
    with pytest.raises(HeftError, match="their joints have 6 and 6 axes, must both have one"):
        simulate(system, State.rest(system), 0.1, contact="rigid", holds=[Coupling("a/a", "b/b", 1.0)])


def test_holds_need_contact():
    system = build(box("a"))
    with pytest.raises(HeftError, match="go with contact alone: rigid, compliant or smooth"):
        simulate(system, State.rest(system), 0.1, holds=[Hold("a")])
