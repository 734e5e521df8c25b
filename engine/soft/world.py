"""A system with soft contact, made ready to step."""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..collision.build_shapes import Obstacle
from ..contact.holds import Coupling, Hold
from ..contact.world import World, allocate_world
from ..model.model import System
from .materials import Materials, build_materials
from .points import Points, allocate_points


class Soft(NamedTuple):
    """What soft contact needs besides the world."""
    points: Points
    materials: Materials
    holds: np.ndarray               # (1,) links 0 to holds[0] - 1 are holds
    link: np.ndarray                # (nc,) the link of each region between two bodies, -1: none
    f6: np.ndarray                  # (nl, 6) force of a link at rest
    G6: np.ndarray                  # (nl, 6, 6) what it falls by for a unit of velocity
    V: np.ndarray                   # (nb, 6) velocities of bodies at the end of the step
    u: np.ndarray                   # (n, 3) of points
    force: np.ndarray               # (3,)
    arm: np.ndarray                 # (3,)

    # explicit steps
    gap: np.ndarray                 # (n,) of a stage
    place: np.ndarray               # (n, 3)
    e: np.ndarray                   # (n,)
    stretch: np.ndarray             # (n, 3)
    e_rate: np.ndarray              # (4, n)
    stretch_rate: np.ndarray        # (4, n, 3)


def allocate_soft(system: System, holds: Sequence[Hold | Coupling] = (), obstacles: Sequence[Obstacle] = (), step: float = 0.001,
                  seconds: float = 0.0) -> tuple[World, Soft]:
    """Work arrays for `system`, as for rigid contact, and what comes on top."""
    world = allocate_world(system, holds, obstacles, step, seconds)
    points, nl = allocate_points(world.found), len(world.links.body)
    n = len(points.gap)
    shapes = {"f6": (nl, 6), "G6": (nl, 6, 6), "V": (system.model.nb, 6), "u": (n, 3), "force": (3,), "arm": (3,), "gap": (n,),
              "place": (n, 3), "e": (n,), "stretch": (n, 3), "e_rate": (4, n), "stretch_rate": (4, n, 3)}
    return world, Soft(points, build_materials(system, obstacles), np.zeros(1, int), np.zeros(len(world.found.body), int),
                       **{name: np.zeros(shape) for name, shape in shapes.items()})
