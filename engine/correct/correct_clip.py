"""Correct a clip: a list of stages, no equations."""
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..dynamics.poses import body_poses
from ..errors import HeftError
from ..export.trace import Trace
from ..model.build import build
from ..model.model import FREE, System
from ..motion.features import FEET
from ..motion.motion import Motion
from ..motion.source import Source
from .figures import figures
from .grid import RATE, Grid, make_grid
from .solve import PULLS, State, solve
from .stances import Targets
from .to_trace import make_trace

NOT_SOLVED = 1e-3                                # weights, rms


class Corrected(NamedTuple):
    """What a correction gives."""
    trace: Trace                    # every step
    motion: Motion                  # at the clip's frames: what gets keyed
    report: dict[str, Any]          # figures, before and after
    notes: tuple[str, ...]          # sentences: what was left out, where the clip does not obey
    system: System                  # the character and its world as the trace means them, for export


def correct(source: Source, friction: float = 0.8, weights: Mapping[str, float] | None = None, fixed_frames: Sequence[int] = (),
            rate: float = RATE, progress: Callable[[float], None] | None = None, cancelled: Callable[[], bool] | None = None) -> Corrected:
    """The closest motion to `source` that obeys everywhere. `weights`: how much a body or part is kept, against 1 of the others;
    `fixed_frames`: frames whose pose is given up last; `rate`: steps a second, at least. `progress` gets the share done; where `cancelled`
    says so, the best so far is the result."""
    for share, result in correcting(source, friction, weights, fixed_frames, rate):
        if progress:
            progress(share)
        if share == 1.0 or (cancelled and cancelled()):
            return result()
    raise AssertionError("a correction ends with its result")


def correcting(source: Source, friction: float = 0.8, weights: Mapping[str, float] | None = None, fixed_frames: Sequence[int] = (),
               rate: float = RATE) -> Iterator[tuple[float, Callable[[], Corrected]]]:
    """The same as a generator, for a modal operator: after every outer step the share done, 1 at the end, and a function that gives the
    result of what there is by then."""
    _check(source, friction, fixed_frames)
    grid = make_grid(source, rate)
    states = solve(source, grid, friction, weights, fixed_frames)
    for number, (state, targets, done) in enumerate(states, start=1):
        yield 1.0 if done else number / (len(PULLS) + 1), partial(_finish, source, grid, targets, state, friction)


def _check(source: Source, friction: float, fixed_frames: Sequence[int]) -> None:
    m = source.system.model
    if not (np.isfinite(friction) and friction > 0):
        raise HeftError(f"friction is {friction:g}, must be positive")
    if m.na != m.nv or (m.kind == FREE).sum() != 1 or m.kind[0] != FREE:
        raise HeftError("only one character with a free root and without gears can be corrected")
    wrong = [frame for frame in fixed_frames if not 0 <= frame < len(source.motion.q)]
    if wrong:
        raise HeftError(f"fixed frame {wrong[0]} is not in the clip, which has {len(source.motion.q)}")


def _finish(source: Source, grid: Grid, targets: Targets, state: State, friction: float) -> Corrected:
    system = exported(source.system, friction)
    trace = make_trace(source.system, source.humanoid.soles, grid, targets, state, friction)
    q = trace.qpos[trace.frame_step]
    places = body_poses(source.system, q)[0]
    motion = source.motion._replace(q=q, misfit=np.linalg.norm(places - source.motion.joints, axis=2))
    return Corrected(trace, motion, figures(source, grid, state, trace, friction), _notes(source, state), system)


def exported(system: System, friction: float) -> System:
    """The system with this friction, and with bodies of the character passing through each other, as the correction lets them."""
    character = system.characters[0]
    bodies = tuple(replace(body, shapes=tuple(replace(shape, friction=friction) for shape in body.shapes)) for body in character.bodies)
    parent = {body.name: body.parent for body in bodies}
    pairs = tuple((a, b) for k, a in enumerate(parent) for b in list(parent)[k + 1:] if parent[a] != b and parent[b] != a)
    return build(replace(character, bodies=bodies, ignored_pairs=pairs),
                 shapes=tuple(replace(shape, friction=friction) for shape in system.shapes))


def _notes(source: Source, state: State) -> tuple[str, ...]:
    notes = list(source.notes)
    left_out = [contact for contact in source.contacts
                if contact.origin != "forbidden" and (contact.part not in FEET or contact.surface != 0)]
    if left_out:
        parts = sorted({f"{contact.body} {contact.part}" for contact in left_out})
        notes.append(f"{len(left_out)} contacts are not of soles on the floor and carry nothing: {', '.join(parts)}")
    if state.residual > NOT_SOLVED:
        notes.append(f"the root still needs {100 * state.residual:.2g} % of the weight (rms) from nowhere: this clip does not obey yet")
    return tuple(notes)
