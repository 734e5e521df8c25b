"""Actuators and what they are told, as the arrays that a step reads: one entry a driven axis."""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..model.actuators import Actuator, DCMotor
from ..model.model import Model, System
from .commands import Command, Sampled, sample_commands
from .exponential import decays_and_weights

IDEAL, MOTOR = range(2)
TORQUE, FRICTION, CURRENT, VOLTAGE = range(4)
"""Columns of what is recorded of a drive."""


class Drives(NamedTuple):
    """Sizes: nd driven axes, of nj joints with a target; T samples. A drive's numbers are those of its axis, not of the dof."""
    constant: np.ndarray            # (nv,) constant forces on the dofs, besides

    # the axes
    axis: np.ndarray                # (nd,)
    dof: np.ndarray                 # (nd,)
    ratio: np.ndarray               # (nd,) axis velocity over dof velocity
    kind: np.ndarray                # (nd,) IDEAL or MOTOR
    volts: np.ndarray               # (nd,) 1 where the feed is a voltage

    # ideal torques
    low: np.ndarray                 # (nd,) N m or N, at rest
    high: np.ndarray                # (nd,)
    slowness: np.ndarray            # (nd,) s/rad: 1 / top speed
    curvature: np.ndarray           # (nd,)
    eccentric: np.ndarray           # (nd,)

    # motors, felt at the joint (004, eqs 24-27)
    R: np.ndarray                   # (nd,) ohm
    L: np.ndarray                   # (nd,) H
    K: np.ndarray                   # (nd,) N m/A or V s/rad: K_m = K k
    D: np.ndarray                   # (nd,) N m s/rad: D_m = d_m k^2
    coulomb: np.ndarray             # (nd,) N m
    supply: np.ndarray              # (nd,) V

    # commands
    stiffness: np.ndarray           # (nd,)
    damping: np.ndarray             # (nd,)
    feed: np.ndarray                # (nd, T) N m or V
    sample: np.ndarray              # (1,) s between samples
    target_body: np.ndarray         # (nj,)
    target_drive: np.ndarray        # (nj,) its first drive
    target: np.ndarray              # (nj, T, 4) coordinates
    rate: np.ndarray                # (nj, T, 3) velocities of the axes

    # state
    current: np.ndarray             # (nd,) A
    side: np.ndarray                # (nd, 2) of command and friction: -1, 1 at that limit, 0 between

    # computed by update_commands
    error: np.ndarray               # (nd,) target less coordinate, rad or m
    rate_error: np.ndarray          # (nd,) target's velocity
    speed: np.ndarray               # (nd,) of the axis as the step begins, rad/s or m/s
    wanted: np.ndarray              # (nd, 2) what is asked for at that speed, N m or V, and how it falls with speed
    sides: np.ndarray               # (nd, 4) the limit above and how it falls with speed, the limit below and the same

    # computed by choose_forces
    force: np.ndarray               # (nd, 2) torque at that speed, N m or N, and how it falls with speed
    friction: np.ndarray            # (nd, 2) the same

    # computed by apply_drives
    applied: np.ndarray             # (nd, 4) TORQUE, FRICTION, CURRENT as the step begins, VOLTAGE
    next_current: np.ndarray        # (nd,) A, as it ends

    # Runge-Kutta: stages of the current
    exponential: np.ndarray         # (1,) 1: by the weights below, exact in L and R (Cox and Matthews 2002); 0: by the tableau
    decay: np.ndarray               # (nd, 5)
    weight: np.ndarray              # (nd, 5, 4)
    stage_current: np.ndarray       # (nd,)
    stage_rate: np.ndarray          # (7, nd) A: the current that each stage tends to, or A/s
    first: np.ndarray               # (nd, 4) `applied` of the first stage

    # work arrays
    quaternion: np.ndarray          # (2, 4)
    vector: np.ndarray              # (3,)


