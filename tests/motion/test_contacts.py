"""Contacts of motions whose contacts are known, on the floor and on boxes; edits stay where they are made."""
import numpy as np
import pytest
from clips import cmu, deepmimic, needs_data
from heft.engine import Frame, HeftError, Shape, build
from heft.engine.algebra.quaternions import exponentials, products, rotated
from heft.engine.humanoid.humanoid import make_humanoid
from heft.engine.motion.contacts import find_contacts
from heft.engine.motion.edit_contacts import forbid, force, move, touching_contacts, with_edits
from heft.engine.motion.fit_motion import fit_motion
from heft.engine.motion.floor import fit_floor, place_on_floor, sole_edges
from heft.engine.motion.source import make_source
from rigs import skeleton, still_clip, turned

FPS = 120.0
T = 240


def smooth(*keys):
    """(T,) through (frame, value), standing still between equal ones"""
    frames, values = zip(*keys)
    t = np.arange(T)
    k = np.clip(np.searchsorted(frames, t, side="right") - 1, 0, len(frames) - 2)
    s = np.clip((t - np.array(frames)[k]) / np.diff(frames)[k], 0, 1)
    return np.array(values)[k] + np.diff(values)[k] * s * s * s * (10 - 15 * s + 6 * s * s)


def contacts_of(clip, obstacles=(), parts=None):
    humanoid = make_humanoid(clip.skeleton, still_clip(clip.skeleton, 30))
    system = build(humanoid.character)
    motion = fit_motion(humanoid, system, clip)
    at_rest = fit_motion(humanoid, system, still_clip(clip.skeleton, 30))
    floor = fit_floor(sole_edges(system, humanoid.soles, at_rest.q), FPS)
    motion = place_on_floor(system, motion, floor)
    found = find_contacts(system, motion.q, FPS, humanoid.soles, obstacles)
    return [c for c in found if parts is None or c.part in parts]


def lifted(side="Left"):
    """one foot in the air from about frame 80 to 160"""
    bend = smooth((0, 0.0), (70, 0.0), (100, 0.7), (140, 0.7), (170, 0.0), (239, 0.0))
    clip = turned(still_clip(skeleton("cmu"), T), f"{side}UpLeg", (1, 0, 0), -bend)
    return turned(clip, f"{side}Leg", (1, 0, 0), 1.6 * bend)


def test_standing_still_is_two_flat_feet():
    found = contacts_of(still_clip(skeleton("cmu"), T))
    assert {(c.body, c.part) for c in found} == {(f"{body}.{side}", part) for side in "LR" for body, part in (("foot", "heel"),
                                                                                                              ("toe", "ball"),
                                                                                                              ("toe", "tip"))}
    assert {(c.first, c.last, c.kind, c.origin, c.surface) for c in found} == {(0, T - 1, "sticking", "found", 0)}


def test_a_step_in_place():
    heel = [c for c in contacts_of(lifted(), parts=("heel",)) if c.body == "foot.L"]
    assert len(heel) == 2 and 70 < heel[0].last < 95 and 145 < heel[1].first < 170
    assert [(c.first, c.last) for c in contacts_of(lifted(), parts=("heel",)) if c.body == "foot.R"] == [(0, T - 1)]


def test_ball_implies_tip():
    found = contacts_of(lifted())
    touches = lambda part, t: any(c.body == "toe.L" and c.part == part and c.first <= t <= c.last for c in found)
    assert all(touches("tip", t) for t in range(T) if touches("ball", t))


def test_sliding():
    clip = still_clip(skeleton("cmu"), T)
    clip = clip._replace(root_positions=clip.root_positions + np.outer(np.arange(T) / FPS, [0.2, 0, 0]))
    assert {c.kind for c in contacts_of(clip)} == {"sliding"}


