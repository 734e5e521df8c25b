"""Who may touch whom: materials, filters, obstacles, many figures, and room for all."""
import numpy as np
import pytest
from heft.engine.collision.build_shapes import Obstacle, build_shapes
from heft.engine.collision.find_contacts import find_contacts
from heft.engine.errors import HeftError
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.state import rest_coordinates
from heft.tests.engine.detected import BALL, BAR, CUBE, DICE, detected, standing
from heft.tests.engine.touching import UPRIGHT, between, free, matrix, on_world, only, turn, two


def test_friction_and_restitution_of_a_pair():
    floor = Shape("plane", friction=0.5, dynamic_friction=0.5, restitution=0.3)
    region = only(on_world(Shape("sphere", (0.1,), friction=0.9, dynamic_friction=0.2, restitution=0.1), (0, 0, 0.1), world=(floor,)))
    assert region.material == (0.9, 0.5, 0.3)
    assert only(on_world(BALL, (0, 0, 0.1))).material == pytest.approx((0.8, 0.7, 0.0))


def test_standing_figure_touches_with_both_soles():
    found = find_contacts(*standing())
    assert {(region.body, region.other, region.kind) for region in found} == {("foot.L", "world", "area"), ("foot.R", "world", "area")}
    assert all(len(region.points) == 4 for region in found)


def test_parts_fixed_together_and_parent_and_child_do_not_touch():
    ball = lambda name, parent, kind: Body(name, 1.0, (0.1, 0.1, 0.1), parent, Joint(kind), shapes=(BALL,))
    bodies = (ball("root", None, "free"), ball("arm", "root", "hinge"), ball("glove", "arm", "fixed"), ball("finger", "glove", "hinge"))
    pairs = lambda *more: {(region.body, region.other) for region in find_contacts(system(*more), rest_coordinates(system(*more).model))}
    system = lambda *ignored: build(Character("c", bodies, ignored_pairs=ignored))
    # all stand in one place; arm and glove are one, between root and finger
    assert pairs() == {("root", "finger")}
    assert pairs(("finger", "root")) == set()


def test_children_of_what_is_fixed_to_the_world():
    ball = lambda name, parent, kind: Body(name, 1.0, (0.1, 0.1, 0.1), parent, Joint(kind), shapes=(BALL,))
    system = build(Character("c", (ball("post", None, "fixed"), ball("sign", "post", "fixed"), ball("door", "post", "hinge"),
                                   ball("knob", "door", "hinge"))), free("cart", BALL), shapes=(Shape("box", (0.1, 0.1, 0.1)),))
    found = {(region.body, region.other) for region in find_contacts(system, rest_coordinates(system.model))}
    cart, knob, door, post, sign = "cart/cart", "c/knob", "c/door", "c/post", "c/sign"
    assert found == {(knob, post), (knob, sign), (knob, "world"), (door, "world"), (door, cart), (knob, cart), (cart, post), (cart, sign),
                     (cart, "world")}


def test_groups_and_masks():
    def met(group_a, mask_a, group_b, mask_b) -> bool:
        a, b = Shape("sphere", (0.1,), group=group_a, mask=mask_a), Shape("sphere", (0.1,), group=group_b, mask=mask_b)
        return bool(between(two(a, b), (0, 0, 0), UPRIGHT, (0.1, 0, 0), UPRIGHT))
    assert met(1, -1, 1, -1) and met(1, 2, 2, 1) and met(4, 3, 2, 4)
    assert not met(1, 0, 1, -1) and not met(1, 2, 2, 2) and not met(2, 1, 1, 1)


def test_obstacles():
    platform = Obstacle("platform", (Shape("box", (0.5, 0.5, 0.05), Frame((0, 0, -0.05))), Shape("sphere", (0.1,), Frame((5, 0, 0)))))
    fan = Obstacle("fan", (Shape("box", (0.5, 0.5, 0.05)),))
    system = build(free("thing", CUBE))
    rotation = turn((1, 0, 0), 0.5)
    place = np.array([1.0, 2.0, 3.0]) + matrix(rotation) @ [0, 0, 0.2999]
    region = only(find_contacts(system, np.concatenate([place, rotation]), 0.001, (fan, platform),
                                {"fan": Frame((0, 0, -9)), "platform": Frame((1, 2, 3), rotation)}))
    assert (region.body, region.other, region.kind) == ("thing", "platform", "area")
    np.testing.assert_allclose(region.normal, matrix(rotation)[:, 2], atol=1e-12)
    assert region.gaps == pytest.approx([-1e-4] * 4, abs=1e-12)
    s = build_shapes(system, (fan, platform))
    assert s.body.tolist() == [0, -2, -3, -3]


def test_overflow_is_counted():
    system, q = standing(3)
    c = detected(system, q, regions=2)
    assert c.count[0] == 2 and c.dropped.tolist() == [0, 4, 0]
    c = detected(system, q, candidates=5)
    assert c.count[0] == 5 and c.dropped.tolist() == [1, 0, 0]
    with pytest.raises(HeftError, match="no room for"):
        find_contacts(build(*(free(f"b{k}", *[BALL] * 8) for k in range(12))), np.tile([0, 0, 0, 1.0, 0, 0, 0], 12))


def test_figures_apart_are_found_one_by_one():
    one = find_contacts(*standing(1))
    many = find_contacts(*standing(5))
    assert len(many) == 5 * len(one)
    for k in range(5):
        mine = [region for region in many if region.body.startswith(f"figure {k}/")]
        for region, wanted in zip(mine, one):
            np.testing.assert_allclose(region.points - (2.0 * k, 0, 0), wanted.points, atol=1e-12)


def test_figures_that_meet_touch_each_other():
    system, q = standing(2)
    q[system.model.q_start[system.model.tree_start[1]]] = 0.15
    found = find_contacts(system, q)
    assert any(region.body.startswith("figure 0") and region.other.startswith("figure 1") for region in found)
    assert all(region.body.startswith("figure 0") for region in found if region.other != "world")


def test_every_pair_is_found_that_brute_force_finds():
    """without the broad phase: each pair of shapes in a system of its own"""
    rng = np.random.default_rng(5)
    shapes = [BALL, BAR, CUBE, DICE] * 3
    poses = [np.concatenate([rng.normal(0, 0.35, 3), turn(rng.normal(size=3), 1.0)]) for _ in shapes]
    names = [f"b{k}" for k in range(len(shapes))]
    system = build(*(free(name, shape) for name, shape in zip(names, shapes)))
    found = {frozenset((region.body, region.other)): region for region in find_contacts(system, np.concatenate(poses))}
    for i in range(len(shapes)):
        for j in range(i + 1, len(shapes)):
            alone = find_contacts(build(free(names[i], shapes[i]), free(names[j], shapes[j])), np.concatenate([poses[i], poses[j]]))
            region = found.get(frozenset((f"{names[i]}/{names[i]}", f"{names[j]}/{names[j]}")))
            assert (region is None) == (not alone)
            if region:
                np.testing.assert_allclose(region.normal, alone[0].normal, atol=1e-9)
