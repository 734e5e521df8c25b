"""When which part of a character touches what, and how, from the motion alone.

A feature touches where it is low over the local stance level (its lowest slow height within 0.35 s, which forgives a floor that is off by
a few centimetres) and slow, with hysteresis: bounds to begin with are tighter than bounds to stay. Ball implies tip. Where nothing touches
by that, though the motion is held up, something slides or spins too fast for it (support.py).
"""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import logarithms, quaternions
from ..dynamics.poses import body_poses
from ..humanoid.feet import Sole
from ..model.character import Shape
from ..model.model import System
from .centre import centre_of_mass, runs
from .features import FEET, Feature, features
from .support import Track, add_missing_support
from .surfaces import distances, floor_and, normals


class Bounds(NamedTuple):
    """Heights in m, speeds in m/s."""
    begin_height: float
    begin_speed: float
    stay_height: float
    stay_speed: float


HEEL = Bounds(0.015, 0.30, 0.020, 0.45)
TOES = Bounds(0.020, 0.35, 0.025, 0.60)
OTHER = Bounds(0.025, 0.30, 0.035, 0.50)
LEVEL_WINDOW = 0.35                              # s, each way
LEVEL_SPEED, LEVEL_HEIGHT = 0.5, 0.05            # m/s, m: what counts for the stance level
OTHER_LEVEL = 0.06                               # m; shapes other than soles are rougher
SHORTEST, LONGEST_GAP = 0.04, 0.042              # s
SLIDING_SPEED, SLIDING_WAY = 0.10, 0.05          # m/s, m
PIVOT, ROLL = np.radians(25.0), np.radians(12.0)
KINDS = ("sticking", "pivoting", "rolling", "sliding")
ORIGINS = ("found", "forced", "forbidden", "moved")


class Contact(NamedTuple):
    """One interval of one part."""
    body: str
    part: str                       # heel, ball, tip, hand, knee, elbow, seat, back ...
    surface: int                    # 0 the floor, then the obstacles
    first: int                      # frame
    last: int                       # frame, the last that touches
    kind: str                       # sticking, pivoting, rolling over its edge, sliding
    origin: str = "found"           # found, forced, forbidden, moved

    @property
    def key(self) -> tuple[str, str, int]:
        return self.body, self.part, self.surface


def find_contacts(system: System, q: np.ndarray, fps: float, soles: Sequence[Sole], obstacles: Sequence[Shape] = ()) -> tuple[Contact, ...]:
    """All intervals, with the floor at height 0 and level; obstacles are boxes or planes that stand still."""
    places, rotations = body_poses(system, q)
    listed, surfaces = features(system, soles), floor_and(obstacles)
    tracks = [[track(feature, places, rotations, fps, shape) for feature in listed] for shape in surfaces]
    on = [[touching(moving, fps, feature.part) for feature, moving in zip(listed, row)] for row in tracks]
    for row in on:
        _join_edges(listed, row)
    add_missing_support(on, tracks, listed, centre_of_mass(system, q)[:, 2], float(-system.model.gravity[2]), fps)
    contacts: list[Contact] = []
    for surface, shape in enumerate(surfaces):
        for feature, moving, frames in zip(listed, tracks[surface], on[surface]):
            for first, last in runs(frames):
                place = moving.place[first:last]
                kind = kind_of(place, rotations[first:last, feature.body], normals(shape, place), fps)
                contacts.append(Contact(system.names[feature.body], feature.part, surface, first, last - 1, kind))
    return in_order(contacts)


def in_order(contacts: Sequence[Contact]) -> tuple[Contact, ...]:
    return tuple(sorted(contacts, key=lambda c: (c.first, c.body, c.part, c.surface, c.last)))


