"""Meshes, height fields, obstacles, filters, many figures: detection in a whole world."""
import numpy as np
import pytest
from heft.engine.collision.build_shapes import Obstacle, build_shapes
from heft.engine.collision.contacts import Contacts, allocate_contacts
from heft.engine.collision.convex_hull import convex_hull
from heft.engine.collision.detect import detect
from heft.engine.collision.find_contacts import find_contacts, regions
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_pose
from heft.engine.errors import HeftError
from heft.engine.kernel import COMPILED
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.figure import STANDING_HEIGHT, figure
from heft.engine.model.state import rest_coordinates
from heft.tests.engine.random_systems import random_state
from heft.tests.engine.touching import UPRIGHT, between, box_mesh, corners, free, grid_mesh, matrix, on_world, only, product, turn, two

BALL, BAR, CUBE = Shape("sphere", (0.1,)), Shape("capsule", (0.05, 0.2)), Shape("box", (0.1, 0.2, 0.3))
DICE = Shape("hull", points=np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)]))
LYING = turn((0, 1, 0), np.pi / 2)
FLOOR, PLANE = grid_mesh(2.0, 8), (Shape("plane"),)


def same(one: list, other: list, precision: float = 1e-9) -> None:
    assert len(one) == len(other), (one, other)
    for a, b in zip(one, other):
        assert (a.body, a.kind) == (b.body, b.kind)
        np.testing.assert_allclose(a.normal, b.normal, atol=precision)
        apart = np.linalg.norm(a.points[:, None] - b.points, axis=2)
        assert len(a.points) == len(b.points) and apart.min(axis=1).max() < precision
        np.testing.assert_allclose(np.sort(a.gaps), np.sort(b.gaps), atol=precision)


@pytest.mark.parametrize("shape, low", [(BALL, 0.1), (BAR, 0.25), (CUBE, 0.3), (DICE, 0.3)], ids=["sphere", "capsule", "box", "hull"])
@pytest.mark.parametrize("gap", [0.0005, 0.0, -0.002, -0.03])
def test_floor_of_triangles_is_a_plane(shape, low, gap):
    """also on its seams, and a little tilted"""
    rng = np.random.default_rng(0)
    for rotation in (UPRIGHT, turn((0, 0, 1), 0.4), turn((1, 1, 0), 1e-3)):
        for place in [(0, 0), (0.5, 0), (0.25, 0.25), (0.1, 0.2), *rng.uniform(-1, 1, (3 if COMPILED else 1, 2))]:
            where = (*place, low + gap)
            same(on_world(shape, where, rotation, (FLOOR,)), on_world(shape, where, rotation))


@pytest.mark.parametrize("shape", [BAR, CUBE, DICE], ids=["capsule", "box", "hull"])
def test_lying_and_tilted_on_triangles(shape):
    rng = np.random.default_rng(1)
    for _ in range(30 if COMPILED else 5):
        rotation = turn(rng.normal(size=3), rng.uniform(0, 3))
        # lift it so that its lowest point just touches
        deepest = min((region.gaps.min() for region in on_world(shape, (0, 0, 0), rotation, margin=1.0)), default=0.0)
        where = (*rng.uniform(-1, 1, 2), -deepest - rng.uniform(0, 2e-3))
        same(on_world(shape, where, rotation, (FLOOR,)), on_world(shape, where, rotation), 1e-7)


def test_no_ghosts_when_a_box_slides_over_seams():
    small = grid_mesh(1.0, 40)                     # triangles smaller than the box, and than how deep it sinks
    for depth in (0.0, 1e-4, 2e-3, 0.03):
        for x in np.linspace(-0.2, 0.2, 41 if COMPILED else 5):
            region = only(on_world(Shape("box", (0.08, 0.05, 0.05)), (x, 0.013, 0.05 - depth), turn((0, 0, 1), 0.1), (small,)))
            np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-9)
            assert region.kind == "area" and region.gaps == pytest.approx([-depth] * 4, abs=1e-9)


def test_no_ghosts_when_a_ball_rolls_over_seams():
    small = grid_mesh(1.0, 40)
    for depth in (0.0, 2e-3, 0.03):
        for x in np.linspace(-0.2, 0.2, 41 if COMPILED else 5):
            region = only(on_world(BALL, (x, 0.3 * x, 0.1 - depth), UPRIGHT, (small,)))
            np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-9)
            assert region.gaps == pytest.approx([-depth], abs=1e-9)


