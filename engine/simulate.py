"""Simulate: let a system move by itself, with or without contact, and record every step."""
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .collision.build_shapes import Obstacle
from .contact.holds import Coupling, Hold
from .contact.record import Record, allocate_record, taken
from .contact.run import run_contact
from .contact.world import World, allocate_world
from .dynamics.data import allocate
from .dynamics.integrate import DORMAND_PRINCE, RK4
from .dynamics.run import TOO_COARSE, run_euler, run_runge_kutta
from .effort.commands import Command
from .effort.drives import build_drives
from .errors import Diverged, HeftError, must_be_one_of
from .export.contact_trace import contact_trace
from .export.effort_trace import effort_arrays
from .export.expand import axis_forces, expand_dofs
from .export.trace import Trace
from .model.check import items
from .model.model import System
from .model.state import State, checked_array, checked_state
from .soft.laws import SMOOTH, SPRING
from .soft.materials import largest_smooth_step
from .soft.run import run_explicit, run_implicit
from .soft.world import allocate_soft

METHODS = {"none": ("rk4", "euler", "adaptive"), "rigid": ("euler",), "compliant": ("implicit", "euler", "rk4"), "smooth": ("euler", "rk4")}
"""By kind of contact; the first is what None means."""
STEPS_A_CHUNK = 500
MOST_STEPS = 10_000_000                          # a trace holds every one of them
DEEPEST_START = 0.01                             # m


def simulate(system: System, state: State, seconds: float, step: float = 0.001, method: str | None = None, fps: float = 30.0,
             motor: np.ndarray | None = None, tolerance: float = 1e-9, contact: str = "none", holds: Sequence[Hold | Coupling] = (),
             obstacles: Sequence[Obstacle] = (), progress: Callable[[float], None] | None = None,
             commands: Sequence[Command] = ()) -> Trace:
    """The motion of `system` from `state` under gravity, springs, limits, constant `motor` torques (nv,), and of actuators that obey
    `commands` (Torque, Follow, Voltage).

    `step` s is shortened so that every video frame falls on a step. `contact` is none; rigid; compliant, springs and dampers in the
    materials of shapes, for large steps; or smooth, ordinary differential equations. With contact come `holds` (pins, grabs, loops) and
    `obstacles` that are moved from outside. `method` is euler (semi-implicit), rk4, adaptive (Dormand-Prince, substeps with an error below
    `tolerance`) or implicit; METHODS says which go with which contact. `progress` gets the share done. Raises Diverged."""
    for share, trace in simulating(system, state, seconds, step, method, fps, motor, tolerance, contact, holds, obstacles,
                                   commands):
        if progress:
            progress(share)
        if trace is not None:
            return trace
    raise AssertionError("a simulation ends with its trace")


def simulating(system: System, state: State, seconds: float, step: float = 0.001, method: str | None = None, fps: float = 30.0,
               motor: np.ndarray | None = None, tolerance: float = 1e-9, contact: str = "none", holds: Sequence[Hold | Coupling] = (),
               obstacles: Sequence[Obstacle] = (), commands: Sequence[Command] = ()) -> Iterator[tuple[float, Trace | None]]:
    """The same as a generator, for a modal operator: (share done, None) again and again, then (1, the trace)."""
    if contact not in METHODS:
        raise HeftError(f"contact is '{contact}', {must_be_one_of(contact, METHODS)}")
    method = method or METHODS[contact][0]
    if method not in METHODS[contact]:
        if contact == "none":
            raise HeftError(f"method is '{method}', {must_be_one_of(method, METHODS[contact])}")
        raise HeftError(f"{contact} contact steps by {' or '.join(METHODS[contact])}, not by '{method}'")
    items("holds", holds, Hold, Coupling)
    items("obstacles", obstacles, Obstacle)
    if (holds or obstacles) and contact == "none":
        raise HeftError("holds and obstacles go with contact alone: rigid, compliant or smooth")
    if holds and contact != "rigid" and method != "implicit":
        raise HeftError(f"holds go with rigid contact, and with compliant contact by implicit steps, not with '{contact}' by '{method}'")
    for name, value in (("seconds", seconds), ("step", step), ("fps", fps), ("tolerance", tolerance)):
        if not (isinstance(value, (int, float, np.number)) and np.isfinite(value) and value > 0):
            raise HeftError(f"{name} is {value}, must be positive and finite")
    q, v = checked_state(system, state)
    motor = np.zeros(system.model.nv) if motor is None else checked_array("motor", motor, system.model.nv)
    if contact == "smooth":
        step = min(step, largest_smooth_step(system, obstacles, method))
    steps_a_frame = max(1, int(np.ceil(1 / (fps * step) - 1e-9)))
    step = 1 / (fps * steps_a_frame)
    frames = int(np.floor(seconds * fps + 1e-9))
    if not frames:
        raise HeftError(f"seconds is {seconds:g}, less than one video frame, which lasts 1/fps = {1 / fps:.4g} s: "
                        f"simulate {np.ceil(1e4 / fps) / 1e4:g} s or more, or take an fps of {np.ceil(1 / seconds):g} or more")
    steps = frames * steps_a_frame
    if steps > MOST_STEPS:
        raise HeftError(f"{seconds:g} s in steps of {step:g} s are {steps:,} steps, must be at most {MOST_STEPS:,}: take a longer step, "
                        f"such as {max(1e-4, seconds / MOST_STEPS):.2g} s, or simulate in parts")
    drives = build_drives(system, commands, motor, step, frames / fps + step, exponential=method != "adaptive")
    if method not in ("euler", "implicit") and drives.coulomb.any():
        dry = system.names[system.model.axis_body[drives.axis[drives.coulomb > 0][0]]]
        raise HeftError(f"dry friction needs implicit steps: take method 'euler' instead of '{method}', or coulomb = 0", dry)
    if contact == "rigid":
        yield from _with_contact(system, q, v, drives, step, frames, fps, holds, obstacles)
    elif contact != "none":
        yield from _with_soft_contact(system, q, v, drives, step, frames, fps, holds, obstacles, contact, method)
    else:
        yield from _without_contact(system, q, v, drives, step, frames, steps_a_frame, fps, method, tolerance)


