"""A clip's coordinates bring the bodies where the bones are; what hinges can't follow is said in degrees and millimetres."""
import numpy as np
import pytest
from clips import CMU_CLIPS, DEEPMIMIC_CLIPS, cmu, deepmimic, needs_data
from heft.engine import HeftError, build
from heft.engine.algebra.quaternions import exponentials, matrix
from heft.engine.dynamics.poses import body_poses
from heft.engine.humanoid.humanoid import make_humanoid
from heft.engine.humanoid.skeleton import world_poses
from heft.engine.motion.fit_motion import fit_motion
from rigs import FAMILIES, skeleton, still_clip, turned


def random_clip(family, frames=60):
    """every bone but those of hinges turns smoothly"""
    s = skeleton(family)
    rng = np.random.default_rng(7)
    t = np.linspace(0, 1, frames)
    clip = still_clip(s, frames)
    rotations = exponentials(0.4 * np.sin(2 * np.pi * (t[:, None, None] + rng.random((1, len(s.names), 3)))))
    clip = clip._replace(rotations=rotations, root_positions=rng.standard_normal(3) + np.outer(t, [1, 2, 0.1]))
    return clip


def fitted(clip, **options):
    humanoid = make_humanoid(clip.skeleton, clip, **options)
    system = build(humanoid.character)
    return humanoid, system, fit_motion(humanoid, system, clip)


def reach(humanoid, system, motion, clip):
    """the misfit and the turn between a body and its bone, from the engine's own kinematics"""
    places, rotations = body_poses(system, motion.q)
    sources, turns = world_poses(clip)
    bones = [humanoid.bone[name] for name in system.names]
    wanted = np.array([[matrix(q) for q in row] for row in turns[:, bones]])
    angle = np.arccos(np.clip((np.einsum("tbij,tbij->tb", rotations, wanted) - 1) / 2, -1, 1))
    return np.linalg.norm(places - sources[:, [humanoid.joint_bone[name] for name in system.names]], axis=2), angle


@pytest.mark.parametrize("family", FAMILIES)
def test_balls_follow_exactly(family):
    """hinges here don't hinge: all that is off is behind them, and is reported as it is"""
    clip = random_clip(family)
    humanoid, system, motion = fitted(clip)
    misfit, angle = reach(humanoid, system, motion, clip)
    assert misfit == pytest.approx(motion.misfit, abs=1e-9)
    for i, name in enumerate(system.names):
        if name.split(".")[0] in ("pelvis", "chest", "head", "thigh", "upper_arm", "foot", "hand"):
            assert angle[:, i].max() < 1e-6, name
        if name in humanoid.hinges:
            assert angle[:, i] == pytest.approx(motion.off_hinge[:, i], abs=1e-6)
    assert motion.off_hinge.max() > 0.05


def test_hinges_follow_exactly_where_they_are_hinges():
    t = np.linspace(0, 1, 50)
    clip = turned(still_clip(skeleton("cmu"), 50), "LeftLeg", (0.8, 0.6, 0), 0.5 + 0.4 * np.sin(5 * t))
    clip = turned(clip, "LeftUpLeg", (0, 1, 0), 0.3 * t)
    humanoid, system, motion = fitted(clip)
    misfit, angle = reach(humanoid, system, motion, clip)
    assert misfit.max() < 1e-9 and angle.max() < 1e-6
    knee = motion.q[:, system.model.q_start[system.names.index("shin.L")]]
    assert np.diff(knee) == pytest.approx(np.diff(0.5 + 0.4 * np.sin(5 * t)), abs=1e-9) or np.diff(knee) == pytest.approx(
        -np.diff(0.5 + 0.4 * np.sin(5 * t)), abs=1e-9)


def test_quaternions_are_continuous_through_whole_turns():
    clip = still_clip(skeleton("cmu"), 200)
    clip = turned(clip, "Hips", (0, 0, 1), np.linspace(0, 15, 200))
    q = fitted(clip)[2].q
    assert np.abs(np.diff(q, axis=0)).max() < 0.1


def test_another_skeletons_clip_is_refused():
    humanoid, system, _ = fitted(still_clip(skeleton("cmu"), 20))
    with pytest.raises(HeftError, match="not those of 'character'"):
        fit_motion(humanoid, system, still_clip(skeleton("mixamo"), 20))


@needs_data
@pytest.mark.parametrize("name", CMU_CLIPS)
def test_cmu_clips_fit(name):
    _, system, motion = fitted(cmu(name).frames(1))
    assert system.model.nv == 60
    # CMU's own model has one axis at knees, elbows and toes
    assert motion.misfit.max() < 0.0005 and np.degrees(motion.off_hinge.max()) < 0.2


@needs_data
@pytest.mark.parametrize("name", DEEPMIMIC_CLIPS)
def test_deepmimic_clips_fit(name):
    _, system, motion = fitted(deepmimic(name))
    assert system.model.nv == 34 and motion.misfit.max() < 1e-6 and motion.off_hinge.max() < 1e-6


@needs_data
@pytest.mark.parametrize("name", CMU_CLIPS)
def test_fewer_bodies_keep_hips_and_knees(name):
    _, system, motion = fitted(cmu(name).frames(1), detail="few")
    legs = [i for i, body in enumerate(system.names) if body.split(".")[0] in ("thigh", "shin", "foot")]
    assert motion.misfit[:, legs].max() < 0.005 and motion.misfit.mean() < 0.03
