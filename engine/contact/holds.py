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
from ..collision.paths import Path
from ..errors import HeftError, must_be_one_of
from ..model.character import Frame
from ..model.model import WORLD, Model, System

ORIGIN = Frame()


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


def targets(holds: Sequence[Hold | Coupling]) -> list[tuple[str, Path]]:
    """The paths of holds with a moving target, in order, each with the hold's name."""
    return [(hold_name(number, hold), hold.to) for number, hold in enumerate(holds) if isinstance(hold, Hold) and isinstance(hold.to, Path)]


def hold_name(number: int, hold: Hold | Coupling) -> str:
    """how errors call it"""
    if isinstance(hold, Coupling):
        return f"coupling {number} of '{hold.follower}' to '{hold.driver}'"
    return f"hold {number} of body '{hold.body}'"


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
    what = hold_name(number, hold)
    _check_bodies(what, index, hold.body, hold.other)
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
    what = hold_name(number, hold)
    _check_bodies(what, index, hold.follower, hold.driver)
    follower, driver = index[hold.follower], index[hold.driver]
    axes = [int(m.axis_start[i + 1] - m.axis_start[i]) for i in (follower, driver)]
    if axes != [1, 1]:
        raise HeftError(f"{what}: their joints have {axes[0]} and {axes[1]} axes, must both have one")
    if not (np.isfinite(hold.ratio) and hold.ratio != 0):
        raise HeftError(f"{what}: ratio is {hold.ratio}, must be finite and not 0")
    return {"body": follower, "other": driver, "at": (0,) * 3, "at_rotation": (1, 0, 0, 0), "to": (0,) * 3, "to_rotation": (1, 0, 0, 0),
            "rows": (True, *(False,) * 5), "stiffness": (0,) * 6, "damping": (0,) * 6, "limit": (np.inf, np.inf),
            "span": (hold.begin, hold.end), "path": -1, "rolling": False, "ratio": hold.ratio}


def _check_bodies(what: str, index: dict[str, int], body: str, other: str | None) -> None:
    for name in (body, other):
        if name is not None and name not in index:
            raise HeftError(f"{what}: body '{name}' does not exist, {must_be_one_of(name, index)}")
    if body == other:
        raise HeftError(f"{what}: holds body '{body}' to itself")