def test_fast_slides_are_found_by_what_they_carry():
    """1.5 m/s is too fast for a foot that stands, but nothing falls"""
    clip = still_clip(skeleton("cmu"), T)
    found = contacts_of(clip._replace(root_positions=clip.root_positions + np.outer(np.arange(T) / FPS, [1.5, 0, 0])))
    assert found and {c.kind for c in found} == {"sliding"} and found[0].first == 0 and found[0].last == T - 1


def test_nothing_touches_in_flight():
    t = np.arange(T) / FPS
    clip = still_clip(skeleton("cmu"), T)
    height = 9.81 / 2 * t * (t[-1] - t)
    found = contacts_of(clip._replace(root_positions=clip.root_positions + np.outer(height, [0, 0, 1])))
    assert not [c for c in found if c.first < 200 and c.last > 40]


def test_pivoting_on_the_ball():
    """turns on the ball of the right foot, the left one lifted"""
    clip = turned(turned(still_clip(skeleton("cmu"), T), "LeftUpLeg", (1, 0, 0), np.full(T, -0.7)), "LeftLeg", (1, 0, 0), np.full(T, 1.1))
    place = clip.skeleton.rest_positions()[clip.skeleton.names.index("RightToeBase")]
    turn = exponentials(np.outer(smooth((0, 0.0), (239, 1.5)), [0, 0, 1.0]))
    rotations = clip.rotations.copy()
    rotations[:, 0] = products(turn, rotations[:, 0])
    clip = clip._replace(rotations=rotations, root_positions=place + rotated(turn, clip.root_positions - place))
    assert {c.kind for c in contacts_of(clip, parts=("ball",)) if c.body == "toe.R"} == {"pivoting"}


def test_rolling_over_the_tip():
    """onto the toes and back"""
    clip = turned(still_clip(skeleton("cmu"), T), "Hips", (1, 0, 0), smooth((0, 0.0), (60, 0.0), (120, 0.3), (180, 0.0), (239, 0.0)))
    place = clip.skeleton.rest_positions()[clip.skeleton.names.index("RightToeBase")] + [0, -0.07, -0.025]
    turn = clip.rotations[:, 0]
    clip = clip._replace(root_positions=place + rotated(turn, clip.root_positions - place))
    assert "rolling" in {c.kind for c in contacts_of(clip, parts=("tip",))}


def test_hands_on_a_table():
    """arms are level at rest: a table under the hands"""
    hand = skeleton("cmu").rest_positions()[skeleton("cmu").names.index("LeftHand")]
    top = hand[2] - 0.028 * 1.0
    table = Shape("box", (0.3, 0.3, 0.02), Frame((0.8, 0, top - 0.02)))
    found = contacts_of(still_clip(skeleton("cmu"), T), (table,), ("hand",))
    assert [(c.body, c.surface, c.first, c.last) for c in found] == [("hand.L", 1, 0, T - 1)]


def test_sitting_and_kneeling():
    low = lambda drop: still_clip(skeleton("cmu"), T)._replace(root_positions=np.tile([0, 0, 0.95 - drop], (T, 1)))
    one = lambda clip, bone, angle: turned(clip, bone, (1, 0, 0), np.full(T, angle))
    both = lambda clip, bone, angle: one(one(clip, f"Left{bone}", angle), f"Right{bone}", angle)
    assert "seat" in {c.part for c in contacts_of(both(low(0.91), "UpLeg", -np.pi / 2))}
    kneel = both(low(0.46), "Leg", np.pi / 2)
    assert {"knee"} <= {c.part for c in contacts_of(kneel)}


def test_a_mesh_is_no_obstacle_here():
    with pytest.raises(HeftError, match="not on a sphere"):
        contacts_of(still_clip(skeleton("cmu"), 30), (Shape("sphere", (1.0,)),))


