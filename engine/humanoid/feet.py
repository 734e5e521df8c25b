"""Soles: where heel, ball and tip of a foot are.

A skeleton says where ankle, toe joint and toe end are, not where the sole is. Down in the foot is the mean of the world's down while the
foot is low and slow, or, without a motion, the rest pose's down, turned with the shin to the side where legs stand apart at rest and the
feet with them (CMU). The toe joint stands 2.5 cm above the sole (at 1.75 m), the heel 5 cm behind the ankle; widths likewise.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import inverses, rotated, unit

STATURE = 1.75                                   # m, that of the lengths below
TOE_HEIGHT, HEEL, WIDTH, SHORTEST_TOE, FOOT = 0.025, 0.05, 0.084, 0.05, 0.20    # m
BALL = 0.72                                      # of the way from heel to tip, where no toe bone says it
LOW, SLOW = 0.02, 0.25                           # m above its fifth percentile, m/s


class Sole(NamedTuple):
    """A foot that stands: points in the axes of the bodies that carry them, m. Left point of each edge first."""
    side: str                       # L or R
    foot: str                       # body
    toe: str                        # body of ball and tip: the foot itself where there is no toe bone
    heel: np.ndarray                # (2, 3) on the foot
    ball: np.ndarray                # (2, 3) on the toe: where foot and toe meet
    tip: np.ndarray                 # (2, 3) on the toe
    foot_ball: np.ndarray           # (2, 3) the ball on the foot
    down: np.ndarray                # (3,) in the foot's axes, normal to its sole
    toe_down: np.ndarray            # (3,) in the toe's axes
    forward: np.ndarray             # (3,) in the foot's axes
    toe_forward: np.ndarray         # (3,) in the toe's axes


class FootShape(NamedTuple):
    """What the skeleton knows of a foot, at rest, m."""
    side: str
    foot: str
    toe: str | None
    shin: np.ndarray                # (3,) direction
    toe_offset: np.ndarray | None   # (3,) ankle to toe joint
    end: np.ndarray | None          # (3,) from the last bone's joint to its end


def make_sole(shape: FootShape, stature: float, forward: np.ndarray, down: np.ndarray, toe_down: np.ndarray) -> Sole:
    """`down`, `toe_down`: in the foot's and the toe's axes; `forward`: of the body at rest."""
    scale = stature / STATURE
    ahead = shape.toe_offset if shape.toe_offset is not None else shape.end if shape.end is not None else FOOT * scale * forward
    front = _across(ahead, down, forward)
    left = np.cross(front, down)
    half = 0.5 * WIDTH * scale
    edge = lambda middle, side: np.array([middle + half * side, middle - half * side])
    if shape.toe is not None and shape.toe_offset is not None:
        depth = max(ahead @ down, 0.0) + TOE_HEIGHT * scale
        end = shape.end if shape.end is not None else SHORTEST_TOE * scale * front
        toe_front = _across(end, toe_down, front)
        toe_left = np.cross(toe_front, toe_down)
        ball, reach = TOE_HEIGHT * scale * toe_down, max(end @ toe_front, SHORTEST_TOE * scale)
        foot_ball = down * depth + front * (ahead @ front)
        return Sole(shape.side, shape.foot, shape.toe, edge(down * depth - HEEL * scale * front, left), edge(ball, toe_left),
                    edge(ball + reach * toe_front, toe_left), edge(foot_ball, left), down, toe_down, front, toe_front)
    depth = max(ahead @ down, TOE_HEIGHT * scale)
    length = max(ahead @ front, 0.5 * FOOT * scale)
    heel, tip = down * depth - HEEL * scale * front, down * depth + length * front
    ball = heel + BALL * (tip - heel)
    return Sole(shape.side, shape.foot, shape.foot, edge(heel, left), edge(ball, left), edge(tip, left), edge(ball, left),
                down, down, front, front)


def _across(vector: np.ndarray, down: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """its direction along the sole"""
    flat = vector - down * (down @ vector)
    if np.linalg.norm(flat) < 1e-6:
        flat = otherwise - down * (down @ otherwise)
    return unit(flat)


def down_at_rest(shin: np.ndarray, forward: np.ndarray) -> np.ndarray:
    """The rest pose's down, turned about the front with a shin that slants to the side by more than 10 degrees."""
    shin = unit(shin)
    side = np.cross([0.0, 0.0, 1.0], forward)
    slant = np.arctan2(shin @ side, -shin[2])
    return np.array([0.0, 0.0, -1.0]) if abs(slant) < np.radians(10) else -np.cos(slant) * np.array([0, 0, 1.0]) + np.sin(slant) * side


def down_in_motion(heights: np.ndarray, speeds: np.ndarray, rotations: np.ndarray) -> np.ndarray | None:
    """(3,) the world's down in a bone's axes while it is low and slow, or None where it seldom is. All over T frames, `heights` and
    `speeds` (T, n) of the joints that must be low and slow."""
    low = (heights < np.percentile(heights, 5, axis=0) + LOW).all(axis=1) & (speeds < SLOW).all(axis=1)
    if low.sum() < 5:
        return None
    downs = rotated(inverses(rotations[low]), np.tile([0.0, 0.0, -1.0], (int(low.sum()), 1)))
    return unit(np.median(downs, axis=0))
