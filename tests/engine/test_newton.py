"""Newton's method on the conditions of contact: what it calls settled obeys Coulomb and Signorini."""
import numpy as np
import pytest
from heft.engine.contact.newton import TOLERANCE, solve_newton
from heft.engine.contact.problem import SLOWEST_SLIDE, allocate_contact
from heft.engine.contact.touching import write_grips
from heft.engine.contact.virtual_links import allocate_links
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Joint

SOFT = 5e-5                                       # m/s: softness gives way by so much under these impulses
SQUARE = np.array([[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]])


def problem(seed: int, held: bool):
    """three square regions on bodies that move each other in some random way, rows redundant; the last may be held instead"""
    random = np.random.default_rng(seed)
    model = build(Character("c", (Body("b", 1.0, (1.0, 1.0, 1.0), joint=Joint("free")),))).model
    links = allocate_links(model, 8)
    c = allocate_contact(links, 1)
    links.count[0] = 3
    moved = random.normal(size=(18, 10))                             # rank 10 of 18 rows
    links.B[:3, :3, :6, :6] = (moved @ moved.T).reshape(3, 6, 3, 6).transpose(0, 2, 1, 3)
    links.free[:3, :6] = (moved @ random.normal(size=10)).reshape(3, 6)
    links.length[:3] = 0.1
    c.member[:3] = range(3)
    c.static_friction[:3], c.dynamic_friction[:3] = 0.6, 0.5
    c.corner_start[:4] = (0, 4, 8, 8) if held else (0, 4, 8, 12)
    for k in range(c.corner_start[3]):
        c.corner[k] = SQUARE[k % 4]
    if held:
        c.held[2, :3] = 1.0
    for r in range(3):
        write_grips(c, r)
    return c, links


@pytest.mark.parametrize("held", [False, True])
def test_what_is_settled_obeys_the_laws(held):
    settled = 0
    for seed in range(60):
        c, links = problem(seed, held)
        if not any(solve_newton(c, links, 3) < TOLERANCE for _ in range(10)):
            continue                                                 # far from any guess it may take more than its share of steps
        settled += 1
        B = links.B[:3, :3, :6, :6].transpose(0, 2, 1, 3).reshape(18, 18)
        V = links.free[:3, :6] + (B @ c.impulse[:3].ravel()).reshape(3, 6)
        np.testing.assert_allclose(V, c.velocity[:3], atol=1e-9)
        if held:
            np.testing.assert_allclose(V[2, :3], 0.0, atol=SOFT)
        for k in range(c.corner_start[3]):
            (x, y), (gx, gy) = c.corner[k] / 0.1, c.grip[k] / 0.1
            v, P, f = V[k // 4], c.corner_impulse[k], np.hypot(*c.corner_impulse[k, :2])
            slide, gap = np.array([v[0] - gy * v[5], v[1] + gx * v[5]]), v[2] + y * v[3] - x * v[4]
            assert P[2] >= 0.0 and f <= 0.6 * P[2] * (1 + 1e-12)
            assert gap > -SOFT and (P[2] == 0.0 or abs(gap) < SOFT)
            if P[2] > 1e-3 and np.hypot(*slide) > 10 * SLOWEST_SLIDE:
                assert f == pytest.approx(0.5 * P[2], rel=1e-6)       # it slides: dynamic friction, straight against it
                assert slide @ P[:2] == pytest.approx(-np.hypot(*slide) * f, rel=1e-2)
    assert settled > 15
