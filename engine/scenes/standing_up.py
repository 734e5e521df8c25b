"""Standing up from a chair: alone, with hands on arm rests, with hands on the thighs.

The joints follow a motion that would balance at any speed: lean forward on the chair until the centre of mass is over the feet, rise
with it there, stand. Hands are held where they push until the arms are nearly straight (a Hold), and push down by torques of shoulder
and elbow on top of their targets. Without hands the arms move as with rests, in the air. All torques are within the strength of a man.
"""
from dataclasses import replace
from typing import Any

import numpy as np

from ..contact.holds import Hold
from ..dynamics.data import allocate
from ..dynamics.jacobian import body_jacobian
from ..dynamics.kinematics import update_pose
from ..dynamics.poses import body_poses
from ..effort.commands import Follow
from ..errors import HeftError
from ..model.build import build
from ..model.character import Character, Frame, Shape
from ..model.figure import ANKLE_HEIGHT, figure
from ..model.model import System
from ..model.state import State
from ..model.strength import with_strength
from .props import Scene, quaternion_product, scene, turn

SHIN, THIGH, HIP_DROP = 0.40, 0.41, 0.04          # m: lengths; the hips are that far below the pelvis
KNEES_AHEAD = np.radians(25)                      # by which shins lean forward on the chair
SPINE = np.radians(15)                            # by which the chest bends on the chair
LEAN, RISE, SECONDS = 1.5, 2.5, 5.0               # s: to lean, to rise, all
KEYS = 101
OVER = 0.02                                       # m: how far before the ankles the centre of mass leaves the chair
HAND = (0.0, 0.0, -0.27)                          # m, on the forearm
LET_GO = {"free": 0.38, "rests": 0.38, "thighs": 0.30}      # of the rise: soon after it the arms are straight
REST = (0.0, 0.70)                              # m, x and z of the hands on the arm rests, over the ankles
ON_THIGH = (0.095, 0.0, -0.28)                    # m, on the thigh: 28 cm down from the hip
START = np.array([0.6, 0.05, 1.2])                # rad, of the arms: shoulder forward, shoulder out, elbow
GAINS = {"frequency": 6.0, "inertia": 2.5}        # Hz, kg m^2: 3550 N m/rad
ARM_GAINS = {"frequency": 2.0, "inertia": 0.3}    # 47 N m/rad


@scene
def stand_up() -> Scene:
    """The figure, as strong as a man of its size, stands up from a chair without its hands."""
    return chair("free")


@scene
def stand_up_rests() -> Scene:
    """It stands up with its hands on arm rests: less for the knees."""
    return chair("rests")


@scene
def stand_up_thighs() -> Scene:
    """It stands up with its hands on its thighs."""
    return chair("thighs")


def chair(hands: str, push: float = 150.0, strength: float = 1.0) -> Scene:
    """Hands free, on rests or on the thighs, where each pushes with `push` N."""
    system = build(_figure(strength), shapes=_world())
    times, q = _motion(system, hands)
    start, force = system.model.q_start, push if hands != "free" else 0.0
    commands = [Follow(name, times, q[:, start[i]:start[i + 1]], **(ARM_GAINS if "arm" in name else GAINS),
                       torque=_push(system, q, times, i, force, hands)) for i, name in enumerate(system.names) if i]
    state = State(q[0], np.zeros(system.model.nv))
    return Scene(system, state, SECONDS, _holds(hands), commands)


def _figure(strength: float) -> Character:
    """Thighs alone touch the seat, and boxes of the trunk let arms and thighs pass: flesh would give way"""
    character = with_strength(figure(), strength)
    on_seat = lambda body: replace(body, shapes=tuple(replace(shape, group=3) for shape in body.shapes)) if "thigh" in body.name else body
    pairs = tuple((a, f"{b}.{side}") for side in "LR" for a, b in (("chest", "thigh"), (f"forearm.{side}", "thigh"), ("chest", "forearm"),
                                                                   ("pelvis", "forearm")))
    return replace(character, bodies=tuple(on_seat(body) for body in character.bodies), ignored_pairs=pairs)


def seat_height() -> float:
    return ANKLE_HEIGHT + SHIN * np.cos(KNEES_AHEAD) - 0.06


def _world() -> tuple[Shape, ...]:
    hip = SHIN * np.sin(KNEES_AHEAD) - THIGH
    half = seat_height() / 2
    return (Shape("plane"), Shape("box", (0.2, 0.25, half), Frame((hip - 0.02, 0, half)), mask=2))


def legs(u: float) -> tuple[float, float]:
    """angles of thigh and shin against the vertical, u of the way from the chair (0) to standing (1)"""
    return -np.pi / 2 * (1 - u), KNEES_AHEAD * (1 - u) * (1 + 0.4 * u)


def _pose(system: System, u: float, pitch: float, spine: float, arm: np.ndarray) -> np.ndarray:
    """q, feet below the origin, the pelvis leaning by pitch; arm: shoulder forward, shoulder out, elbow"""
    m, q, y = system.model, State.rest(system).q, (0, 1, 0)
    thigh, shin = legs(u)
    q[0] = SHIN * np.sin(shin) + THIGH * np.sin(thigh) + HIP_DROP * np.sin(pitch)
    q[2] = ANKLE_HEIGHT + SHIN * np.cos(shin) + THIGH * np.cos(thigh) + HIP_DROP * np.cos(pitch)
    q[3:7] = turn(y, pitch)
    joints = {"chest": turn(y, spine), "head": turn(y, -spine - 0.5 * pitch)}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        joints |= {f"thigh.{side}": turn(y, thigh - pitch), f"shin.{side}": (shin - thigh,), f"foot.{side}": turn(y, -shin),
                   f"upper_arm.{side}": quaternion_product(turn((1, 0, 0), sign * arm[1]), turn(y, -arm[0])),
                   f"forearm.{side}": (-arm[2],)}
    for name, values in joints.items():
        i = system.names.index(name)
        q[m.q_start[i]:m.q_start[i + 1]] = values
    return q


