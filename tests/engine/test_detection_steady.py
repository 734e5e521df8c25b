"""From step to step: what hardly moves keeps its normal and depth, and no seam of a floor is felt."""
import numpy as np
import pytest
from heft.engine.kernel import COMPILED
from heft.engine.model.character import Frame, Shape
from heft.tests.engine.touching import UPRIGHT, box_mesh, grid_mesh, on_world, only, product, turn

BOX, BAR = Shape("box", (0.08, 0.05, 0.03)), Shape("capsule", (0.03, 0.08))
HULL = Shape("hull", points=np.array([[x, y, z] for x in (-0.08, 0.08) for y in (-0.05, 0.05) for z in (-0.03, 0.03)]
                                     + [[0.06, 0.04, 0.05], [-0.06, 0.04, 0.05], [0, -0.04, 0.05]]))
THINGS = {"box": (BOX, UPRIGHT), "hull": (HULL, UPRIGHT), "capsule": (BAR, turn((0, 1, 0), np.pi / 2))}
"""with a rotation that lays them down: their middle is then 3 cm above the floor"""


def irregular() -> Shape:
    """a flat floor whose triangles differ in size and shape; its border is straight"""
    mesh, rng = grid_mesh(0.5, 12), np.random.default_rng(0)
    points = mesh.points.copy()
    inside = np.abs(points[:, :2]).max(axis=1) < 0.49
    points[inside, :2] += rng.uniform(-0.025, 0.025, (int(inside.sum()), 2))
    return Shape("mesh", points=points, triangles=mesh.triangles)


def moved(shape: Shape, z: float) -> Shape:
    return Shape(shape.kind, shape.size, Frame((0, 0, z)), shape.points, triangles=shape.triangles)


FLOORS = {"plane": Shape("plane"), "box": Shape("box", (0.5, 0.5, 0.5), Frame((0, 0, -0.5))), "mesh": grid_mesh(0.5, 20),
          "irregular": irregular(), "box mesh": moved(box_mesh((0.5, 0.5, 0.5)), -0.5),
          "heights": Shape("heights", (0.05, 0.05), heights=np.zeros((21, 21)))}


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("thing", THINGS)
def test_sliding_thing_feels_no_seam(thing, floor):
    """flat and a little tilted, at any depth: one region with a vertical normal, as deep as the thing is"""
    shape, laid = THINGS[thing]
    kind = "line" if thing == "capsule" else "area"
    for depth, tilt in ((0.0, 0.0), (1e-5, 1e-6), (1e-5, -1e-6), (2e-3, 0.0), (2e-3, 1e-3)):
        rotation = product(turn((1, 2, 0), tilt), product(turn((0, 0, 1), 0.3), laid))
        keys = set()
        for step in np.linspace(0, 0.1, 51 if COMPILED else 3):
            region = only(on_world(shape, (0.0107 + step, 0.02 + 0.3 * step, 0.03 - depth), rotation, (FLOORS[floor],)))
            np.testing.assert_allclose(region.normal, (0, 0, 1), atol=abs(tilt) + 1e-9)
            assert region.kind == kind
            np.testing.assert_allclose(region.gaps, -depth, atol=0.1 * abs(tilt) + 1e-9)
            keys.add(region.key)
        assert len(keys) == 1


POSES = {
    "flat": ((0.0, 0.0, 0.0), UPRIGHT), "on its side": ((0.0, 0.0, 0.02), turn((1, 0, 0), np.pi / 2)),
    "over the edge": ((0.5, 0.0, 0.0), UPRIGHT), "over the corner": ((0.5, 0.5, 0.0), UPRIGHT),
    "flush with the edge": ((0.42, 0.0, 0.0), UPRIGHT), "askew": ((0.1, 0.05, 0.0), turn((0, 0, 1), np.pi / 4)),
    "on an edge": ((0.0, 0.0, np.hypot(0.05, 0.03) - 0.03), turn((1, 0, 0), np.arctan2(0.05, 0.03)))}


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("thing", ["box", "capsule"])
@pytest.mark.parametrize("pose", POSES)
def test_a_nanometre_changes_next_to_nothing(thing, floor, pose):
    """where faces lie flush, edges run side by side or corners stand on seams, rounding decides nothing"""
    shape, laid = THINGS[thing]
    if thing == "capsule" and pose in ("on its side", "on an edge"):
        return
    place, rotation = POSES[pose]
    rng, seen = np.random.default_rng(0), []
    for k in range(30 if COMPILED else 2):
        shift, tilt = (rng.normal(0, 1e-9, 3), turn(rng.normal(size=3), 1e-9)) if k else (np.zeros(3), UPRIGHT)
        where = np.array(place) + (0, 0, 0.03 - 2e-5) + shift
        seen.append(only(on_world(shape, where, product(tilt, product(rotation, laid)), (FLOORS[floor],))))
    for region in seen:
        assert (region.kind, region.key) == (seen[0].kind, seen[0].key)
        np.testing.assert_allclose(region.normal, (0, 0, 1), atol=1e-6)
        np.testing.assert_allclose(region.gaps, -2e-5, atol=1e-8)
        # the same area
        np.testing.assert_allclose(region.points.min(0), seen[0].points.min(0), atol=1e-6)
        np.testing.assert_allclose(region.points.max(0), seen[0].points.max(0), atol=1e-6)


@pytest.mark.parametrize("floor", ["plane", "box", "mesh", "box mesh", "heights"])
@pytest.mark.parametrize("thing", THINGS)
def test_a_rocking_thing_moves_its_depth_with_it(thing, floor):
    """as it tips from flat to 20 degrees about its rim the normal stays up and the deepest gap where it was"""
    shape, laid = THINGS[thing]
    side = np.array([0.08, 0, -0.03])
    for angle in np.concatenate([np.linspace(0, 1e-3, 20), np.linspace(1e-3, 0.35, 40)] if COMPILED else [[0, 1e-5, 1e-3, 0.1]]):
        rotation = turn((0, 1, 0), angle)
        # turned about y its +x end goes down: that rim, or a capsule's round end, stays where it is
        low = matrix_about_y(angle) @ (side if thing != "capsule" else side * (1, 1, 0)) - (0, 0, 0.03 if thing == "capsule" else 0)
        region = only(on_world(shape, np.array([0.0123, 0.0, -1e-4]) - low, product(rotation, laid), (FLOORS[floor],)))
        # on a box a hull's own face is kept as long as it is about as good
        np.testing.assert_allclose(region.normal, (0, 0, 1), atol=5e-4 if (thing, floor) == ("hull", "box") else 1e-9)
        assert region.gaps.min() == pytest.approx(-1e-4, abs=1e-9)


def matrix_about_y(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
