"""Holds: pins, grabs, closed loops, rolling, and gears between any joints; they hold until they break or are let go.

A hold is a virtual link (source 000, 2.1) between a frame on a body and one on another body, on the world or on a moving target.
Any of its six rows may be held: three make a pin, six a weld, five a hinge. A row with a stiffness is a spring (3.1),
stepped implicitly. What has drifted apart comes back by the acceleration term of eq 20b. A rolling hold (2.2) stops
velocities and asks for no place. A coupling's one row is not that of a frame but of two joints.
"""
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..algebra.quaternions import unit
from ..algebra.rotations import quaternion_matrix
from ..algebra.vectors import compose, rotate
from ..errors import HeftError
from ..kernel import kernel
from ..model.character import Frame
from ..model.model import WORLD, Model, System
from .paths import Path, follow
from .virtual_links import add_drift, add_velocity

ORIGIN = Frame()
LENGTH = 0.1                                      # m, of the rows that turn
LOOSE = 1e-6                                      # m; what is further apart comes together at RETURN_RATE, else within a step
RETURN_RATE = 50.0                                # 1/s


@dataclass(frozen=True)
class Hold:
    """One hold. Rows are along x, y, z and about x, y, z of the frame on the other side; of the body's own, if it rolls."""
    body: str
    at: Frame = ORIGIN                            # on the body
    other: str | None = None                      # None: the world
    to: Frame | Path = ORIGIN                     # on the other body or in the world; or a target that moves in the world
    rows: Sequence[bool] = (True, True, True, False, False, False)
    stiffness: Sequence[float] = ()               # six, N/m and N m/rad; a row of 0 is rigid; empty: all are
    damping: Sequence[float] = ()                 # six, N s/m and N m s/rad, for rows with a stiffness
    break_force: float = np.inf                   # N; an impact's impulse does not break it, the forces after it may
    break_moment: float = np.inf                  # N m
    begin: float = 0.0                            # s
    end: float = np.inf                           # s
    rolling: bool = False                         # rows stop velocities alone, as a wheel's or a skate's: the place is free


@dataclass(frozen=True)
class Coupling:
    """From `begin` on the follower's joint turns `ratio` times as fast as the driver's: any two hinges or sliders, anywhere in the system.
    (Neighbours in one character are coupled better by a Gear, which costs nothing.)"""
    driver: str
    follower: str
    ratio: float
    begin: float = 0.0                            # s
    end: float = np.inf                           # s


class Holds(NamedTuple):
    """The same as arrays. nh holds."""
    body: np.ndarray                # (nh,)
    other: np.ndarray               # (nh,) -1 the world
    at: np.ndarray                  # (nh, 3) m, body axes
    at_rotation: np.ndarray         # (nh, 4)
    to: np.ndarray                  # (nh, 3)
    to_rotation: np.ndarray         # (nh, 4)
    rows: np.ndarray                # (nh, 6) 1 where held
    stiffness: np.ndarray           # (nh, 6) 0: rigid
    damping: np.ndarray             # (nh, 6)
    limit: np.ndarray               # (nh, 2) N and N m at which it breaks
    span: np.ndarray                # (nh, 2) s, from and to
    broken: np.ndarray              # (nh,) when it broke, s, or -1
    holding: np.ndarray             # (nh,) 1 once it holds: a grab closes with an impulse, once
    error: np.ndarray               # (nh, 6) how far apart the two frames are, m and rad
    path: np.ndarray                # (nh,) which path the other side follows, or -1
    rolling: np.ndarray             # (nh,) 1 where the place is free
    ratio: np.ndarray               # (nh,) of a coupling; 0 for others
    offset: np.ndarray              # (nh,) by which a coupling's follower was ahead when it began, rad or m
    grid: np.ndarray                # (1,) the whole step, s: one that an impact cuts asks for no larger force
    drift: np.ndarray               # (nh, 6) how they accelerate apart when no coordinate accelerates, in rows of the link

    # work arrays
    V: np.ndarray                   # (6,)
    q: np.ndarray                   # (4,)
    R: np.ndarray                   # (3, 3, 3)
    x: np.ndarray                   # (2, 3)


