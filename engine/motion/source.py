"""From a file to what the verbs work on: a character, its motion on the floor, and its contacts. A list of stages, no equations."""
import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import HeftError
from ..humanoid.humanoid import Humanoid, make_humanoid
from ..humanoid.skeleton import Clip
from ..model.build import build
from ..model.character import Shape
from ..model.model import System
from .contacts import Contact, find_contacts
from .fit_motion import fit_motion
from .floor import Floor, fit_floor, place_on_floor, sole_edges
from .low_pass import low_pass
from .motion import Motion
from .plausible import Judgement, artificial_first_frame, judge
from .read_bvh import read_bvh
from .resample import resample


class Source(NamedTuple):
    """A clip made ready."""
    clip: Clip
    humanoid: Humanoid
    system: System                  # the character on its floor: height 0, level, with the obstacles
    motion: Motion                  # on that floor
    floor: Floor                    # where it was in the clip
    judgement: Judgement
    contacts: tuple[Contact, ...]
    notes: tuple[str, ...]          # sentences for whoever looks at the result


def read_source(path: str | os.PathLike, unit: float = 1.0, up: str = "Y", **options) -> Source:
    """A BVH file made ready; options as of `make_source`."""
    return make_source(read_bvh(path, unit, up), **options)


def make_source(clip: Clip, mass: float | None = None, sex: str = "mean", detail: str = "all", fps: float | None = None,
                low_pass_frequency: float | None = None, floor_height: float | None = None, obstacles: Sequence[Shape] = ()) -> Source:
    """`fps`: resample to this rate; `low_pass_frequency` in Hz; `floor_height` in m, else floor and tilt are fitted; `obstacles`: boxes
    that stand still, placed on the fitted floor."""
    notes = list(clip.notes)
    artificial = artificial_first_frame(clip)
    if artificial:
        clip = clip.frames(1)
        notes.append(artificial)
    humanoid = make_humanoid(clip.skeleton, clip, mass, sex, detail=detail)
    system = build(humanoid.character, shapes=(Shape("plane"), *obstacles))
    motion = fit_motion(humanoid, system, clip)
    if low_pass_frequency is not None:
        motion = motion._replace(q=low_pass(system.model, motion.q, motion.fps, low_pass_frequency))
    floor = _floor(system, humanoid, motion, floor_height)
    judgement = judge(system, motion, humanoid.soles, humanoid.stature, floor, clip.fps)
    motion = place_on_floor(system, motion, floor)
    if fps is not None:
        motion = resampled(system, motion, fps)
    contacts = find_contacts(system, motion.q, motion.fps, humanoid.soles, obstacles)
    return Source(clip, humanoid, system, motion, floor, judgement, contacts, (*notes, *humanoid.notes, judgement.sentence))


def _floor(system: System, humanoid: Humanoid, motion: Motion, height: float | None) -> Floor:
    if height is not None:
        return Floor(np.array([0.0, 0.0, height]), np.array([0.0, 0.0, 1.0]), 0.0, 0)
    return fit_floor(sole_edges(system, humanoid.soles, motion.q), motion.fps)


def resampled(system: System, motion: Motion, fps: float) -> Motion:
    """The motion at another rate. Going down, low-pass it first: what is faster than half the new rate would come back as slow."""
    if not fps > 0:
        raise HeftError(f"fps is {fps:g}, must be more than 0")
    times = np.arange(int(np.floor((motion.times[-1] - motion.times[0]) * fps + 0.01)) + 1) / fps
    linear = lambda x: np.stack([np.interp(times, motion.times - motion.times[0], column) for column in x.reshape(len(x), -1).T], 1
                                ).reshape(len(times), *x.shape[1:])
    return motion._replace(times=times, q=resample(system.model, motion.q, motion.times - motion.times[0], times),
                           joints=linear(motion.joints), misfit=linear(motion.misfit), off_hinge=linear(motion.off_hinge))
