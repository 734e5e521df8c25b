"""Two runs are the same to the bit, in one process and in two."""
import hashlib
import subprocess
import sys

import numpy as np
from heft.engine import Body, Character, Coupling, Frame, Hold, Joint, Obstacle, Path, Shape, State, Trace, build
from heft.engine.scenes import SCENES
from heft.engine.scenes.props import box
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import FLOOR, compiled, run


def machine() -> Trace:
    """two coupled flails, one of them on a moving target, a spring, a grab that breaks, and an obstacle that sweeps through it all"""
    flail = lambda name, y: Body(name, 1.0, (0.02,) * 3, None, Joint("hinge", Frame((0, y, 0.6)), axis=(0, 1, 0)), com=(0, 0, -0.25),
                                 shapes=(Shape("capsule", (0.04, 0.2), Frame((0, 0, -0.25)), restitution=0.4),))
    system = build(Character("machine", (flail("a", 0.0), flail("b", 0.5))), box("crate", restitution=0.3), box("held"), shapes=(FLOOR,))
    state = State.rest(system)
    state.q[:2] = 1.2, -0.6
    state.q[2:5], state.q[9:12] = (0.45, 0.02, 0.1), (-0.6, 0.3, 0.8)
    lift = Path([0, 0.5, 1], [(-0.6, 0.3, 0.8), (-0.4, 0.2, 0.9), (-0.5, 0.25, 0.8)])
    holds = [Coupling("machine/a", "machine/b", -0.5), Hold("held/held", to=lift, rows=(True,) * 6, end=0.8),
             Hold("crate/crate", to=Frame((0.5, 0, 0.1)), stiffness=(50,) * 3 + (2,) * 3, damping=(1,) * 3 + (0.1,) * 3, rows=(True,) * 6),
             Hold("machine/a", Frame((0, 0, -0.5)), "held/held", begin=0.4, break_force=30.0)]
    sweep = Obstacle("sweep", (Shape("box", (0.1, 0.8, 0.1)),), Path([0, 1.5], [(-1.5, 0, 0.15), (1.5, 0, 0.15)]))
    return simulate(system, state, 1.5, contact="rigid", holds=holds, obstacles=[sweep])


def digest(trace: Trace) -> str:
    arrays = [np.asarray(value) for value in vars(trace).values() if value is not None]
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@compiled
def test_two_runs_are_bit_identical():
    assert digest(run(SCENES["fall"](), 1.5)) == digest(run(SCENES["fall"](), 1.5))


@compiled
def test_two_processes_are_bit_identical_with_holds_couplings_and_obstacles():
    here = machine()
    assert len(here.impact_step) > 3 and {0, 1} <= set(here.contact_kind)
    program = f"from {__name__} import digest, machine; print(digest(machine()))"
    there = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert there == [digest(here)] * 2 and digest(machine()) == digest(here)