def targets(holds: Sequence[Hold | Coupling]) -> list[Path]:
    """The paths of holds with a moving target, in order."""
    return [hold.to for hold in holds if isinstance(hold, Hold) and isinstance(hold.to, Path)]


def build_holds(system: System, holds: Sequence[Hold | Coupling], first_path: int = 0, step: float = 0.001) -> Holds:
    """Checks `holds` and puts them into arrays; the paths of their targets are counted from `first_path` on."""
    index = {name: i for i, name in enumerate(system.names)}
    paths = iter(range(first_path, first_path + len(holds)))
    rows = [_coupling(number, hold, index, system.model) if isinstance(hold, Coupling) else _hold(number, hold, index, paths)
            for number, hold in enumerate(holds)]
    nh = len(rows)
    shapes = {"body": (), "other": (), "at": (3,), "at_rotation": (4,), "to": (3,), "to_rotation": (4,), "rows": (6,), "stiffness": (6,),
              "damping": (6,), "limit": (2,), "span": (2,), "path": (), "rolling": (), "ratio": ()}
    columns = {name: np.array([row[name] for row in rows], int if name in WHOLE else float).reshape(nh, *shape)
               for name, shape in shapes.items()}
    return Holds(**columns, broken=np.full(nh, -1.0), holding=np.zeros(nh), error=np.zeros((nh, 6)), drift=np.zeros((nh, 6)),
                 offset=np.zeros(nh), grid=np.array([step]),
                 V=np.zeros(6), q=np.zeros(4), R=np.zeros((3, 3, 3)), x=np.zeros((2, 3)))


WHOLE = {"body", "other", "path", "rolling"}


def _hold(number: int, hold: Hold, index: dict[str, int], paths: Iterator[int]) -> dict[str, Any]:
    _check_bodies(number, index, hold.body, hold.other)
    what = f"hold {number} of body '{hold.body}'"
    for name, value, kinds in (("at", hold.at, (Frame,)), ("to", hold.to, (Frame, Path))):
        if not isinstance(value, kinds):
            raise HeftError(f"{what}: {name} is {value!r}, must be a {' or a '.join(kind.__name__ for kind in kinds)}")
    if not hold.begin < hold.end:
        raise HeftError(f"{what}: it begins at {hold.begin} s and ends at {hold.end} s, must end later")
    for name in ("rows", "stiffness", "damping"):
        values = getattr(hold, name)
        if np.ndim(values) != 1:
            raise HeftError(f"{what}: {name} is {values!r}, must be six values")
        if len(values) not in ((6,) if name == "rows" else (0, 6)):
            raise HeftError(f"{what}: {name} has {len(values)} entries, must have 6")
        if not all(np.isfinite(value) and value >= 0 for value in values):
            raise HeftError(f"{what}: {name} is {tuple(values)}, must be finite and not negative")
    if any(damping and not stiffness for damping, stiffness in zip(hold.damping, hold.stiffness or (0,) * 6)):
        raise HeftError(f"{what}: damping goes with a stiffness, and a row has none")
    if not any(hold.rows):
        raise HeftError(f"{what}: none of its rows is held, at least one must be")
    for name in ("break_force", "break_moment"):
        if not getattr(hold, name) > 0:
            raise HeftError(f"{what}: {name} is {getattr(hold, name)}, must be positive")
    moving = isinstance(hold.to, Path)
    if moving and hold.other is not None:
        raise HeftError(f"{what}: its target moves in the world, so it can't be on body '{hold.other}' too")
    to = ORIGIN if isinstance(hold.to, Path) else hold.to
    for frame in (hold.at, to):
        if not np.isfinite([*frame.position, *frame.rotation]).all() or not np.any(frame.rotation):
            raise HeftError(f"{what}: frame {frame} must be finite, its quaternion not zero")
    return {"body": index[hold.body], "other": WORLD if hold.other is None else index[hold.other], "at": hold.at.position,
            "at_rotation": unit(hold.at.rotation), "to": to.position, "to_rotation": unit(to.rotation), "rows": hold.rows,
            "stiffness": hold.stiffness or (0,) * 6, "damping": hold.damping or (0,) * 6,
            "limit": (hold.break_force, hold.break_moment), "span": (hold.begin, hold.end),
            "path": next(paths) if moving else -1, "rolling": hold.rolling, "ratio": 0.0}


