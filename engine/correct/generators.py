"""What may push: at each corner of what touches, the four edges of a pyramid inside its friction cone.

A force is a sum of generators with factors of zero or more: it never pulls, stays in the cone, and a region's centre of pressure stays in it.
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
    """K at most a step, of which `count` are used: corner after corner, four each."""
    count: np.ndarray               # (S,)
    G: np.ndarray                   # (S, K, 6) force and moment of a unit factor, in the units of the program
    cost: np.ndarray                # (S, K) of a factor's square, relative
    corner: np.ndarray              # (S, K / 4) which: 6 foot + 2 edge + end
    place: np.ndarray               # (S, K / 4, 3) m


def directions(friction: float) -> np.ndarray:
    """(4, 3) the pyramid's edges: a unit of pressure each"""
    angle = np.pi / 2 * np.arange(SIDES)
    return np.column_stack([SLACK * friction * np.cos(angle), SLACK * friction * np.sin(angle), np.ones(SIDES)])


def make_generators(grid: Grid, targets: Targets, corners: np.ndarray, centre: np.ndarray, friction: float, scale: np.ndarray) -> Generators:
    """`corners` (S, feet, 3, 2, 3) of the soles, `centre` (S, 3) the point of moments, `scale` (6,) from N and N m to the program's units
    times the weight."""
    S, feet = len(grid.q), len(targets.foot)
    most = CORNERS * feet
    rays = directions(friction)
    on = np.repeat(grid.on.transpose(2, 0, 1).reshape(S, 3 * feet), 2, axis=1)           # (S, 6 F)
    place = corners.reshape(S, most, 3)
    arm = place - centre[:, None]
    force = np.broadcast_to(rays, (S, most, SIDES, 3))
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
