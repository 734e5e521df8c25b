"""Where feet shall be: one placement a stance, and between stances the source's own path, moved as smoothly as can be.

A stance is a run of steps in which heel, ball or tip of a foot touches. With heel and ball down the foot lies flat, with ball and tip the
toe does and the foot turns freely about its joint; on the heel or on the tip alone it turns about that edge. What a target adds to the
source is fixed in the stance and has the least second differences elsewhere, so velocity goes on.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import exponentials, logarithms, matrix, products, quaternions, unit
from ..dynamics.poses import body_poses
from ..humanoid.feet import Sole
from ..model.model import System
from ..motion.centre import runs
from ..motion.low_pass import filter_columns
from .grid import Grid, distance_to
from .smooth import filled

PULL = 1e-3                                      # towards no offset, at 120 Hz: it fades within some 50 ms
RAMP = 0.15                                      # s, over which a soft row hardens before a contact ...
DECADES = 5.0                                    # ... by this many powers of ten
STIFFNESS = (20.0, 0.3, 0.05)                    # of place, foot and toe rotation of a swinging foot, against the pose's own
STEEP = 0.8                                      # sine of a foot's slope, from where on its direction is not its own
TURNING = 6.0                                    # Hz, up to which a foot's direction is followed
ROWS = 7
"""Rows a foot: place of its anchor, turn about the vertical and along the foot, pitch of foot, pitch of toe."""
HEEL, BALL, TIP = range(3)


class Targets(NamedTuple):
    """F feet, S steps. An anchor is the middle of heel, ball or tip, or a mixture on the way from one stance to the next."""
    foot: np.ndarray                # (F,) bodies
    toe: np.ndarray                 # (F,) bodies; the foot itself where there is no toe
    middle: np.ndarray              # (F, 3, 3) of heel (on the foot), ball and tip (on the toe)
    corner: np.ndarray              # (F, 3, 2, 3) of the same, their two ends
    share: np.ndarray               # (F, S, 3) of heel, ball, tip in the anchor
    place: np.ndarray               # (F, S, 3) of the anchor, m
    foot_R: np.ndarray              # (F, S, 3, 3)
    toe_R: np.ndarray               # (F, S, 3, 3)
    foot_axes: np.ndarray           # (F, S, 3, 3) rows: across, up, along
    toe_axes: np.ndarray            # (F, S, 3, 3)
    softness: np.ndarray            # (S, 7 F) of each row; 0 is hard


def make_targets(system: System, soles: tuple[Sole, ...], grid: Grid) -> Targets:
    places, rotations = body_poses(system, grid.q)
    index = {name: i for i, name in enumerate(system.names)}
    feet = np.array([index[sole.foot] for sole in soles])
    toes = np.array([index[sole.toe] for sole in soles])
    parts = [_one_foot(system, sole, grid, number, places[:, feet[number]], rotations[:, feet[number]], rotations[:, toes[number]])
             for number, sole in enumerate(soles)]
    share, place, foot_R, toe_R, foot_axes, toe_axes = (np.ascontiguousarray(np.stack([part[k] for part in parts])) for k in range(6))
    corner = np.stack([[sole.heel, sole.ball, sole.tip] for sole in soles])
    softness = np.concatenate([_softness(grid, grid.on[number], toes[number] != feet[number]) for number in range(len(soles))], axis=1)
    return Targets(feet, toes, np.ascontiguousarray(corner.mean(axis=2)), corner, share, place, foot_R, toe_R, foot_axes, toe_axes,
                   np.ascontiguousarray(softness))


class Flat(NamedTuple):
    """A foot that lies flat on the floor at one place."""
    foot_R: np.ndarray
    foot_p: np.ndarray
    toe_R: np.ndarray
    middle: np.ndarray              # (3, 3) heel, ball, tip in the world
    across: np.ndarray              # (3,) the heel's edge
    toe_across: np.ndarray          # (3,) the tip's edge


def _one_foot(system: System, sole: Sole, grid: Grid, number: int, p: np.ndarray, R: np.ndarray, toe_R: np.ndarray):
    S, on = len(grid.q), grid.on[number]
    joint, rest = _toe_joint(system, sole)
    pull = PULL * (120 * grid.step) ** 4
    has_toe = sole.toe != sole.foot
    touching = on.any(axis=0)
    flat, toe_flat = on[HEEL] & on[BALL], on[BALL]
    stances = [(first, last, _lay_flat(sole, joint, rest, on[:, first:last], p[first:last], R[first:last], toe_R[first:last]))
               for first, last in runs(touching)]
    # first only what lies flat, then the edges with the pitch that this leaves them
    foot_R, toe_target = R.copy(), toe_R.copy()
    for first, last, place in stances:
        foot_R[first:last][flat[first:last]] = place.foot_R
        toe_target[first:last][toe_flat[first:last]] = place.toe_R
    foot_turned, toe_turned = _carried(R, foot_R, flat, pull), _carried(toe_R, toe_target, toe_flat if has_toe else flat, pull)
    hard, toe_hard = flat.copy(), toe_flat.copy()
    for first, last, place in stances:
        for k in range(first, last):
            if on[HEEL, k] and not on[BALL, k]:
                foot_R[k], hard[k] = _pitched(foot_turned[k], place.foot_R, place.across, sole.forward, 1.0), True
            elif on[TIP, k] and not on[BALL, k]:
                toe_target[k], toe_hard[k] = _pitched(toe_turned[k], place.toe_R, place.toe_across, sole.toe_forward, -1.0), True
                if not has_toe:
                    foot_R[k], hard[k] = toe_target[k], True
    if has_toe:
        foot_R, toe_target = _carried(R, foot_R, hard, pull), _carried(toe_R, toe_target, toe_hard, pull)
    else:
        foot_R = toe_target = _carried(R, foot_R, hard, pull)
    # anchors
    share, anchor = np.zeros((S, 3)), np.zeros((S, 3))
    for first, last, place in stances:
        for k in range(first, last):
            which = BALL if on[BALL, k] else HEEL if on[HEEL, k] else TIP
            share[k, which], anchor[k] = 1.0, place.middle[which]
    _blend(share, touching)
    local = np.stack([sole.heel.mean(axis=0), sole.ball.mean(axis=0), sole.tip.mean(axis=0)])
    source = _anchors(share, local, p, R, toe_R, joint)
    place = source + filled(anchor - source, touching, pull)
    return (share, place, foot_R, toe_target, _axes(foot_R, sole.forward, stances, "across", on[HEEL], grid.step, pull),
            _axes(toe_target, sole.toe_forward, stances, "toe_across", on[TIP], grid.step, pull))


def _toe_joint(system: System, sole: Sole) -> tuple[np.ndarray, np.ndarray]:
    """the toe's joint on the foot, and the toe's axes in the foot's where both soles lie in one plane as well as they can"""
    if sole.toe == sole.foot:
        return np.zeros(3), np.eye(3)
    i, m = system.names.index(sole.toe), system.model
    zero, axis = np.asarray(system.bodies[i].joint.socket.rotation, float), m.axis[m.axis_start[i]]
    # the angle at which the normals are nearest: turned about the axis, only what is across it counts
    a, b = sole.toe_down, matrix(zero).T @ sole.down
    across = lambda x: x - axis * (axis @ x)
    angle = np.arctan2(axis @ np.cross(across(a), across(b)), across(a) @ across(b))
    return m.socket[i], matrix(products(zero, exponentials(angle * axis)))