def _coupling(number: int, hold: Coupling, index: dict[str, int], m: Model) -> dict[str, Any]:
    _check_bodies(number, index, hold.follower, hold.driver)
    follower, driver = index[hold.follower], index[hold.driver]
    axes = [int(m.axis_start[i + 1] - m.axis_start[i]) for i in (follower, driver)]
    if axes != [1, 1]:
        raise HeftError(f"coupling {number} of '{hold.follower}' to '{hold.driver}': their joints have {axes[0]} and {axes[1]} axes, "
                        "must both have one")
    if not (np.isfinite(hold.ratio) and hold.ratio != 0):
        raise HeftError(f"coupling {number} of '{hold.follower}' to '{hold.driver}': ratio is {hold.ratio}, must be finite and not 0")
    return {"body": follower, "other": driver, "at": (0,) * 3, "at_rotation": (1, 0, 0, 0), "to": (0,) * 3, "to_rotation": (1, 0, 0, 0),
            "rows": (True, *(False,) * 5), "stiffness": (0,) * 6, "damping": (0,) * 6, "limit": (np.inf, np.inf),
            "span": (hold.begin, hold.end), "path": -1, "rolling": False, "ratio": hold.ratio}


def _check_bodies(number: int, index: dict[str, int], body: str, other: str | None) -> None:
    for name in (body, other):
        if name is not None and name not in index:
            raise HeftError(f"hold {number}: body '{name}' does not exist, must be one of {', '.join(index)}")
    if body == other:
        raise HeftError(f"hold {number}: holds body '{body}' to itself")


@kernel
def write_holds(links, c, region, holds, paths, d, m, q, time):
    """Links 0 to n - 1 for the holds that hold at `time`, in s; returns n. region of a hold is -1 - its number."""
    n = 0
    for h in range(holds.body.shape[0]):
        if holds.broken[h] < 0.0 and holds.span[h, 0] - 1e-9 <= time < holds.span[h, 1] - 1e-9:
            links.body[n], links.other[n] = holds.body[h], holds.other[h]
            links.length[n] = LENGTH
            links.ratio[n] = holds.ratio[h]
            for j in range(6):
                c.held[n, j] = holds.rows[h, j]
                links.drive[n, j] = 0.0
                holds.drift[h, j] = 0.0
                holds.error[h, j] = 0.0
            if holds.ratio[h] != 0.0:
                write_coupling(links, holds, d, m, q, n, h)
            else:
                write_hold(links, holds, paths, d, m, n, h, time)
            region[n] = -1 - h
            c.corner_start[n + 1] = 0
            n += 1
    return n


@kernel
def write_coupling(links, holds, d, m, q, n, h):
    """link n for coupling h, whose row needs neither place nor frame; they stand at the follower for whoever looks"""
    i, p = holds.body[h], holds.other[h]
    for j in range(3):
        links.place[n, j] = d.x[i, j] + (d.origin[m.tree[i], j] - links.origin[j])
        for k in range(3):
            links.frame[n, j, k] = 1.0 if j == k else 0.0
    ahead = q[m.q_start[i]] - holds.ratio[h] * q[m.q_start[p]]
    if holds.holding[h] == 0.0:
        holds.offset[h] = ahead
    holds.error[h, 0] = ahead - holds.offset[h]


