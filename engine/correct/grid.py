"""The steps on which a clip is corrected: finer than its frames, with a little more at either end.

Accelerations are central differences, so the law of motion can hold at every step but the outermost ones: the clip goes on for PAD steps
at constant velocity on both sides, and these are left out of the result.
"""
from typing import NamedTuple

import numpy as np

from ..dynamics.poses import body_poses
from ..errors import HeftError
from ..model.model import Model
from ..motion.centre import runs
from ..motion.contacts import cleaned
from ..motion.features import FEET
from ..motion.floor import sole_edges
from ..motion.low_pass import low_pass
from ..motion.manifold import difference, moved
from ..motion.resample import resample
from ..motion.source import Source

PAD = 2
RATE = 480.0                                     # Hz, at least; a multiple of the frame rate
HIGHEST_RATE = 1000.0                            # Hz, for clips that need it
DRIFT = 0.006                                    # what the mean of two velocities may miss of the way between them, rms
HIGHEST = 0.35                                   # of the frame rate: faster than this is made by resampling, not by the clip
SHORT_SLIDE = 0.15                               # s
TILTED = np.sin(np.radians(25.0))                # slope from where on a sole stands on its edge
LYING = 0.02                                     # s, each way
BELOW = 0.002                                    # m; a heel as low as this is down while the ball is


class Grid(NamedTuple):
    """S steps."""
    step: float                     # s
    substeps: int                   # a frame
    q: np.ndarray                   # (S, nq) the source
    on: np.ndarray                  # (feet, 3, S) where heel, ball, tip touch

    @property
    def frames(self) -> np.ndarray:
        """the steps of the frames"""
        return np.arange(PAD, len(self.q) - PAD, self.substeps)


def make_grid(source: Source, rate: float = RATE) -> Grid:
    """The source at steps of 1 / rate s or shorter."""
    m, motion = source.system.model, source.motion
    if len(motion.q) < 8:
        raise HeftError(f"the clip has {len(motion.q)} frames, correcting needs at least 8")
    n = max(1, int(np.ceil(rate / motion.fps - 1e-6)))
    q = _at_steps(source, n)
    while _drift(m, q) > DRIFT and (n + 1) * motion.fps <= max(HIGHEST_RATE, rate):
        n += 1
        q = _at_steps(source, n)
    first, last = difference(m, q[:1], q[1:2]), difference(m, q[-2:-1], q[-1:])
    before = [moved(m, q[:1], -(PAD - k) * first) for k in range(PAD)]
    after = [moved(m, q[-1:], (k + 1) * last) for k in range(PAD)]
    q = np.ascontiguousarray(np.concatenate([*before, q, *after]))
    return Grid(1 / (n * motion.fps), n, q, _touching(source, q, n, n * motion.fps))


def _at_steps(source: Source, n: int) -> np.ndarray:
    m, motion = source.system.model, source.motion
    times = motion.times - motion.times[0]
    q = resample(m, motion.q, times, np.arange(n * (len(motion.q) - 1) + 1) / (n * motion.fps))
    return low_pass(m, q, n * motion.fps, HIGHEST * motion.fps) if n > 1 else q


def _drift(m: Model, q: np.ndarray) -> float:
    """how far steps are from the mean of the velocities at their ends, over the steps themselves, rms: the third differences / 4"""
    d = difference(m, q[:-1], q[1:])
    return float(np.sqrt(np.mean(np.diff(d, 2, axis=0) ** 2) / max(np.mean(d ** 2), 1e-30)) / 4)


