"""Is a clip as large and as fast as it says? Judged together: a fall alone can't tell.

Lengths scale with the unit, accelerations with the unit and the square of the rate. A file of 27 units at 24 frames a second falls at
0.7 g and looks right, though both are wrong (CMU: 0.056 m a unit at 120). So the standing height decides the unit, and then the fall in
flight the rate: 4 g means half the rate.
"""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..humanoid.feet import Sole
from ..humanoid.skeleton import Clip, world_poses
from ..model.model import System
from .centre import centre_of_mass, runs
from .floor import Floor, sole_edges
from .motion import Motion

PEOPLE = (1.2, 2.2)                              # m, standing heights taken as they are
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048, "dm": 0.1, "CMU unit": 2.54 / 45}
RATES = (16, 24, 25, 30, 48, 50, 60, 90, 100, 120, 200, 240, 300)
USUAL_STATURE = 1.70                             # m
FALL_TOLERANCE = 0.35                            # of g; more is taken for a wrong rate, less for the noise of short flights
NEAR_RATE = 0.10                                 # a usual rate explains the fall if it is as near as this
SHORTEST_FLIGHT = 5                              # frames
ARTIFICIAL = 0.05                                # of the figure's size, the largest jump of a joint from the first frame to the second


class Judgement(NamedTuple):
    """What is wrong and what would mend it."""
    scale: float                    # multiply lengths by this
    rate: float                     # multiply the frame rate by this
    stature: float                  # m, as given
    fall: float                     # m/s^2 in flight, as given; NaN: it never flies
    sentence: str

    @property
    def right(self) -> bool:
        return self.scale == 1 and self.rate == 1


def judge(system: System, motion: Motion, soles: Sequence[Sole], stature: float, floor: Floor,
          source_fps: float | None = None) -> Judgement:
    """`source_fps`: the rate that the file itself gave, where the motion now runs at another."""
    fall = fall_in_flight(system, motion, soles, stature, floor)
    scale, unit = _scale(stature)
    fps, falling = motion.fps, scale * fall
    rate = 1.0
    if np.isfinite(falling) and abs(falling / 9.81 - 1) > FALL_TOLERANCE and falling > 0:
        wanted = fps * np.sqrt(9.81 / falling)
        known = [*([source_fps] if source_fps else []), fps / 2, 2 * fps, *RATES]
        near = [r for r in known if abs(r / wanted - 1) < NEAR_RATE]
        # the file's own rate first, then half and double
        rate = float(near[0] / fps) if near else 1.0
    elif not np.isfinite(falling) and source_fps and abs(source_fps / fps - 1) > 0.02:
        rate = float(source_fps / fps)
    return Judgement(scale, rate, stature, fall, _sentence(stature, fall, fps, scale, unit, rate, source_fps))


def _scale(stature: float) -> tuple[float, str]:
    """1, or the unit that makes the height a person's"""
    if PEOPLE[0] <= stature <= PEOPLE[1]:
        return 1.0, ""
    name = min(UNITS, key=lambda unit: abs(np.log(stature * UNITS[unit] / USUAL_STATURE)))
    if PEOPLE[0] <= stature * UNITS[name] <= PEOPLE[1]:
        return UNITS[name], name
    return USUAL_STATURE / stature, ""


def _sentence(stature, fall, fps, scale, unit, rate, source_fps) -> str:
    flight = f" and falls at {fall / 9.81:.2g} g" if np.isfinite(fall) else ", and it never flies"
    text = f"The figure is {stature:.3g} m tall{flight} at {fps:.4g} frames a second"
    odd = np.isfinite(fall) and abs(fall * scale * rate ** 2 / 9.81 - 1) > FALL_TOLERANCE
    if scale == 1 and rate == 1 and odd:
        return text + ": no usual frame rate explains the fall, the flight itself is odd."
    if scale == 1 and rate == 1:
        return text + (": both fit." if np.isfinite(fall) else ": the height fits, nothing tells about the rate.")
    fixes = []
    if scale != 1:
        fixes.append(f"multiply lengths by {scale:.4g}" + (f" (1 unit is 1 {unit})" if unit else ""))
    if rate != 1:
        own = ", the file's own rate" if source_fps and abs(source_fps / (rate * fps) - 1) < 0.02 else ""
        fixes.append(f"play it at {rate * fps:.4g} frames a second{own}")
    after = f"; then it falls at {fall * scale * rate ** 2 / 9.81:.2g} g" if np.isfinite(fall) else ""
    return f"{text}: {' and '.join(fixes)}{after}."


def fall_in_flight(system: System, motion: Motion, soles: Sequence[Sole], stature: float, floor: Floor) -> float:
    """m/s^2, downwards, of the centre of mass in flights; NaN where there is none. A flight is where all soles are off the floor and
    the centre of mass follows a parabola that opens down; the median of all flights, weighted by their frames."""
    edges = sole_edges(system, soles, motion.q).mean(axis=3)
    heights = ((edges - floor.point) @ floor.normal).min(axis=(1, 2))
    com = centre_of_mass(system, motion.q) @ floor.normal
    flights = runs(heights > 0.02 * stature)
    found: list[float] = []
    for first, last in flights:
        # take-off and landing still push
        first, last = first + 1, last - 1
        if last - first < SHORTEST_FLIGHT:
            continue
        t = np.arange(last - first) / motion.fps
        curve = np.polyfit(t, com[first:last], 2)
        rest = com[first:last] - np.polyval(curve, t)
        if curve[0] < 0 and np.abs(rest).max() < 0.004 * stature:
            found += [-2 * curve[0]] * (last - first)
    return float(np.median(found)) if found else float("nan")


def artificial_first_frame(clip: Clip) -> str:
    """A sentence where the first frame is not part of the motion, such as a T-pose put before it; else empty."""
    if len(clip.rotations) < 4:
        return ""
    places = world_poses(clip)[0]
    jumps = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1)
    size = np.ptp(clip.skeleton.rest_positions(), axis=0).max()
    if jumps[0] < ARTIFICIAL * size or jumps[0] < 5 * np.percentile(jumps[1:], 95):
        return ""
    return (f"The first frame is not part of the motion: from it to the second a joint jumps by {jumps[0]:.2g} m, "
            f"later by {jumps[1:].max():.2g} m at most, as where a T-pose was put before it. Leave it out.")
