"""The steps on which a clip is corrected: finer than its frames, with a little more at either end.

Accelerations are central differences, so the law of motion can hold at every step but the outermost ones: the clip goes on for PAD steps
at constant velocity on both sides, and these are left out of the result.
"""
from typing import NamedTuple

import numpy as np

from ..errors import HeftError
from ..motion.centre import runs
from ..motion.features import FEET
from ..motion.low_pass import low_pass
from ..motion.manifold import difference, moved
from ..motion.resample import resample
from ..motion.source import Source

PAD = 2
RATE = 240.0                                     # Hz, at least; a multiple of the frame rate
HIGHEST = 0.35                                   # of the frame rate: faster than this is made by resampling, not by the clip


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
    count = n * (len(motion.q) - 1) + 1
    times = motion.times - motion.times[0]
    q = resample(m, motion.q, times, np.arange(count) / (n * motion.fps))
    if n > 1:
        q = low_pass(m, q, n * motion.fps, HIGHEST * motion.fps)
    first, last = difference(m, q[:1], q[1:2]), difference(m, q[-2:-1], q[-1:])
    before = [moved(m, q[:1], -(PAD - k) * first) for k in range(PAD)]
    after = [moved(m, q[-1:], (k + 1) * last) for k in range(PAD)]
    q = np.ascontiguousarray(np.concatenate([*before, q, *after]))
    return Grid(1 / (n * motion.fps), n, q, _touching(source, n, len(q)))


def _touching(source: Source, n: int, steps: int) -> np.ndarray:
    on = np.zeros((len(source.humanoid.soles), 3, steps), bool)
    last_frame = len(source.motion.q) - 1
    for contact in source.contacts:
        if contact.part not in FEET or contact.surface != 0 or contact.origin == "forbidden":
            continue
        foot = next(k for k, sole in enumerate(source.humanoid.soles) if contact.body in (sole.foot, sole.toe))
        first = 0 if contact.first == 0 else PAD + n * contact.first
        last = steps if contact.last >= last_frame else PAD + n * contact.last + 1
        on[foot, FEET.index(contact.part), first:last] = True
    for foot, sole in enumerate(source.humanoid.soles):
        heel, ball, tip = on[foot]
        if sole.toe == sole.foot:
            # a foot without toes lies flat or stands on one edge
            front = ball | tip
            ball[:], tip[:] = front & heel, front
        tip |= ball
        tip &= ~(heel & ~ball)
    return on


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
