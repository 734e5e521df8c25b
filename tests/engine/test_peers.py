"""Our dynamics against MuJoCo's and Pinocchio's on random systems: all three must compute the same numbers."""
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from heft.engine.analysis.momentum import momentum
from heft.engine.dynamics.articulated_body import aba
from heft.engine.dynamics.data import Data, allocate
from heft.engine.dynamics.inverse_dynamics import rnea, update_bias
from heft.engine.dynamics.jacobian import body_jacobian
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.dynamics.mass_matrix import factor, solve, update_mass_matrix, write_dense
from heft.engine.export.expand import expand_dofs
from heft.engine.kernel import COMPILED
from heft.engine.model.build import build
from heft.engine.model.figure import figure
from heft.engine.model.model import FREE, SLIDER, WORLD, Model, System
from heft.tests.engine.random_systems import Pinocchio, mujoco_model, random_state, random_system

CHUNKS, SYSTEMS, LARGEST = (10, 20, 60) if COMPILED else (4, 3, 8)


def same(ours, theirs, tolerance: float = 1e-9) -> None:
    """equal, relative to the largest number of the quantity"""
    scale = max(np.abs(theirs).max(initial=0), 1e-12)
    assert np.abs(np.asarray(ours) - theirs).max(initial=0) <= tolerance * scale


def random_systems(chunk: int, gears: bool = False):
    """the systems of one chunk, sizes spread evenly, and the reference figure with the first; systems without a dof have no dynamics"""
    if chunk == 0 and not gears:
        rng, system = np.random.default_rng(0), build(figure())
        yield rng, system, *random_state(rng, system.model)
    for number in range(SYSTEMS):
        rng = np.random.default_rng([chunk, number, gears])
        bodies = 1 + (number * CHUNKS + chunk) * LARGEST // (CHUNKS * SYSTEMS)
        while (system := random_system(rng, bodies, gears)).model.nv == 0:
            pass
        yield rng, system, *random_state(rng, system.model)


def moving(m: Model, q: np.ndarray, v: np.ndarray) -> Data:
    d = allocate(m)
    update_kinematics(d, m, q, v)
    return d


def mass_matrix(d: Data, m: Model) -> np.ndarray:
    M = np.zeros((m.nv, m.nv))
    update_mass_matrix(d, m)
    write_dense(M, m, d.M)
    return M


def bias(d: Data, m: Model) -> np.ndarray:
    out = np.zeros(m.nv)
    update_bias(out, d, m)
    return out


def inverse(d: Data, m: Model, a: np.ndarray) -> np.ndarray:
    tau = np.zeros(m.nv)
    rnea(tau, d, m, a)
    return tau


