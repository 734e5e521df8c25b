"""Virtual links: their rows, B and the velocities they produce, against dense matrices."""
import numpy as np
import pytest
from heft.engine.contact.virtual_links import allocate_links, apply_impulses, update_rows
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.jacobian import body_jacobian
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.dynamics.mass_matrix import factor, update_mass_matrix, write_dense
from random_systems import random_state, random_system


@pytest.mark.parametrize("seed", range(12))
def test_rows_and_impulses_equal_dense_ones(seed):
    rng = np.random.default_rng(seed)
    m = random_system(rng, 2 + 2 * seed, gears=bool(seed % 2)).model
    d, (q, v) = allocate(m), random_state(rng, m)
    update_kinematics(d, m, q, v)
    update_mass_matrix(d, m)
    M = np.zeros((m.nv, m.nv))
    write_dense(M, m, d.M)
    factor(d, m)
    links = allocate_links(m, 5)
    links.count[0] = 5
    links.origin[:] = 10 * rng.normal(size=3)
    H = []
    for r in range(5):
        links.body[r], links.other[r] = rng.integers(m.nb), rng.integers(-1, m.nb)
        links.place[r] = rng.normal(size=3)
        links.frame[r] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        links.length[r] = rng.uniform(0.05, 1)
        links.drive[r] = rng.normal(size=6)
        rows = np.zeros((6, m.nv))
        for body, sign in ((links.body[r], 1), (links.other[r], -1)):
            if body >= 0:
                J = np.zeros((6, m.nv))
                body_jacobian(J, d, m, body, links.origin + links.place[r])
                rows += sign * np.r_[links.frame[r] @ J[:3], links.length[r] * links.frame[r] @ J[3:]]
        H.append(rows)
    update_rows(links, d, m, v)
    whole = np.concatenate(H)
    B = links.B[:, :, :6, :6].transpose(0, 2, 1, 3).reshape(30, 30)
    expected = whole @ np.linalg.solve(M, whole.T)
    assert np.abs(B - expected).max() <= 1e-9 * max(1, np.abs(expected).max())
    assert np.allclose(links.free[:, :6], (whole @ v).reshape(5, 6) - links.drive, atol=1e-11 * (1 + np.abs(whole @ v).max()))
    impulse, after = rng.normal(size=(5, 6)), v.copy()
    apply_impulses(after, links, d, m, impulse)
    change = np.linalg.solve(M, whole.T @ impulse.ravel())
    assert np.abs(after - v - change).max() <= 1e-9 * max(1, np.abs(change).max())
