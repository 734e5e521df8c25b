"""How a force on one body moves another: against the whole solve."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Gear, Joint, build
from heft.engine.dynamics.articulated_body import aba, update_articulated_inertia
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.dynamics.response import respond, update_response
from heft.tests.engine.random_systems import random_state, random_system


def check(system, rng):
    m, d = system.model, allocate(system.model)
    q, v = random_state(rng, m)
    update_kinematics(d, m, q, v)
    a, tau = np.zeros(m.nv), rng.normal(size=m.nv)
    aba(a, d, m, tau)
    before, out, moves = d.A.copy(), np.zeros(6), 0
    update_articulated_inertia(d, m)
    update_response(d, m)
    for i in range(m.nb):
        force = rng.normal(size=6)
        d.external[:] = 0
        d.external[i] = force
        aba(a, d, m, tau)
        change = d.A - before
        for j in range(m.nb):
            respond(out, d, m, i, j, force)
            assert np.allclose(out, change[j], atol=1e-9 * max(1, np.abs(change).max()))
            moves += np.abs(out).max() > 1e-6
    return moves


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gears", [False, True])
def test_response_is_the_change_of_acceleration(seed, gears):
    rng = np.random.default_rng(100 + seed)
    assert check(random_system(rng, 14, gears=gears), rng)


def test_geared_roots_answer_each_other():
    """two doors on the world whose hinges are geared: pushing one's handle moves the other's"""
    rng = np.random.default_rng(5)
    door = lambda name, x: Body(name, 2.0, (0.1, 0.2, 0.3), joint=Joint("hinge", Frame((x, 0, 0)), axis=(0, 0.1, 1)), com=(0.4, 0, 0))
    handle = lambda name, on: Body(name, 0.1, (0.01, 0.01, 0.01), on, Joint("hinge", Frame((0.8, 0, 0)), axis=(0, 1, 0)), com=(0.1, 0, 0))
    bodies = (door("left", -1.0), handle("left handle", "left"), door("right", 1.0), handle("right handle", "right"))
    system = build(Character("doors", bodies, (Gear("left", "right", -1.5),)))
    assert check(system, rng) == system.model.nb ** 2
