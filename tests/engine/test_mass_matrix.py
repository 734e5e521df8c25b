"""The mass matrix: what it forgets."""
import numpy as np
from heft.engine import build, figure
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.forward_dynamics import forward_dynamics
from heft.engine.dynamics.kinematics import update_kinematics
from heft.tests.engine.random_systems import random_state, random_system


def test_a_torque_that_was_no_number_leaves_no_trace():
    """work arrays hold rows of zeros beside the dofs: 0 times an old NaN would be NaN"""
    rng = np.random.default_rng(2)
    for system in [build(figure()), *(random_system(rng, 12, gears=gears) for gears in (False, True))]:
        m = system.model._replace(shallow=True)
        q, v = random_state(rng, m)
        tau, found = rng.normal(size=m.nv), []
        for first in (np.full(m.nv, np.nan), tau):
            d, a = allocate(m), np.zeros(m.nv)
            for torque in (first, tau):
                update_kinematics(d, m, q, v)
                forward_dynamics(a, d, m, torque)
            found.append(a)
        assert np.isfinite(found[1]).all()
        np.testing.assert_array_equal(*found)
