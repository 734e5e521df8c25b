"""Leaning saves effort: the experiment of source 004, and the figure that stands up."""
import numpy as np
import pytest
from heft.engine.kernel import COMPILED
from heft.engine.scenes import studies
from heft.engine.scenes.standing_up import chair
from heft.engine.simulate import simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="minutes of uncompiled code")


def test_an_elbow_on_the_table_saves_energy_and_hand_error():
    study = studies.arm_study()
    free, down = study["elbow free"], study["elbow on the table"]
    assert down["electrical_J"] < 0.1 * free["electrical_J"]
    assert down["hand_error_mean_mm"] < 0.2 * free["hand_error_mean_mm"] and down["hand_error_max_mm"] < free["hand_error_max_mm"]
    assert max(free["imbalance_share"], down["imbalance_share"]) < 0.01


def test_the_free_arm_needs_what_statics_says():
    """held still, the motors' torques are those of the weights, and their heat is i^2 R"""
    _, trace = studies.run_scene("arm_free")
    still = np.searchsorted(trace.time, 0.9)
    q = np.cumsum(trace.qpos[still])
    starts = np.concatenate([[0], np.cumsum(np.array(studies.motor_arm.LENGTHS) * np.cos(q))])
    middles = starts[:-1] + 0.5 * np.array(studies.motor_arm.LENGTHS) * np.cos(q)
    weights = 9.81 * np.array(studies.motor_arm.MASSES)
    needed = [weights[n:] @ (middles[n:] - starts[n]) for n in range(4)]
    np.testing.assert_allclose(trace.tau_motor[still], needed, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(trace.current[still], np.array(needed) / 5.0, rtol=1e-3, atol=1e-3)      # K = 0.05 x 100


def test_steps_of_four_milliseconds_tell_the_same():
    """L / R is 0.5 ms"""
    fine, coarse = studies.arm_study(0.001), studies.arm_study(0.004)
    for name in fine:
        assert coarse[name]["electrical_J"] == pytest.approx(fine[name]["electrical_J"], rel=0.02)


def test_hands_on_arm_rests_spare_the_knees():
    study = studies.chair_study()
    alone, rests, thighs = study.values()
    assert all(run["pelvis_rise_m"] > 0.44 for run in study.values())
    assert rests["knee_peak_Nm"] < 0.85 * alone["knee_peak_Nm"]
    # hands on thighs push on the body itself: the ground pushes as before, and so must the knees; the hips have less to do
    assert thighs["knee_peak_Nm"] == pytest.approx(alone["knee_peak_Nm"], rel=0.05)
    assert thighs["hip_mean_Nm"] < 0.8 * alone["hip_mean_Nm"]
    for run in (rests, thighs):
        assert run["absolute_work_J"] < alone["absolute_work_J"]


def test_who_is_too_weak_stays_on_the_chair():
    """the knees need 49 N m of 189: a fifth of the strength is not enough"""
    scene = chair("free", strength=0.2)
    trace = simulate(scene.system, scene.state, scene.seconds, contact="rigid", commands=scene.commands)
    assert trace.qpos[:, 2].max() < 0.6


def test_tables_have_a_row_a_figure():
    rows = studies.in_rows({"a": {"x_J": 1.0, "y_N": 2.0}, "b": {"x_J": 3.0, "y_N": 4.0}})
    assert len(rows) == 3 and rows[1].split() == ["x_J", "1", "3"]
