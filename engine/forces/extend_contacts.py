"""Contacts that begin earlier or end later than their speed says, because the motion is pushed there and nothing else can push.

Where forces inside the cones leave more than 8 % of the weight open, an interval grows by a few frames over those in which its part
is still low and not too fast; frames that then carry nothing go again, as do the last of a heel that already lifts: held too long, a heel
straightens the knee and takes the push-off away. Only what was found is changed, never what was forced, forbidden or moved by hand.
"""
import numpy as np

from ..dynamics.poses import body_poses
from ..motion.centre import runs
from ..motion.contacts import Contact, in_order, kind_of, stance_level, track
from ..motion.features import FEET, features
from ..motion.manifold import derivatives
from ..motion.source import Source
from ..motion.support import Track
from ..motion.surfaces import normals
from .fit_forces import Fit, fit_forces
from .touching import Touching, touching_points

OPEN = 0.08                                      # of the weight: what a frame may leave open without a search
MOMENT_LEVER = 0.29                              # of the stature: 0.5 m at 1.75 m
LONGEST = 0.067                                  # s, by which an end may move in one pass
PASSES = 3
HIGHEST = 0.022                                  # m over the stance level
FASTEST = {"heel": 1.2, "ball": 1.3, "tip": 1.6}
OTHER_HIGHEST, OTHER_FASTEST = 0.035, 1.0        # m, m/s: other parts than soles
NOTHING = 0.01                                   # of the weight: what carries less carries nothing
LIFTS = 0.005                                    # m over the stance level, from where a heel counts as lifting

Key = tuple[str, str, int]


def extend_contacts(source: Source, friction: float = 0.8) -> tuple[Contact, ...]:
    """The source's contacts with the ends of found intervals moved to where the motion is pushed."""
    fps, T = source.motion.fps, len(source.motion.q)
    tracks = _tracks(source)
    fixed = [contact for contact in source.contacts if contact.origin != "found"]
    found = _masks([contact for contact in source.contacts if contact.origin == "found"], T)
    blocked = _masks(fixed, T)
    before = {key: on.copy() for key, on in found.items()}
    may = {key: _may_touch(tracks[key], key[1], fps) & ~blocked.get(key, np.zeros(T, bool)) for key in found}
    for _ in range(PASSES):
        fit, points = _fit(source, [*fixed, *_contacts(source, found, tracks)], friction)
        grown = {key: _grown(on, may[key] & (_open(source, fit) > OPEN), round(LONGEST * fps)) for key, on in found.items()}
        _join_edges(source, grown, blocked)
        if all((grown[key] == found[key]).all() for key in found):
            break
        found = grown
    fit, points = _fit(source, [*fixed, *_contacts(source, found, tracks)], friction)
    loads = _loads(source, fit, points)
    for key, on in found.items():
        idle = loads.get(key, np.zeros(T)) < NOTHING
        lifts = tracks[key].height - stance_level(tracks[key], fps, 0.05) > LIFTS
        found[key] = _trimmed(on, idle & ~before[key], idle & (~before[key] | (lifts if key[1] == "heel" else False)))
    _join_edges(source, found, blocked)
    return in_order([*fixed, *_contacts(source, found, tracks)])


def _tracks(source: Source) -> dict[Key, Track]:
    """how every part that is found to touch moves over what it touches"""
    places, rotations = body_poses(source.system, source.motion.q)
    names, surfaces = source.system.names, source.system.shapes
    wanted = {contact.key for contact in source.contacts}
    out: dict[Key, Track] = {}
    for feature in features(source.system, source.humanoid.soles):
        for surface, shape in enumerate(surfaces):
            key = (names[feature.body], feature.part, surface)
            if key in wanted and key not in out:
                out[key] = track(feature, places, rotations, source.motion.fps, shape)
    return out


def _masks(contacts: list[Contact], T: int) -> dict[Key, np.ndarray]:
    out: dict[Key, np.ndarray] = {}
    for contact in contacts:
        out.setdefault(contact.key, np.zeros(T, bool))[contact.first:contact.last + 1] = True
    return out


