"""Where simple shapes touch, by closed forms: separated, touching, overlapping; a point, a line, an area."""
import numpy as np
import pytest
from heft.engine.model.character import Frame, Shape
from heft.tests.engine.touching import UPRIGHT, between, corners, matrix, on_world, only, product, turn, two

BALL, BAR, CUBE = Shape("sphere", (0.1,)), Shape("capsule", (0.05, 0.2)), Shape("box", (0.1, 0.2, 0.3))
DICE = Shape("hull", points=np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)]))
LYING = turn((0, 1, 0), np.pi / 2)
GAPS = [0.02, 0.0005, 0.0, -0.0005, -0.01, -0.04]


@pytest.mark.parametrize("gap", GAPS)
def test_ball_on_plane(gap):
    region = only(on_world(BALL, (3, 4, 0.1 + gap), margin=0.05))
    assert (region.body, region.other, region.kind) == ("thing", "world", "point")
    np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-15)
    np.testing.assert_allclose(region.gaps, [gap], atol=1e-15)
    np.testing.assert_allclose(region.points, [[3, 4, gap / 2]], atol=1e-15)


@pytest.mark.parametrize("gap", GAPS)
def test_capsule_on_plane(gap):
    upright = only(on_world(BAR, (0, 0, 0.25 + gap), margin=0.05))
    assert upright.kind == "point" and upright.gaps == pytest.approx([gap], abs=1e-15)
    lying = only(on_world(BAR, (0, 0, 0.05 + gap), LYING, margin=0.05))
    assert lying.kind == "line" and lying.gaps == pytest.approx([gap, gap], abs=1e-15)
    assert corners(lying) == [(-0.2, 0, gap / 2), (0.2, 0, gap / 2)]


@pytest.mark.parametrize("shape", [CUBE, DICE], ids=["box", "hull"])
@pytest.mark.parametrize("gap", GAPS)
def test_box_on_plane_flat_on_an_edge_on_a_corner(shape, gap):
    flat = only(on_world(shape, (0, 0, 0.3 + gap), margin=0.05))
    assert flat.kind == "area" and flat.gaps == pytest.approx([gap] * 4, abs=1e-15)
    assert corners(flat) == [(-0.1, -0.2, gap / 2), (-0.1, 0.2, gap / 2), (0.1, -0.2, gap / 2), (0.1, 0.2, gap / 2)]
    # half a diagonal stands below the middle
    on_edge = only(on_world(shape, (0, 0, np.hypot(0.1, 0.3) + gap), turn((0, 1, 0), np.arctan2(0.1, 0.3)), margin=0.001 + max(gap, 0)))
    assert on_edge.kind == "line" and on_edge.gaps == pytest.approx([gap] * 2, abs=1e-12)
    assert corners(on_edge) == [(0, -0.2, gap / 2), (0, 0.2, gap / 2)]
    diagonal = np.array([0.1, 0.2, 0.3]) / np.linalg.norm([0.1, 0.2, 0.3])
    tip = turn(np.cross(diagonal, (0, 0, -1)), np.arccos(-diagonal[2]))
    on_corner = only(on_world(shape, (0, 0, np.linalg.norm([0.1, 0.2, 0.3]) + gap), tip, margin=0.001 + max(gap, 0)))
    assert on_corner.kind == "point" and on_corner.gaps == pytest.approx([gap], abs=1e-12)


def test_vertices_run_counter_clockwise_about_the_normal():
    for rotation in (UPRIGHT, turn((0, 0, 1), 1.0), turn((1, 0, 0), np.pi)):
        region = only(on_world(CUBE, (0, 0, 0.3), rotation))
        area = sum(np.cross(region.points[k - 1], region.points[k]) for k in range(4)) / 2
        np.testing.assert_allclose(area, (0, 0, 0.2 * 0.4), atol=1e-12)


@pytest.mark.parametrize("gap", GAPS)
def test_ball_and_ball(gap):
    direction = np.array([1.0, -2.0, 2.0]) / 3
    region = only(between(two(BALL, Shape("sphere", (0.3,))), (0, 0, 0), UPRIGHT, (0.4 + gap) * direction, UPRIGHT, 0.05))
    assert (region.body, region.other, region.kind) == ("a/a", "b/b", "point")
    np.testing.assert_allclose(region.normal, -direction, atol=1e-15)
    np.testing.assert_allclose(region.points, [(0.1 + gap / 2) * direction], atol=1e-15)
    assert region.gaps == pytest.approx([gap], abs=1e-15)