def _lay_flat(sole: Sole, joint: np.ndarray, rest: np.ndarray, on: np.ndarray, p: np.ndarray, R: np.ndarray, toe_R: np.ndarray) -> Flat:
    flat = on[HEEL] & on[BALL]
    use = flat if flat.sum() > 2 else on[BALL] if on[BALL].sum() > 2 else np.ones(on.shape[1], bool)
    # what two bodies can't both do is shared: the sole's normal is the mean of theirs
    down = unit(sole.down + rest @ sole.toe_down)
    forward = unit(sole.forward - down * (down @ sole.forward))
    ahead = R[use] @ forward
    way = np.median(np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0])))
    front, floor = np.array([np.cos(way), np.sin(way), 0.0]), np.array([0.0, 0.0, -1.0])
    foot_R = np.column_stack([front, floor, np.cross(front, floor)]) @ np.column_stack([forward, down, np.cross(forward, down)]).T
    toe_flat = foot_R @ rest
    local = (sole.heel.mean(axis=0), joint + rest @ sole.ball.mean(axis=0), joint + rest @ sole.tip.mean(axis=0))
    reference = HEEL if not (on[BALL].any() or on[TIP].any()) else BALL
    if reference == HEEL:
        seen = p[use] + R[use] @ local[HEEL]
    else:
        seen = p[use] + R[use] @ joint + toe_R[use] @ sole.ball.mean(axis=0)
    # the median along and across the foot: that of x and y would depend on the world's directions
    axes = np.array([front, [-front[1], front[0], 0.0], [0.0, 0.0, 1.0]])
    place = np.median(seen @ axes.T, axis=0) @ axes
    foot_p = place - foot_R @ local[reference]
    # on the floor in the mean of its three edges
    foot_p[2] = -np.mean([(foot_R @ x)[2] for x in local])
    middle = foot_p + np.array([foot_R @ x for x in local])
    edge = lambda body, points: unit((body @ (points[0] - points[1])) * [1, 1, 0])
    return Flat(foot_R, foot_p, toe_flat, middle, edge(foot_R, sole.heel), edge(toe_flat, sole.tip))


