"""Poses, Jacobians and drift against differences."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, Joint, build
from heft.engine.algebra.quaternions import quaternions
from heft.engine.algebra.rotations import quaternion_log
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.integrate import move
from heft.engine.dynamics.jacobian import body_drift, body_jacobian
from heft.engine.dynamics.kinematics import update_kinematics, update_pose
from heft.engine.model.state import rest_coordinates
from heft.tests.engine.random_systems import random_state, random_system


def moved(m, d, q, v, seconds):
    """q after moving at constant v"""
    out = q.copy()
    d.turned[:] = seconds * m.ratio * v[m.dof]
    move(out, d, m)
    return out


def turn(after, before):
    """the rotation vector in the world between two rotation matrices"""
    out = np.zeros(3)
    quaternion_log(out, quaternions((after @ before.T)[None])[0])
    return out


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("gears", [False, True])
def test_jacobian_column_by_column(seed, gears):
    rng = np.random.default_rng(seed)
    system = random_system(rng, 12, gears=gears)
    m, d = system.model, allocate(system.model)
    q, _ = random_state(rng, m)
    step, J = 1e-5, np.zeros((6, m.nv))
    for i in range(0, m.nb, 3):
        local = rng.normal(size=3)

        def place(q, i=i, local=local):
            update_pose(d, m, q)
            return d.origin[m.tree[i]] + d.x[i] + d.R[i] @ local, d.R[i].copy()
        here, _ = place(q)
        body_jacobian(J, d, m, i, here)
        for k in range(m.nv):
            (ahead, turned), (back, turned_back) = (place(moved(m, d, q, np.eye(m.nv)[k], s)) for s in (step, -step))
            column = np.concatenate([ahead - back, turn(turned, turned_back)]) / (2 * step)
            np.testing.assert_allclose(J[:, k], column, rtol=0, atol=1e-7 * max(1, np.abs(J).max()))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("gears", [False, True])
def test_drift_is_the_rate_of_the_velocity_at_constant_v(seed, gears):
    """all six: how J v changes while no coordinate accelerates"""
    rng = np.random.default_rng(seed)
    system = random_system(rng, 12, gears=gears)
    m, d = system.model, allocate(system.model)
    q, v = random_state(rng, m)
    step, J, drift = 1e-5, np.zeros((6, m.nv)), np.zeros(6)
    for i in range(0, m.nb, 3):
        local = rng.normal(size=3)

        def velocity(q, i=i, local=local):
            update_kinematics(d, m, q, v)
            body_jacobian(J, d, m, i, d.origin[m.tree[i]] + d.x[i] + d.R[i] @ local)
            return J @ v
        ahead, back = (velocity(moved(m, d, q, v, s)) for s in (step, -step))
        update_kinematics(d, m, q, v)
        body_drift(drift, d, m, i, d.origin[m.tree[i]] + d.x[i] + d.R[i] @ local)
        np.testing.assert_allclose(drift, (ahead - back) / (2 * step), rtol=0, atol=1e-7 * max(1, np.abs(drift).max()))


def test_a_sliding_root_takes_the_origin_along():
    """so that numbers stay as precise 10 km along the rail as at its start"""
    rail = Joint("slider", Frame((1.0, 2.0, 3.0), (0.6, 0.8, 0, 0)), Frame((0.1, 0, 0), (0.8, 0, 0.6, 0)), axis=(1, 2, 2))
    cart = Body("cart", 1.0, (1, 1, 1), joint=rail, com=(0.1, 0.2, 0.3))
    m = build(Character("c", (cart, Body("arm", 1.0, (1, 1, 1), "cart", Joint("ball", Frame((0.3, 0, 0))))))).model
    near, far = allocate(m), allocate(m)
    q = rest_coordinates(m)
    update_pose(near, m, q)
    q[0] = 1e4
    update_pose(far, m, q)
    for name in ("x", "c", "S", "I"):
        np.testing.assert_array_equal(getattr(far, name), getattr(near, name))
    assert np.linalg.norm(far.origin - near.origin) == pytest.approx(1e4, rel=1e-15)


def test_rest_is_the_zero_pose():
    m = build(Character("c", (Body("a", 1.0, (1, 1, 1), joint=Joint("free")),))).model
    assert rest_coordinates(m).tolist() == [0, 0, 0, 1, 0, 0, 0]