def track(feature: Feature, places: np.ndarray, rotations: np.ndarray, fps: float, shape: Shape) -> Track:
    """Soles by the middle of their edge, others by their nearest point."""
    i = feature.body
    points = places[:, i, None] + np.einsum("tij,pj->tpi", rotations[:, i], feature.points)
    if feature.part in FEET:
        points = points.mean(axis=1, keepdims=True)
    heights = distances(shape, points) - feature.radius
    nearest = np.argmin(heights, axis=1)[:, None]
    speeds = np.linalg.norm(np.gradient(points, 1 / fps, axis=0), axis=2)
    return Track(np.take_along_axis(heights, nearest, 1)[:, 0], np.take_along_axis(speeds, nearest, 1)[:, 0],
                 np.take_along_axis(points, nearest[..., None], 1)[:, 0])


def touching(moving: Track, fps: float, part: str) -> np.ndarray:
    """(T,) where a feature touches."""
    bounds = HEEL if part == "heel" else TOES if part in FEET else OTHER
    level = stance_level(moving, fps, LEVEL_HEIGHT if part in FEET else OTHER_LEVEL)
    height = moving.height - level
    begin = (height < bounds.begin_height) & (moving.speed < bounds.begin_speed)
    stay = (height < bounds.stay_height) & (moving.speed < bounds.stay_speed)
    return cleaned(hysteresis(begin, stay), max(2, round(SHORTEST * fps)), max(1, round(LONGEST_GAP * fps)))


def stance_level(moving: Track, fps: float, largest: float) -> np.ndarray:
    """(T,) the lowest slow height within the window; 0 where that is too far from the surface to be a stance."""
    half = max(1, round(LEVEL_WINDOW * fps))
    slow = np.where(moving.speed < LEVEL_SPEED, moving.height, np.inf)
    padded = np.concatenate([np.full(half, np.inf), slow, np.full(half, np.inf)])
    lowest = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).min(axis=1)
    return np.where(np.abs(lowest) < largest, lowest, 0.0)


def hysteresis(begin: np.ndarray, stay: np.ndarray) -> np.ndarray:
    """runs of `stay` that hold a frame of `begin`"""
    out = np.zeros(len(begin), bool)
    for first, last in runs(stay | begin):
        out[first:last] = begin[first:last].any()
    return out


def cleaned(on: np.ndarray, shortest: int, gap: int) -> np.ndarray:
    """without gaps shorter than `gap` frames, then without runs shorter than `shortest`, except at the ends, where they go on unseen"""
    on = on.copy()
    for first, last in runs(~on):
        if first > 0 and last < len(on) and last - first < gap:
            on[first:last] = True
    for first, last in runs(on):
        if first > 0 and last < len(on) and last - first < shortest:
            on[first:last] = False
    return on


def _join_edges(listed: list[Feature], on: list[np.ndarray]) -> None:
    """ball implies tip; a heel and a tip without the ball between can't be: the tip goes"""
    for number in range(len(listed) - 2):
        if [listed[number + k].part for k in range(3)] == list(FEET):
            heel, ball, tip = on[number], on[number + 1], on[number + 2]
            tip |= ball
            tip &= ~(heel & ~ball)


def kind_of(place: np.ndarray, turns: np.ndarray, normal: np.ndarray, fps: float) -> str:
    """What a touching part does: slides along, pivots about the normal, rolls over its edge, or sticks."""
    if len(place) < 2:
        return "sticking"
    steps = np.diff(place, axis=0)
    steps -= normal[:-1] * np.einsum("ti,ti->t", steps, normal[:-1])[:, None]
    way = np.linalg.norm(steps, axis=1)
    reach = np.linalg.norm(place - place.mean(axis=0), axis=1).max()
    if np.median(way) * fps > SLIDING_SPEED and reach > SLIDING_WAY / 2:
        return "sliding"
    # turns from step to step, about the normal and across it
    turned = logarithms(quaternions(np.einsum("tij,tkj->tik", turns[1:], turns[:-1])))
    about = np.einsum("ti,ti->t", turned, normal[:-1])
    yaw, tilt = np.cumsum(about), np.cumsum(turned - normal[:-1] * about[:, None], axis=0)
    if np.ptp(yaw) > PIVOT:
        return "pivoting"
    return "rolling" if np.ptp(np.linalg.norm(tilt, axis=1)) > ROLL else "sticking"
