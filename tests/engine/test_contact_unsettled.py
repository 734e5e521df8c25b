"""Steps whose corners stopped short: what may be off is whether a corner sticks or slips, never the limits of its force."""
import numpy as np
import pytest
from heft.engine.analysis.contact_report import region_distances
from heft.engine.contact.problem import UNSETTLED
from heft.engine.scenes.figures import FLOOR, STAIRS, rough_ground, thrown
from heft.tests.engine.contact_runs import compiled, run


@compiled
@pytest.mark.parametrize("ground, height", [(FLOOR, 1.2), (STAIRS, 2.0), ((rough_ground(),), 2.0)], ids=["plane", "stairs", "mesh"])
def test_forces_of_unsettled_steps_push_within_cone_and_region(ground, height):
    trace = run(thrown(4, ground, height), 3.0, 0.005)
    rows = (trace.contact_solver[trace.contact_step] == UNSETTLED) & (trace.contact_kind == 0)
    assert rows.sum() > 100
    push = np.einsum("ki,ki->k", trace.contact_force, trace.contact_normal)
    side = np.linalg.norm(trace.contact_force - push[:, None] * trace.contact_normal, axis=1)
    assert (push[rows] > 0).all()
    assert (side <= trace.contact_mu * push * (1 + 1e-9))[rows].all()
    assert region_distances(trace)[rows].max() < 1e-6
