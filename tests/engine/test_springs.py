"""Springs and dampers of every kind of joint, geared ones too, push as MuJoCo's do."""
import mujoco
import numpy as np
import pytest
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.passive import update_passive
from heft.engine.export.expand import expand_dofs
from heft.engine.export.mjcf import mjcf
from heft.engine.model.model import BALL, HINGE, SLIDER, UNIVERSAL
from heft.tests.engine.random_systems import random_state, random_system


@pytest.mark.parametrize("gears", [False, True])
def test_passive_forces_are_mujocos(gears):
    kinds: set[int] = set()
    for seed in range(12):
        rng = np.random.default_rng([seed, gears])
        system = random_system(rng, 12, gears)
        m, peer = system.model, mujoco.MjModel.from_xml_string(mjcf(system))
        q, v = random_state(rng, m)
        kinds |= set(m.kind.tolist())
        state = mujoco.MjData(peer)
        state.qpos[:], state.qvel[:] = q, expand_dofs(system, v)
        mujoco.mj_forward(peer, state)
        through = expand_dofs(system, np.eye(m.nv)).T              # forces on axes that do the same work as on dofs
        theirs = through.T @ state.qfrc_passive
        ours = np.zeros(m.nv)
        update_passive(ours, allocate(m), m._replace(limit_stiffness=0 * m.limit_stiffness, limit_damping=0 * m.limit_damping), q, v, 0.0)
        assert np.abs(ours - theirs).max(initial=0) <= 1e-10 * max(1, np.abs(theirs).max(initial=0))
    assert kinds >= {BALL, HINGE, SLIDER, UNIVERSAL}
