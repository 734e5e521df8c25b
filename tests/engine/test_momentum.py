"""Momentum, its rates and energies: against differences, Pinocchio and MuJoCo."""
import mujoco
import numpy as np
import pinocchio as pin
import pytest
from heft.engine import Body, Character, Joint, Range, SwingTwist, build, figure
from heft.engine.analysis.momentum import energy, momentum
from heft.engine.dynamics.articulated_body import aba
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.forward_dynamics import forward_dynamics
from heft.engine.dynamics.integrate import move
from heft.engine.dynamics.kinematics import update_kinematics
from heft.tests.engine.random_systems import Pinocchio, mujoco_model, random_state, random_system


def moving(m, q, v):
    d = allocate(m)
    update_kinematics(d, m, q, v)
    return d


def moved(m, d, q, v, seconds):
    out = q.copy()
    d.turned[:] = seconds * m.ratio * v[m.dof]
    move(out, d, m)
    return out


def same(ours, theirs, tolerance=1e-9):
    assert np.abs(np.asarray(ours) - theirs).max() <= tolerance * max(np.abs(theirs).max(), 1e-12)


def some_systems(seeds):
    yield np.random.default_rng(0), build(figure())
    for seed in seeds:
        rng = np.random.default_rng(seed)
        yield rng, random_system(rng, 1 + 3 * seed)


def test_pinocchio_and_mujoco_have_the_same_momentum_and_energy():
    for rng, system in some_systems(range(12)):
        m = system.model
        q, v = random_state(rng, m)
        ours, peer, (other, state) = momentum(moving(m, q, v), m, v), Pinocchio(system), mujoco_model(system)
        # Pinocchio knows the whole system
        total = np.concatenate([ours.linear.sum(0), (ours.angular + np.cross(ours.com, ours.linear)).sum(0)])
        same(total, peer.momentum(q, v))
        T, _ = peer.rates(q, v)
        kinetic = pin.computeKineticEnergy(peer.model, peer.data, peer.q(q), T @ v) + 0.5 * peer.armature @ v ** 2
        same(ours.kinetic.sum(), kinetic)
        if all(peer.joint):                      # it leaves out what stands still
            same(ours.potential.sum(), pin.computePotentialEnergy(peer.model, peer.data, peer.q(q)))
        # MuJoCo knows each tree
        state.qpos[:], state.qvel[:] = q, v
        other.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        mujoco.mj_forward(other, state)
        mujoco.mj_subtreeVel(other, state)
        roots = 1 + m.tree_start[:-1]
        same(ours.mass, other.body_subtreemass[roots])
        same(ours.com, state.subtree_com[roots])
        same(ours.linear, state.subtree_linvel[roots] * ours.mass[:, None])
        same(ours.angular, state.subtree_angmom[roots])
        same([ours.potential.sum(), ours.kinetic.sum()], state.energy)


@pytest.mark.parametrize("size", [15, 60])
def test_rates_by_differences_after_either_forward_dynamics(size):
    for seed in range(4):
        rng = np.random.default_rng([size, seed])
        system = random_system(rng, size)
        m, d = system.model, allocate(system.model)
        q, v = random_state(rng, m)
        tau, step = rng.normal(size=m.nv), 1e-5
        accelerations = np.zeros((2, m.nv))
        for a, forward in zip(accelerations, (forward_dynamics, aba)):
            update_kinematics(d, m, q, v)
            forward(a, d, m, tau)
            here = momentum(d, m, v, a)
            found = []
            for side in (-1, 1):
                later = v + side * step * a
                found.append(momentum(moving(m, moved(m, d, q, v + side * step * a / 2, side * step), later), m, later))
            for name in ("linear", "angular"):
                rate = (getattr(found[1], name) - getattr(found[0], name)) / (2 * step)
                assert np.allclose(getattr(here, name + "_rate"), rate, atol=2e-5 * max(1, np.abs(rate).max()))
            rate = here.mass[:, None] * (found[1].com - found[0].com) / (2 * step)
            assert np.allclose(here.linear, rate, atol=1e-5 * np.abs(here.linear).max())
    assert np.isnan(momentum(d, m, v).linear_rate).all()


@pytest.mark.parametrize("gears", [False, True])
def test_rotors_count_once(gears):
    rng = np.random.default_rng(3)
    for _ in range(6):
        system = random_system(rng, 12, gears)
        m = system.model
        q, v = random_state(rng, m)
        plain = momentum(moving(m, q, v), m._replace(armature=0 * m.armature), v).kinetic.sum()
        assert momentum(moving(m, q, v), m, v).kinetic.sum() == pytest.approx(plain + 0.5 * m.armature @ v ** 2, rel=1e-12)


def test_energy_counts_springs_as_mujoco_does():
    for rng, system in some_systems(range(1, 9)):
        m = system.model._replace(limit_stiffness=0 * system.model.limit_stiffness)
        q, v = random_state(rng, m)
        peer, state = mujoco_model(system)
        peer.jnt_stiffness[:] = mujoco.MjModel.from_xml_string(heft_xml(system)).jnt_stiffness
        peer.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        state.qpos[:], state.qvel[:] = q, v
        mujoco.mj_forward(peer, state)
        same(energy(moving(m, q, v), m, q, v), state.energy.sum())


def heft_xml(system):
    from heft.engine.export.mjcf import mjcf
    return mjcf(system)


def test_energy_counts_limits():
    bodies = (Body("a", 1.0, (1, 1, 1), joint=Joint("hinge", limits=(Range(-1, 0.5),), limit_stiffness=100.0)),
              Body("b", 1.0, (1, 1, 1), joint=Joint("ball", stiffness=3.0, limits=(SwingTwist(0.5, 0.5),), limit_stiffness=10.0)))
    m = build(Character("c", bodies), gravity=(0, 0, 0)).model
    q, v = np.array([0.7, np.cos(0.4), np.sin(0.4), 0, 0]), np.zeros(4)
    assert energy(moving(m, q, v), m, q, v) == pytest.approx(50 * 0.2 ** 2 + 1.5 * 0.8 ** 2 + 5 * 0.3 ** 2)
