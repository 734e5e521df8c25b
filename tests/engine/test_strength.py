"""People's strength: what a figure can lift, and what not."""
from dataclasses import replace

import numpy as np
import pytest
from heft.engine import Body, Follow, Frame, Joint, State, build, figure, with_strength
from heft.engine.errors import HeftError
from heft.engine.model.actuators import Actuator
from heft.engine.simulate import simulate


def limits(character, name):
    return next(body.joint.actuator.limits for body in character.bodies if body.name == name)


def test_torques_are_those_of_the_sources():
    """knee extension of a man of 69 kg and 1.71 m: 0.163 x 69 x 9.81 x 1.71 = 188.7 N m; the elbow of 75 kg bends with 77 N m"""
    man = with_strength(figure())
    assert limits(man, "shin.L")[0].low == pytest.approx(-188.67, abs=0.01)
    assert limits(man, "thigh.R")[1].high == pytest.approx(0.161 * 69 * 9.81 * 1.71)
    assert limits(with_strength(figure(), mass=75.0), "forearm.L")[0].low == pytest.approx(-77)
    woman = with_strength(figure(), sex="woman", mass=62.0, height=1.65)
    assert limits(woman, "forearm.R")[0].low == pytest.approx(-41)
    assert limits(woman, "foot.L")[1].high == pytest.approx(0.104 * 62 * 9.81 * 1.65)


def test_strength_scales_and_sides_mirror():
    one, two = with_strength(figure()), with_strength(figure(), 2.0)
    for a, b in zip(one.bodies, two.bodies):
        if isinstance(a.joint.actuator, Actuator):
            assert [2 * limit.high for limit in a.joint.actuator.limits] == [limit.high for limit in b.joint.actuator.limits]
    left, right = limits(one, "upper_arm.L"), limits(one, "upper_arm.R")
    assert (left[0].low, left[0].high) == (-right[0].high, -right[0].low) and left[1] == right[1]
    assert (left[2].low, left[2].high) == (-right[2].high, -right[2].low)


def curl(kilograms: float, strength: float = 1.0):
    """the figure stands fixed and bends its left elbow with a weight in its hand; how far it comes, rad"""
    character = with_strength(figure(root=Joint("fixed", Frame((0, 0, 1)))), strength, mass=69.0)
    fixed = tuple(body if body.name == "forearm.L" else replace(body, joint=replace(body.joint, kind="fixed", actuator=None))
                  for body in character.bodies)
    weight = Body("weight", kilograms, (0.01,) * 3, "forearm.L", Joint("fixed", Frame((0, 0, -0.27))))
    system = build(replace(character, bodies=(*fixed, weight)))
    trace = simulate(system, State.rest(system), 6.0, method="euler", commands=[Follow("forearm.L", [0, 4], [0.0, -2.0], 5.0, inertia=2.0)])
    most = 77 * 69 / 75 * strength
    assert np.abs(trace.tau_motor).max() <= most * (1 + 1e-4)
    return -trace.qpos[:, 0].min()


def test_a_weight_too_heavy_stays_down():
    """held out level, a forearm of 2 kg with M in its hand needs 9.81 (2 x 0.135 + 0.27 M) N m; a man of 69 kg has 70.8"""
    assert curl(20.0) > 1.9                                       # 55.6 N m
    assert curl(30.0) < np.pi / 2                                 # 82.1 N m
    assert curl(30.0, strength=1.5) > 1.9
    assert curl(20.0, strength=0.5) < np.pi / 2


def test_bad_strength_is_named():
    for wrong, text in (({"strength": 0.0}, "strength is 0"), ({"sex": "child"}, "man, woman"), ({"height": -1.0}, "height"),
                        ({"mass": np.nan}, "mass")):
        with pytest.raises(HeftError, match=text):
            with_strength(figure(), **wrong)
    with pytest.raises(HeftError, match="no joint of known strength"):
        with_strength(replace(figure(), bodies=(Body("stone", 1.0, (1.0,) * 3),)))
