"""Meshes and height fields: a floor of triangles is a floor, a solid of triangles that solid."""
import numpy as np
import pytest
from heft.engine.collision.convex_hull import convex_hull
from heft.engine.kernel import COMPILED
from heft.engine.model.character import Frame, Shape
from heft.tests.engine.detected import BALL, BAR, CUBE, DICE, FLOOR, hills, same
from heft.tests.engine.touching import UPRIGHT, box_mesh, corners, grid_mesh, matrix, on_world, only, turn


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
