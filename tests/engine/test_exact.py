"""The exact solution of all corners is no other law than hypothesis and check: scenes that are solved by it alone."""
import numpy as np
import pytest
from heft.engine import Body, Character, Coupling, Frame, Joint, Shape, build
from heft.engine.contact.record import allocate_record
from heft.engine.contact.run import run_contact
from heft.engine.contact.world import allocate_world
from heft.engine.effort.drives import no_drives
from heft.engine.scenes import SCENES
from heft.engine.scenes.props import box, placed, turn
from heft.tests.engine.contact_runs import FLOOR, UPRIGHT, compiled

NEVER = 10 ** 9


def ends(system, state, seconds, holds=(), tries_hypotheses=False):
    """coordinates and velocities after so many seconds"""
    m, q, v, clock = system.model, state.q.copy(), state.v.copy(), np.zeros(4)
    world = allocate_world(system, holds)
    record = allocate_record(m, 500, len(world.links.body))
    if not tries_hypotheses:
        world.c.wait[:] = NEVER
    while clock[0] < seconds - 1e-9:
        assert run_contact(record, q, v, clock, world, no_drives(m), 0.001, seconds) == -1
        record.used[:] = 0
    return q, v


@compiled
def test_friction_turns_as_hard_by_either_solution():
    system = build(box("b", (0.1, 0.1, 0.05), 1.0, friction=0.5), shapes=(FLOOR,))
    state = placed(system, ((0, 0, 0.05), UPRIGHT, (0, 0, 0, 0, 0, 8.0)))
    braked = [8.0 - ends(system, state, 0.1, tries_hypotheses=tries)[1][5] for tries in (True, False)]
    assert braked[0] > 2.0 and braked[1] == pytest.approx(braked[0], rel=0.02)


@compiled
def test_a_grain_on_a_crate_lets_neither_sink():
    system = build(box("crate", (0.5, 0.5, 0.5), 3000.0), box("grain", (0.01, 0.01, 0.01), 0.001), shapes=(FLOOR,))
    q, _ = ends(system, placed(system, ((0, 0, 0.5), UPRIGHT, (0,) * 6), ((0.2, 0, 1.01), UPRIGHT, (0,) * 6)), 1.0)
    np.testing.assert_allclose((q[2], q[9]), (0.5, 1.01), atol=5e-5)


@compiled
def test_a_figure_stands_without_creeping():
    scene = SCENES["stand"]()
    q, _ = ends(scene.system, scene.state, 1.0)
    later, _ = ends(scene.system, scene.state, 6.0)
    np.testing.assert_allclose(later[:3], q[:3], atol=1e-5)                  # m, in 5 s


@compiled
@pytest.mark.parametrize("tries", [True, False])
def test_light_wheels_coupled_beside_it_do_not_soften_a_slope(tries):
    """a coupling's row is measured in 1/(kg m^2): it must not set the scale of the others"""
    wheel = lambda name: Body(name, 0.01, (1e-6,) * 3, "box", Joint("hinge", axis=(0, 0, 1)))
    load = Body("box", 70.0, (1.0,) * 3, joint=Joint("free"), shapes=(Shape("box", (0.2, 0.2, 0.2)),))
    half = np.radians(20) / 2
    slope = Shape("plane", frame=Frame(rotation=(np.cos(half), 0, np.sin(half), 0)))
    system = build(Character("c", (load, wheel("a"), wheel("b"))), shapes=(slope,))
    up = np.array([np.sin(2 * half), 0, np.cos(2 * half)])
    state = placed(system, (0.2 * up, turn((0, 1, 0), 2 * half), (0,) * 6))
    near, _ = ends(system, state, 0.5, (Coupling("a", "b", -1.0),), tries)
    far, _ = ends(system, state, 3.0, (Coupling("a", "b", -1.0),), tries)
    np.testing.assert_allclose(far[:3], near[:3], atol=4e-6)                 # m: 0.1 mm a minute
