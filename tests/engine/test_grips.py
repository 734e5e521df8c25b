"""Grips, grabs, loops and springs against closed forms."""
from dataclasses import replace

import numpy as np
import pytest
from heft.engine.contact.holds import Hold
from heft.engine.dynamics.poses import body_poses
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint
from heft.engine.model.state import State
from heft.engine.scenes import SCENES
from heft.engine.scenes.props import box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import UPRIGHT, G, compiled, run


@compiled
def test_hanging_figure_pulls_with_its_weight_and_falls_when_its_grip_breaks():
    scene = SCENES["hang"]()
    trace = run(scene, 8.0)
    last = trace.contact_step == len(trace.time) - 1
    assert trace.contact_force[last].sum(0) == pytest.approx([0, 0, 69 * G], rel=2e-2, abs=15)
    assert (trace.contact_kind == 1).all()
    weak = [replace(hold, break_force=300.0) for hold in scene.holds]
    falling = simulate(scene.system, scene.state, 1.0, 0.001, "euler", contact="rigid", holds=weak)
    assert falling.qvel[-1, 2] < -8


@compiled
def test_grip_drifts_less_than_a_tenth_of_a_millimetre_in_a_minute():
    scene = SCENES["hang"]()
    trace = run(scene, 60.0)
    i = scene.system.names.index("forearm.L")
    x, R = body_poses(scene.system, trace.qpos[::500])
    assert np.abs(x[:, i] + R[:, i] @ [0, 0, -0.27] - np.array(scene.holds[0].to.position)).max() < 1e-4


@compiled
def test_hand_in_hand_pulls_both_ways_and_lets_go_when_the_moment_is_too_much():
    """two boxes fly apart; a weld between them holds until the moment that turns one of them exceeds its limit"""
    system = build(box("a"), box("b"), gravity=(0, 0, 0))
    state = placed(system, ((-0.15, 0, 0), UPRIGHT), ((0.15, 0, 0), UPRIGHT, (0, 0, 0, 0, 0, 1.0)))
    weld = Hold("a/a", Frame((0.15, 0, 0)), "b/b", Frame((-0.15, 0, 0)), (True,) * 6)
    together = simulate(system, state, 0.2, contact="rigid", holds=[weld])
    momentum = together.qvel[:, :3] + together.qvel[:, 6:9]
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    pairs = together.contact_force.reshape(-1, 2, 3)
    assert np.abs(pairs.sum(1)).max() < 1e-9
    # a motor would turn b about x: the weld carries the moment to a, half of it, until it is too much
    motor = np.zeros(12)
    motor[9] = 1.0
    rest = placed(system, ((-0.15, 0, 0), UPRIGHT), ((0.15, 0, 0), UPRIGHT))
    for limit, turns in ((0.6, True), (0.4, False)):
        weak = replace(weld, break_moment=limit)
        trace = simulate(system, rest, 0.2, contact="rigid", holds=[weak], motor=motor)
        assert (abs(trace.qvel[-1, 3]) > 1.0) == turns


@compiled
def test_grabbing_a_moving_thing_makes_an_impulse():
    system = build(box("a"), box("b"), gravity=(0, 0, 0))
    state = placed(system, ((-0.2, 0, 0), UPRIGHT, (1, 0, 0, 0, 0, 0)), ((0, 0, 0.3), UPRIGHT))
    weld = Hold("a/a", Frame((0, 0, 0.15)), "b/b", Frame((0, 0, -0.15)), (True,) * 6, begin=0.2)
    trace = simulate(system, state, 0.5, 0.001, "euler", contact="rigid", holds=[weld])
    assert trace.time[trace.impact_step] == pytest.approx([0.2])
    v, inertia = trace.qvel[-1], 0.02 / 3 * 2 + 2 * 0.15 ** 2
    assert v[0] + v[6] == pytest.approx(1.0)
    # angular momentum about the middle of both: 1 kg 1 m/s 0.15 m, against the inertia of both boxes
    assert v[4] == pytest.approx(v[10]) and v[4] == pytest.approx(-0.15 / inertia, rel=1e-3)


