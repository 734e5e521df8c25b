"""Holds: pins, grabs and closed loops, constraints that hold whatever the force until they break or are let go.

A hold is a virtual link (source 000, 2.1) between a frame on a body and one on another body or on the world. Any of its six
rows may be held: three make a pin, six a weld, two turnings free a hinge. A row with a stiffness is a spring (3.1), stepped
implicitly. What has drifted apart comes back by the acceleration term of eq 20b.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..algebra.rotations import quaternion_matrix
from ..algebra.vectors import compose, rotate
from ..errors import HeftError
from ..kernel import kernel
from ..model.character import Frame
from ..model.model import WORLD, System
from .virtual_links import add_drift

ORIGIN = Frame()
LENGTH = 0.1                                      # m, of the rows that turn
RETURN_SPEED = 0.5                                # m/s at most, at which what is apart comes together


@dataclass(frozen=True)
class Hold:
    """One hold. Rows are along x, y, z and about x, y, z of the frame on the other side."""
    body: str
    at: Frame = ORIGIN                            # on the body
    other: str | None = None                      # None: the world
    to: Frame = ORIGIN                            # on the other body, or in the world
    rows: Sequence[bool] = (True, True, True, False, False, False)
    stiffness: Sequence[float] = ()               # six, N/m and N m/rad; a row of 0 is rigid; empty: all are
    damping: Sequence[float] = ()                 # six, N s/m and N m s/rad, for rows with a stiffness
    break_force: float = np.inf                   # N
    break_moment: float = np.inf                  # N m
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
    drift: np.ndarray               # (nh, 6) how they accelerate apart when no coordinate accelerates, in rows of the link

    # work arrays
    R: np.ndarray                   # (3, 3, 3)
    x: np.ndarray                   # (2, 3)


def build_holds(system: System, holds: Sequence[Hold]) -> Holds:
    """Checks `holds` and puts them into arrays."""
    index = {name: i for i, name in enumerate(system.names)}
    for number, hold in enumerate(holds):
        for name in (hold.body, hold.other):
            if name is not None and name not in index:
                raise HeftError(f"hold {number}: body '{name}' does not exist, must be one of {', '.join(system.names)}")
        if hold.body == hold.other:
            raise HeftError(f"hold {number}: holds body '{hold.body}' to itself")
        for what in ("rows", "stiffness", "damping"):
            if len(getattr(hold, what)) not in ((6,) if what == "rows" else (0, 6)):
                raise HeftError(f"hold {number} of body '{hold.body}': {what} has {len(getattr(hold, what))} entries, must have 6")
    column = lambda get, *shape: np.array([get(hold) for hold in holds], float).reshape(len(holds), *shape)
    unit = lambda q: np.array(q, float) / np.linalg.norm(q)
    return Holds(
        np.array([index[hold.body] for hold in holds], int),
        np.array([WORLD if hold.other is None else index[hold.other] for hold in holds], int),
        column(lambda h: h.at.position, 3), column(lambda h: unit(h.at.rotation), 4), column(lambda h: h.to.position, 3),
        column(lambda h: unit(h.to.rotation), 4), column(lambda h: h.rows, 6), column(lambda h: h.stiffness or (0,) * 6, 6),
        column(lambda h: h.damping or (0,) * 6, 6), column(lambda h: (h.break_force, h.break_moment), 2),
        column(lambda h: (h.begin, h.end), 2), np.full(len(holds), -1.0), np.zeros(len(holds)), np.zeros((len(holds), 6)),
        np.zeros((len(holds), 6)), np.zeros((3, 3, 3)), np.zeros((2, 3)))


@kernel
def write_holds(links, c, region, holds, d, m, time):
    """Links 0 to n - 1 for the holds that hold at `time`, in s; returns n. region of a hold is -1 - its number."""
    n = 0
    for h in range(holds.body.shape[0]):
        if holds.broken[h] < 0.0 and holds.span[h, 0] - 1e-9 <= time < holds.span[h, 1] - 1e-9:
            write_hold(links, c, holds, d, m, n, h)
            region[n] = -1 - h
            c.corner_start[n + 1] = 0
            n += 1
    return n


@kernel
def write_hold(links, c, holds, d, m, n, h):
    """link n for hold h, with the axes of the other side, at the body's frame; fills holds.error"""
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
    for j in range(3):
        links.place[n, j] = x[0, j]
        holds.error[h, j] = 0.0
        # half the sum over the axes of other x own: the turn from one frame to the other while it is small
        holds.error[h, 3 + j] = 0.0
        for k in range(3):
            links.frame[n, j, k] = R[1, k, j]
            holds.error[h, j] += R[1, k, j] * (x[0, k] - x[1, k])
            a, b = (j + 1) % 3, (j + 2) % 3
            holds.error[h, 3 + j] += 0.5 * (R[1, k, b] * R[0, k, a] - R[1, k, a] * R[0, k, b])
    links.length[n] = LENGTH
    links.body[n], links.other[n] = holds.body[h], holds.other[h]
    for j in range(6):
        c.held[n, j] = holds.rows[h, j]
        links.drive[n, j] = 0.0
        holds.drift[h, j] = 0.0
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
            speed = -error / step - 0.5 * step * holds.drift[h, j]
            c.target[n, j] = min(RETURN_SPEED, max(-RETURN_SPEED, speed))


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