def test_edits_are_local():
    found = tuple(contacts_of(lifted()))
    edited = force(found, "foot.L", "heel", 110, 120)
    assert set(edited) - set(found) == {c for c in edited if c.origin == "forced"} and set(found) <= set(edited)
    cut = forbid(found, "foot.R", "heel", 50, 60)
    assert [(c.first, c.last) for c in touching_contacts(cut) if (c.body, c.part) == ("foot.R", "heel")] == [(0, 49), (61, T - 1)]
    assert [c for c in cut if c.body != "foot.R"] == [c for c in found if c.body != "foot.R"]
    heel = next(c for c in found if c.body == "foot.L" and c.part == "heel")
    shifted = move(found, heel, heel.first, heel.last + 7)
    assert [c.last for c in shifted if c.origin == "moved"] == [heel.last + 7] and len(shifted) == len(found)


def test_edits_survive_a_new_search():
    found = tuple(contacts_of(lifted()))
    heel = next(c for c in found if c.body == "foot.L" and c.part == "heel")
    edited = forbid(force(move(found, heel, 0, heel.last - 20), "foot.L", "heel", 110, 120), "foot.R", "heel", 50, 60)
    assert with_edits(found, edited) == edited


def test_edits_are_checked():
    with pytest.raises(HeftError, match="frames must rise"):
        force((), "foot.L", "heel", 5, 3)
    with pytest.raises(HeftError, match="kind is 'hover'"):
        force((), "foot.L", "heel", 3, 5, "hover")
    with pytest.raises(HeftError, match="none of the contacts"):
        move((), contacts_of(still_clip(skeleton("cmu"), 30))[0], 0, 1)


def share(source, *parts):
    """of the frames in which one of these parts touches"""
    touched = np.zeros(len(source.motion.q), bool)
    for c in source.contacts:
        if c.part in parts:
            touched[c.first:c.last + 1] = True
    return touched.mean()


@needs_data
def test_a_walk_is_three_edges_a_stance():
    """frames as this search gave them, kept against change: no force plate says when the heels struck"""
    source = make_source(cmu("02_01"), low_pass_frequency=10)
    strikes = {side: [c.first for c in source.contacts if c.body == f"foot.{side}" and c.part == "heel"] for side in "LR"}
    assert strikes["L"] == pytest.approx([4, 137, 269], abs=4) and strikes["R"] == pytest.approx([71, 204, 335], abs=4)
    assert {c.part for c in source.contacts} == {"heel", "ball", "tip"}
    # somebody walks: there is always a foot on the ground
    assert share(source, "heel", "ball", "tip") == 1


@needs_data
@pytest.mark.parametrize("name, parts, least, most", [
    ("09_01", ("heel", "ball", "tip"), 0.4, 0.75), ("13_39", ("heel", "ball", "tip"), 0.7, 0.95), ("90_02", ("hand",), 0.05, 0.3),
    ("82_05", ("seat",), 0.9, 1.0), ("82_05", ("hand",), 0.2, 1.0)])
def test_what_touches_in_run_jump_cartwheel_and_sitting(name, parts, least, most):
    """wide bounds around what was found"""
    assert least <= share(make_source(cmu(name), low_pass_frequency=10), *parts) <= most


@needs_data
def test_getting_up_uses_the_whole_body():
    source = make_source(deepmimic("getup_facedown"), fps=120)
    assert {"knee", "hand", "seat", "heel", "tip"} <= {c.part for c in source.contacts}
    assert share(source, *{c.part for c in source.contacts}) > 0.99


@needs_data
def test_moved_and_turned_clips_touch_alike():
    clip = cmu("69_20")
    turn = exponentials(np.array([0, 0, 2.0]))
    rotations = clip.rotations.copy()
    rotations[:, 0] = products(turn[None], rotations[:, 0])
    other = clip._replace(rotations=rotations, root_positions=rotated(turn, clip.root_positions) + [10, -5, 0.4])
    first, second = make_source(clip, low_pass_frequency=10), make_source(other, low_pass_frequency=10)
    assert [c.key for c in first.contacts] == [c.key for c in second.contacts]
    assert [c.first for c in first.contacts] == pytest.approx([c.first for c in second.contacts], abs=1)
