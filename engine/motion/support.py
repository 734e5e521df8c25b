"""Support that slow contacts don't explain: feet that slide, spin on heel or ball, hands that skid.

Where nothing is found to touch, and the centre of mass still does not fall freely, something must carry it: the feature that is lowest
and slowest over that time, if it is low enough. It may move.
"""
from typing import NamedTuple

import numpy as np

from .centre import runs
from .features import Feature
from .low_pass import filter_columns

CARRIED = 0.35                                   # of the weight, from where on a motion is taken as held up
SHORTEST = 0.05                                  # s
HIGHEST, FASTEST = 0.06, 3.0                     # m, m/s: what can still carry, at the median
SMOOTH = 8.0                                     # Hz


class Track(NamedTuple):
    """How one feature moves over one surface, a frame."""
    height: np.ndarray              # (T,) m over the surface
    speed: np.ndarray               # (T,) m/s of the point that is nearest
    place: np.ndarray               # (T, 3) that point


def add_missing_support(on: list[list[np.ndarray]], tracks: list[list[Track]], listed: list[Feature], height: np.ndarray, gravity: float,
                        fps: float) -> None:
    """Mark in `on`, by surface and feature, what carries the motion where nothing does; `height` (T,) of the centre of mass."""
    if len(height) < 5:
        return
    smooth = filter_columns(height[:, None], fps, SMOOTH)[:, 0]
    rise = np.gradient(np.gradient(smooth, 1 / fps), 1 / fps)
    touched = np.any([frames for row in on for frames in row], axis=0)
    for first, last in runs(~touched & (1 + rise / gravity > CARRIED)):
        if last - first < max(2, round(SHORTEST * fps)):
            continue
        best, choice = np.inf, None
        for surface, row in enumerate(tracks):
            for number, moving in enumerate(row):
                low, slow = float(np.median(moving.height[first:last])), float(np.median(moving.speed[first:last]))
                # a centimetre counts as much as a tenth of a metre a second
                score = slow + 10 * max(low, 0.0)
                if low < HIGHEST and slow < FASTEST and score < best:
                    best, choice = score, (surface, number)
        if choice is not None:
            surface, number = choice
            on[surface][number][first:last] = True
            if listed[number].part == "ball":
                on[surface][number + 1][first:last] = True
