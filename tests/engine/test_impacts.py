"""Impacts: when they happen, what bounces, what is passed on."""

import numpy as np
import pytest
from heft.engine.scenes import SCENES
from heft.engine.scenes.mechanisms import dropped
from heft.engine.scenes.props import ball, box
from heft.tests.engine.contact_runs import UPRIGHT, compiled, on_floor, run


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