@compiled
def test_four_bar_linkage_keeps_its_loop():
    hinge = lambda x: Joint("hinge", socket=Frame((x, 0, 0)), axis=(0, 1, 0))
    rod = lambda name, parent, joint, length: Body(name, 1.0, (0.01, 0.01, 0.01), parent, joint, com=(length / 2, 0, 0))
    bars = Character("bars", (rod("crank", None, hinge(0), 0.3), rod("coupler", "crank", hinge(0.3), 0.6),
                              rod("rocker", "coupler", hinge(0.6), 0.5)))
    system = build(bars)
    # a crank of 0.3 straight up, closed at (0.7, 0, 0)
    a, b, c, d = 0.3, 0.6, 0.5, 0.7
    state = State.rest(system)
    state.q[0] = -np.pi / 2
    reach = np.hypot(d, a)
    coupler = -np.arctan2(-a, d) - np.arccos((b * b + reach * reach - c * c) / (2 * b * reach))
    end = np.array([b * np.cos(coupler), a - b * np.sin(coupler)])
    rocker = np.arctan2(end[1], d - end[0])
    state.q[1:] = coupler - state.q[0], rocker - coupler
    trace = simulate(system, state, 60.0, 0.001, "euler", contact="rigid",
                     holds=[Hold("rocker", Frame((0.5, 0, 0)), to=Frame((0.7, 0, 0)), rows=(True, False, True, False, False, False))])
    angle = np.cumsum(trace.qpos, 1)
    x = a * np.cos(angle[:, 0]) + b * np.cos(angle[:, 1]) + c * np.cos(angle[:, 2])
    z = -a * np.sin(angle[:, 0]) - b * np.sin(angle[:, 1]) - c * np.sin(angle[:, 2])
    assert np.hypot(x - d, z)[50:].max() < 1e-6
    assert np.ptp(trace.qpos[:, 0]) > 0.5


@compiled
def test_spring_hold_is_an_oscillator():
    system = build(box("a"), gravity=(0, 0, 0))
    hold = Hold("a", rows=(True, False, False, False, False, False), stiffness=(100, 0, 0, 0, 0, 0))
    trace = simulate(system, placed(system, ((0.01, 0, 0), UPRIGHT)), 1.0, 1e-4, "euler", contact="rigid", holds=[hold])
    assert np.allclose(trace.qpos[:, 0], 0.01 * np.cos(10 * trace.time), atol=2e-4)


@compiled
@pytest.mark.parametrize("amplitude, damping", [(0.01, 0.0), (1.0, 0.0), (2.5, 0.0), (1.0, 0.02)])
@pytest.mark.parametrize("axis", range(3))
def test_turning_spring_hold_is_a_torsion_pendulum(axis, amplitude, damping):
    """about one axis, at any angle: I a'' + c a' + k a = 0"""
    half, stiffness = (0.1, 0.15, 0.2), 1.0
    system = build(box("a", half), gravity=(0, 0, 0))
    inertia = (np.sum(np.square(half)) - half[axis] ** 2) / 3
    about = np.eye(3)[axis]
    spring = lambda value: (0, 0, 0, *(value * about))
    hold = Hold("a", rows=(False,) * 3 + tuple(about > 0), stiffness=spring(stiffness), damping=spring(damping))
    trace = simulate(system, placed(system, ((0, 0, 0), turn(about, amplitude))), 1.0, 1e-4, contact="rigid", holds=[hold])
    decay, rate = damping / (2 * inertia), np.sqrt(stiffness / inertia - (damping / (2 * inertia)) ** 2)
    wanted = amplitude * np.exp(-decay * trace.time) * (np.cos(rate * trace.time) + decay / rate * np.sin(rate * trace.time))
    angle = 2 * np.arctan2(trace.qpos[:, 4 + axis], trace.qpos[:, 3])
    assert np.abs(angle - wanted).max() < 0.01 * amplitude
