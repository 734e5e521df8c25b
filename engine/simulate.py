"""Simulate: let a system move by itself, with or without contact, and record every step."""
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .contact.holds import Hold
from .contact.record import CONTACTS, IMPACTS, IMPULSES, POINTS, ROWS, Record, allocate_record, run_contact
from .contact.world import allocate_world
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
             motor: np.ndarray | None = None, tolerance: float = 1e-9, contact: str = "none", holds: Sequence[Hold] = (),
             progress: Callable[[float], None] | None = None) -> Trace:
    """The motion of `system` from `state` under gravity, springs, limits and constant `motor` torques (nv,).

    `step` s is shortened so that every video frame falls on a step. `method` is euler (semi-implicit), rk4 or adaptive
    (Dormand-Prince, substeps with an error below `tolerance`). `contact` is none, or rigid, which goes with euler alone;
    `holds` are pins, grabs and loops, with rigid contact.
    `progress` gets the share done. Raises Diverged."""
    for share, trace in simulating(system, state, seconds, step, method, fps, motor, tolerance, contact, holds):
        if progress:
            progress(share)
        if trace is not None:
            return trace
    raise AssertionError("a simulation ends with its trace")


def simulating(system: System, state: State, seconds: float, step: float = 0.001, method: str = "rk4", fps: float = 30.0,
               motor: np.ndarray | None = None, tolerance: float = 1e-9, contact: str = "none",
               holds: Sequence[Hold] = ()) -> Iterator[tuple[float, Trace | None]]:
    """The same as a generator, for a modal operator: (share done, None) again and again, then (1, the trace)."""
    m = system.model
    if method not in METHODS:
        raise HeftError(f"method is '{method}', must be one of {', '.join(METHODS)}")
    if contact not in ("none", "rigid"):
        raise HeftError(f"contact is '{contact}', must be none or rigid")
    if holds and contact != "rigid":
        raise HeftError("holds go with rigid contact alone")
    if contact == "rigid" and method != "euler":
        raise HeftError(f"rigid contact steps by euler, not by '{method}'")
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
    if contact == "rigid":
        yield from _with_contact(system, q, v, motor, step, frames, fps, holds)
    else:
        yield from _without_contact(system, q, v, motor, step, frames, steps_a_frame, fps, METHODS[method], tolerance)


def _without_contact(system, q, v, motor, step, frames, steps_a_frame, fps, method, tolerance) -> Iterator[tuple[float, Trace | None]]:
    m = system.model
    count = frames * steps_a_frame + 1
    qpos, qvel, qacc, tau = np.zeros((count, m.nq)), np.zeros((count, m.nv)), np.zeros((count, m.nv)), np.zeros((count, m.nv))
    d = allocate(m)
    tableau = DORMAND_PRINCE if method == ADAPTIVE else RK4
    for start in range(0, count, STEPS_A_CHUNK):
        end = min(count, start + STEPS_A_CHUNK)
        reached, body = run(qpos[start:end], qvel[start:end], qacc[start:end], tau[start:end], q, v, d, m, motor, step, method, tableau,
                            tolerance)
        if body >= 0:
            raise Diverged(system.names[body], float((start + reached) * step))
        yield end / count, None
    trace = Trace(np.arange(count) * step, qpos, expand_dofs(system, qvel), expand_dofs(system, qacc),
                  axis_forces(system, qpos, qvel, qacc, tau), frame_step=np.arange(0, count, steps_a_frame), fps=fps)
    yield 1.0, trace


def _with_contact(system, q, v, motor, step, frames, fps, holds) -> Iterator[tuple[float, Trace | None]]:
    """steps may be uneven: one ends where an impact begins"""
    world = allocate_world(system, holds=holds)
    record = allocate_record(system.model, STEPS_A_CHUNK, len(world.links.body))
    parts: list[Record] = []
    clock, end = np.zeros(2), frames / fps + step
    while clock[0] < end - 1e-9:
        body = run_contact(record, q, v, clock, world, motor, step, end)
        if body >= 0:
            raise Diverged(system.names[body], float(clock[0]))
        if world.found.dropped.any():
            raise HeftError(f"more contacts than there is room for at {clock[0]:.3f} s ({world.found.dropped.tolist()} found no place)")
        parts.append(_taken(record))
        yield min(1.0, clock[0] / end), None
    yield 1.0, _trace(system, parts, frames, fps)


