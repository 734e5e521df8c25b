"""No impact makes energy."""

import numpy as np
import pytest
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.scenes.props import box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import compiled


@compiled
@pytest.mark.parametrize("seed", range(6))
def test_no_impact_makes_energy(seed):
    """boxes with friction and restitution, thrown on each other"""
    rng = np.random.default_rng(seed)
    e, mu = rng.uniform(0, 1), rng.uniform(0, 1.5)
    system = build(*(box(f"b{i}", rng.uniform(0.05, 0.2, 3), rng.uniform(0.5, 3), friction=mu, restitution=e) for i in range(3)),
                   shapes=(Shape("plane"),))
    poses = [((rng.normal(0, 0.1), rng.normal(0, 0.1), 0.3 + 0.4 * i), turn(rng.normal(size=3), 2), rng.normal(0, 2, 6)) for i in range(3)]
    trace = simulate(system, placed(system, *poses), 2.0, 0.001, "euler", contact="rigid")
    m = system.model
    weights = np.concatenate([[*([m.mass[i]] * 3), *m.inertia[i, :3]] for i in range(3)])
    before = (weights * trace.impact_qvel_before ** 2).sum(1)
    after = (weights * trace.qvel[trace.impact_step] ** 2).sum(1)
    assert len(before) > 3 and (after <= before * (1 + 1e-9)).all()
    assert trace.contact_depth.max(initial=0.0) < 2e-3
