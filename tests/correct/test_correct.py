"""Corrected motions: the laws by another engine, feet that stand, invariance."""
import json

import mujoco
import numpy as np
import pytest
from clips import CMU, DATA, needs_data
from heft.__main__ import main
from heft.engine import HeftError, read_source, write_mjcf
from heft.engine.correct import correct, correcting
from heft.engine.motion.contacts import Contact
from heft.engine.motion.floor import sole_edges
from swaying import placed, swaying


@pytest.fixture(scope="module")
def source():
    return swaying()


@pytest.fixture(scope="module")
def made(source):
    return correct(source)


def residuals(made, folder) -> tuple[np.ndarray, np.ndarray]:
    """what MuJoCo finds missing at each step: on the root, in weights; on the joints, in weights x metres"""
    write_mjcf(folder / "model.xml", made.system)
    model = mujoco.MjModel.from_xml_path(str(folder / "model.xml"))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    data, trace = mujoco.MjData(model), made.trace
    left = np.zeros((len(trace.time), model.nv))
    J, turn = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for s in range(len(trace.time)):
        data.qpos, data.qvel, data.qacc = trace.qpos[s], trace.qvel[s], trace.qacc[s]
        mujoco.mj_inverse(model, data)
        left[s] = data.qfrc_inverse + data.qfrc_passive - trace.tau[s]
        for k in np.flatnonzero(trace.contact_step == s):
            mujoco.mj_jac(model, data, J, turn, trace.contact_point[k], trace.contact_body[k])
            left[s] -= J.T @ trace.contact_force[k] + turn.T @ trace.contact_torque[k]
    weight = model.body_mass.sum() * 9.81
    return left[:, :6] / weight, left[:, 6:] / weight


def test_the_source_does_not_obey_and_the_result_does(made, tmp_path):
    assert made.report["before"]["residual_force_rms"] > 0.005
    root, joints = residuals(made, tmp_path)
    assert np.sqrt(np.mean(np.sum(root ** 2, axis=1))) < 1e-4
    assert np.abs(joints).max() < 1e-9


def test_nothing_pulls_and_friction_holds(made):
    force = made.trace.contact_force
    assert (force[:, 2] >= 0).all()
    assert (np.hypot(force[:, 0], force[:, 1]) <= 0.8 * force[:, 2] + 1e-9).all()
    assert made.report["after"]["outside_region_share"] == 0


def test_feet_stand_still_and_on_the_floor(source, made):
    edges = sole_edges(source.system, source.humanoid.soles, made.trace.qpos)
    assert edges[..., 2].min() > -2e-3
    assert made.report["before"]["skate_mm_s"] > 50 and made.report["after"]["skate_mm_s"] < 0.5
    # what touches is where its region is
    for k in range(0, len(made.trace.contact_step), 37):
        first, last = made.trace.polygon_start[k:k + 2]
        near = edges[made.trace.contact_step[k]].reshape(-1, 3)
        gaps = np.linalg.norm(made.trace.polygon_points[first:last, None] - near, axis=2).min(axis=1)
        assert gaps.max() < 2e-3


def test_velocities_and_accelerations_are_those_of_the_positions(source, made):
    from heft.engine.motion.manifold import derivatives
    v, a = derivatives(source.system.model, made.trace.qpos, made.trace.time[1])
    np.testing.assert_allclose(made.trace.qvel[1:-1], v[1:-1], atol=1e-9)
    np.testing.assert_allclose(made.trace.qacc[1:-1], a[1:-1], atol=1e-6)


def test_the_clip_elsewhere_gives_the_same_elsewhere(source, made):
    shift = np.array([3.0, -2.0, 0.0])
    other = correct(placed(source, 1.1, shift))
    expected = placed(source._replace(motion=made.motion), 1.1, shift).motion.q
    # w and -w are one rotation
    np.testing.assert_allclose(other.motion.q[:, :3], expected[:, :3], atol=1e-4)
    np.testing.assert_allclose(np.abs(np.sum(other.motion.q[:, 3:7] * expected[:, 3:7], axis=1)), 1, atol=1e-6)
    np.testing.assert_allclose(other.motion.q[:, 7:], expected[:, 7:], atol=1e-3)


def test_the_motion_is_the_trace_at_frames(source, made):
    np.testing.assert_array_equal(made.motion.q, made.trace.qpos[made.trace.frame_step])
    np.testing.assert_allclose(made.trace.time[made.trace.frame_step], source.motion.times, atol=1e-9)


def test_what_is_kept_more_moves_less(source, made):
    hand = source.system.names.index("hand.L")
    kept = correct(source, weights={"hand.L": 50.0})
    assert kept.motion.misfit[:, hand].mean() < 0.7 * made.motion.misfit[:, hand].mean()


def test_a_fixed_frame_moves_less(source, made):
    fixed = correct(source, fixed_frames=[45])
    assert fixed.motion.misfit[45].mean() < made.motion.misfit[45].mean()


def test_cancelled_gives_the_best_so_far(source):
    shares = []
    early = correct(source, progress=shares.append, cancelled=lambda: True)
    assert len(shares) == 1 and shares[0] < 1 and len(early.motion.q) == len(source.motion.q)
    assert [share for share, _ in correcting(source)][-1] == 1


@pytest.mark.parametrize("options, words", [({"friction": 0.0}, "friction is 0"), ({"fixed_frames": [10 ** 6]}, "fixed frame 1000000"),
                                            ({"weights": {"tail": 2.0}}, "tail"), ({"weights": {"head": -1.0}}, "positive")])
def test_what_makes_no_sense_is_refused(source, options, words):
    with pytest.raises(HeftError, match=words):
        correct(source, **options)


def test_contacts_that_carry_nothing_are_named(source):
    hand = Contact("hand.L", "hand", 0, 10, 20, "sticking")
    assert any("hand.L hand" in note for note in correct(source._replace(contacts=(*source.contacts, hand))).notes)


@needs_data
@pytest.mark.parametrize("name, mean", [("02_01", 0.8), ("69_20", 0.8), ("13_39", 0.8), ("74_03", 2.5)])
def test_clips_obey_and_stay_near(name, mean, tmp_path):
    made = correct(read_source(DATA / f"cmu/{name}.bvh", CMU, low_pass_frequency=10))
    root, _ = residuals(made, tmp_path)
    after = made.report["after"]
    assert np.sqrt(np.mean(np.sum(root[:, :3] ** 2, axis=1))) < 1e-3
    assert made.report["tracking"]["mean_cm"] < mean
    assert after["skate_mm_s"] < 2 and after["penetration_mm"] < 2 and after["flight_share_of_g"] < 1e-3
    assert after["jitter_10m_s3"] < made.report["before"]["jitter_10m_s3"]


@needs_data
def test_from_the_command_line(tmp_path, capsys):
    files = {name: tmp_path / f"a.{end}" for name, end in (("trace", "npz"), ("model", "xml"), ("report", "json"))}
    asked = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    clip = [str(DATA / "cmu/09_01.bvh"), "--unit", str(CMU)]
    assert main(["bake", *clip, "--detail", "few", "--mass", "70", *asked]) == 0
    assert "residual_force_rms" in capsys.readouterr().out and all(path.exists() for path in files.values())
    report = json.loads(files["report"].read_text())
    assert report["after"]["residual_force_rms"] < 1e-3 < report["before"]["residual_force_rms"]
    assert main(["bake", str(tmp_path / "none.bvh"), "--unit", "1"]) == 2
    assert main(["bake", clip[0]]) == 2                                  # the unit is not guessed
    assert main(["bake", *clip, "--low-pass", "-1"]) == 2
