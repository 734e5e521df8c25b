"""A system with rigid contact, made ready to step."""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..collision.build_shapes import Obstacle, build_shapes, obstacle_name
from ..collision.contacts import Contacts, allocate_contacts
from ..collision.paths import Paths, build_paths
from ..collision.shapes import Shapes
from ..dynamics.data import Data, allocate
from ..model.model import Model, System
from .arrival import reaches
from .holds import Coupling, Hold, Holds, build_holds, targets
from .problem import Contact, allocate_contact
from .virtual_links import Links, allocate_links


class World(NamedTuple):
    """Everything that a step with contact reads and writes."""
    m: Model
    d: Data
    shapes: Shapes
    found: Contacts
    links: Links
    c: Contact
    holds: Holds
    paths: Paths                    # of obstacles, then of moving targets of holds
    q: np.ndarray                   # (4,) work array of `follow`
    region: np.ndarray              # (nl,) the region of each link
    label: np.ndarray               # (nt,) work array of write_islands
    v_free: np.ndarray              # (nv,) velocities at the end of the step without contact
    v_new: np.ndarray               # (nv,) with it
    elastic: np.ndarray             # (nl, 6) impulses of an impact with restitution
    corner_speed: np.ndarray        # (·,) work array of first_arrival
    body_reach: np.ndarray          # (nb,) how far shapes reach from the centre of mass, m; -1 without any
    obstacle_reach: np.ndarray      # (no,) the same from the obstacle's origin


def allocate_world(system: System, holds: Sequence[Hold | Coupling] = (), obstacles: Sequence[Obstacle] = (), step: float = 0.001,
                   seconds: float = 0.0) -> World:
    """Work arrays for `system`. Obstacles and moving targets are sampled every `step` s for so many seconds."""
    m = system.model
    shapes = build_shapes(system, obstacles)
    found = allocate_contacts(shapes)
    count = len(found.body) + len(holds)
    links = allocate_links(m, count)
    moved = ((obstacle_name(number, obstacle), obstacle.path) for number, obstacle in enumerate(obstacles))
    paths = build_paths([*moved, *targets(holds)], step, seconds)
    return World(m, allocate(m), shapes, found, links, allocate_contact(links, len(m.tree_start) - 1),
                 build_holds(system, holds, len(obstacles), step), paths, np.zeros(4),
                 np.zeros(count, int), np.zeros(len(m.tree_start) - 1, int), np.zeros(m.nv), np.zeros(m.nv), np.zeros((count, 6)),
                 np.zeros(len(found.gap)), *reaches(m, shapes))
