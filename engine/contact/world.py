"""A system with rigid contact, made ready to step."""
from collections.abc import Sequence

import numpy as np

from ..dynamics.data import allocate
from ..model.model import System
from .build_shapes import Obstacle, build_shapes
from .contacts import allocate_contacts
from .holds import Coupling, Hold, build_holds, targets
from .paths import build_paths
from .rigid import allocate_contact
from .step import World
from .virtual_links import allocate_links


def allocate_world(system: System, holds: Sequence[Hold | Coupling] = (), obstacles: Sequence[Obstacle] = (), step: float = 0.001,
                   seconds: float = 0.0) -> World:
    """Work arrays for `system`. Obstacles and moving targets are sampled every `step` s for so many seconds."""
    m = system.model
    shapes = build_shapes(system, obstacles)
    found = allocate_contacts(shapes)
    count = len(found.body) + len(holds)
    links = allocate_links(m, count)
    paths = build_paths([*(obstacle.path for obstacle in obstacles), *targets(holds)], step, seconds)
    return World(m, allocate(m), shapes, found, links, allocate_contact(links, len(m.tree_start) - 1),
                 build_holds(system, holds, len(obstacles), step), paths, np.zeros(4),
                 np.zeros(count, int), np.zeros(len(m.tree_start) - 1, int), np.zeros(m.nv), np.zeros(m.nv), np.zeros((count, 6)))
