"""Contacts that grow where the motion is pushed: by a few frames, only what was found, and so that less stays open."""
import numpy as np
import pytest
from clips import cmu, needs_data
from heft.engine.analyse import analyse
from heft.engine.forces.extend_contacts import LONGEST, PASSES, extend_contacts
from heft.engine.motion.edit_contacts import forbid, force
from heft.engine.motion.source import make_source
from motions import lowering


def cut(source, frames):
    """with every contact shorter at both ends, except at those of the clip"""
    T = len(source.motion.q)
    shorter = lambda c: c._replace(first=max(c.first, frames), last=min(c.last, T - 1 - frames))
    return source._replace(contacts=tuple(shorter(c) for c in source.contacts))


def test_where_forces_explain_all_nothing_changes():
    source = lowering()
    assert extend_contacts(source) == source.contacts


def test_contacts_cut_short_come_back():
    source = lowering()
    short = cut(source, 5)
    assert analyse(short).report["residual_force_rms_BW"] > 0.1
    longer = short._replace(contacts=extend_contacts(short))
    assert longer.contacts == source.contacts and {c.origin for c in longer.contacts} == {"found"}
    assert analyse(longer).report["residual_force_max_BW"] < 1e-5


def test_an_end_moves_by_a_few_frames_a_pass_only():
    short = cut(lowering(), 60)
    fps = short.motion.fps
    for before, after in zip(short.contacts, extend_contacts(short)):
        assert before.key == after.key and 0 < before.first - after.first <= PASSES * round(LONGEST * fps)


def test_what_was_set_by_hand_stays():
    source = cut(lowering(), 5)
    edited = forbid(force(source.contacts, "foot.L", "heel", 20, 200), "toe.L", "tip", 0, 4)
    made = extend_contacts(source._replace(contacts=edited))
    assert [c for c in made if c.origin != "found"] == [c for c in edited if c.origin != "found"]
    assert not [c for c in made if c.origin == "found" and c.key in (("toe.L", "tip", 0),) and c.first < 5]
    assert [(c.first, c.last) for c in made if c.key == ("foot.L", "heel", 0)] == [(0, 19), (20, 200), (201, 239)]


@needs_data
@pytest.mark.parametrize("name, share", [("09_01", 0.85), ("13_39", 0.65), ("02_01", 1.001)])
def test_run_and_jump_leave_less_open(name, share):
    """measured 0.78, 0.53 and 1.0 of the residual force, at 10 Hz"""
    source = make_source(cmu(name), low_pass_frequency=10)
    before, after = (analyse(source._replace(contacts=contacts)) for contacts in (source.contacts, extend_contacts(source)))
    assert after.report["residual_force_rms_BW"] < share * before.report["residual_force_rms_BW"]
    assert np.isfinite(after.residual).all()
    on = {key: {t for c in after.points.contacts if c.key == key for t in range(c.first, c.last + 1)} for key in
          ((f"{body}.{side}", part, 0) for side in "LR" for body, part in (("foot", "heel"), ("toe", "ball"), ("toe", "tip")))}
    for side in "LR":
        heel, ball, tip = (on[f"{body}.{side}", part, 0] for body, part in (("foot", "heel"), ("toe", "ball"), ("toe", "tip")))
        assert ball <= tip and not (heel & tip) - ball
