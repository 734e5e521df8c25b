"""Simulate: let a system move by itself and record every step."""
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .dynamics.data import allocate
from .dynamics.integrate import DORMAND_PRINCE, RK4, euler_step, first_broken_body, runge_kutta_step
from .errors import Diverged, HeftError
from .export.expand import axis_forces, expand_dofs
from .export.trace import Trace
from .kernel import kernel
from .model.model import System
from .model.pose import rest_coordinates

EULER, RUNGE_KUTTA, ADAPTIVE = 0, 1, 2
METHODS = {"euler": EULER, "rk4": RUNGE_KUTTA, "adaptive": ADAPTIVE}
STEPS_A_CHUNK = 500
MOST_HALVINGS = 12


class State(NamedTuple):
    """Coordinates q (nq,) and velocities v (nv,)."""
    q: np.ndarray
    v: np.ndarray

    @classmethod
    def rest(cls, system: System) -> "State":
        return cls(rest_coordinates(system.model), np.zeros(system.model.nv))


def simulate(system: System, state: State, seconds: float, step: float = 0.001, method: str = "rk4", fps: float = 30.0,
             motor: np.ndarray | None = None, tolerance: float = 1e-9, progress: Callable[[float], None] | None = None) -> Trace:
    """The motion of `system` from `state` under gravity, springs, limits and constant `motor` torques (nv,).

    `step` s is shortened so that every video frame falls on a step. `method` is euler (semi-implicit), rk4 or adaptive
    (Dormand-Prince, substeps with an error below `tolerance`). `progress` gets the share done. Raises Diverged."""
    for share, trace in simulating(system, state, seconds, step, method, fps, motor, tolerance):
        if progress:
            progress(share)
        if trace is not None:
            return trace
    raise AssertionError("a simulation ends with its trace")


def simulating(system: System, state: State, seconds: float, step: float = 0.001, method: str = "rk4", fps: float = 30.0,
               motor: np.ndarray | None = None, tolerance: float = 1e-9) -> Iterator[tuple[float, Trace | None]]:
    """The same as a generator, for a modal operator: (share done, None) again and again, then (1, the trace)."""
    m = system.model
    if method not in METHODS:
        raise HeftError(f"method is '{method}', must be one of {', '.join(METHODS)}")
    for name, value in (("seconds", seconds), ("step", step), ("fps", fps), ("tolerance", tolerance)):
        if not (np.isfinite(value) and value > 0):
            raise HeftError(f"{name} is {value}, must be positive")
    q, v = np.array(state.q, float), np.array(state.v, float)
    motor = np.zeros(m.nv) if motor is None else np.array(motor, float)
    for name, array, size in (("q", q, m.nq), ("v", v, m.nv), ("motor", motor, m.nv)):
        if array.shape != (size,) or not np.isfinite(array).all():
            raise HeftError(f"{name} has shape {array.shape}, must be ({size},) and finite")

    steps_a_frame = max(1, int(np.ceil(1 / (fps * step) - 1e-9)))
    step = 1 / (fps * steps_a_frame)
    frames = int(np.floor(seconds * fps + 1e-9))
    count = frames * steps_a_frame + 1
    qpos, qvel, qacc, tau = np.zeros((count, m.nq)), np.zeros((count, m.nv)), np.zeros((count, m.nv)), np.zeros((count, m.nv))
    d = allocate(m)
    tableau = DORMAND_PRINCE if METHODS[method] == ADAPTIVE else RK4
    for start in range(0, count, STEPS_A_CHUNK):
        end = min(count, start + STEPS_A_CHUNK)
        reached, body = run(qpos[start:end], qvel[start:end], qacc[start:end], tau[start:end], q, v, d, m, motor, step, METHODS[method],
                            tableau, tolerance)
        if body >= 0:
            raise Diverged(system.names[body], float((start + reached) * step))
        yield end / count, None
    trace = Trace(np.arange(count) * step, qpos, expand_dofs(system, qvel), expand_dofs(system, qacc),
                  axis_forces(system, qpos, qvel, qacc, tau), frame_step=np.arange(0, count, steps_a_frame), fps=fps)
    yield 1.0, trace


@kernel
def run(qpos, qvel, qacc, tau, q, v, d, m, motor, step, method, tableau, tolerance):
    """Fill one row a step. Returns the number of rows filled, and the body that stopped being finite or -1."""
    for s in range(qpos.shape[0]):
        for k in range(q.shape[0]):
            qpos[s, k] = q[k]
        for k in range(v.shape[0]):
            qvel[s, k] = v[k]
        if method == EULER:
            euler_step(q, v, d, m, motor, step)
            for k in range(v.shape[0]):
                tau[s, k] = d.tau[k]
                qacc[s, k] = d.a[k]
        else:
            substeps, halvings = 1, 0
            while True:
                error = 0.0
                for n in range(substeps):
                    error = max(error, runge_kutta_step(q, v, d, m, motor, step / substeps, tableau))
                    if n == 0:
                        for k in range(v.shape[0]):
                            tau[s, k] = d.first_tau[k]
                            qacc[s, k] = d.a[k]
                if method != ADAPTIVE or error <= tolerance or halvings == MOST_HALVINGS:
                    break
                # again from the start of the step, finer
                halvings += 1
                substeps *= 2
                for k in range(q.shape[0]):
                    q[k] = qpos[s, k]
                for k in range(v.shape[0]):
                    v[k] = qvel[s, k]
        body = first_broken_body(m, q, v)
        if body >= 0:
            return s, body
    return qpos.shape[0], -1