def rock() -> tuple[Shape, Shape]:
    """a convex solid with many blunt edges, as a hull and as a mesh"""
    points = np.random.default_rng(0).normal(size=(14, 3))
    corners, faces = convex_hull(0.5 * points / np.linalg.norm(points, axis=1)[:, None])
    triangles = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
    return Shape("hull", points=corners), Shape("mesh", points=corners, triangles=np.array(triangles))


@pytest.mark.parametrize("shape", [BALL, BAR, Shape("box", (0.05, 0.06, 0.07)), DICE], ids=["sphere", "capsule", "box", "hull"])
@pytest.mark.parametrize("solid, mesh", [(Shape("box", (0.4, 0.5, 0.6)), box_mesh((0.4, 0.5, 0.6))), rock()], ids=["box", "rock"])
def test_solid_of_triangles_is_that_solid(shape, solid, mesh):
    """all round it, on faces, edges and corners: the solid's region is there, and near corners none is deeper than it was pushed in"""
    rng = np.random.default_rng(2)
    solid, mesh = (solid,), (mesh,)
    for _ in range(150 if COMPILED else 8):
        direction, rotation = rng.normal(size=3), turn(rng.normal(size=3), rng.uniform(0, 3))
        direction /= np.linalg.norm(direction)
        # move it in until it is a millimetre deep
        far = 2.0 * direction
        gap = only(on_world(shape, far, rotation, solid, 3.0))
        where = far - gap.normal * (gap.gaps.min() + 1e-3)
        wanted = only(on_world(shape, where, rotation, solid))
        found = on_world(shape, where, rotation, mesh)
        # a face may stand for a normal 2.5 degrees off: then its neighbour across a blunt edge may stay, too
        assert min(region.gaps.min() for region in found) > (-1.1e-3 if solid[0].kind == "box" else -1.6e-3)
        same_depth = [region for region in found if region.gaps.min() == pytest.approx(wanted.gaps.min(), abs=1e-4)]
        if shape.kind in ("sphere", "capsule"):
            assert any(np.abs(region.normal - wanted.normal).max() < 0.05 for region in same_depth)
        assert min(abs(region.gaps.min() - wanted.gaps.min()) for region in found) < 5e-4


def test_ridge_of_a_roof_carries_a_line():
    """a flat box on the ridge touches along it, with the normal of the box"""
    points = np.array([[-1, -1, -1], [1, -1, -1], [-1, 0, 0], [1, 0, 0], [-1, 1, -1], [1, 1, -1]], float)
    roof = Shape("mesh", points=points, triangles=np.array([[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]]))
    region = only(on_world(CUBE, (0.2, 0.03, 0.2999), UPRIGHT, (roof,)))
    assert region.kind == "line" and corners(region) == [(0.1, 0, -0.00005), (0.3, 0, -0.00005)]
    np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-9)


def test_two_steps_are_two_regions():
    steps = []
    for k in range(3):
        steps.append(np.array([[0.3 * k, -1, 0.1 * k], [0.3 * k + 0.3, -1, 0.1 * k], [0.3 * k + 0.3, 1, 0.1 * k], [0.3 * k, 1, 0.1 * k]]))
    points = np.concatenate(steps)
    treads = [[4 * k + i for i in row] for k in range(3) for row in ((0, 1, 2), (0, 2, 3))]
    risers = [[4 * k + i for i in row] for k in range(2) for row in ((1, 4, 7), (1, 7, 2))]
    stairs = Shape("mesh", points=points, triangles=np.array(treads + risers))
    # a foot in the corner of the first step touches tread and riser
    foot = Shape("box", (0.1, 0.05, 0.03))
    found = on_world(foot, (0.3 - 0.1, 0, 0.03), UPRIGHT, (stairs,))
    assert sorted(tuple(np.round(region.normal, 6) + 0.0) for region in found) == [(-1, 0, 0), (0, 0, 1)]
    assert len({region.key for region in found}) == 2
    # one that stands over the nose of the second touches its tread alone, up to the nose
    region = only(on_world(foot, (0.35, 0, 0.13), UPRIGHT, (stairs,)))
    assert corners(region) == [(0.3, -0.05, 0.1), (0.3, 0.05, 0.1), (0.45, -0.05, 0.1), (0.45, 0.05, 0.1)]


def hills(x, y):
    return 0.1 * np.sin(2 * x) * np.cos(3 * y) + 0.05 * x


