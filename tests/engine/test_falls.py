"""A hundred falls on a plane, on stairs and on a mesh: what must never happen, and that all come to rest."""
import numpy as np
import pytest
from heft.engine.analysis.balance import balance
from heft.engine.kernel import COMPILED
from heft.engine.scenes.figures import FLOOR, STAIRS, rough_ground, thrown
from heft.engine.simulate import simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="takes hours uncompiled")
GROUNDS = {"plane": (FLOOR, 1.2), "stairs": (STAIRS, 2.0), "mesh": ((rough_ground(),), 2.0)}


def check_fall(ground, seed, seconds):
    shapes, height = GROUNDS[ground]
    scene = thrown(seed, shapes, height)
    trace = simulate(scene.system, scene.state, seconds, contact="rigid")
    values = balance(scene.system, trace)
    energy = values.energy.sum(1)
    assert np.isfinite(trace.qpos).all()
    assert trace.contact_depth.max() < 2e-3, f"seed {seed} sinks in"
    assert (energy - np.minimum.accumulate(energy)).max() < 0.005 * (energy[0] - energy.min()), f"seed {seed} gains energy"
    return values.kinetic[-1].sum(), np.abs(trace.qvel[-1]).max()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ground", GROUNDS)
def test_fall(ground, seed):
    check_fall(ground, seed, 2.0)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10))
@pytest.mark.parametrize("ground", GROUNDS)
def test_hundred_falls_come_to_rest(ground, chunk):
    """after ten seconds a limb may still rock, with less than a joule; the others are still"""
    ends = np.array([check_fall(ground, seed, 10.0) for seed in range(10 * chunk, 10 * chunk + 10)])
    assert ends[:, 0].max() < 1.0
    assert np.median(ends[:, 1]) < 0.05


def test_fast_fall_with_long_steps():
    """6 m/s and steps of 2 ms: a plain step would sink 12 mm"""
    scene = thrown(1)
    scene.state.v[2] = -6.0
    trace = simulate(scene.system, scene.state, 1.0, 0.002, contact="rigid")
    assert trace.contact_depth.max() < 2e-3
