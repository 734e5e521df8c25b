"""States that don't fit are refused with the body's name, before anything moves."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Gear, HeftError, Joint, State, build, figure
from heft.engine.model.state import checked_state
from heft.engine.simulate import simulate


def test_quaternions_become_unit():
    system = build(figure())
    state = State.rest(system)
    state.q[3:7] *= 1.0005
    assert np.linalg.norm(checked_state(system, state).q[3:7]) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("quaternion", [(0, 0, 0, 0), (2, 0, 0, 0)])
def test_no_quaternion_is_refused(quaternion):
    system = build(figure())
    state = State.rest(system)
    state.q[7:11] = quaternion
    with pytest.raises(HeftError, match=rf"body '{system.names[1]}'.*must be 1"):
        simulate(system, state, 0.1)


@pytest.mark.parametrize("change, message", [
    ({"q": np.zeros(3)}, r"q has shape \(3,\), must be \(2,\)"), ({"v": np.array([0.0, np.nan])}, r"v\[1\] is nan, must be finite"),
    ({"q": "abc"}, "must be 2 numbers")])
def test_numbers_that_are_missing_or_none(change, message):
    system = build(Character("pair", tuple(Body(name, 1, (1, 1, 1), joint=Joint("hinge")) for name in "ab")))
    with pytest.raises(HeftError, match=message):
        simulate(system, State.rest(system)._replace(**change), 0.1)


def test_coordinates_off_their_gear():
    link = lambda name, parent: Body(name, 1.0, (0.1,) * 3, parent, Joint("hinge", Frame((0, 0, -0.5)), axis=(0, 1, 0)))
    system = build(Character("tail", (link("a", None), link("b", "a")), (Gear("a", "b", 0.5),)))
    with pytest.raises(HeftError, match=r"body 'b': its coordinate in q is 0.3, but it is geared to 'a' and must be 0.2"):
        simulate(system, State(np.array([0.4, 0.3]), np.zeros(1)), 0.1)
    assert checked_state(system, State(np.array([0.4, 0.2]), np.zeros(1))).q.tolist() == [0.4, 0.2]


def test_adaptive_says_where_its_tolerance_is_out_of_reach():
    """rounding alone is larger than 1e-30"""
    system = build(figure())
    state = State.rest(system)
    state.v[6:] = 3.0
    with pytest.raises(HeftError, match=r"no substep is short enough for an error of 1e-30 at 0.0000 s"):
        simulate(system, state, 0.1, 0.05, "adaptive", fps=10, tolerance=1e-30)