def _carried(R: np.ndarray, target: np.ndarray, hard: np.ndarray, pull: float) -> np.ndarray:
    """(S, 3, 3) the targets where hard, elsewhere R turned by what they ask for, as smoothly as can be"""
    offset = logarithms(quaternions(target @ R.transpose(0, 2, 1)))
    turn = exponentials(filled(offset, hard, pull))
    return np.where(hard[:, None, None], target, _matrices(turn) @ R)


def _matrices(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q.T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)


def _pitched(wanted: np.ndarray, flat: np.ndarray, across: np.ndarray, forward: np.ndarray, sign: float) -> np.ndarray:
    """flat, turned about its edge as `wanted` is; not into the floor"""
    angle = float(logarithms(quaternions((wanted @ flat.T)[None]))[0] @ across)
    if np.cross(angle * across, flat @ forward)[2] * sign < 0:
        return flat
    return matrix(exponentials(angle * across)) @ flat


def _blend(share: np.ndarray, touching: np.ndarray) -> None:
    """between stances, from one anchor to the next"""
    S = len(share)
    if not touching.any():
        share[:, BALL] = 1.0
    for first, last in runs(~touching):
        if first == 0 and last == S:
            continue
        if first == 0 or last == S:
            share[first:last] = share[last] if first == 0 else share[first - 1]
            continue
        x = (np.arange(first, last) - first + 1) / (last - first + 1)
        s = (x ** 3 * (10 - 15 * x + 6 * x * x))[:, None]
        share[first:last] = (1 - s) * share[first - 1] + s * share[last]


def _anchors(share, local, p, R, toe_R, joint) -> np.ndarray:
    points = np.stack([p + R @ local[HEEL], p + R @ joint + toe_R @ local[BALL], p + R @ joint + toe_R @ local[TIP]], axis=1)
    return np.einsum("sk,ski->si", share, points)


def _axes(R: np.ndarray, forward: np.ndarray, stances, edge: str, standing: np.ndarray, step: float, pull: float) -> np.ndarray:
    """(S, 3, 3) rows across, up, along; across is the edge it stands on, else that of its own turn, and smooth between"""
    along = R @ forward
    # a foot that points up or down says nothing about its turn: carried over from before and after
    level = np.flatnonzero(np.abs(along[:, 2]) < STEEP)
    level = level if len(level) else np.arange(len(R))
    own = np.interp(np.arange(len(R)), level, np.unwrap(np.arctan2(along[level, 1], along[level, 0])))
    own = filter_columns(own[:, None], 1 / step, TURNING)[:, 0]
    offset = np.zeros(len(own))
    for first, last, place in stances:
        across = getattr(place, edge)
        stand = np.arctan2(across[1], across[0]) - np.pi / 2 - own[first:last]
        offset[first:last] = (stand + np.pi / 2) % np.pi - np.pi / 2
    angle = own + filled(offset[:, None], standing, pull)[:, 0]
    zero, one = np.zeros(len(own)), np.ones(len(own))
    along = np.column_stack([np.cos(angle), np.sin(angle), zero])
    return np.stack([np.column_stack([-along[:, 1], along[:, 0], zero]), np.column_stack([zero, zero, one]), along], axis=1)


def _softness(grid: Grid, on: np.ndarray, has_toe: bool) -> np.ndarray:
    """(S, 7): 0 where contact makes a row hard, growing with the time to it"""
    place, turn, toe = STIFFNESS

    def ramp(hard: np.ndarray) -> np.ndarray:
        x = np.clip(distance_to(hard) * grid.step / RAMP, 0, 1)
        return np.where(hard, 0.0, 10 ** (-DECADES * (1 - x) ** 2))
    touching, flat = ramp(on.any(axis=0)), ramp(on[HEEL] & on[BALL])
    toe_pitch = ramp(on[BALL]) / toe if has_toe else np.full(on.shape[1], 1e6)
    return np.column_stack([touching / place] * 3 + [touching / turn] * 2 + [flat / turn, toe_pitch])
