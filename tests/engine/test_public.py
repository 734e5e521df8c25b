"""What `heft.engine` offers: every name is there, and shows itself in a line."""
import heft.engine
import numpy as np
import pytest
from heft.engine import Body, Character, Joint, State, build, figure
from heft.engine.dynamics.data import allocate
from heft.engine.simulate import simulate


def test_dir_lists_what_can_be_imported():
    assert dir(heft.engine) == heft.engine.__all__
    for name in heft.engine.__all__:
        assert getattr(heft.engine, name).__name__ == name
    with pytest.raises(AttributeError, match=r"heft\.engine has no 'bodies'"):
        getattr(heft.engine, "bodies")  # noqa: B009


def test_things_show_themselves_in_a_line():
    rod = Body("rod", 1.5, np.eye(3), joint=Joint("hinge"))
    system = build(Character("pendulum", (rod,)))
    shown = {
        "Body('rod': 1.5 kg, hinge on the world)": rod, "Character('figure': 13 bodies, 0 gears)": figure(),
        "System('pendulum': 1 bodies, nq 1, nv 1)": system, "Model(1 bodies, nq 1, nv 1)": system.model,
        "Data(1 bodies, nq 1, nv 1)": allocate(system.model),
        "Trace(103 steps, 0 to 0.1 s, 4 frames, 0 contacts)": simulate(system, State.rest(system), 0.1, 0.001)}
    assert [repr(thing) for thing in shown.values()] == list(shown)
