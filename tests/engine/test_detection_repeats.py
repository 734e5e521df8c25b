"""Detection from pose to pose: normals and keys stay, frames do not matter, two runs are the same."""
import numpy as np
from heft.engine.collision.build_shapes import build_shapes
from heft.engine.collision.contacts import allocate_contacts
from heft.engine.collision.detect import detect
from heft.engine.collision.find_contacts import find_contacts, regions
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_pose
from heft.engine.kernel import COMPILED
from heft.engine.model.build import build
from heft.engine.model.character import Frame, Shape
from heft.engine.model.figure import figure
from heft.tests.engine.detected import BAR, CUBE, DICE, detected, hills, same, standing
from heft.tests.engine.random_systems import random_state
from heft.tests.engine.touching import grid_mesh, matrix, on_world, only, product, turn


def test_rocking_box_keeps_its_normal():
    """through tiny angles on a plane, on a box and on a mesh: the normal moves as little as the box"""
    for world in ((Shape("plane"),), (Shape("box", (0.1, 0.2, 0.3), Frame((0, 0, -0.3))),), (grid_mesh(0.5, 10),)):
        normals, kinds = [], []
        for angle in np.linspace(-1e-4, 1e-4, 21 if COMPILED else 5):
            region = only(on_world(CUBE, (0, 0, 0.3 - 2e-5), turn((1, 0.5, 0), angle), world))
            normals.append(region.normal)
            kinds.append((region.kind, len(region.points)))
        assert np.abs(np.diff(normals, axis=0)).max() < 5e-5 and np.linalg.norm(np.array(normals) - (0, 0, 1), axis=1).max() < 2e-4
        assert set(kinds) == {("area", 4)}


def test_box_rolling_off_an_edge_never_jumps():
    """a box tips over the edge of another: the normal stays that of the lower box until the corner is past"""
    world = (Shape("box", (0.5, 0.5, 0.5), Frame((0, 0, -0.5))),)
    last = None
    for angle in np.linspace(0, 0.6, 61 if COMPILED else 7):
        # it turns about its own lower edge, which stands on the lower box 5 cm inside
        rotation = turn((0, 1, 0), -angle)
        place = np.array([0.45, 0, 0]) + matrix(rotation) @ [0.1, 0, 0.3]
        region = only(on_world(CUBE, place, rotation, world))
        if last is not None:
            assert np.linalg.norm(region.normal - last) < 0.02
        last = region.normal


def test_two_runs_are_the_same_to_the_bit():
    rng = np.random.default_rng(6)
    system = build(figure("a"), figure("b"), shapes=(Shape("plane"), grid_mesh(1.0, 10, hills)))
    runs = []
    for _ in range(2):
        s = build_shapes(system)
        d, c = allocate(system.model), allocate_contacts(s)
        rng = np.random.default_rng(6)
        found = []
        for _ in range(10 if COMPILED else 2):
            q, _ = random_state(rng, system.model)
            q[:3] *= 0.3
            update_pose(d, system.model, q)
            detect(c, d, s, 0.01)
            n = int(c.count[0])
            end = int(c.vertex_start[n])
            found.append([c.key[:n].copy(), c.normal[:n].copy(), c.vertex[:end].copy(), c.gap[:end].copy()])
        runs.append(found)
    assert sum(len(step[0]) for step in runs[0]) > 5
    for one, other in zip(*runs):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)


def test_keys_stay_while_a_figure_walks_on_a_mesh():
    system, q = standing(1, (grid_mesh(2.0, 16),))
    seen = set()
    for x in np.linspace(0, 0.3, 7):
        q[0] = x
        seen.add(tuple(region.key for region in find_contacts(system, q)))
    assert len(seen) == 1


def test_regions_by_name_of_what_detect_filled():
    system, q = standing()
    c = detected(system, q)
    assert [region.body for region in regions(system, c)] == ["foot.L", "foot.R"]
    np.testing.assert_array_equal(c.origin, q[:3])


def test_turned_frames_of_shapes_on_bodies():
    """a shape's own frame on its body is the body turned"""
    frame = Frame((0.02, 0.03, -0.01), turn((1, 2, 3), 0.7))
    rng = np.random.default_rng(7)
    for shape in (BAR, CUBE, DICE):
        place, rotation = rng.normal(0, 0.05, 3), turn(rng.normal(size=3), 1.0)
        on_frame = on_world(Shape(shape.kind, shape.size, frame, shape.points), place, rotation, margin=0.5)
        direct = on_world(shape, place + matrix(rotation) @ frame.position, product(rotation, frame.rotation), margin=0.5)
        same(on_frame, direct, 1e-12)