def _middle(system: System, q: np.ndarray) -> np.ndarray:
    x, R = (pose[0] for pose in body_poses(system, q))
    m = system.model
    return (m.mass[:, None] * (x + np.einsum("bij,bj->bi", R, m.com))).sum(0) / m.mass.sum()


def _hand(system: System, q: np.ndarray) -> np.ndarray:
    x, R = (pose[0] for pose in body_poses(system, q))
    i = system.names.index("forearm.L")
    return x[i] + R[i] @ np.array(HAND)


def _lean(system: System, u: float, arm: np.ndarray) -> float:
    """the lean of the pelvis that puts the centre of mass over the feet, by bisection: at OVER on the chair, and on to where it is
    in standing"""
    over = OVER * (1 - u) + u * _middle(system, _pose(system, 1.0, 0.0, 0.0, np.zeros(3)))[0]
    low, high = -0.5, 1.4
    for _ in range(20):
        pitch = 0.5 * (low + high)
        low, high = (pitch, high) if _middle(system, _pose(system, u, pitch, SPINE * (1 - u), arm))[0] < over else (low, pitch)
    return pitch


def _reach(system: System, u: float, pitch: float, spine: float, arm: np.ndarray, target: np.ndarray) -> np.ndarray:
    """the arm whose hand is at `target`, from a guess, by Newton's method"""
    for _ in range(12):
        here = _hand(system, _pose(system, u, pitch, spine, arm))
        slope = np.array([(_hand(system, _pose(system, u, pitch, spine, arm + 1e-5 * axis)) - here) / 1e-5 for axis in np.eye(3)]).T
        change = np.linalg.solve(slope.T @ slope + 1e-6 * np.eye(3), slope.T @ (target - here))
        arm = arm + np.clip(change, -0.3, 0.3)
    if np.linalg.norm(_hand(system, _pose(system, u, pitch, spine, arm)) - target) > 1e-3:
        raise HeftError(f"the hands do not reach {target.round(3).tolist()} m at {u:.2f} of the way up")
    return arm


def _place(system: System, u: float, hands: str) -> np.ndarray:
    """where the left hand is, m"""
    if hands != "thighs":
        return np.array([REST[0], 0.20, REST[1]])
    x, R = (pose[0] for pose in body_poses(system, _pose(system, u, 0.0, 0.0, np.zeros(3))))
    i = system.names.index("thigh.L")
    return x[i] + R[i] @ np.array(ON_THIGH)


def _motion(system: System, hands: str) -> tuple[np.ndarray, np.ndarray]:
    """times and coordinates of the keys"""
    times = np.linspace(0, SECONDS, KEYS)
    arm, first, last, q = START, START, 0.0, []
    for u, share in zip(smooth((times - LEAN) / RISE), smooth(times / LEAN)):
        if u < LET_GO[hands] + 0.06:
            # the arms carry some of the weight: find lean and arms together
            for _ in range(2):
                lean = _lean(system, u, arm)
                pitch, spine = share * lean, share * SPINE * (1 - u)
                arm = _reach(system, u, pitch, spine, arm, _place(system, u, hands))
            first, last = arm, u
        else:
            arm = first * (1 - smooth((u - last) / (1 - last)))
            pitch, spine = _lean(system, u, arm), SPINE * (1 - u)
        q.append(_pose(system, u, pitch, spine, arm))
    return times, np.array(q)


def smooth(x: Any) -> Any:
    """from 0 to 1 without a jump of speed or acceleration"""
    x = np.clip(x, 0, 1)
    return x ** 3 * (10 - 15 * x + 6 * x ** 2)


def _push(system: System, q: np.ndarray, times: np.ndarray, i: int, push: float, hands: str) -> np.ndarray:
    """torques (KEYS, axes) of body i's joint that press its hand down: J^T (0, 0, -push)"""
    m = system.model
    axes = slice(m.axis_start[i], m.axis_start[i + 1])
    out = np.zeros((len(q), axes.stop - axes.start))
    if "arm" not in system.names[i]:
        return out
    hand = system.names.index(f"forearm.{system.names[i][-1]}")
    d, J = allocate(m), np.zeros((6, m.nv))
    end = release(hands)
    for number, (time, pose) in enumerate(zip(times, q)):
        # in the end they lift their own weight, so that nothing jumps when they let go
        share = smooth((time - 0.4 * LEAN) / (0.6 * LEAN)) * (1 - 1.4 * smooth((time - end + 0.8) / 0.7))
        update_pose(d, m, pose)
        body_jacobian(J, d, m, hand, d.origin[0] + d.x[hand] + d.R[hand] @ np.array(HAND))
        out[number] = -share * push * J[2, m.dof[axes]]
    return out


def release(hands: str) -> float:
    """s at which the hands let go: where the rise is LET_GO of its way"""
    times = np.linspace(0, RISE, 2001)
    return float(LEAN + times[np.searchsorted(smooth(times / RISE), LET_GO[hands])])


def _holds(hands: str) -> list[Hold]:
    if hands == "free":
        return []
    out = []
    for side, sign in (("L", 1.0), ("R", -1.0)):
        to = Frame((REST[0], sign * 0.20, REST[1])) if hands == "rests" else Frame(ON_THIGH)
        out.append(Hold(f"forearm.{side}", Frame(HAND), f"thigh.{side}" if hands == "thighs" else None, to, end=release(hands)))
    return out
