"""Shapes, grounds and figures that the tests of detection share, and how regions compare."""
import numpy as np
from heft.engine.collision.build_shapes import build_shapes
from heft.engine.collision.contacts import Contacts, allocate_contacts
from heft.engine.collision.detect import detect
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_pose
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.model.figure import STANDING_HEIGHT, figure
from heft.engine.model.state import rest_coordinates
from heft.tests.engine.touching import PLANE, grid_mesh, turn

BALL, BAR, CUBE = Shape("sphere", (0.1,)), Shape("capsule", (0.05, 0.2)), Shape("box", (0.1, 0.2, 0.3))
DICE = Shape("hull", points=np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)]))
FLOOR = grid_mesh(2.0, 8)


def same(one: list, other: list, precision: float = 1e-9) -> None:
    assert len(one) == len(other), (one, other)
    for a, b in zip(one, other):
        assert (a.body, a.kind) == (b.body, b.kind)
        np.testing.assert_allclose(a.normal, b.normal, atol=precision)
        apart = np.linalg.norm(a.points[:, None] - b.points, axis=2)
        assert len(a.points) == len(b.points) and apart.min(axis=1).max() < precision
        np.testing.assert_allclose(np.sort(a.gaps), np.sort(b.gaps), atol=precision)


def hills(x, y):
    return 0.1 * np.sin(2 * x) * np.cos(3 * y) + 0.05 * x


def standing(count: int = 1, world=PLANE, arms: float = 0.4):
    """figures in a row with their arms a little spread"""
    system = build(*(figure(f"figure {k}") for k in range(count)), shapes=world)
    m, q = system.model, rest_coordinates(system.model)
    for k in range(count):
        start = m.q_start[m.tree_start[k]]
        q[start], q[start + 2] = 2.0 * k, STANDING_HEIGHT
    for i, name in enumerate(system.names):
        if "upper_arm" in name:
            q[m.q_start[i]:m.q_start[i] + 4] = turn((1 if name.endswith("L") else -1, 0, 0), arms)
    return system, q


def detected(system, q, margin=0.001, **room) -> Contacts:
    s = build_shapes(system)
    d, c = allocate(system.model), allocate_contacts(s, **room)
    update_pose(d, system.model, q)
    detect(c, d, s, margin)
    return c
