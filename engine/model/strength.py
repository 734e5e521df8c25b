"""How strong people are: torque limits of a figure's joints from published isometric strength.

Legs: Anderson, Madigan and Nussbaum 2007, J. Biomechanics 40, 3105-3113, Table 3, ages 18 to 25: the largest isometric torque C1 over
body weight times height, and the speed C5 at which half of it is left; by Hill's curve with curvature 4 the top speed is 6 C5.
Arms and trunk: Stobbe 1982 (thesis, University of Michigan), medians of 25 men and 22 women in industry, as printed in Chaffin,
Andersson and Martin, Occupational Biomechanics. Neck: Vasavada, Li and Delp 2001, Spine 26, 1904-1909, means of 11 men and 5 women.
These are in N m, and taken to be of men of 75 kg and women of 62 kg, since the weights are not printed with them.

Where none of them has a direction, it is assumed: a hip's abduction and adduction as strong as its flexion, twists of hip, ankle and
trunk and the tilt of the ankle half as strong as the weaker of flexion and extension; arms and trunk as fast as the hip.
"""
from collections.abc import Sequence
from dataclasses import replace

from ..errors import HeftError
from .actuators import Actuator
from .character import Character, Range

GRAVITY = 9.81                                   # m/s^2
HEIGHT = 1.71                                    # m, of the reference figure
CURVATURE = 4.0                                  # Hill 1938: F0 / a
HALF_SPEED = 1 / 6                               # of the top speed, where such a curve has half its torque

# hip extension, flexion; knee extension, flexion; ankle plantar flexion, dorsiflexion: of body weight times height
LEGS = {"man": (0.161, 0.113, 0.163, 0.087, 0.095, 0.033), "woman": (0.181, 0.127, 0.159, 0.080, 0.104, 0.027)}
# rad/s at half the torque: hip extension, knee extension, ankle plantar flexion
SPEEDS = {"man": (3.190, 3.952, 3.558), "woman": (3.164, 3.623, 3.109)}
# N m: elbow flexion, extension; shoulder raising, lowering, turning in, turning out; trunk extension, flexion, to the side
UPPER = {"man": (77, 46, 71, 67, 52, 33, 234, 143, 159), "woman": (41, 27, 37, 30, 21, 19, 184, 75, 94)}
# N m: neck extension, flexion, to the side, twist
NECK = {"man": (52, 30, 36, 15), "woman": (21, 15, 16, 6)}
MASS = {"man": 75.0, "woman": 62.0}              # kg


def with_strength(character: Character, strength: float = 1.0, sex: str = "man", height: float = HEIGHT,
                  mass: float | None = None) -> Character:
    """The character with an actuator at every joint of the reference figure's names (thigh.L, shin.L, ...). `strength` scales all; torques
    go with mass, kg (None: the character's own), those of the legs with mass and height, m."""
    if sex not in LEGS:
        raise HeftError(f"sex is '{sex}', must be one of {', '.join(LEGS)}")
    own = sum(float(body.mass) for body in character.bodies)
    for what, value in (("strength", strength), ("height", height), ("mass", own if mass is None else mass)):
        if not 0 < value < float("inf"):
            raise HeftError(f"{what} is {value}, must be positive and finite")
    actuators = _actuators(sex, height, own if mass is None else mass, strength)
    known = [body for body in character.bodies if body.name in actuators]
    if not known:
        raise HeftError(f"character '{character.name}' has no joint of known strength, must have some of {', '.join(actuators)}")
    bodies = (replace(body, joint=replace(body.joint, actuator=actuators[body.name])) if body in known else body
              for body in character.bodies)
    return replace(character, bodies=tuple(bodies))


def _actuators(sex: str, height: float, mass: float, strength: float) -> dict[str, Actuator]:
    hip_back, hip_forward, knee_open, knee_close, toes_down, toes_up = (strength * mass * GRAVITY * height * x for x in LEGS[sex])
    scale = strength * mass / MASS[sex]
    bend, stretch, up, down, inward, outward, back, forward, side = (scale * x for x in UPPER[sex])
    nod_back, nod, tilt, shake = (scale * x for x in NECK[sex])
    hip_speed, knee_speed, ankle_speed = (x / HALF_SPEED for x in SPEEDS[sex])
    # y turns a hanging limb back, an upright trunk forward and toes down; x turns a hanging limb to the left
    out = {"chest": _muscle(((side, side), (back, forward), (forward / 2, forward / 2)), hip_speed),
           "head": _muscle(((tilt, tilt), (nod_back, nod), (shake, shake)), hip_speed)}
    for name, left in (("L", True), ("R", False)):
        raising = (down, up) if left else (up, down)
        turning = (inward, outward) if left else (outward, inward)
        out |= {f"upper_arm.{name}": _muscle((raising, (up, down), turning), hip_speed),
                f"forearm.{name}": _muscle(((bend, stretch),), hip_speed),
                f"thigh.{name}": _muscle(((hip_forward,) * 2, (hip_forward, hip_back), (hip_forward / 2,) * 2), hip_speed),
                f"shin.{name}": _muscle(((knee_open, knee_close),), knee_speed),
                f"foot.{name}": _muscle(((toes_up / 2,) * 2, (toes_up, toes_down), (toes_up / 2,) * 2), ankle_speed)}
    return out


def _muscle(sides: Sequence[tuple[float, float]], top_speed: float) -> Actuator:
    """torques in the negative and the positive direction of each axis"""
    return Actuator(tuple(Range(-low, high) for low, high in sides), top_speed, CURVATURE)
