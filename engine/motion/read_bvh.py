"""BVH files: a hierarchy of joints with offsets and channels, then one line of numbers a frame.

The angles of a joint are turns about its own axes in the order of its channels: R = R_first R_second R_third. Position channels of
a joint other than the root stand in place of its offset; a body is rigid, so their median over the clip is taken.
"""
import os
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import continuous, products
from ..errors import HeftError
from ..humanoid.skeleton import Clip, Skeleton

CHANNELS = {f"{axis}{what}": (axis, what) for axis in "XYZ" for what in ("position", "rotation")}
LARGEST_STRETCH = 0.005                          # m; bones that stretch more are noted


class Unreadable(HeftError):
    """A file that can't be read. `path` is its name, `line` the line at fault, or None."""

    def __init__(self, path: str | os.PathLike, line: int | None, reason: str):
        super().__init__(f"'{path}'{f', line {line}' if line else ''}: {reason}")
        self.path, self.line = path, line


class Hierarchy(NamedTuple):
    names: list[str]
    parents: list[int]
    offsets: list[list[float]]
    channels: list[list[tuple[str, str]]]
    ends: list[tuple[int, list[float]]]


def read_bvh(path: str | os.PathLike, unit: float = 1.0, up: str = "Y") -> Clip:
    """The skeleton and motion of a BVH file; `unit` is the length of the file's unit in metres, `up` its upward axis, Y or Z."""
    if not unit > 0 or not np.isfinite(unit):
        raise HeftError(f"unit is {unit!r}, must be metres per unit of the file, more than 0")
    if up not in ("Y", "Z"):
        raise HeftError(f"up is {up!r}, must be Y or Z")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise Unreadable(path, None, f"can't be read: {error.strerror or error}") from error
    hierarchy, here = _hierarchy(path, lines)
    frame_time, numbers = _frames(path, lines, here, sum(map(len, hierarchy.channels)))
    return _clip(path, hierarchy, frame_time, numbers, unit, up)


def _hierarchy(path, lines: list[str]) -> tuple[Hierarchy, int]:
    """the joints, and the number of the line MOTION"""
    h = Hierarchy([], [], [], [], [])
    open_joints: list[int] = []                  # -1: an end site
    named, ending = False, False
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] == "HIERARCHY":
            continue
        word = words[0].upper()
        if word == "MOTION":
            if open_joints:
                raise Unreadable(path, number, f"MOTION comes before joint '{h.names[open_joints[-1]]}' is closed by '}}'")
            if not h.names:
                raise Unreadable(path, number, "MOTION comes before any ROOT")
            return h, number
        if word in ("ROOT", "JOINT"):
            name = " ".join(words[1:])
            if not name or name in h.names:
                raise Unreadable(path, number, f"a second joint '{name}'" if name else "a joint without a name")
            if (word == "JOINT") != bool(open_joints) or (word == "ROOT" and h.names):
                raise Unreadable(path, number, f"{word} '{name}' at a place where it can't stand: one ROOT holds all JOINTs")
            h.names.append(name)
            h.parents.append(open_joints[-1] if open_joints else -1)
            h.offsets.append([0.0, 0.0, 0.0])
            h.channels.append([])
            named = True
        elif word == "END":
            named = ending = True
        elif word == "{":
            if not named:
                raise Unreadable(path, number, "'{' without a joint before it")
            open_joints.append(-1 if ending else len(h.names) - 1)
            named = ending = False
        elif word == "}":
            if not open_joints:
                raise Unreadable(path, number, "'}' without a '{' before it")
            open_joints.pop()
        elif not open_joints:
            raise Unreadable(path, number, f"'{words[0]}' outside of all joints: is this a BVH file?")
        elif word == "OFFSET":
            offset = _numbers(path, number, words[1:], 3)
            if open_joints[-1] < 0:
                h.ends.append((open_joints[-2], offset))
            else:
                h.offsets[open_joints[-1]] = offset
        elif word == "CHANNELS":
            _read_channels(path, number, words, h.channels[open_joints[-1]])
        else:
            raise Unreadable(path, number, f"'{words[0]}' is none of JOINT, End Site, OFFSET, CHANNELS, '{{' and '}}'")
    raise Unreadable(path, None, "has no MOTION: is this a BVH file?")


def _numbers(path, number: int, words: list[str], count: int) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise Unreadable(path, number, f"'{' '.join(words)}' must be {count} numbers") from None
    if len(values) != count or not np.isfinite(values).all():
        raise Unreadable(path, number, f"'{' '.join(words)[:60]}' must be {count} finite numbers, not {len(values)}")
    return values