@pytest.mark.parametrize("gap", GAPS)
def test_capsules_crossed_and_side_by_side(gap):
    system = two(BAR, BAR)
    crossed = only(between(system, (0, 0, 0), LYING, (0, 0, 0.1 + gap), product(turn((0, 0, 1), 1.0), LYING), 0.05))
    assert crossed.kind == "point" and crossed.gaps == pytest.approx([gap], abs=1e-15)
    np.testing.assert_allclose(crossed.normal, (0, 0, -1), atol=1e-15)
    parallel = only(between(system, (0, 0, 0), LYING, (0.1, 0.1 + gap, 0), LYING, 0.05))
    assert parallel.kind == "line" and parallel.gaps == pytest.approx([gap] * 2, abs=1e-12)
    assert corners(parallel) == [(-0.1, round(0.05 + gap / 2, 6), 0), (0.2, round(0.05 + gap / 2, 6), 0)]
    end_to_end = only(between(system, (0, 0, 0), LYING, (0.5 + gap, 0, 0), LYING, 0.05))
    assert end_to_end.kind == "point"
    np.testing.assert_allclose(end_to_end.points, [[0.25 + gap / 2, 0, 0]], atol=1e-12)


def test_cores_that_meet_still_have_a_normal():
    for rotation in (UPRIGHT, LYING, turn((1, 2, 3), 0.7)):
        region = only(between(two(BAR, BAR), (0, 0, 0), UPRIGHT, (0, 0, 0), rotation))
        assert np.linalg.norm(region.normal) == pytest.approx(1) and region.gaps.min() == pytest.approx(-0.1)
    assert only(between(two(BALL, BALL), (0, 0, 0), UPRIGHT, (0, 0, 0), UPRIGHT)).gaps == pytest.approx([-0.2])