def _without_contact(system, q, v, drives, step, frames, steps_a_frame, fps, method, tolerance) -> Iterator[tuple[float, Trace | None]]:
    m = system.model
    count = frames * steps_a_frame + 1
    qpos, qvel, qacc, tau = np.zeros((count, m.nq)), np.zeros((count, m.nv)), np.zeros((count, m.nv)), np.zeros((count, m.nv))
    driven = np.zeros((count, len(drives.axis), 4))
    d = allocate(m)
    for start in range(0, count, STEPS_A_CHUNK):
        end = min(count, start + STEPS_A_CHUNK)
        rows, time = (qpos[start:end], qvel[start:end], qacc[start:end], tau[start:end], driven[start:end]), start * step
        if method == "euler":
            reached, body = run_euler(*rows, q, v, d, m, drives, step, time)
        elif method == "rk4":
            reached, body = run_runge_kutta(*rows, q, v, d, m, drives, step, time, RK4, np.inf)
        else:
            reached, body = run_runge_kutta(*rows, q, v, d, m, drives, step, time, DORMAND_PRINCE, tolerance)
        time = float((start + reached) * step)
        if body == TOO_COARSE:
            raise HeftError(f"no substep is short enough for an error of {tolerance:g} at {time:.4f} s: "
                            "raise the tolerance or shorten the step")
        if body >= 0:
            raise Diverged(system.names[body], time)
        yield end / count, None
    rates = expand_dofs(system, qvel), expand_dofs(system, qacc)
    lengths = np.full(count, step if method == "euler" else 0.0)
    trace = Trace(np.arange(count) * step, qpos, *rates, axis_forces(system, qpos, qvel, qacc, tau),
                  **effort_arrays(system, drives, qpos, *rates, driven, lengths), frame_step=np.arange(0, count, steps_a_frame), fps=fps)
    yield 1.0, trace


def _check_start(system: System, record: Record, sinkage: float = 0.0) -> None:
    """what starts inside something else has no motion that makes sense"""
    depth = np.where(record.contact_step == 0, record.contact_number[:, 1], 0.0)
    if depth.max(initial=0.0) > DEEPEST_START + 2 * sinkage:
        k = int(depth.argmax())
        body, other = record.contact_body[k]
        inside = f"body '{system.names[other]}'" if other >= 0 else "the world or an obstacle"
        raise HeftError(f"it starts {1000 * depth[k]:.0f} mm inside {inside}, must start outside: move it apart", system.names[body])


def _with_contact(system, q, v, drives, step, frames, fps, holds, obstacles) -> Iterator[tuple[float, Trace | None]]:
    """steps may be uneven: one ends where an impact begins"""
    clock, end = np.zeros(4), frames / fps + 1e-8        # the last row is that of the last frame
    world = allocate_world(system, holds, obstacles, step, end + step)
    record = allocate_record(system.model, STEPS_A_CHUNK, len(world.links.body), len(drives.axis))
    parts = []
    while clock[0] < end - 1e-9:
        body = run_contact(record, q, v, clock, world, drives, step, end)
        if body >= 0:
            raise Diverged(system.names[body], float(clock[0]))
        _check_room(world, clock)
        parts.append(taken(record))
        if len(parts) == 1:
            _check_start(system, parts[0])
        yield min(1.0, clock[0] / end), None
    yield 1.0, contact_trace(system, parts, frames, fps, drives)


def _with_soft_contact(system, q, v, drives, step, frames, fps, holds, obstacles, contact, method) -> Iterator[tuple[float, Trace | None]]:
    clock, end = np.zeros(2), frames / fps + 1e-8
    world, soft = allocate_soft(system, holds, obstacles, step, end + step)
    record = allocate_record(system.model, STEPS_A_CHUNK, len(world.links.body), len(drives.axis))
    parts = []
    while clock[0] < end - 1e-9:
        if method == "implicit":
            body = run_implicit(record, q, v, clock, world, soft, drives, step, end)
        else:
            law = SMOOTH if contact == "smooth" else SPRING
            body = run_explicit(record, q, v, clock, world, soft, drives, step, end, law, method == "rk4")
        if body >= 0:
            raise Diverged(system.names[body], float(clock[0]))
        _check_room(world, clock)
        parts.append(taken(record))
        if len(parts) == 1:
            _check_start(system, parts[0], float(soft.materials.sinkage.max(initial=0.0)))
        yield min(1.0, clock[0] / end), None
    yield 1.0, contact_trace(system, parts, frames, fps, drives)


def _check_room(world: World, clock: np.ndarray) -> None:
    if world.found.dropped.any():
        raise HeftError(f"more contacts than there is room for at {clock[0]:.3f} s ({world.found.dropped.tolist()} found no place)")