def _read_channels(path, number: int, words: list[str], channels: list[tuple[str, str]]) -> None:
    for word in words[2:]:
        known = CHANNELS.get(word[:1].upper() + word[1:].lower())
        if known is None or known in channels:
            raise Unreadable(path, number, f"channel '{word}' is {'there twice' if known else 'none of ' + ', '.join(CHANNELS)}")
        channels.append(known)
    if words[1:2] != [str(len(channels))]:
        raise Unreadable(path, number, f"says {' '.join(words[1:2]) or 'nothing'} channels, but names {len(channels)}")


def _frames(path, lines: list[str], here: int, width: int) -> tuple[float, np.ndarray]:
    """frame time and one row a frame"""
    rows = [(number, line) for number, line in enumerate(lines[here:], here + 1) if line.strip()]
    if len(rows) < 2 or not rows[0][1].strip().lower().startswith("frames:"):
        raise Unreadable(path, here + 1, "after MOTION there must be 'Frames: N' and 'Frame Time: SECONDS'")
    count = _numbers(path, rows[0][0], rows[0][1].split(":", 1)[1].split(), 1)[0]
    if not rows[1][1].strip().lower().startswith("frame time:"):
        raise Unreadable(path, rows[1][0], "here must be 'Frame Time: SECONDS'")
    frame_time = _numbers(path, rows[1][0], rows[1][1].split(":", 1)[1].split(), 1)[0]
    if frame_time <= 0:
        raise Unreadable(path, rows[1][0], f"the frame time is {frame_time:g} s, must be more than 0")
    rows = rows[2:]
    if len(rows) != count:
        raise Unreadable(path, here + 1, f"says {count:g} frames, but there are {len(rows)}")
    if not rows:
        raise Unreadable(path, here + 1, "has no frames")
    try:
        numbers = np.array(" ".join(line for _, line in rows).split(), float).reshape(len(rows), width)
        if not np.isfinite(numbers).all():
            raise ValueError
    except ValueError:
        for number, line in rows:
            _numbers(path, number, line.split(), width)
        raise
    return frame_time, numbers


def _clip(path, h: Hierarchy, frame_time: float, numbers: np.ndarray, unit: float, up: str) -> Clip:
    T, n = len(numbers), len(h.names)
    positions = np.tile(np.array(h.offsets), (T, 1, 1))
    quaternions = np.zeros((T, n, 4))
    starts = np.cumsum([0, *map(len, h.channels)])
    # joints with the same channels together
    for channels in {tuple(c) for c in h.channels}:
        joints = [i for i in range(n) if tuple(h.channels[i]) == channels]
        values = numbers[:, np.array([np.arange(starts[i], starts[i + 1]) for i in joints], int)]
        q = np.tile([1.0, 0, 0, 0], (T, len(joints), 1))
        first = True
        for column, (axis, what) in enumerate(channels):
            k = "XYZ".index(axis)
            if what == "position":
                positions[:, joints, k] = values[..., column]
                continue
            half = np.radians(values[..., column]) / 2
            turn = np.zeros_like(q)
            turn[..., 0], turn[..., 1 + k] = np.cos(half), np.sin(half)
            q, first = turn if first else products(q, turn), False
        quaternions[:, joints] = q
    quaternions = continuous(quaternions)
    offsets = np.median(positions, axis=0)
    offsets[0] = h.offsets[0]
    ends = np.array([offset for _, offset in h.ends], float).reshape(-1, 3)
    if up == "Y":
        positions, offsets, ends, quaternions[..., 1:] = (_z_up(x) for x in (positions, offsets, ends, quaternions[..., 1:]))
    stretch = unit * np.linalg.norm(positions[:, 1:] - offsets[1:], axis=2).max(axis=0) if n > 1 else np.zeros(0)
    notes = tuple(f"bone '{h.names[i + 1]}' stretches by up to {1000 * stretch[i]:.0f} mm: its median length is kept"
                  for i in np.flatnonzero(stretch > LARGEST_STRETCH))
    skeleton = Skeleton(tuple(h.names), np.array(h.parents), unit * offsets, np.array([bone for bone, _ in h.ends], int), unit * ends)
    return Clip(skeleton, frame_time, unit * positions[:, 0], quaternions, str(path), notes)


def _z_up(vectors: np.ndarray) -> np.ndarray:
    """(x, y, z) with Y up becomes (x, -z, y) with Z up"""
    return vectors[..., [0, 2, 1]] * np.array([1.0, -1.0, 1.0])
