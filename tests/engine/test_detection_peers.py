"""Distances of random pairs: MuJoCo's, and for overlaps the definition itself, the shortest way out."""
import mujoco
import numpy as np
import pytest
from heft.engine.collision.axes import EDGE_BIAS, SHARE_BIAS
from heft.engine.collision.build_shapes import MAKERS
from heft.engine.export.mjcf import mjcf
from heft.engine.kernel import COMPILED
from heft.engine.model.character import Shape
from heft.tests.engine.random_systems import random_quaternion
from heft.tests.engine.touching import between, matrix, only, two

KINDS = ["sphere", "capsule", "box", "hull"]
PAIRS = [(a, b) for number, a in enumerate(KINDS) for b in KINDS[number:]]
COUNT = 60 if COMPILED else 8


def some_shape(rng: np.random.Generator, kind: str) -> Shape:
    if kind == "hull":
        # MuJoCo keeps corners in single precision
        return Shape("hull", points=rng.normal(0, 0.1, (rng.integers(5, 20), 3)).astype(np.float32).astype(float))
    return Shape(kind, rng.uniform(0.02, 0.15, {"sphere": 1, "capsule": 2, "box": 3}[kind]))


def some_pose(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.normal(0, 0.1, 3), random_quaternion(rng)


def core(shape: Shape, place, rotation) -> np.ndarray:
    """corners of the core in the world"""
    parts = MAKERS[shape.kind](shape)
    return (parts.vertex + parts.middle) @ matrix(rotation).T + place


def radius(shape: Shape) -> float:
    return float(shape.size[0]) if shape.kind in ("sphere", "capsule") else 0.0


@pytest.mark.parametrize("first, second", PAIRS)
def test_distance_of_random_pairs(first, second):
    rng = np.random.default_rng([KINDS.index(first), KINDS.index(second)])
    apart = 0
    for _ in range(COUNT):
        a, b, pose_a, pose_b = some_shape(rng, first), some_shape(rng, second), some_pose(rng), some_pose(rng)
        region = only(between(two(a, b), *pose_a, *pose_b, margin=1.0))
        theirs, nearest = mujoco_distance(two(a, b), np.concatenate([*pose_a, *pose_b]))
        n, depth = region.normal, -region.gaps.min()
        corners_a, corners_b, round_off = core(a, *pose_a), core(b, *pose_b), radius(a) + radius(b)
        assert np.linalg.norm(n) == pytest.approx(1, abs=1e-12)
        if depth < 0:
            apart += 1
            tolerance = 2e-6 if "hull" in (first, second) else 1e-9
            assert -depth == pytest.approx(theirs, abs=tolerance)
            assert way_out(n, corners_a, corners_b) + round_off == pytest.approx(depth, abs=tolerance)
            if theirs > 1e-3:
                np.testing.assert_allclose(n, (nearest[:3] - nearest[3:]) / theirs, atol=1e-4)
        else:
            # a face is kept for stability although another axis is a little better: the way out along the normal may be so much longer
            way = way_out(n, corners_a, corners_b) + round_off
            size = min(np.linalg.norm(np.ptp(corners, axis=0)) / 2 + radius(shape) for corners, shape in ((corners_a, a), (corners_b, b)))
            longer = EDGE_BIAS * size + SHARE_BIAS * way + 1e-6
            assert way < min(way_out(x, corners_a, corners_b) for x in directions(rng)) + round_off + longer
            if (first, second) != ("capsule", "box"):          # MuJoCo's own overlap of these is not the shortest
                assert -theirs - 1e-6 < way < -theirs + longer
            # the deepest corner may lie beside the face that is cut: then the region is a little less deep
            assert 0.9 * way < depth < way + 1e-9
    assert apart > COUNT // 10


def way_out(n: np.ndarray, corners_a: np.ndarray, corners_b: np.ndarray) -> float:
    """how far the first must move along n to part from the second"""
    return (corners_b @ n).max() - (corners_a @ n).min()


def directions(rng: np.random.Generator) -> np.ndarray:
    x = rng.normal(size=(300, 3))
    return x / np.linalg.norm(x, axis=1)[:, None]


def mujoco_distance(system, q) -> tuple[float, np.ndarray]:
    peer = mujoco.MjModel.from_xml_string(mjcf(system))
    peer.opt.ccd_tolerance, peer.opt.ccd_iterations = 1e-10, 200
    state, nearest = mujoco.MjData(peer), np.zeros(6)
    state.qpos[:] = q
    mujoco.mj_forward(peer, state)
    return mujoco.mj_geomDistance(peer, state, 0, 1, 2.0, nearest), nearest
