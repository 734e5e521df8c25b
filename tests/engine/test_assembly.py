"""Assembly and disassembly (003) against the articulated-body algorithm, the mass matrix and dense algebra."""
import numpy as np
import pytest
from heft.engine.dynamics.articulated_body import aba
from heft.engine.dynamics.assembly import allocate_assembly, assembly_disassembly
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.forward_dynamics import forward_dynamics
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.kernel import COMPILED
from heft.tests.engine.random_systems import random_state, random_system

COUNT, LARGEST = (40, 60) if COMPILED else (4, 8)


def loaded(rng, d):
    """contacts on half of the bodies: random positive matrices as stiff as contacts are"""
    for i in np.flatnonzero(rng.random(len(d.x)) < 0.5):
        X = rng.normal(size=(6, 6))
        d.loaded[i], d.added[i] = 1, 10 ** rng.uniform(0, 3) * X @ X.T


@pytest.mark.parametrize("gears", [False, True], ids=["plain", "gears"])
@pytest.mark.parametrize("contacts", [False, True], ids=["free", "contacts"])
def test_three_roads_to_one_acceleration(gears, contacts):
    for number in range(COUNT):
        rng = np.random.default_rng([number, gears, contacts])
        while (system := random_system(rng, 1 + number * LARGEST // COUNT, gears)).model.nv == 0:
            pass
        m = system.model
        q, v = random_state(rng, m)
        tau, d, w = rng.normal(0, 10, m.nv), allocate(m), allocate_assembly(m)
        d.external[:] = rng.normal(0, 5, d.external.shape)
        if contacts:
            loaded(rng, d)
        update_kinematics(d, m, q, v)
        ours, by_aba, by_matrix = np.zeros(m.nv), np.zeros(m.nv), np.zeros(m.nv)
        assembly_disassembly(ours, w, d, m, tau)
        aba(by_aba, d, m, tau)
        forward_dynamics(by_matrix, d, m._replace(shallow=True), tau)
        scale = np.abs(by_matrix).max()
        assert np.abs(ours - by_aba).max() <= 1e-9 * scale
        assert np.abs(ours - by_matrix).max() <= 1e-9 * scale
