"""What may push: at each corner of what touches, the four edges of a pyramid inside its friction cone.

A force is a sum of generators with factors of zero or more: it never pulls, stays in the cone, and the centre of pressure stays in its
region.
"""
from typing import NamedTuple

import numpy as np

from .grid import Grid, distance_to_edge
from .stances import HEEL, Targets

SIDES = 4                                        # of the pyramid
SLACK = 0.999                                    # of friction that is used
CORNERS = 6                                      # a foot: two ends of heel, ball and tip
EDGE_COST, EDGE_TIME = 10.0, 0.025               # forces cost this much more where a contact begins or ends; s


class Generators(NamedTuple):
    """K at most a step, of which the first are used: corner after corner, four each."""
    used: np.ndarray                # (S,) how many
    G: np.ndarray                   # (S, K, 6) force, in weights, and moment, in the program's units, of a unit factor
    cost: np.ndarray                # (S, K) of a factor's square, relative
    corner: np.ndarray              # (S, K / 4) which: 6 foot + 2 edge + end
    place: np.ndarray               # (S, K / 4, 3) m


def rays(friction: float, along: np.ndarray) -> np.ndarray:
    """(..., 4, 3) the pyramid's edges, a unit of pressure each; the first slants `along` (..., 3), which is level"""
    left = np.stack([-along[..., 1], along[..., 0], along[..., 2]], axis=-1)
    side = SLACK * friction * np.stack([along, left, -along, -left], axis=-2)
    side[..., 2] = 1.0
    return side


def make_generators(grid: Grid, targets: Targets, corners: np.ndarray, centre: np.ndarray, friction: float,
                    scale: np.ndarray) -> Generators:
    """`corners` (S, feet, 3, 2, 3) of the soles, `centre` (S, 3) the point of moments, `scale` (6,) from N and N m to the program's units
    times the weight."""
    S, feet = len(grid.q), len(targets.foot)
    most = CORNERS * feet
    on = np.repeat(grid.on.transpose(2, 0, 1).reshape(S, 3 * feet), 2, axis=1)           # (S, 6 F)
    place = corners.reshape(S, most, 3)
    arm = place - centre[:, None]
    # turned with the foot, so that nothing depends on the world's own directions
    force = np.repeat(rays(friction, targets.foot_axes[:, :, 2].transpose(1, 0, 2)), CORNERS, axis=1)
    G = np.concatenate([force, np.cross(arm[:, :, None], force)], axis=3) * scale
    near = np.stack([1 + EDGE_COST * np.exp(-distance_to_edge(edge) * grid.step / EDGE_TIME) for foot in grid.on for edge in foot], axis=1)
    cost = np.repeat(near, 2, axis=1)
    # packed: those that touch first
    order = np.argsort(~on, axis=1, kind="stable")
    take = lambda x: np.take_along_axis(x, order.reshape(S, most, *[1] * (x.ndim - 2)), axis=1)
    return Generators(SIDES * on.sum(axis=1), np.ascontiguousarray(take(G).reshape(S, SIDES * most, 6)),
                      np.ascontiguousarray(np.repeat(take(cost), SIDES, axis=1)), order, np.ascontiguousarray(take(place)))


def body_of(targets: Targets, corner: int, heel_down: bool) -> int:
    """The body that a corner's force acts on: the ball belongs to the foot while its heel is down, else to the toe."""
    foot, edge = corner // CORNERS, corner % CORNERS // 2
    if edge == HEEL or (edge == 1 and heel_down):
        return int(targets.foot[foot])
    return int(targets.toe[foot])
