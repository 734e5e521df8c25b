"""Impacts: when they happen, what bounces, what is passed on."""
import numpy as np
import pytest
from heft.engine import Obstacle, Path, Shape, build
from heft.engine.scenes import SCENES
from heft.engine.scenes.mechanisms import dropped
from heft.engine.scenes.props import ball, box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import UPRIGHT, G, compiled, on_floor, run


@compiled
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_ball_returns_to_restitution_squared_times_its_height(e):
    trace = run(dropped(e), step=1e-4)
    after = trace.qpos[trace.impact_step[0]:, 2].max() - 0.1
    assert after == pytest.approx(0.5 * e * e, rel=2e-3, abs=1e-5)
    assert trace.qpos[:, 2].min() > 0.1 - 1e-6


@compiled
def test_only_the_last_ball_of_the_cradle_leaves():
    trace = run(SCENES["cradle"](), 0.7)
    after = trace.qvel[trace.impact_step[3]]
    assert np.abs(after[:4]).max() < 1e-3 * abs(after[4])
    assert after[4] == pytest.approx(trace.impact_qvel_before[0, 0], rel=1e-3)


@compiled
def test_flat_box_is_tipped_over_its_edge():
    """turning at w about its middle on the floor: an impulse at the edge (0.1, -0.1) leaves w I / (I + 2 m a^2)"""
    trace = on_floor(box("a", friction=10.0), poses=[((0, 0, 0.1), UPRIGHT, (0, 0, 0, 0, 2.0, 0))], seconds=0.05)
    inertia = 0.02 / 3
    assert trace.qvel[0, 4] == pytest.approx(2 * inertia / (inertia + 0.02), rel=1e-3)
    assert np.abs(trace.qvel[0, [1, 3, 5]]).max() < 1e-9
    assert (trace.impulse_impact == 0).sum() == 1 and trace.impulse_linear[0, 2] > 0


@compiled
def test_fast_fall_sinks_less_than_two_millimetres():
    trace = on_floor(ball("ball"), poses=[((0, 0, 2.0), UPRIGHT, (0, 0, -6.0, 0, 0, 0))], step=0.002)
    assert trace.qpos[:, 2].min() > 0.1 - 1e-4


def test_box_falls_and_lies_also_uncompiled():
    trace = on_floor(box("a"), poses=[((0, 0, 0.101), UPRIGHT)], seconds=0.1, step=0.005)
    assert trace.qpos[-1, 2] == pytest.approx(0.1, abs=1e-6)


@compiled
@pytest.mark.parametrize("speed", [60.0, 200.0])
@pytest.mark.parametrize("thing", [box("a"), ball("a", 0.01)], ids=["box", "small ball"])
@pytest.mark.parametrize("moves", [False, True], ids=["wall", "obstacle"])
def test_thin_wall_stops_what_is_fast(thing, speed, moves):
    """5 mm thick, hit at up to 0.2 m a step, at a slant and spinning, wherever steps end; or flying into the thing"""
    wall, way = Shape("box", (0.0025, 2.0, 2.0)), speed * np.array([1.0, 0.1, 0.0])
    system = build(thing, gravity=(0, 0, 0), shapes=() if moves else (wall,))
    fly = Obstacle("wall", (wall,), Path([0.0, 1.0], [(0, 0, 0), -way]))
    for away in np.arange(1.0, 1.2, 0.02):
        start = placed(system, ((-away, 0, 0), turn((1, 2, 3), 0.3), (*(0 * way if moves else way), 3, 1, 2)))
        trace = simulate(system, start, 0.1, contact="rigid", obstacles=[fly] if moves else [])
        place = -speed * trace.time if moves else 0.0
        assert (trace.qpos[:, 0] - place).max() < -0.0025 - 0.01 + 1e-6
        assert len(trace.impact_step) and trace.contact_depth.max(initial=0.0) < 1e-4


@compiled
def test_turning_small_thing_takes_no_more_steps():
    """a marble at 500 rad/s is fast, its surface is not"""
    trace = on_floor(ball("a", 0.01), poses=[((0, 0, 0.01), UPRIGHT, (5.0, 0, 0, 0, 500.0, 0))], seconds=0.5)
    assert np.diff(trace.time).min() > 0.9e-3


@compiled
def test_arrival_is_exact_under_acceleration():
    """4 m fallen in steps of 1/30 s, each 0.3 m: it lands where the floor is, and when its speed says so"""
    height = 4.0
    trace = on_floor(ball("a"), poses=[((0, 0, 0.1 + height), UPRIGHT)], seconds=1.0, step=1 / 30)
    landing = trace.impact_step[0]
    assert trace.qpos[landing, 2] == pytest.approx(0.1, abs=1e-6)
    assert trace.impact_qvel_before[0, 2] == pytest.approx(-G * trace.time[landing], rel=1e-9)
