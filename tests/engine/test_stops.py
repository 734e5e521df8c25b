"""Default stops suit the limb: light or heavy, at the end of a chain or in its middle, they stop it and give no energy."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Joint, Range, State, SwingTwist, build
from heft.engine.analysis.balance import balance
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_pose
from heft.engine.dynamics.mass_matrix import update_mass_matrix, write_dense
from heft.engine.kernel import COMPILED
from heft.engine.model.model import BALL
from heft.engine.model.state import rest_coordinates
from heft.engine.model.stops import DAMPING, FREQUENCY, joint_mobilities
from heft.engine.simulate import simulate
from heft.tests.engine.random_systems import random_system

LIMITS = {"hinge": (Range(-0.3, 0.3),), "slider": (Range(-0.03, 0.03),), "universal": (Range(-0.3, 0.3), Range(-0.2, 0.4)),
          "ball": (SwingTwist(0.2, 0.7, Range(-0.3, 0.3)),)}


def test_mobilities_are_blocks_of_the_inverse_mass_matrix():
    for seed in range(6):
        m = random_system(np.random.default_rng(seed), 15).model
        d, M = allocate(m), np.zeros((m.nv, m.nv))
        update_pose(d, m, rest_coordinates(m))
        update_mass_matrix(d, m)
        write_dense(M, m, d.M)
        inverse = np.linalg.inv(M)
        for i, ours in enumerate(joint_mobilities(m)):
            k = slice(m.axis_start[i], m.axis_start[i + 1])
            if m.kind[i] == BALL:                # in the plug's axes
                np.testing.assert_allclose(np.linalg.eigvalsh(ours), np.linalg.eigvalsh(inverse[k, k]), rtol=1e-9)
            else:
                np.testing.assert_allclose(ours, inverse[k, k], rtol=0, atol=1e-9 * max(1, np.abs(inverse).max()))


def test_what_is_given_is_kept_and_what_is_not_fits():
    rod = lambda **joint: Body("rod", 3.0, (0.2, 0.1, 0.2), joint=Joint("hinge", axis=(0, 1, 0), limits=(Range(0, 1),), **joint))
    default, stiff, damped = (build(Character("c", (rod(**joint),))).model
                              for joint in ({}, {"limit_stiffness": 40.0}, {"limit_damping": 0.0}))
    assert default.limit_stiffness == pytest.approx(0.1 * FREQUENCY ** 2)
    assert default.limit_damping == pytest.approx(DAMPING * 0.1 * FREQUENCY)
    assert stiff.limit_stiffness == 40 and stiff.limit_damping == pytest.approx(DAMPING * 2.0)
    assert damped.limit_stiffness == default.limit_stiffness and damped.limit_damping == 0


def light_limb(kind: str) -> Character:
    """0.002 kg m^2 on a hundred times as much"""
    joint = Joint(kind, Frame((0, 0, 0.2)), Frame((0, 0, -0.05)), axis=(1, 0, 0), limits=LIMITS[kind])
    return Character("c", (Body("trunk", 10.0, (0.2, 0.2, 0.2), joint=Joint("free")),
                           Body("finger", 0.2, (0.002, 0.002, 0.002), "trunk", joint)))


def tail() -> Character:
    """ten rods, each with a stop: what hangs on the first is a thousand times what a blow moves"""
    joint = lambda i: Joint("hinge", Frame((0, 0, -0.1 if i else -0.2)), axis=(i % 2, 1 - i % 2, 0), limits=(Range(-0.2, 0.2),))
    rods = [Body(f"rod{i}", 0.1, (1e-4, 1e-4, 1e-5), f"rod{i - 1}" if i else "trunk", joint(i), com=(0, 0, -0.05)) for i in range(10)]
    return Character("c", (Body("trunk", 5.0, (0.1, 0.1, 0.1), joint=Joint("free")), *rods))


@pytest.mark.parametrize("method", ["rk4", "euler"])
@pytest.mark.parametrize("what", [*LIMITS, "tail"])
def test_stops_keep_momentum_and_give_no_energy(what, method):
    system = build(tail() if what == "tail" else light_limb(what), gravity=(0, 0, 0))
    state = State.rest(system)
    state.v[6:] = 1.0 if what == "slider" else np.random.default_rng(0).normal(0, 8, system.model.nv - 6)
    trace = simulate(system, state, 1.0 if COMPILED else 0.5, 1e-3, method)
    values = balance(system, trace)
    # a step of Euler's is right to its first order only
    slack = 1e-3 if method == "rk4" else 3e-2
    assert values.energy.max() < values.energy[0] * (1 + slack) and values.energy[-1] < 0.95 * values.energy[0]
    for kept in (values.linear[:, 0], values.angular[:, 0]):
        assert np.abs(kept - kept[0]).max() < slack * np.abs(kept[0]).max()
    assert np.abs(trace.tau).max() > 0