@pytest.mark.parametrize("shape", [BALL, BAR, CUBE, DICE], ids=["sphere", "capsule", "box", "hull"])
def test_heights_are_the_same_mesh(shape):
    rng = np.random.default_rng(3)
    mesh = grid_mesh(1.0, 10, hills)
    heights = Shape("heights", (0.2, 0.2), heights=mesh.points[:, 2].reshape(11, 11))
    frame = Frame((0.3, -0.2, 0.5), turn((1, 2, 3), 0.2))
    for _ in range(20 if COMPILED else 4):
        place = matrix(frame.rotation) @ [*rng.uniform(-0.8, 0.8, 2), rng.uniform(0.0, 0.3)] + frame.position
        rotation = turn(rng.normal(size=3), 1.0)
        one = on_world(shape, place, rotation, (Shape("heights", heights.size, frame, heights=heights.heights),), 0.01)
        other = on_world(shape, place, rotation, (Shape("mesh", (), frame, mesh.points, triangles=mesh.triangles),), 0.01)
        order = lambda region: tuple(np.round(region.points.mean(0), 7))
        same(sorted(one, key=order), sorted(other, key=order))


def test_ball_on_hills_is_as_far_as_the_nearest_triangle():
    rng = np.random.default_rng(4)
    mesh = grid_mesh(1.0, 10, hills)
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    for _ in range(100 if COMPILED else 10):
        x, y = rng.uniform(-0.7, 0.7, 2)
        centre = np.array([x, y, hills(x, y) + rng.uniform(0.02, 0.15)])
        # by brute force over a fine grid of barycentric places
        u, v = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41))
        u, v = u[u + v <= 1 + 1e-9], v[u + v <= 1 + 1e-9]
        near = a[:, None] + u[:, None] * (b - a)[:, None] + v[:, None] * (c - a)[:, None]
        nearest = np.linalg.norm(near - centre, axis=2).min() - 0.1
        found = on_world(BALL, centre, UPRIGHT, (mesh,), 0.2)
        assert min(region.gaps.min() for region in found) == pytest.approx(nearest, abs=5e-4)
        for region in found:                       # nothing points down, nothing is deeper than it is
            assert region.normal[2] > 0.5 and region.gaps.min() > nearest - 5e-4


def test_friction_and_restitution_of_a_pair():
    floor = Shape("plane", friction=0.5, dynamic_friction=0.5, restitution=0.3)
    region = only(on_world(Shape("sphere", (0.1,), friction=0.9, dynamic_friction=0.2, restitution=0.1), (0, 0, 0.1), world=(floor,)))
    assert region.material == (0.9, 0.5, 0.3)
    assert only(on_world(BALL, (0, 0, 0.1))).material == pytest.approx((0.8, 0.7, 0.0))


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


def test_standing_figure_touches_with_both_soles():
    found = find_contacts(*standing())
    assert {(region.body, region.other, region.kind) for region in found} == {("foot.L", "world", "area"), ("foot.R", "world", "area")}
    assert all(len(region.points) == 4 for region in found)


def test_parts_fixed_together_and_parent_and_child_do_not_touch():
    ball = lambda name, parent, kind: Body(name, 1.0, (0.1, 0.1, 0.1), parent, Joint(kind), shapes=(BALL,))
    bodies = (ball("root", None, "free"), ball("arm", "root", "hinge"), ball("glove", "arm", "fixed"), ball("finger", "glove", "hinge"))
    pairs = lambda *more: {(region.body, region.other) for region in find_contacts(system(*more), rest_coordinates(system(*more).model))}
    system = lambda *ignored: build(Character("c", bodies, ignored_pairs=ignored))
    # all stand in one place; arm and glove are one, between root and finger
    assert pairs() == {("root", "finger")}
    assert pairs(("finger", "root")) == set()


def test_children_of_what_is_fixed_to_the_world():
    ball = lambda name, parent, kind: Body(name, 1.0, (0.1, 0.1, 0.1), parent, Joint(kind), shapes=(BALL,))
    system = build(Character("c", (ball("post", None, "fixed"), ball("sign", "post", "fixed"), ball("door", "post", "hinge"),
                                   ball("knob", "door", "hinge"))), free("cart", BALL), shapes=(Shape("box", (0.1, 0.1, 0.1)),))
    found = {(region.body, region.other) for region in find_contacts(system, rest_coordinates(system.model))}
    cart, knob, door, post, sign = "cart/cart", "c/knob", "c/door", "c/post", "c/sign"
    assert found == {(knob, post), (knob, sign), (knob, "world"), (door, "world"), (door, cart), (knob, cart), (cart, post), (cart, sign),
                     (cart, "world")}