def _touching(source: Source, q: np.ndarray, n: int, fps: float) -> np.ndarray:
    """(feet, 3, S) the clip's contacts of soles with the floor, as far as a foot can lie as they say"""
    steps, soles = len(q), source.humanoid.soles
    on, sliding = np.zeros((2, len(soles), 3, steps), bool)
    last_frame = len(source.motion.q) - 1
    for contact in source.contacts:
        if contact.part not in FEET or contact.surface != 0 or contact.origin == "forbidden":
            continue
        foot = next(k for k, sole in enumerate(soles) if contact.body in (sole.foot, sole.toe))
        first = 0 if contact.first == 0 else PAD + n * contact.first
        last = steps if contact.last >= last_frame else PAD + n * contact.last + 1
        on[foot, FEET.index(contact.part), first:last] = True
        sliding[foot, FEET.index(contact.part), first:last] = contact.kind == "sliding" and contact.origin == "found"
    heights = sole_edges(source.system, soles, q).mean(axis=3)[..., 2]
    rotations = body_poses(source.system, q)[1]
    for foot, sole in enumerate(soles):
        heel, ball, tip = on[foot]
        for first, last in runs(~on[foot].any(axis=0)):
            # from one edge to another between two frames
            if 0 < first and last < steps and last - first < n:
                on[foot, :, first:last], sliding[foot, :, first:last] = on[foot, :, first - 1, None], sliding[foot, :, first - 1, None]
        _drop_short_slides(on[foot], sliding[foot], round(SHORT_SLIDE * fps))
        slope = [(rotations[:, source.system.names.index(body)] @ ahead)[:, 2]
                 for body, ahead in ((sole.foot, sole.forward), (sole.toe, sole.toe_forward))]
        # who is tilted so far stands on an edge: on the heel with its toes up, on the tip with its heel up
        ball &= np.abs(slope[1]) < TILTED
        tip &= slope[1] < TILTED
        heel &= ~(ball & (np.abs(slope[0]) > TILTED))
        heel |= cleaned((heights[:, foot, 0] < BELOW) & ball & (np.abs(slope[0]) < TILTED), round(0.03 * fps), round(0.03 * fps))
        heel[:] = cleaned(heel, round(0.03 * fps), round(0.06 * fps)) & (heel | ball)
        if sole.toe == sole.foot:
            # a foot without toes lies flat or stands on one edge
            front = ball | tip
            ball[:], tip[:] = front & heel, front
        tip |= ball
        tip &= ~(heel & ~ball)
        _lie_between(on[foot], round(LYING * fps))
    return on


def _lie_between(on: np.ndarray, half: int) -> None:
    """from the heel to the tip a foot lies flat for a moment"""
    heel, tip = on[0] & ~on[1], on[2] & ~on[1]
    for k in np.flatnonzero((heel[:-1] & tip[1:]) | (tip[:-1] & heel[1:])):
        on[:, max(k + 1 - half, 0):k + 1 + half] = True


def _drop_short_slides(on: np.ndarray, sliding: np.ndarray, shortest: int) -> None:
    """a foot that slides for a moment before or after it stands does not carry yet, or no more"""
    standing = (on & ~sliding).any(axis=0)
    for first, last in runs(on.any(axis=0) & ~standing):
        if last - first < shortest and (standing[max(first - 1, 0)] or standing[min(last, len(standing) - 1)]):
            on[:, first:last] = False


def distance_to(on: np.ndarray) -> np.ndarray:
    """(S,) steps to the nearest step that is on; a large number where there is none"""
    far = np.full(len(on), len(on) + 10 ** 6)
    place = np.flatnonzero(on)
    if not len(place):
        return far
    k = np.arange(len(on))
    after = np.searchsorted(place, k)
    return np.minimum(np.abs(place[np.minimum(after, len(place) - 1)] - k), np.abs(k - place[np.maximum(after - 1, 0)]))


def distance_to_edge(on: np.ndarray) -> np.ndarray:
    """(S,) steps from where a run begins or ends; a large number outside, and towards the clip's own ends"""
    out = np.full(len(on), 10 ** 6)
    for first, last in runs(on):
        k = np.arange(first, last)
        from_first = k - first if first > 0 else np.full(len(k), 10 ** 6)
        to_last = last - 1 - k if last < len(on) else np.full(len(k), 10 ** 6)
        out[first:last] = np.minimum(from_first, to_last)
    return out
