"""Floors, sizes and rates: what was put in is found again."""
import numpy as np
import pytest
from clips import CMU_CLIPS, DEEPMIMIC_CLIPS, cmu, deepmimic, needs_data
from heft.engine import HeftError, build
from heft.engine.algebra.quaternions import exponentials, products, rotated
from heft.engine.humanoid.humanoid import make_humanoid
from heft.engine.motion.fit_motion import fit_motion
from heft.engine.motion.floor import fit_floor, place_on_floor, sole_edges
from heft.engine.motion.plausible import artificial_first_frame, judge
from rigs import skeleton, still_clip, turned

TILT = exponentials(np.array([0.02, -0.01, 0.0]))


def fitted(clip):
    humanoid = make_humanoid(clip.skeleton, clip)
    system = build(humanoid.character)
    return humanoid, system, fit_motion(humanoid, system, clip)


def standing_about():
    """stands for a while at four places; in between it flies there"""
    clip = still_clip(skeleton("cmu"), 400)
    path = np.repeat([[0, 0, 0], [3.0, 0, 0], [3.0, 3, 0], [0, 3.0, 0]], 100, axis=0)
    smooth = np.stack([np.convolve(np.pad(column, 15, "edge"), np.ones(31) / 31, "valid") for column in path.T], axis=1)
    return clip._replace(root_positions=clip.root_positions + smooth)


def tilted(clip, height):
    rotations = clip.rotations.copy()
    rotations[:, 0] = products(TILT[None], rotations[:, 0])
    return clip._replace(rotations=rotations, root_positions=rotated(TILT, clip.root_positions) + [0, 0, height])


def test_tilt_and_height_are_found_and_taken_away():
    humanoid, system, motion = fitted(standing_about())
    straight = sole_edges(system, humanoid.soles, motion.q)
    slanted = fit_motion(humanoid, system, tilted(standing_about(), 0.3))
    floor = fit_floor(sole_edges(system, humanoid.soles, slanted.q), 120)
    # a small penalty keeps a few feet from tipping the room
    assert floor.normal == pytest.approx(rotated(TILT, np.array([0, 0, 1.0])), abs=1.5e-3) and floor.spread < 0.003
    placed = sole_edges(system, humanoid.soles, place_on_floor(system, slanted, floor).q)
    assert np.abs(placed[..., 2]).max() < 0.02 and np.abs(placed[..., 2].mean()) < 0.003
    assert np.ptp(straight[..., 2]) < 1e-9


def test_a_floor_without_tilt_is_level():
    humanoid, system, motion = fitted(tilted(standing_about(), 0.3))
    assert fit_floor(sole_edges(system, humanoid.soles, motion.q), 120, level=True).tilt < 1e-6


def test_a_knee_slow_in_the_air_is_no_floor():
    """half of the time on one leg: the other foot is slow, too, but not low"""
    clip = turned(turned(standing_about(), "LeftUpLeg", (1, 0, 0), np.full(400, -0.8)), "LeftLeg", (1, 0, 0), np.full(400, 0.9))
    humanoid, system, motion = fitted(clip)
    floor = fit_floor(sole_edges(system, humanoid.soles, motion.q), 120)
    right = sole_edges(system, humanoid.soles, motion.q)[:, 1, :, :, 2].min()
    assert floor.point[2] == pytest.approx(right, abs=0.003)


def test_joints_move_with_the_floor():
    humanoid, system, motion = fitted(tilted(standing_about(), 0.3))
    placed = place_on_floor(system, motion, fit_floor(sole_edges(system, humanoid.soles, motion.q), 120))
    again = np.linalg.norm(placed.joints[:, 0] - placed.q[:, :3], axis=1)
    assert again.max() < 1e-9


def test_nobody_stands():
    humanoid, system, motion = fitted(standing_about())
    running = motion.q.copy()
    running[:, 0] = np.arange(400) * 0.1
    with pytest.raises(HeftError, match="give the floor's height"):
        fit_floor(sole_edges(system, humanoid.soles, running), 120)


def jump(frames=100, fps=120.0, unit=1.0):
    """stands, flies for 0.4 s, stands"""
    t = np.arange(frames) / 120 - 0.2
    clip = still_clip(skeleton("cmu"), frames, fps)
    height = np.where((t > 0) & (t < 0.4), 9.81 / 2 * t * (0.4 - t), 0.0)
    return (clip._replace(root_positions=clip.root_positions + np.outer(height, [0, 0, 1]))).scaled(1 / unit)


@pytest.mark.parametrize("fps, unit, source, scale, rate", [
    (120, 1, None, 1, 1), (240, 1, None, 1, 0.5), (60, 1, None, 1, 2), (24, 2.54 / 45, 120, 2.54 / 45, 5),
    (24, 2.54 / 45, None, 2.54 / 45, 5),
    (120, 0.01, None, 0.01, 1), (30, 0.0254, None, 0.0254, 4)])
def test_size_and_rate_are_judged_together(fps, unit, source, scale, rate):
    humanoid, system, motion = fitted(jump(fps=fps, unit=unit))
    floor = fit_floor(sole_edges(system, humanoid.soles, motion.q), 1e-3)._replace(point=np.zeros(3))
    found = judge(system, motion, humanoid.soles, humanoid.stature, floor, source)
    assert found.scale == pytest.approx(scale) and found.rate == pytest.approx(rate), found.sentence
    assert found.fall * scale * rate ** 2 == pytest.approx(9.81, rel=0.05)
    assert found.right == (scale == 1 and rate == 1) and found.sentence.endswith(".")


def test_without_a_flight_nothing_tells_the_rate():
    humanoid, system, motion = fitted(standing_about())
    floor = fit_floor(sole_edges(system, humanoid.soles, motion.q), 120)
    assert "nothing tells about the rate" in judge(system, motion, humanoid.soles, humanoid.stature, floor).sentence


def test_a_t_pose_before_the_motion():
    clip = turned(still_clip(skeleton("cmu"), 50), "LeftArm", (0, 1, 0), np.full(50, 1.2))
    clip = turned(clip, "Hips", (0, 0, 1), np.linspace(0, 0.5, 50))
    assert artificial_first_frame(clip) == ""
    rotations = clip.rotations.copy()
    rotations[0] = [1, 0, 0, 0]
    assert "T-pose" in artificial_first_frame(clip._replace(rotations=rotations))


@needs_data
def test_all_cmu_clips_begin_with_a_t_pose_and_deepmimics_do_not():
    assert [name for name in CMU_CLIPS if not artificial_first_frame(cmu(name))] == []
    assert [name for name in CMU_CLIPS if artificial_first_frame(cmu(name).frames(1))] == []
    assert [name for name in DEEPMIMIC_CLIPS if artificial_first_frame(deepmimic(name))] == []


@needs_data
def test_cmus_jump_falls_at_one_g():
    humanoid, system, motion = fitted(cmu("13_39").frames(1))
    floor = fit_floor(sole_edges(system, humanoid.soles, motion.q), 120)
    found = judge(system, motion, humanoid.soles, humanoid.stature, floor, 120)
    assert found.right and found.fall == pytest.approx(9.8, abs=0.4)