@kernel
def write_hold(links, holds, paths, d, m, n, h, time):
    """link n for hold h, at the body's frame, with the axes of the other side; fills error, drift and drive"""
    R, x = holds.R, holds.x
    for side in range(2):
        i = holds.body[h] if side == 0 else holds.other[h]
        at = holds.at[h] if side == 0 else holds.to[h]
        quaternion_matrix(R[2], holds.at_rotation[h] if side == 0 else holds.to_rotation[h])
        for j in range(3):
            x[side, j] = at[j] - links.origin[j]
            for k in range(3):
                R[side, j, k] = R[2, j, k]
        if i >= 0:
            rotate(x[side], d.R[i], at)
            compose(R[side], d.R[i], R[2])
            for j in range(3):
                x[side, j] += d.x[i, j] + (d.origin[m.tree[i], j] - links.origin[j])
    if holds.path[h] >= 0:
        follow(x[1], R[1], holds.V, holds.q, paths, holds.path[h], time)
        for j in range(3):
            x[1, j] -= links.origin[j]
    axes = R[0] if holds.rolling[h] else R[1]
    for j in range(3):
        links.place[n, j] = x[0, j]
        for k in range(3):
            links.frame[n, j, k] = axes[k, j]
    if holds.path[h] >= 0:
        # the target moves with V about x[1]
        for j in range(3):
            x[1, j] += links.origin[j]
        add_velocity(links.drive[n], links, n, holds.V, x[1], 1.0)
        for j in range(3):
            x[1, j] -= links.origin[j]
    if holds.rolling[h]:
        return
    for j in range(3):
        # half the sum over the axes of other x own: the turn from one frame to the other while it is small
        for k in range(3):
            holds.error[h, j] += R[1, k, j] * (x[0, k] - x[1, k])
            a, b = (j + 1) % 3, (j + 2) % 3
            holds.error[h, 3 + j] += 0.5 * (R[1, k, b] * R[0, k, a] - R[1, k, a] * R[0, k, b])
    add_drift(holds.drift[h], links, d, m, n, holds.body[h], 1.0)
    if holds.other[h] >= 0:
        add_drift(holds.drift[h], links, d, m, n, holds.other[h], -1.0)


@kernel
def write_hold_target(c, holds, n, h, step, at_rest):
    """velocities that undo the error of link n, and how its springs give way; in an impact (at_rest) rows just stop.
    A spring's impulse P = -step (k (error + step v) + damping v), so v + P / give = -step k error / give, with
    give = step^2 k + step damping: a target and a compliance."""
    holds.holding[h] = 1.0
    for j in range(6):
        unit = 1.0 if j < 3 else LENGTH
        error, k = unit * holds.error[h, j], holds.stiffness[h, j] / (unit * unit)
        c.compliance[n, j] = 0.0
        c.target[n, j] = 0.0
        if at_rest:
            if k > 0.0:
                c.held[n, j] = 0.0                # a spring passes no impulse
        elif k > 0.0:
            give = step * (step * k + holds.damping[h, j] / (unit * unit))
            c.compliance[n, j] = 1.0 / give
            c.target[n, j] = -step * k * error / give
        else:
            # together at the end of the step: error + step v + step^2 / 2 H_C' v = 0 (eq 20b, with its drift term)
            c.target[n, j] = -error / max(step, holds.grid[0]) - 0.5 * step * holds.drift[h, j]
            if abs(error) > LOOSE:
                # what is far apart, since it was held so, comes together gently: a = -2 w v - w^2 error
                speed = c.start[n, j]
                c.target[n, j] = speed - step * RETURN_RATE * (2.0 * speed + RETURN_RATE * error)


@kernel
def closes(holds, h, j):
    """True for row j of a hold that begins: it stops with an impulse what a spring would only brake"""
    return holds.holding[h] == 0.0 and holds.stiffness[h, j] == 0.0


@kernel
def break_holds(holds, c, links, region, step, time):
    """let go of what is pulled harder than it holds, from the end of this step on"""
    for r in range(links.count[0]):
        if region[r] < 0:
            h, P = -1 - region[r], c.impulse[r]
            force = (P[0] * P[0] + P[1] * P[1] + P[2] * P[2]) / (step * step)
            moment = (P[3] * P[3] + P[4] * P[4] + P[5] * P[5]) * LENGTH * LENGTH / (step * step)
            if force > holds.limit[h, 0] ** 2 or moment > holds.limit[h, 1] ** 2:
                holds.broken[h] = time + step


@kernel
def add_coupling_forces(tau, c, links, m, step):
    """tau (nv,) += what couplings put on the two joints: no force on a body, but one between two"""
    for r in range(links.count[0]):
        if links.ratio[r] != 0.0:
            for side in range(2):
                k = m.axis_start[links.body[r] if side == 0 else links.other[r]]
                tau[m.dof[k]] += (1.0 if side == 0 else -links.ratio[r]) * m.ratio[k] * c.impulse[r, 0] / step
