"""Contacts of one pose as plain objects, for tests, reports and looking around."""
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..algebra.rotations import quaternion_matrix
from ..dynamics.data import allocate
from ..dynamics.kinematics import update_pose
from ..errors import HeftError
from ..model.character import Frame, Material
from ..model.model import System
from .build_shapes import Obstacle, build_shapes, carrier_name
from .contacts import KIND_NAMES, Contacts, allocate_contacts
from .detect import detect


@dataclass(frozen=True)
class Region:
    """Where two things touch: `points` lie halfway between them, in order around the region."""
    body: str                                    # the normal points into it
    other: str                                   # a body, an obstacle, or 'world'
    kind: str                                    # point, line, area
    normal: np.ndarray                           # (3,)
    points: np.ndarray                           # (n, 3) world, m
    gaps: np.ndarray                             # (n,) m, negative inside
    material: Material
    shapes: tuple[int, int]                      # in the order of build_shapes
    key: int


def find_contacts(system: System, q: np.ndarray, margin: float = 0.001, obstacles: Sequence[Obstacle] = (),
                  places: Mapping[str, Frame] | None = None) -> list[Region]:
    """All that comes within `margin` m of touching at coordinates q; `places` says where obstacles are, by name."""
    m, s = system.model, build_shapes(system, obstacles)
    d, c = allocate(m), allocate_contacts(s)
    for number, obstacle in enumerate(obstacles):
        place_obstacle(c, number, (places or {}).get(obstacle.name, Frame()))
    update_pose(d, m, np.array(q, float))
    detect(c, d, s, float(margin))
    if c.dropped.any():
        raise HeftError(f"no room for {c.dropped[0]} candidates, {c.dropped[1]} patches and {c.dropped[2]} regions of contact")
    return regions(system, c, obstacles)


def regions(system: System, c: Contacts, obstacles: Sequence[Obstacle] = ()) -> list[Region]:
    """What `c` holds, by name."""
    found = []
    for k in range(int(c.count[0])):
        vertices = slice(int(c.vertex_start[k]), int(c.vertex_start[k + 1]))
        found.append(Region(
            system.names[c.body[k]], carrier_name(system, obstacles, int(c.other[k])), KIND_NAMES[c.kind[k]], c.normal[k].copy(),
            c.origin + c.vertex[vertices], c.gap[vertices].copy(),
            Material(float(c.friction[k]), float(c.dynamic_friction[k]), float(c.restitution[k])),
            (int(c.shape_a[k]), int(c.shape_b[k])), int(c.key[k])))
    return found


def place_obstacle(c: Contacts, number: int, frame: Frame) -> None:
    """Write the pose of obstacle `number`."""
    c.obstacle_x[number] = frame.position
    quaternion_matrix(c.obstacle_R[number], np.array(frame.rotation, float))
