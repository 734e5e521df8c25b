"""What moves a joint: an ideal torque with limits, or a direct-current motor behind a gear (source 004, 2.3).

A joint has one actuator for all its axes. What the actuator is told to do comes with `simulate`: see effort/commands.py.
"""
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadCharacter

if TYPE_CHECKING:
    from .character import Joint, Range


@dataclass(frozen=True)
class Actuator:
    """Any torque up to its limits, which fall with the speed of the joint if there is a top speed.

    With x = speed over top speed, in the direction of the torque, the limit is (1 - x) / (1 + curvature x) of that at rest: a straight
    line for a motor, Hill's hyperbola for a muscle (curvature = F0 / a = 4, Hill 1938). A joint that is driven back (x < 0) meets
    up to `eccentric` times the limit."""
    limits: tuple["Range", ...] = ()             # N m or N at rest, one an axis, or one for all; none: no limit
    top_speed: float = np.inf                    # rad/s or m/s at which nothing is left
    curvature: float = 0.0                       # 0: straight
    eccentric: float = 1.0                       # 1 or more


@dataclass(frozen=True)
class DCMotor:
    """Voltage in; current, torque and heat out (004, eqs 16-25)."""
    resistance: float                            # ohm
    inductance: float                            # H
    torque_constant: float                       # N m/A at the rotor; the back-EMF has the same number in V s/rad
    gear: float = 1.0                            # turns of the rotor for one of the joint, or rad/m of a slider
    rotor_inertia: float = 0.0                   # kg m^2
    viscous: float = 0.0                         # N m s/rad at the rotor
    coulomb: float = 0.0                         # N m at the joint (N): dry friction of motor and gear
    supply: float = np.inf                       # V: the most that it can get


def rotor_inertia(joint: "Joint") -> float:
    """kg m^2 or kg that an axis of the joint feels of rotors: its armature, and I_m k^2 of its motor (004, eq 25)."""
    motor = joint.actuator
    return float(joint.armature) + (float(motor.rotor_inertia) * float(motor.gear) ** 2 if isinstance(motor, DCMotor) else 0.0)


def check_actuator(name: str, joint: "Joint", axes: int) -> None:
    """Raise BadCharacter if the joint can't have its actuator."""
    actuator = joint.actuator
    if actuator is None:
        return
    if not isinstance(actuator, (Actuator, DCMotor)):
        raise BadCharacter(f"actuator is {actuator!r}, must be an Actuator or a DCMotor", name)
    if joint.kind == "free" or axes == 0:
        raise BadCharacter(f"a {joint.kind} joint has no actuator: nothing is there to push against", name)
    if isinstance(actuator, DCMotor):
        _check_numbers(name, actuator, positive=("resistance", "inductance", "torque_constant", "gear", "supply"),
                       others=("rotor_inertia", "viscous", "coulomb"), endless=("supply",))
        return
    _check_numbers(name, actuator, positive=("top_speed",), others=("curvature",), endless=("top_speed",))
    if not 1 <= actuator.eccentric < np.inf:
        raise BadCharacter(f"eccentric of its actuator is {actuator.eccentric}, must be 1 or more", name)
    if len(actuator.limits) not in (0, 1, axes):
        raise BadCharacter(f"its actuator has {len(actuator.limits)} limits, must have one or one for each of {axes} axes", name)
    for limit in actuator.limits:
        if not limit.low <= 0 <= limit.high:
            raise BadCharacter(f"its actuator can give {limit.low} to {limit.high} N m, must be able to give 0: low <= 0 <= high", name)
        if not np.isfinite([limit.low, limit.high]).all() and actuator.top_speed < np.inf:
            raise BadCharacter("its actuator has a top speed but no finite limit that could fall with speed: give it both", name)


def _check_numbers(name: str, actuator, positive: tuple[str, ...], others: tuple[str, ...], endless: tuple[str, ...]) -> None:
    for what in (*positive, *others):
        value = getattr(actuator, what)
        good = isinstance(value, (int, float, np.number)) and (np.isfinite(value) or (what in endless and value == np.inf))
        if not good or value < 0 or (value == 0 and what in positive):
            wanted = "positive" if what in positive else "0 or more"
            raise BadCharacter(f"{what.replace('_', ' ')} of its {type(actuator).__name__} is {value!r}, must be {wanted}"
                               f"{'' if what in endless else ' and finite'}", name)
