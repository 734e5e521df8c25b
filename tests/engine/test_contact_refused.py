"""What rigid contact refuses, by name."""
import pytest
from heft.engine.contact.holds import Hold
from heft.engine.errors import HeftError
from heft.engine.model.build import build
from heft.engine.scenes.props import box, placed
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import UPRIGHT, on_floor


def test_hold_of_an_unknown_body_is_refused():
    system = build(box("a"))
    with pytest.raises(HeftError, match="body 'b' does not exist"):
        simulate(system, placed(system, ((0, 0, 0), UPRIGHT)), 0.1, method="euler", contact="rigid", holds=[Hold("b")])


def test_start_inside_the_floor_is_refused():
    with pytest.raises(HeftError, match="body 'a': it starts 50 mm inside the world or an obstacle, must start outside"):
        on_floor(box("a"), poses=[((0, 0, 0.05), UPRIGHT)], seconds=0.05, step=0.01)


def test_rigid_contact_steps_by_euler_alone():
    system = build(box("a"))
    with pytest.raises(HeftError, match="rigid contact steps by euler"):
        simulate(system, placed(system, ((0, 0, 0), UPRIGHT)), 0.1, method="rk4", contact="rigid")