def _may_touch(moving: Track, part: str, fps: float) -> np.ndarray:
    """(T,) low and not too fast"""
    height = moving.height - stance_level(moving, fps, 0.05 if part in FEET else 0.06)
    if part in FEET:
        return (height < HIGHEST) & (moving.speed < FASTEST[part])
    return (height < OTHER_HIGHEST) & (moving.speed < OTHER_FASTEST)


def _fit(source: Source, contacts: list[Contact], friction: float) -> tuple[Fit, Touching]:
    system, q, fps = source.system, source.motion.q, source.motion.fps
    points = touching_points(system, q, fps, contacts, features(system, source.humanoid.soles), system.shapes)
    return fit_forces(system, q, *derivatives(system.model, q, 1 / fps), points, friction, source.humanoid.stature), points


def _open(source: Source, fit: Fit) -> np.ndarray:
    """(T,) what is left, in weights"""
    m = source.system.model
    moment = np.linalg.norm(fit.residual[:, 3:], axis=1) / (MOMENT_LEVER * source.humanoid.stature)
    return (np.linalg.norm(fit.residual[:, :3], axis=1) + moment) / (m.mass.sum() * np.linalg.norm(m.gravity))


def _loads(source: Source, fit: Fit, points: Touching) -> dict[Key, np.ndarray]:
    """(T,) what each part carries, in weights"""
    m = source.system.model
    push = np.einsum("pi,pi->p", fit.force, points.normal) / (m.mass.sum() * np.linalg.norm(m.gravity))
    out: dict[Key, np.ndarray] = {}
    for number, contact in enumerate(points.contacts):
        own = points.contact == number
        load = np.bincount(points.frame[own], push[own], minlength=len(fit.com))
        out[contact.key] = out.get(contact.key, 0.0) + load
    return out


def _grown(on: np.ndarray, free: np.ndarray, most: int) -> np.ndarray:
    """runs longer at both ends, over frames that are free, by `most` at the most"""
    out = on.copy()
    for first, last in runs(on):
        for ends in (range(first - 1, max(first - 1 - most, -1), -1), range(last, min(last + most, len(on)))):
            for t in ends:
                if not free[t] or on[t]:
                    break
                out[t] = True
    return out


def _trimmed(on: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """runs without the frames of `begin` that they begin with and those of `end` that they end with; one frame stays"""
    out = on.copy()
    for first, last in runs(on):
        while first < last - 1 and begin[first] and first > 0:
            out[first] = False
            first += 1
        while last - 1 > first and end[last - 1] and last < len(on):
            last -= 1
            out[last] = False
    return out


def _join_edges(source: Source, found: dict[Key, np.ndarray], blocked: dict[Key, np.ndarray]) -> None:
    """as where they are found: ball implies tip, and a tip without the ball goes where the heel touches"""
    never = np.zeros(len(source.motion.q), bool)
    for sole in source.humanoid.soles:
        for surface in range(len(source.system.shapes)):
            heel, ball, tip = (sole.foot, "heel", surface), (sole.toe, "ball", surface), (sole.toe, "tip", surface)
            if tip in found:
                on = found.get(ball, never) | blocked.get(ball, never)
                found[tip] = (found[tip] | (found.get(ball, never) & ~blocked.get(tip, never))) & ~(found.get(heel, never) & ~on)


def _contacts(source: Source, found: dict[Key, np.ndarray], tracks: dict[Key, Track]) -> list[Contact]:
    """intervals of the masks; those that were there stay as they were"""
    known = {(contact.key, contact.first, contact.last): contact for contact in source.contacts if contact.origin == "found"}
    rotations = None
    out = []
    for key, on in found.items():
        for first, last in runs(on):
            contact = known.get((key, first, last - 1))
            if contact is None:
                rotations = body_poses(source.system, source.motion.q)[1] if rotations is None else rotations
                place = tracks[key].place[first:last]
                kind = kind_of(place, rotations[first:last, source.system.names.index(key[0])],
                               normals(source.system.shapes[key[2]], place), source.motion.fps)
                contact = Contact(*key, first, last - 1, kind)
            out.append(contact)
    return out