def forward_both_ways(d: Data, m: Model, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    by_aba, by_matrix = np.zeros(m.nv), tau - bias(d, m)
    aba(by_aba, d, m, tau)
    update_mass_matrix(d, m)
    factor(d, m)
    solve(by_matrix, d, m)
    return by_aba, by_matrix


def total_momentum(d: Data, m: Model, v: np.ndarray) -> np.ndarray:
    """linear, and angular about the world's origin, of all that moves"""
    trees = momentum(d, m, v)
    return np.concatenate([trees.linear.sum(0), (trees.angular + np.cross(trees.com, trees.linear)).sum(0)])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_pinocchio(chunk):
    for rng, system, q, v in random_systems(chunk):
        m, peer = system.model, Pinocchio(system)
        d, a, tau = moving(m, q, v), rng.normal(size=m.nv), rng.normal(0, 10, m.nv)
        M = peer.mass_matrix(q, v)
        same(mass_matrix(d, m), M)
        same(bias(d, m), peer.inverse(q, v, 0 * a))
        same(inverse(d, m, a), peer.inverse(q, v, a))
        same(total_momentum(d, m, v), peer.momentum(q, v))
        d.diagonal[:] = 0                        # Pinocchio 2.7 knows no armature
        for ours in forward_both_ways(d, m, tau):
            same(ours, peer.forward(q, v, tau))
        d.diagonal[:] = m.armature
        theirs = np.linalg.solve(M, tau - peer.inverse(q, v, 0 * a))
        for ours in forward_both_ways(d, m, tau):
            same(ours, theirs)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mujoco(chunk):
    for rng, system, q, v in random_systems(chunk):
        m, (peer, state) = system.model, mujoco_model(system)
        d, a, tau = moving(m, q, v), rng.normal(size=m.nv), rng.normal(0, 10, m.nv)
        state.qpos[:], state.qvel[:], state.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(peer, state)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(peer, state, M)
        same(mass_matrix(d, m), M)
        same(bias(d, m), state.qfrc_bias)
        for ours in forward_both_ways(d, m, tau):
            same(ours, state.qacc)
        mujoco.mj_subtreeVel(peer, state)
        p = state.subtree_linvel[0] * peer.body_subtreemass[0]
        same(total_momentum(d, m, v), np.concatenate([p, state.subtree_angmom[0] + np.cross(state.subtree_com[0], p)]))
        state.qacc[:] = a
        mujoco.mj_inverse(peer, state)
        same(inverse(d, m, a), state.qfrc_inverse)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_body_jacobians(chunk):
    for rng, system, q, v in random_systems(chunk):
        m, peer, (other, state) = system.model, Pinocchio(system), mujoco_model(system)
        d = moving(m, q, v)
        state.qpos[:] = q
        mujoco.mj_kinematics(other, state)
        mujoco.mj_comPos(other, state)
        for i in rng.choice(m.nb, min(m.nb, 4), replace=False):
            point = d.origin[m.tree[i]] + d.c[i] + rng.normal(0, 0.3, 3)
            J, linear, angular = np.full((6, m.nv), np.nan), np.zeros((3, m.nv)), np.zeros((3, m.nv))
            body_jacobian(J, d, m, i, point)
            mujoco.mj_jac(other, state, linear, angular, point, i + 1)
            same(J, np.vstack([linear, angular]))
            same(J, peer.jacobian(q, v, i, point))


@pytest.mark.parametrize("gears", [False, True])
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_forward_undoes_inverse(chunk, gears):
    for rng, system, q, v in random_systems(chunk, gears):
        m = system.model
        d, a = moving(m, q, v), rng.normal(0, 10, m.nv)
        d.external[:] = rng.normal(0, 10, (m.nb, 6))
        for ours in forward_both_ways(d, m, inverse(d, m, a)):
            same(ours, a)


def ungeared(system: System) -> System:
    return build(*(replace(character, gears=()) for character in system.characters), gravity=system.model.gravity)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_gears_are_constraints(chunk):
    """the reduced system is the full one seen through G, and its motion that of the full one with the gears as constraints"""
    for rng, system, q, v in random_systems(chunk, gears=True):
        m, full = system.model, ungeared(system).model
        d, tau, a = moving(m, q, v), rng.normal(0, 10, m.nv), rng.normal(size=m.nv)
        G = expand_dofs(system, np.eye(m.nv)).T
        d_full = moving(full, q, G @ v)
        M = mass_matrix(d_full, full)
        same(d.V, d_full.V)
        same(mass_matrix(d, m), G.T @ M @ G)
        same(bias(d, m), G.T @ bias(d_full, full))
        same(inverse(d, m, a), G.T @ inverse(d_full, full, G @ a))
        # one row for each axis that follows another; forces that do the same work
        drivers = np.array([np.flatnonzero(m.dof == k)[np.argmax(m.ratio[m.dof == k] == 1)] for k in range(m.nv)])
        followers = np.setdiff1d(np.arange(m.na), drivers)
        A = np.zeros((len(followers), m.na))
        for row, k in enumerate(followers):
            driver = drivers[m.dof[k]]
            A[row, k], A[row, driver] = m.ratio[driver], -m.ratio[k]
        applied = np.zeros(m.na)
        applied[drivers] = tau / m.ratio[drivers]
        KKT = np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])
        theirs = np.linalg.solve(KKT, np.concatenate([applied - bias(d_full, full), np.zeros(len(A))]))[:m.na]
        for ours in forward_both_ways(d, m, tau):
            same(G @ ours, theirs)


def test_gears_occur():
    """the systems above hold serial, parallel and multi-axis gears"""
    seen = set()
    for chunk in range(CHUNKS):
        for _, system, _, _ in random_systems(chunk, gears=True):
            m = system.model
            for g in np.flatnonzero(np.diff(m.group_start) > 1):
                members = m.group_body[m.group_start[g]:m.group_start[g + 1]]
                axes = int(m.axis_start[members[0] + 1] - m.axis_start[members[0]])
                seen |= {(axes, "serial" if m.group_inner[i] else "parallel") for i in members[1:]}
                seen |= {"several"} if len(members) > 2 else set()
    assert {(1, "serial"), (1, "parallel"), (3, "serial")} | ({(3, "parallel"), (2, "serial"), "several"} if COMPILED else set()) <= seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_precision_does_not_fall_with_distance(chunk):
    for rng, system, q, v in random_systems(chunk):
        m, tau = system.model, rng.normal(0, 10, system.model.nv)
        far = q.copy()
        for i in np.flatnonzero(m.kind == FREE):
            far[m.q_start[i]:m.q_start[i] + 3] += [1e4, -1e4, 1e4]
        far[m.q_start[np.flatnonzero((m.kind == SLIDER) & (m.parent == WORLD))]] += 1e4
        near_d, far_d = moving(m, q, v), moving(m, far, v)
        same(mass_matrix(far_d, m), mass_matrix(near_d, m), 1e-11)
        for ours, theirs in zip(forward_both_ways(far_d, m, tau), forward_both_ways(near_d, m, tau)):
            same(ours, theirs, 1e-11)
