"""Jacobians, drift, limits and responses against differences and against the whole solve."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Joint, Range, SwingTwist, build
from heft.engine.analysis.momentum import momentum
from heft.engine.dynamics.articulated_body import aba, update_articulated_inertia
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.integrate import move
from heft.engine.dynamics.inverse_dynamics import rnea
from heft.engine.dynamics.jacobian import body_drift, body_jacobian
from heft.engine.dynamics.kinematics import update_kinematics, update_pose
from heft.engine.dynamics.limits import limit_excess
from heft.engine.dynamics.response import respond, update_response
from heft.engine.model.pose import rest_coordinates
from random_systems import random_state, random_system


def moved(m, d, q, v, seconds):
    """q after moving at constant v"""
    out = q.copy()
    d.turned[:] = seconds * m.ratio * v[m.dof]
    move(out, d, m)
    return out


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("gears", [False, True])
def test_jacobian_and_drift_by_differences(seed, gears):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 12, gears=gears)
    m, d = system.model, allocate(system.model)
    q, v = random_state(rng, m)
    step, J, drift = 1e-5, np.zeros((6, m.nv)), np.zeros(6)
    for i in range(0, m.nb, 3):
        local = rng.normal(size=3)

        def point(q, i=i, local=local):
            update_pose(d, m, q)
            return d.origin[m.tree[i]] + d.x[i] + d.R[i] @ local
        ahead, here, back = point(moved(m, d, q, v, step)), point(q), point(moved(m, d, q, v, -step))
        update_kinematics(d, m, q, v)
        body_jacobian(J, d, m, i, here)
        body_drift(drift, d, m, i, here)
        assert np.allclose(J[:3] @ v, (ahead - back) / (2 * step), atol=1e-6 * max(1, np.abs(J).max()))
        # constant v: the point's acceleration is the drift
        assert np.allclose(drift[:3], (ahead - 2 * here + back) / step ** 2, atol=2e-4 * max(1, np.abs(drift).max()))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gears", [False, True])
def test_response_is_the_change_of_acceleration(seed, gears):
    rng = np.random.default_rng(100 + seed)
    system = random_system(rng, 14, gears=gears)
    m, d = system.model, allocate(system.model)
    q, v = random_state(rng, m)
    update_kinematics(d, m, q, v)
    a, tau = np.zeros(m.nv), rng.normal(size=m.nv)
    aba(a, d, m, tau)
    before, out = d.A.copy(), np.zeros(6)
    update_articulated_inertia(d, m)
    update_response(d, m)
    for i in range(m.nb):
        force = rng.normal(size=6)
        d.external[:] = 0
        d.external[i] = force
        aba(a, d, m, tau)
        change = d.A - before
        for j in range(m.nb):
            respond(out, d, m, i, j, force)
            assert np.allclose(out, change[j], atol=1e-9 * max(1, np.abs(change).max()))


def test_momentum_rates_by_differences():
    rng = np.random.default_rng(7)
    system = random_system(rng, 15)
    m, d = system.model, allocate(system.model)
    q, v = random_state(rng, m)
    a, step, found = rng.normal(size=m.nv), 1e-5, []
    for side in (-1, 1):
        update_kinematics(d, m, moved(m, d, q, v + side * step * a / 2, side * step), v + side * step * a)
        found.append(momentum(d, m))
    update_kinematics(d, m, q, v)
    tau = np.zeros(m.nv)
    rnea(tau, d, m, a)
    here = momentum(d, m)
    for name in ("linear", "angular"):
        rate = (getattr(found[1], name) - getattr(found[0], name)) / (2 * step)
        assert np.allclose(getattr(here, name + "_rate"), rate, atol=1e-5 * max(1, np.abs(rate).max()))
    assert np.allclose(here.linear, here.mass[:, None] * (found[1].com - found[0].com) / (2 * step), atol=1e-5 * np.abs(here.linear).max())


@pytest.mark.parametrize("seed", range(20))
def test_limit_rows_by_differences(seed):
    rng = np.random.default_rng(seed)
    plug = rng.normal(size=4)
    limits = (SwingTwist(0.3, 0.9, Range(-0.2, 0.1)),)
    body = Body("arm", 1.0, (1, 1, 1), joint=Joint("ball", plug=Frame(rotation=plug / np.linalg.norm(plug)), limits=limits))
    m = build(Character("c", (body,))).model
    d, row, q, w = allocate(m), np.zeros(3), rng.normal(size=4), rng.normal(size=3)
    q /= np.linalg.norm(q)
    for l in range(len(m.limit_body)):
        excess = limit_excess(row, d, m, q, l)
        rate, step = row @ w, 1e-7
        ahead, back = (limit_excess(row, d, m, moved(m, d, q, w, s), l) for s in (step, -step))
        if excess > 1e-3:
            assert np.isclose((ahead - back) / (2 * step), rate, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("q", [(0, 1, 0, 0), (0, 0.6, 0.8, 0), (1, 0, 0, 0), (0, 0, 0, 1), (1e-13, 1, 0, 0)])
def test_limits_are_finite_at_the_singularities(q):
    body = Body("arm", 1.0, (1, 1, 1), joint=Joint("ball", limits=(SwingTwist(0.3, 0.9, Range(-0.2, 0.1)),)))
    m = build(Character("c", (body,))).model
    d, row = allocate(m), np.zeros(3)
    for l in range(len(m.limit_body)):
        assert np.isfinite(limit_excess(row, d, m, np.array(q, float), l)) and np.isfinite(row).all()


def test_rest_is_the_zero_pose():
    m = build(Character("c", (Body("a", 1.0, (1, 1, 1), joint=Joint("free")),))).model
    assert rest_coordinates(m).tolist() == [0, 0, 0, 1, 0, 0, 0]