def build_drives(system: System, commands: Sequence[Command] = (), constant: np.ndarray | None = None, step: float = 0.001,
                 seconds: float = 0.0, exponential: bool = True) -> Drives:
    """The drives of all joints that have an actuator or a command; those are sampled every `step` s for so many seconds."""
    m = system.model
    sampled = sample_commands(system, commands, step, seconds)
    bodies = [i for i, body in enumerate(system.bodies) if body.joint.actuator is not None or i in sampled]
    rows = [row for i in bodies for row in _rows(system, i, sampled.get(i))]
    nd, samples = len(rows), max((len(s.target) for s in sampled.values()), default=2)
    column = lambda name, kind=float: np.array([row[name] for row in rows], kind)
    axis = column("axis", int)
    following = [i for i in bodies if i in sampled and sampled[i].follows]
    feed = np.zeros((nd, samples))
    for j, row in enumerate(rows):
        feed[j] = row["feed"] if row["feed"] is not None else 0.0
    first = {int(a): j for j, a in enumerate(axis)}
    time_constant = column("L") / column("R")
    decay, weight = decays_and_weights(step / time_constant)
    zeros = {"error": (nd,), "rate_error": (nd,), "speed": (nd,), "wanted": (nd, 2), "sides": (nd, 4), "force": (nd, 2),
             "friction": (nd, 2), "applied": (nd, 4), "next_current": (nd,), "stage_current": (nd,), "stage_rate": (7, nd),
             "first": (nd, 4), "quaternion": (2, 4), "vector": (3,), "current": (nd,)}
    return Drives(
        constant=np.zeros(m.nv) if constant is None else np.array(constant, float), axis=axis, dof=m.dof[axis], ratio=m.ratio[axis],
        kind=column("kind", int), volts=column("volts", int),
        **{name: column(name) for name in ("low", "high", "slowness", "curvature", "eccentric", "R", "L", "K", "D", "coulomb", "supply",
                                           "stiffness", "damping")},
        feed=feed, sample=np.array([step]), target_body=np.array(following, int),
        target_drive=np.array([first[int(m.axis_start[i])] for i in following], int),
        target=np.array([sampled[i].target for i in following], float).reshape(-1, samples, 4),
        rate=np.array([sampled[i].rate for i in following], float).reshape(-1, samples, 3), side=np.zeros((nd, 2), int),
        exponential=np.array([int(exponential)]), decay=decay, weight=weight, **{name: np.zeros(shape) for name, shape in zeros.items()})


def _rows(system: System, i: int, command: Sampled | None) -> list[dict]:
    """one a driven axis of body i's joint"""
    m, actuator = system.model, system.bodies[i].joint.actuator or Actuator()
    rows = []
    for number, axis in enumerate(range(m.axis_start[i], m.axis_start[i + 1])):
        row = {"axis": axis, "kind": IDEAL, "low": -np.inf, "high": np.inf, "slowness": 0.0, "curvature": 0.0, "eccentric": 1.0,
               "R": 1.0, "L": 1.0, "K": 1.0, "D": 0.0, "coulomb": 0.0, "supply": np.inf,
               "volts": int(command.volts) if command else 0, "stiffness": command.stiffness[number] if command else 0.0,
               "damping": command.damping[number] if command else 0.0, "feed": command.feed[:, number] if command else None}
        if isinstance(actuator, DCMotor):
            gear = float(actuator.gear)
            row |= {"kind": MOTOR, "R": actuator.resistance, "L": actuator.inductance, "K": actuator.torque_constant * gear,
                    "D": actuator.viscous * gear ** 2, "coulomb": actuator.coulomb, "supply": actuator.supply}
            if command is None:
                row["volts"] = 1
        elif actuator.limits:
            limit = actuator.limits[number if len(actuator.limits) > 1 else 0]
            row |= {"low": limit.low, "high": limit.high, "slowness": 1 / actuator.top_speed, "curvature": actuator.curvature,
                    "eccentric": actuator.eccentric}
        rows.append(row)
    return rows


def no_drives(m: Model) -> Drives:
    """Nothing drives."""
    empty = System((), (), (), np.zeros(0, int), (), m)
    return build_drives(empty)
