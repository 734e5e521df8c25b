"""What joints are told to do: torques, targets to follow, voltages. Given at some times; between them runs a smooth curve.

A joint without a command gives no torque; a motor without one has 0 V, so that it brakes.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.curves import curve
from ..algebra.quaternions import continuous, rotation_vectors
from ..errors import HeftError
from ..model.actuators import DCMotor
from ..model.model import FREE, KIND_NAMES, System
from ..model.stops import joint_mobilities


@dataclass(frozen=True)
class Torque:
    """Torques over time. A DC motor gets the voltage that they need at rest, and its back-EMF."""
    body: str
    times: ArrayLike                              # (n,) s, rising
    values: ArrayLike                             # (n,) or (n, axes), N m or N


@dataclass(frozen=True)
class Follow:
    """Coordinates over time that a spring and a damper pull the joint to, with the torque that the actuator can give.

    Stiffness I w^2 and damping 2 ratio I w, with w = 2 pi frequency and I the inertia that the joint moves in the zero pose."""
    body: str
    times: ArrayLike                              # (n,) s, rising
    values: ArrayLike                             # (n,) or (n, axes) rad or m; a ball's (n, 4) quaternions
    frequency: float = 3.0                        # Hz
    damping_ratio: float = 1.0
    inertia: float | None = None                  # kg m^2 or kg; None: the joint's own
    torque: ArrayLike | None = None               # as of Torque, at the same times, on top


@dataclass(frozen=True)
class Voltage:
    """Volts over time, for a DC motor."""
    body: str
    times: ArrayLike                              # (n,) s, rising
    values: ArrayLike                             # (n,) or (n, axes) V


Command = Torque | Follow | Voltage


class Sampled(NamedTuple):
    """A command, checked, at every step. T samples, n axes."""
    body: int
    follows: bool
    volts: bool
    stiffness: np.ndarray                         # (n,)
    damping: np.ndarray                           # (n,)
    target: np.ndarray                            # (T, 4) coordinates, the unused 0
    rate: np.ndarray                              # (T, 3) velocities of the axes
    feed: np.ndarray                              # (T, n) torque, or volts


def sample_commands(system: System, commands: Sequence[Command], step: float, seconds: float) -> dict[int, Sampled]:
    """Check the commands and sample them every `step` s; by body."""
    times = step * np.arange(int(np.ceil(seconds / step - 1e-9)) + 3)
    out: dict[int, Sampled] = {}
    for command in commands:
        if not isinstance(command, (Torque, Follow, Voltage)):
            raise HeftError(f"a command is {command!r}, must be a Torque, a Follow or a Voltage")
        if command.body not in system.names:
            raise HeftError(f"a {type(command).__name__} names body '{command.body}', which does not exist: must be one of "
                            f"{', '.join(system.names)}")
        sampled = _sample(system, command, times)
        if sampled.body in out:
            raise HeftError("two commands drive its joint: give it one", command.body)
        out[sampled.body] = sampled
    return out


def _sample(system: System, command: Command, times: np.ndarray) -> Sampled:
    m, i = system.model, system.names.index(command.body)
    axes, coordinates = int(m.axis_start[i + 1] - m.axis_start[i]), int(m.q_start[i + 1] - m.q_start[i])
    if m.kind[i] == FREE or axes == 0:
        raise HeftError(f"a {KIND_NAMES[int(m.kind[i])]} joint has no actuator to command: drive a joint between two bodies", command.body)
    if isinstance(command, Voltage) and not isinstance(system.bodies[i].joint.actuator, DCMotor):
        raise HeftError("a Voltage drives it, but its joint has no DCMotor: give it one, or a Torque", command.body)
    known = np.atleast_1d(np.array(command.times, float))
    if not len(known) or not np.isfinite(known).all() or not (np.diff(known) > 0).all():
        raise HeftError(f"times of its {type(command).__name__} are {known.tolist()} s, must rise", command.body)
    zero = np.zeros((len(times), axes))
    target, rate = np.zeros((len(times), 4)), np.zeros((len(times), 3))
    if not isinstance(command, Follow):
        feed = curve(times, known, _values(command, "values", command.values, known, axes))
        return Sampled(i, False, isinstance(command, Voltage), np.zeros(axes), np.zeros(axes), target, rate, feed)
    values = _values(command, "values", command.values, known, coordinates)
    if coordinates == 4:
        if (np.abs(np.linalg.norm(values, axis=1) - 1) > 1e-3).any():
            raise HeftError("its Follow turns by quaternions, which must have length 1", command.body)
        values = continuous(values)
    target[:, :coordinates] = curve(times, known, values)
    if coordinates == 4:
        target /= np.linalg.norm(target, axis=1, keepdims=True)
        rate[:-1] = rotation_vectors(target[:-1], target[1:]) / times[1]
    else:
        rate[:-1, :axes] = np.diff(target[:, :axes], axis=0) / times[1]
    feed = zero if command.torque is None else curve(times, known, _values(command, "torque", command.torque, known, axes))
    stiffness, damping = _gains(system, command, i)
    return Sampled(i, True, False, stiffness, damping, target, rate, feed)


def _values(command: Command, what: str, given: ArrayLike, known: np.ndarray, width: int) -> np.ndarray:
    try:
        values = np.array(given, float)
    except (TypeError, ValueError):
        raise HeftError(f"{what} of its {type(command).__name__} must be numbers", command.body) from None
    if values.ndim <= 1 and width == 1:
        values = values.reshape(-1, 1)
    elif values.ndim == 1 and len(known) == 1:
        values = values[None]
    if values.shape != (len(known), width) or not np.isfinite(values).all():
        raise HeftError(f"{what} of its {type(command).__name__} have shape {values.shape}, must be ({len(known)}, {width}) and finite: "
                        "one row a time", command.body)
    return values


def _gains(system: System, command: Follow, i: int) -> tuple[np.ndarray, np.ndarray]:
    for what in ("frequency", "damping_ratio", "inertia"):
        value = getattr(command, what)
        if value is not None and not (np.isfinite(value) and value >= 0):
            raise HeftError(f"{what} of its Follow is {value}, must be 0 or more and finite", command.body)
    m = system.model
    axes = int(m.axis_start[i + 1] - m.axis_start[i])
    inertia = np.full(axes, command.inertia) if command.inertia is not None else 1 / np.diag(joint_mobilities(m)[i])
    w = 2 * np.pi * command.frequency
    return inertia * w ** 2, 2 * command.damping_ratio * inertia * w
