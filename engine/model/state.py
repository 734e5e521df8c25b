"""The state of a system: where everything is, and how fast."""
from typing import NamedTuple

import numpy as np

from ..errors import HeftError
from .model import BALL, FREE, Model, System

LARGEST_LENGTH_ERROR = 1e-3                      # of a quaternion; more is taken for a mistake
LARGEST_GEAR_ERROR = 1e-6                        # rad or m


class State(NamedTuple):
    """Coordinates q (nq,) and velocities v (nv,)."""
    q: np.ndarray
    v: np.ndarray

    @classmethod
    def rest(cls, system: System) -> "State":
        """All joints at zero, nothing moves."""
        return cls(rest_coordinates(system.model), np.zeros(system.model.nv))


def rest_coordinates(m: Model) -> np.ndarray:
    """q (nq,) with every joint at zero: angles 0, quaternions 1."""
    q = np.zeros(m.nq)
    for i in range(m.nb):
        if m.kind[i] in (FREE, BALL):
            q[m.q_start[i] + (3 if m.kind[i] == FREE else 0)] = 1.0
    return q


def checked_state(system: System, state: State) -> State:
    """A copy with quaternions of unit length. Raises HeftError where numbers are missing, not finite or don't fit each other."""
    m = system.model
    q, v = checked_array("q", state.q, m.nq), checked_array("v", state.v, m.nv)
    for i, name in enumerate(system.names):
        if m.kind[i] in (FREE, BALL):
            turn = q[m.q_start[i + 1] - 4:m.q_start[i + 1]]
            length = np.linalg.norm(turn)
            if abs(length - 1) > LARGEST_LENGTH_ERROR:
                raise HeftError(f"body '{name}': its quaternion in q is {turn.tolist()}, of length {length:g}, must be 1")
            turn /= length
    _check_gears(system, q)
    return State(q, v)


def _check_gears(system: System, q: np.ndarray) -> None:
    """where angles are coupled, q must keep the ratio; balls are coupled by their velocities alone"""
    m = system.model
    drivers: dict[int, tuple[str, float]] = {}
    for i, name in enumerate(system.names):
        if m.kind[i] in (FREE, BALL):
            continue
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            value = q[m.q_start[i] + k - m.axis_start[i]]
            driver, wanted = drivers.setdefault(int(m.dof[k]), (name, float(value / m.ratio[k])))
            if abs(value - m.ratio[k] * wanted) > LARGEST_GEAR_ERROR:
                raise HeftError(f"body '{name}': its coordinate in q is {value:g}, but it is geared to '{driver}' and must be "
                                f"{m.ratio[k] * wanted:g}")


def checked_array(name: str, values, size: int) -> np.ndarray:
    """`values` as a new array of that size, all finite"""
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        raise HeftError(f"{name} is {values!r}, must be {size} numbers") from None
    if array.shape != (size,):
        raise HeftError(f"{name} has shape {array.shape}, must be ({size},)")
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        raise HeftError(f"{name}[{bad[0]}] is {array[bad[0]]}, must be finite")
    return array