def test_groups_and_masks():
    def met(group_a, mask_a, group_b, mask_b) -> bool:
        a, b = Shape("sphere", (0.1,), group=group_a, mask=mask_a), Shape("sphere", (0.1,), group=group_b, mask=mask_b)
        return bool(between(two(a, b), (0, 0, 0), UPRIGHT, (0.1, 0, 0), UPRIGHT))
    assert met(1, -1, 1, -1) and met(1, 2, 2, 1) and met(4, 3, 2, 4)
    assert not met(1, 0, 1, -1) and not met(1, 2, 2, 2) and not met(2, 1, 1, 1)


def test_obstacles():
    platform = Obstacle("platform", (Shape("box", (0.5, 0.5, 0.05), Frame((0, 0, -0.05))), Shape("sphere", (0.1,), Frame((5, 0, 0)))))
    fan = Obstacle("fan", (Shape("box", (0.5, 0.5, 0.05)),))
    system = build(free("thing", CUBE))
    rotation = turn((1, 0, 0), 0.5)
    place = np.array([1.0, 2.0, 3.0]) + matrix(rotation) @ [0, 0, 0.2999]
    region = only(find_contacts(system, np.concatenate([place, rotation]), 0.001, (fan, platform),
                                {"fan": Frame((0, 0, -9)), "platform": Frame((1, 2, 3), rotation)}))
    assert (region.body, region.other, region.kind) == ("thing", "platform", "area")
    np.testing.assert_allclose(region.normal, matrix(rotation)[:, 2], atol=1e-12)
    assert region.gaps == pytest.approx([-1e-4] * 4, abs=1e-12)
    s = build_shapes(system, (fan, platform))
    assert s.body.tolist() == [0, -2, -3, -3]


def detected(system, q, margin=0.001, **room) -> Contacts:
    s = build_shapes(system)
    d, c = allocate(system.model), allocate_contacts(s, **room)
    update_pose(d, system.model, q)
    detect(c, d, s, margin)
    return c


def test_overflow_is_counted():
    system, q = standing(3)
    c = detected(system, q, regions=2)
    assert c.count[0] == 2 and c.dropped.tolist() == [0, 4, 0]
    c = detected(system, q, candidates=5)
    assert c.count[0] == 5 and c.dropped.tolist() == [1, 0, 0]
    with pytest.raises(HeftError, match="no room for"):
        find_contacts(build(*(free(f"b{k}", *[BALL] * 8) for k in range(12))), np.tile([0, 0, 0, 1.0, 0, 0, 0], 12))


def test_figures_apart_are_found_one_by_one():
    one = find_contacts(*standing(1))
    many = find_contacts(*standing(5))
    assert len(many) == 5 * len(one)
    for k in range(5):
        mine = [region for region in many if region.body.startswith(f"figure {k}/")]
        for region, wanted in zip(mine, one):
            np.testing.assert_allclose(region.points - (2.0 * k, 0, 0), wanted.points, atol=1e-12)


def test_figures_that_meet_touch_each_other():
    system, q = standing(2)
    q[system.model.q_start[system.model.tree_start[1]]] = 0.15
    found = find_contacts(system, q)
    assert any(region.body.startswith("figure 0") and region.other.startswith("figure 1") for region in found)
    assert all(region.body.startswith("figure 0") for region in found if region.other != "world")


def test_every_pair_is_found_that_brute_force_finds():
    """without the broad phase: each pair of shapes in a system of its own"""
    rng = np.random.default_rng(5)
    shapes = [BALL, BAR, CUBE, DICE] * 3
    poses = [np.concatenate([rng.normal(0, 0.35, 3), turn(rng.normal(size=3), 1.0)]) for _ in shapes]
    names = [f"b{k}" for k in range(len(shapes))]
    system = build(*(free(name, shape) for name, shape in zip(names, shapes)))
    found = {frozenset((region.body, region.other)): region for region in find_contacts(system, np.concatenate(poses))}
    for i in range(len(shapes)):
        for j in range(i + 1, len(shapes)):
            alone = find_contacts(build(free(names[i], shapes[i]), free(names[j], shapes[j])), np.concatenate([poses[i], poses[j]]))
            region = found.get(frozenset((f"{names[i]}/{names[i]}", f"{names[j]}/{names[j]}")))
            assert (region is None) == (not alone)
            if region:
                np.testing.assert_allclose(region.normal, alone[0].normal, atol=1e-9)


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
