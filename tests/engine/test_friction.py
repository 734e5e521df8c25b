"""Friction against closed forms: slopes, pushes, spins, ladders, and where there is none."""
from dataclasses import replace

import numpy as np
import pytest
from heft.engine.analysis.balance import balance
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.state import State
from heft.engine.scenes import SCENES
from heft.engine.scenes.mechanisms import leaning, on_slope
from heft.engine.scenes.props import ball, box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import UPRIGHT, G, compiled, kinetic_energy, on_floor, run


@compiled
@pytest.mark.parametrize("degrees, friction, slides", [(30, 0.578, False), (30, 0.577, True), (20, 0.365, False), (20, 0.363, True)])
def test_box_on_a_slope_sticks_up_to_the_angle_of_friction(degrees, friction, slides):
    trace = run(on_slope(np.radians(degrees), friction, 0.3))
    moved = np.linalg.norm(trace.qpos[-1, :3] - trace.qpos[0, :3])
    if slides:
        acceleration = G * (np.sin(np.radians(degrees)) - 0.3 * np.cos(np.radians(degrees)))
        assert np.linalg.norm(trace.qvel[-1, :3]) == pytest.approx(acceleration * trace.time[-1], rel=1e-6)
    else:
        assert moved < 1e-9


@compiled
@pytest.mark.parametrize("height", [-0.05, 0.0, 0.1])
@pytest.mark.parametrize("excess", [0.98, 1.02])
def test_pushed_block_slides_or_tips_at_the_right_force(height, excess):
    """a constant push at `height` over the middle of a block of half sides 0.1 and 0.2: gravity that leans over does the same"""
    width, friction, mass = 0.1, 0.4, 2.0
    # tips when the push times its height over the floor exceeds the weight times half the width; slides beyond friction
    lever = 0.2 + height
    push = excess * min(friction, width / lever) * mass * G
    block = Body("block", mass, mass / 3 * np.array([0.05, 0.05, 0.02]), joint=Joint("free"), com=(0, 0, 0),
                 shapes=(Shape("box", (width, 0.1, 0.2), friction=friction, dynamic_friction=friction),))
    # the push as gravity with a horizontal part acts at the middle; its height is set by moving the centre of mass
    block = replace(block, com=(0, 0, height))
    system = build(Character("block", (block,)), gravity=(push / mass, 0, -G), shapes=(Shape("plane", friction=0.0, dynamic_friction=0.0),))
    trace = simulate(system, placed(system, ((0, 0, 0.2), UPRIGHT)), 0.3, 0.001, "euler", contact="rigid")
    tips = width / lever < friction
    slid, turned = abs(trace.qpos[-1, 0]), abs(trace.qpos[-1, 5])
    if excess < 1:
        assert slid < 1e-9 and turned < 1e-9
    elif tips:
        assert turned > 1e-4
        p_v = trace.contact_point[:, 0] - trace.contact_torque[:, 1] / trace.contact_force[:, 2]
        assert np.allclose(p_v[:20], width, atol=1e-6)
    else:
        assert slid > 1e-3 and turned < 1e-9


@compiled
def test_spinning_and_sliding_box_stops_and_friction_only_brakes():
    scene = SCENES["spin"]()
    trace = run(scene)
    energy = kinetic_energy(scene.system, trace)
    assert (np.diff(energy) < 1e-12).all()
    assert energy[-1] < 1e-20 and energy[0] > 1
    # power of friction at every contact
    arm = trace.contact_point - trace.qpos[trace.contact_step, :3]
    w = trace.qvel[trace.contact_step, 3:6]
    velocity = trace.qvel[trace.contact_step, :3] + np.cross(w, arm)
    power = np.sum(trace.contact_force * velocity, 1) + np.sum(trace.contact_torque * w, 1)
    assert (power < 1e-9).all()