@pytest.mark.parametrize("block", [CUBE, DICE], ids=["box", "hull"])
@pytest.mark.parametrize("gap", GAPS)
def test_ball_on_block(block, gap):
    system = two(BALL, block)
    face = only(between(system, (0.05, 0.1, 0.4 + gap), UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    np.testing.assert_allclose(face.normal, (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(face.points, [[0.05, 0.1, 0.3 + gap / 2]], atol=1e-12)
    out = np.array([0, 0.6, 0.8])
    edge = only(between(system, (0.02, *(np.array([0.2, 0.3]) + (0.1 + gap) * out[1:])), UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    np.testing.assert_allclose(edge.normal, out, atol=1e-9)
    assert edge.gaps == pytest.approx([gap], abs=1e-9)
    out = np.array([2, 3, 6]) / 7
    corner = only(between(system, np.array([0.1, 0.2, 0.3]) + (0.1 + gap) * out, UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    np.testing.assert_allclose(corner.normal, out, atol=1e-9)
    assert corner.gaps == pytest.approx([gap], abs=1e-9)


@pytest.mark.parametrize("block", [CUBE, DICE], ids=["box", "hull"])
@pytest.mark.parametrize("gap", GAPS)
def test_capsule_on_block(block, gap):
    system = two(BAR, block)
    upright = only(between(system, (0, 0, 0.55 + gap), UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    assert upright.kind == "point" and upright.gaps == pytest.approx([gap], abs=1e-12)
    # along y it fits the face, along x both ends stand over
    along = only(between(system, (0, 0, 0.35 + gap), turn((1, 0, 0), np.pi / 2), (0, 0, 0), UPRIGHT, 0.05))
    assert along.kind == "line" and along.gaps == pytest.approx([gap] * 2, abs=1e-12)
    assert corners(along) == [(0, -0.2, round(0.3 + gap / 2, 6)), (0, 0.2, round(0.3 + gap / 2, 6))]
    across = only(between(system, (0.05, 0, 0.35 + gap), LYING, (0, 0, 0), UPRIGHT, 0.05))
    assert corners(across) == [(-0.1, 0, round(0.3 + gap / 2, 6)), (0.1, 0, round(0.3 + gap / 2, 6))]
    # across an edge, leaning out at 45 degrees: a point; along the edge: a line
    out = np.array([0, 1, 1]) / np.sqrt(2)
    place = np.array([0, 0.2, 0.3]) + (0.05 + gap) * out
    leaning = only(between(system, place, turn((1, 0, 0), np.pi / 4), (0, 0, 0), UPRIGHT, 0.05))
    assert leaning.kind == "point" and leaning.gaps == pytest.approx([gap], abs=1e-9)
    np.testing.assert_allclose(leaning.normal, out, atol=1e-9)
    beside = only(between(system, place, LYING, (0, 0, 0), UPRIGHT, 0.05))
    assert beside.kind == "line" and beside.gaps == pytest.approx([gap] * 2, abs=1e-9)
    np.testing.assert_allclose(beside.normal, out, atol=1e-9)


@pytest.mark.parametrize("first, second", [(CUBE, CUBE), (CUBE, DICE), (DICE, CUBE), (DICE, DICE)], ids=["bb", "bh", "hb", "hh"])
@pytest.mark.parametrize("gap", GAPS)
def test_block_on_block(first, second, gap):
    system = two(first, second)
    whole = only(between(system, (0, 0, 0.6 + gap), UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    height = round(0.3 + gap / 2, 6)
    assert whole.kind == "area" and whole.gaps == pytest.approx([gap] * 4, abs=1e-12)
    assert corners(whole) == [(-0.1, -0.2, height), (-0.1, 0.2, height), (0.1, -0.2, height), (0.1, 0.2, height)]
    np.testing.assert_allclose(whole.normal, (0, 0, 1), atol=1e-12)
    part = only(between(system, (0.05, -0.25, 0.6 + gap), UPRIGHT, (0, 0, 0), UPRIGHT, 0.05))
    assert corners(part) == [(-0.05, -0.2, height), (-0.05, -0.05, height), (0.1, -0.2, height), (0.1, -0.05, height)]
    # turned by 45 degrees about z: an octagon or a hexagon
    turned = only(between(system, (0, 0, 0.6 + gap), turn((0, 0, 1), np.pi / 4), (0, 0, 0), UPRIGHT, 0.05))
    assert turned.kind == "area" and turned.gaps == pytest.approx([gap] * len(turned.gaps), abs=1e-12)
    # on its edge: a line as wide as the lower block; deeper in, the whole face has sunk below the surface
    if gap < -0.01:
        return
    on_edge = only(between(system, (0, 0, 0.3 + np.hypot(0.1, 0.3) + gap), turn((0, 1, 0), np.arctan2(0.1, 0.3)), (0, 0, 0), UPRIGHT,
                           0.001 + max(0, gap)))
    assert on_edge.kind == "line" and corners(on_edge) == [(0, -0.2, height), (0, 0.2, height)]


@pytest.mark.parametrize("first, second", [(CUBE, CUBE), (CUBE, DICE), (DICE, CUBE), (DICE, DICE)], ids=["bb", "bh", "hb", "hh"])
@pytest.mark.parametrize("gap", GAPS)
def test_edges_that_cross_meet_in_a_point(first, second, gap):
    """both roll by 45 degrees, one about x and one about y, so that edge stands on edge"""
    small = Shape("box", (0.1, 0.1, 0.1))
    system = two(small if first is CUBE else cube_hull(), small if second is CUBE else cube_hull())
    height = 2 * 0.1 * np.sqrt(2) + gap
    region = only(between(system, (0, 0, height), turn((1, 0, 0), np.pi / 4), (0, 0, 0), turn((0, 1, 0), np.pi / 4), 0.05))
    assert region.kind == "point" and region.gaps == pytest.approx([gap], abs=1e-12)
    np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(region.points, [[0, 0, height / 2]], atol=1e-12)


def cube_hull() -> Shape:
    return Shape("hull", points=np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]))


def test_parallel_edges_meet_in_a_line():
    """two boxes rolled by 45 degrees about x, one above the other, a little apart"""
    region = only(between(two(CUBE, CUBE), (0.05, 0, np.hypot(0.2, 0.3) * 2 + 0.0005), ROLLED, (0, 0, 0), ROLLED))
    assert region.kind == "line"
    np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(sorted(region.points[:, 0]), (-0.05, 0.1), atol=1e-9)


ROLLED = turn((1, 0, 0), np.arctan2(0.2, 0.3))


def test_big_face_keeps_eight_vertices_of_a_round_one():
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc = Shape("hull", points=np.array([[0.1 * np.cos(a), 0.1 * np.sin(a), z] for a in angles for z in (-0.02, 0.02)]))
    region = only(on_world(disc, (0, 0, 0.02)))
    assert region.kind == "area" and len(region.points) == 8
    np.testing.assert_allclose(np.linalg.norm(region.points[:, :2], axis=1), 0.1, atol=1e-12)


SHAPES = {"sphere": BALL, "capsule": BAR, "box": CUBE, "hull": DICE}


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_order_of_the_pair_only_turns_the_normal(first, second):
    rng = np.random.default_rng(0)
    for _ in range(5):
        a, b = (rng.normal(0, 0.1, 3), turn(rng.normal(size=3), 1.0)), (rng.normal(0, 0.1, 3), turn(rng.normal(size=3), 2.0))
        one = only(between(two(SHAPES[first], SHAPES[second]), *a, *b, margin=1.0))
        other = only(between(two(SHAPES[second], SHAPES[first]), *b, *a, margin=1.0))
        if first != second:
            np.testing.assert_allclose(one.normal, -other.normal, atol=1e-9)
        assert one.gaps.min() == pytest.approx(other.gaps.min(), rel=0.03, abs=1e-4 if first == second else 1e-9)


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_deep_overlap_has_a_sensible_normal(first, second):
    """ten centimetres of blocks inside each other: the way out is up, where the middles differ"""
    system = two(SHAPES[first], SHAPES[second])
    # nearest way out of the lower shape along its thin axis x
    region = only(between(system, (0.09, 0.01, 0.01), UPRIGHT, (0, 0, 0), UPRIGHT))
    assert region.normal[0] > 0.9 and region.gaps.min() < -0.005


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_turning_and_moving_everything_changes_nothing(first, second):
    rng = np.random.default_rng(1)
    system = two(SHAPES[first], SHAPES[second])
    for margin, spread in ((0.001, 0.05), (1.0, 0.3)):
        a, b = (rng.normal(0, spread, 3), turn(rng.normal(size=3), 1.0)), (rng.normal(0, spread, 3), turn(rng.normal(size=3), 2.0))
        here = between(system, *a, *b, margin=margin)
        for far, precision in (((1.0, 2.0, 3.0), 1e-12), ((1e4, -1e4, 500.0), 1e-9)):
            whole = turn(rng.normal(size=3), 2.5)
            R = matrix(whole)
            there = between(system, R @ a[0] + far, product(whole, a[1]), R @ b[0] + far, product(whole, b[1]), margin)
            assert len(here) == len(there)
            for one, other in zip(here, there):
                assert one.kind == other.kind and one.key == other.key
                np.testing.assert_allclose(other.normal, R @ one.normal, atol=1e-9)
                apart = np.linalg.norm((one.points @ R.T + far)[:, None] - other.points, axis=2)
                assert apart.min(axis=1).max() < max(precision, 1e-9)
                np.testing.assert_allclose(np.sort(one.gaps), np.sort(other.gaps), atol=precision)


def test_ten_kilometres_away_a_box_stands_as_here():
    world = (Shape("box", (1, 1, 0.5), Frame((1e4, 1e4, -0.5))), Shape("plane", frame=Frame((0, 0, -0.1))))
    near = only(on_world(CUBE, (0.3, 0.4, 0.3 - 1e-5), turn((0, 0, 1), 0.3), (Shape("box", (1, 1, 0.5), Frame((0, 0, -0.5))),)))
    far = only(on_world(CUBE, (1e4 + 0.3, 1e4 + 0.4, 0.3 - 1e-5), turn((0, 0, 1), 0.3), world))
    np.testing.assert_allclose(far.gaps, near.gaps, atol=1e-11)
    np.testing.assert_allclose(far.points - (1e4, 1e4, 0), near.points, atol=1e-9)
