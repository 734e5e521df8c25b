"""A system with rigid contact, made ready to step."""
from collections.abc import Sequence

import numpy as np

from ..dynamics.data import allocate
from ..model.model import System
from .build_shapes import build_shapes
from .contacts import allocate_contacts
from .holds import Hold, build_holds
from .rigid import allocate_contact
from .step import World
from .virtual_links import allocate_links


def allocate_world(system: System, obstacles=(), holds: Sequence[Hold] = ()) -> World:
    """Work arrays for `system`, with obstacles and holds."""
    m = system.model
    shapes = build_shapes(system, obstacles)
    found = allocate_contacts(shapes)
    count = len(found.body) + len(holds)
    links = allocate_links(m, count)
    return World(m, allocate(m), shapes, found, links, allocate_contact(links, len(m.tree_start) - 1), build_holds(system, holds),
                 np.zeros(count, int), np.zeros(len(m.tree_start) - 1, int), np.zeros(m.nv), np.zeros(m.nv), np.zeros((count, 6)))