@compiled
def test_spinning_disc_stops_as_under_even_pressure():
    """a disc of radius R loses spin by mu m g (2 / 3) R: a polygon of 8 corners comes near"""
    radius, mu, spin = 0.2, 0.5, 10.0
    angles = np.arange(8) * np.pi / 4
    corners = np.array([[radius * np.cos(a), radius * np.sin(a), z] for a in angles for z in (-0.02, 0.02)])
    hull = Shape("hull", points=corners, friction=mu, dynamic_friction=mu)
    disc = Body("disc", 1.0, (0.0102, 0.0102, 0.02), joint=Joint("free"), shapes=(hull,))
    trace = on_floor(Character("disc", (disc,)), poses=[((0, 0, 0.02), UPRIGHT, (0, 0, 0, 0, 0, spin))],
                     floor=Shape("plane", friction=mu, dynamic_friction=mu), seconds=0.6)
    stop = trace.time[np.abs(trace.qvel[:, 5]) > 1e-3][-1]
    assert stop == pytest.approx(0.02 * spin / (mu * G * 2 / 3 * radius), rel=0.06)
    assert np.abs(trace.qpos[-1, :2]).max() < 1e-6


@compiled
@pytest.mark.parametrize("friction", [0.3, 0.6, 1.2])
def test_ladder_slips_at_the_textbook_angle(friction):
    """floor and wall of friction mu hold a ladder down to tan(angle) = (1 - mu^2) / (2 mu)"""
    limit = np.arctan((1 - friction ** 2) / (2 * friction)) if friction < 1 else 0.1
    for angle, slips in ((limit + 0.02, False), (limit - 0.02, True)):
        if angle < 0.1:
            continue
        trace = run(leaning(angle, friction), 0.3)
        assert (np.abs(trace.qpos[-1] - trace.qpos[0]).max() > 1e-4) == slips


@compiled
@pytest.mark.parametrize("shape", [box("a"), ball("a")], ids=["box", "ball"])
def test_wall_that_nothing_presses_on_holds_nothing(shape):
    """no friction without a normal force: it falls beside the wall as if that were not there"""
    wall = Shape("plane", frame=Frame(rotation=turn((0, 1, 0), np.pi / 2)))
    trace = on_floor(shape, poses=[((0.1, 0, 1), UPRIGHT)], floor=wall, seconds=0.4)
    assert trace.qvel[-1, 2] == pytest.approx(-G * trace.time[-1], rel=1e-6)
    assert len(trace.contact_step) == 0


@compiled
def test_braking_by_other_forces_is_no_jam():
    """a strong pull against the motion stops it within steps of time, not by endless impulses"""
    system = build(box("a", friction=0.1), gravity=(-400, 0, -G), shapes=(Shape("plane", friction=0.1),))
    trace = simulate(system, placed(system, ((0, 0, 0.1), UPRIGHT, (5.0, 0, 0, 0, 0, 0))), 0.1, contact="rigid")
    assert len(trace.impact_step) == 0 and np.abs(trace.qpos[:, 2] - 0.1).max() < 1e-4


@compiled
def test_hinged_ball_in_a_wall_across_its_axis_swings_on():
    """where nothing can move, nothing is asked to: a pendulum that starts a little inside the wall it swings along"""
    joint = Joint("hinge", plug=Frame((0, 0, 0.5)), axis=(0, 1, 0))
    pendulum = Character("pendulum", (Body("bob", 1.0, (0.01,) * 3, joint=joint, shapes=(Shape("sphere", (0.1,), friction=0.0),)),))
    wall = Shape("plane", frame=Frame((0, -0.0999, 0), turn((1, 0, 0), -np.pi / 2)), friction=0.0)
    system = build(pendulum, shapes=(wall,))
    trace = simulate(system, State(np.array([0.5]), np.zeros(1)), 1.0, contact="rigid")
    assert trace.qpos.min() < -0.4
    assert np.abs(trace.contact_force).max(initial=0.0) < 1e3


@compiled
def test_painleve_rod_stops_without_a_blow_up():
    trace = run(SCENES["painleve"]())
    energy = balance(SCENES["painleve"]().system, trace).energy.sum(1)
    assert (np.diff(energy) < 1e-3 * energy[0]).all()
    assert np.abs(trace.contact_force).max() < 1e3 and trace.contact_depth.max() < 1e-3