LENGTHS = {ROWS: ("time", "qpos", "qvel", "qacc", "tau"),
           CONTACTS: ("contact_step", "contact_body", "contact_vector", "contact_number", "contact_slip", "contact_kind"),
           POINTS: ("polygon",), IMPACTS: ("impact_step", "impact_qvel"),
           IMPULSES: ("impulse_impact", "impulse_body", "impulse_vector", "impulse_mu", "impulse_kind")}


def _taken(record: Record) -> Record:
    """a copy of what the record holds, and the record emptied"""
    used = record.used.copy()
    arrays = {name: getattr(record, name)[:used[kind]].copy() for kind, names in LENGTHS.items() for name in names}
    arrays["polygon_start"] = record.polygon_start[:used[CONTACTS] + 1].copy()
    record.used[:] = 0
    return Record(used=used, **arrays)


def _trace(system: System, parts: list[Record], frames: int, fps: float) -> Trace:
    starts = np.cumsum([np.zeros(5, int), *(part.used for part in parts)], axis=0)
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for names in LENGTHS.values() for name in names}
    shift = lambda name, kind: np.concatenate([getattr(part, name) + start[kind] for part, start in zip(parts, starts)])
    step, impact_step, impact = shift("contact_step", ROWS), shift("impact_step", ROWS), shift("impulse_impact", IMPACTS)
    polygons = np.concatenate([[0], *(part.polygon_start[1:] + start[POINTS] for part, start in zip(parts, starts))])
    contact = _both_sides(joined["contact_body"], joined["contact_vector"], step)
    impulse = _both_sides(joined["impulse_body"], joined["impulse_vector"], impact)
    rows = contact["row"]
    corners = [np.arange(polygons[k], polygons[k + 1]) for k in rows]
    tau, qvel, qacc, qpos = joined["tau"], joined["qvel"], joined["qacc"], joined["qpos"]
    times = joined["time"]
    return Trace(
        times, qpos, expand_dofs(system, qvel), expand_dofs(system, qacc), tau,
        contact_step=step[rows], contact_body=contact["body"], contact_other=contact["other"], contact_point=contact["point"],
        contact_normal=contact["normal"], contact_force=contact["force"], contact_torque=contact["torque"],
        contact_mu=joined["contact_number"][rows, 0], contact_depth=joined["contact_number"][rows, 1],
        contact_kind=joined["contact_kind"][rows], contact_slip=joined["contact_slip"][rows],
        polygon_start=np.cumsum([0, *(len(corner) for corner in corners)]),
        polygon_points=joined["polygon"][np.concatenate([np.zeros(0, int), *corners])],
        impact_step=impact_step, impact_qpos=qpos[impact_step], impact_qvel_before=expand_dofs(system, joined["impact_qvel"]),
        impulse_impact=impact[impulse["row"]], impulse_body=impulse["body"], impulse_other=impulse["other"],
        impulse_kind=joined["impulse_kind"][impulse["row"]], impulse_point=impulse["point"], impulse_linear=impulse["force"],
        impulse_angular=impulse["torque"], impulse_normal=impulse["normal"], impulse_mu=joined["impulse_mu"][impulse["row"]],
        frame_step=np.searchsorted(times, np.arange(frames + 1) / fps - 1e-9), fps=fps)


def _both_sides(bodies: np.ndarray, vectors: np.ndarray, order: np.ndarray) -> dict[str, np.ndarray]:
    """a contact between two moving bodies as two rows, equal and opposite; bodies counted as in the MJCF, the world 0"""
    row = np.concatenate([np.arange(len(bodies)), np.flatnonzero(bodies[:, 1] >= 0)])
    second = np.arange(len(row)) >= len(bodies)
    sign = np.where(second, -1.0, 1.0)[:, None]
    sort = np.argsort(order[row], kind="stable")
    return {"row": row[sort], "body": np.where(second, bodies[row, 1], bodies[row, 0])[sort] + 1,
            "other": np.where(second, bodies[row, 0], bodies[row, 1])[sort] + 1, "point": vectors[row, 0][sort],
            "normal": (sign * vectors[row, 1])[sort], "force": (sign * vectors[row, 2])[sort], "torque": (sign * vectors[row, 3])[sort]}


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
