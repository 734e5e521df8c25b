"""The demo: two reference figures, one tumbling in free fall, one swinging from a ball joint over its head."""
from collections.abc import Iterator

import numpy as np

from .export.trace import Trace
from .model.build import build
from .model.character import Frame, Joint
from .model.figure import figure
from .model.model import System
from .simulate import State, simulate, simulating

SPREAD = 2.0            # rad/s, of the joints' first velocities
BAR = 2.6               # m above the ground
SIDE_BY_SIDE = 1.5      # m between the two


def demo_system() -> System:
    """The tumbler is free; the swinger's pelvis hangs on a ball joint over its head."""
    hanging = Joint("ball", socket=Frame((0, SIDE_BY_SIDE, BAR)), plug=Frame((0, 0, 0.8)))
    return build(figure("tumbler"), figure("swinger", hanging))


def demo_state(system: System, seconds: float, seed: int = 1) -> State:
    """Thrown up so that the tumbler comes back to its height after `seconds`; every joint turns at random."""
    state = State.rest(system)
    state.v[:] = np.random.default_rng(seed).normal(0, SPREAD, len(state.v))
    state.q[2] = 1.0
    state.v[0:3] = 0.3, 0.0, -system.model.gravity[2] * seconds / 2
    return state


def run_demo(seconds: float = 2.0, step: float = 0.001, fps: float = 30.0) -> tuple[System, Trace]:
    """The system and its motion by RK4."""
    system = demo_system()
    return system, simulate(system, demo_state(system, seconds), seconds, step, "rk4", fps)


def simulating_demo(seconds: float = 2.0, step: float = 0.001, fps: float = 30.0) -> tuple[System, Iterator[tuple[float, Trace | None]]]:
    """The same in parts, as `simulating`."""
    system = demo_system()
    return system, simulating(system, demo_state(system, seconds), seconds, step, "rk4", fps)
