"""p_v and ZMP: they coincide on one foot, and forces and motion agree on where they are."""
import numpy as np
import pytest
from heft.engine.analysis.contact_report import contact_report, region_distances
from heft.engine.analysis.pressure import pressure_points, zero_moment_points, zero_moment_points_of_motion
from heft.engine.kernel import COMPILED
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="slow without numba")


def traced(name, seconds):
    scene = SCENES[name]()
    return scene.system, simulate(scene.system, scene.state, seconds, contact="rigid", holds=scene.holds)


def test_on_one_foot_zmp_and_p_v_coincide():
    system, trace = traced("one_foot", 0.5)
    assert (np.bincount(trace.contact_step, minlength=len(trace.time)) == 1).all()
    zmp = zero_moment_points(system, trace)[trace.contact_step, 0]
    assert np.abs(zmp - pressure_points(trace))[:, :2].max() < 1e-6


@pytest.mark.parametrize("name", ["stand", "tiptoe", "heels", "four_limbs"])
def test_on_coplanar_contacts_zmp_is_the_weighted_mean_of_the_p_v(name):
    system, trace = traced(name, 0.5)
    points, weight = pressure_points(trace), trace.contact_force[:, 2]
    touched = np.unique(trace.contact_step)
    total = lambda values: np.bincount(trace.contact_step, values)[touched]
    mean = [total(weight * points[:, j]) / total(weight) for j in range(2)]
    assert len(touched) > 400
    # contacts lie within TOUCH of one plane
    assert np.abs(zero_moment_points(system, trace)[touched, 0, :2] - np.transpose(mean)).max() < 1e-4


@pytest.mark.parametrize("name", ["stand", "fall", "elbow", "spin"])
def test_forces_and_motion_agree_on_the_zmp(name):
    system, trace = traced(name, 0.8)
    forces, motion = zero_moment_points(system, trace, 0.1), zero_moment_points_of_motion(system, trace, 0.1)
    touched = np.isfinite(forces[:, 0, 0])
    assert touched.sum() > 100
    assert np.abs(forces - motion)[touched].max() < 1e-6


@pytest.mark.parametrize("name", ["stand", "fall", "spin", "stack"])
def test_every_p_v_lies_in_its_region(name):
    _, trace = traced(name, 0.8)
    assert region_distances(trace).max() < 1e-6


def test_a_p_v_outside_is_seen():
    _, trace = traced("stand", 0.1)
    trace.contact_torque[3] += (0, 0.2 * trace.contact_force[3, 2], 0)       # 20 cm forward
    distances = region_distances(trace)
    assert distances[3] > 0.05 and np.delete(distances, 3).max() < 1e-6


@pytest.mark.parametrize("spoil, word", [
    (lambda trace: trace.contact_depth.__setitem__(3, 0.0031), "no: penetration 3.1 mm (limit 2 mm)"),
    (lambda trace: trace.contact_mu.__imul__(0), "friction "),
    (lambda trace: trace.qacc.__iadd__(np.eye(len(trace.qacc[0]))[0] * 5), "ZMP outside"),
    (lambda trace: trace.qvel.__setitem__((-1, 0), 1.0), "balance of energy")], ids=["depth", "friction", "zmp", "energy"])
def test_the_verdict_names_the_law_that_is_broken(spoil, word):
    system, trace = traced("stand", 0.1)
    assert contact_report(system, trace)["verdict"] == "yes"
    spoil(trace)
    report = contact_report(system, trace)
    assert word in report["verdict"] and not report["all_contact_laws_hold"]


def test_report_of_the_standing_figure():
    system, trace = traced("stand", 0.5)
    report = contact_report(system, trace)
    assert report["pull_share"] == report["outside_friction_share"] == report["outside_region_share"] == 0
    assert report["largest_force_N"] == pytest.approx(69 * 9.81 / 2, rel=0.2)
    assert report["corner_solves_share"] == 0 and report["deepest_mm"] < 0.1
