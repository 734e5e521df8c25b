"""Analysing motions whose forces are known: standing, falling, sliding; moved, turned and mirrored; as another engine sees them."""
import numpy as np
import pytest
from heft.engine import Body, Character, Frame, HeftError, Joint, Shape, State, build, write_mjcf
from heft.engine.analyse import analyse
from heft.engine.forces.fit_forces import fit_forces
from heft.engine.forces.touching import touching_points
from heft.engine.motion.contacts import Contact
from heft.engine.motion.features import features
from heft.engine.motion.manifold import derivatives
from heft.engine.motion.source import make_source
from heft.engine.simulate import simulate
from motions import FPS, lowering, moved, placed, standing
from rigs import skeleton, still_clip

G = 9.81


def weight(source):
    return source.system.model.mass.sum() * G


def test_standing_still_the_ground_carries_the_weight_under_the_centre_of_mass():
    source = standing()
    found = analyse(source)
    total = np.zeros((60, 3))
    np.add.at(total, found.regions.frame, found.regions.force)
    assert total == pytest.approx(np.tile([0, 0, weight(source)], (60, 1)), abs=1e-3)
    pressure = np.zeros((60, 3))
    np.add.at(pressure, found.regions.frame, found.regions.push[:, None] * found.regions.pressure)
    assert (pressure / weight(source))[:, :2] == pytest.approx(found.com[:, :2], abs=1e-5)
    assert found.zmp[:, :2] == pytest.approx(found.com[:, :2], abs=1e-9) and (found.zmp_margin > 0.01).all()
    assert found.report["residual_force_max_BW"] < 1e-5 and found.report["residual_moment_max_BWh"] < 1e-5
    assert found.report["motor_work_positive_J"] == 0 and found.report["skate_mean_mm_s"] < 1e-6 and found.report["jitter_10m_s3"] < 1e-6
    assert found.report["all_laws_hold"], found.report["broken_laws"]


def test_what_would_tip_is_pushed_at_the_edge_of_its_support():
    """accelerated sideways by 0.5 g: the ZMP is half the height of the centre of mass beside the feet, p_v can't go there"""
    source = standing()
    q = source.motion.q.copy()
    q[:, 0] += 0.25 * G * (np.arange(60) / FPS) ** 2
    found = analyse(placed(source, q, source.contacts))
    assert found.zmp[:, 0] == pytest.approx(found.com[:, 0] - 0.5 * found.com[:, 2], abs=1e-6)
    push = found.regions.push
    pressure = np.bincount(found.regions.frame, push * found.regions.pressure[:, 0]) / np.bincount(found.regions.frame, push)
    edge = np.array([found.points.point[found.points.frame == t, 0].min() for t in range(60)])
    assert pressure == pytest.approx(edge, abs=1e-3)
    assert found.zmp_margin == pytest.approx(found.zmp[:, 0] - edge, abs=1e-3)
    assert 0.2 < found.report["residual_force_rms_BW"] < 0.5 and found.report["zmp_outside_share"] == 1
    assert found.report["outside_friction_share"] == found.report["outside_region_share"] == 0


def limp_flight(fps):
    """the figure thrown and left to itself, by the engine that goes forwards"""
    source = standing()
    rng = np.random.default_rng(4)
    q = source.motion.q[0].copy()
    q[2] += 5
    v = np.concatenate([[1, 2, 3], rng.normal(size=3), 1.5 * rng.normal(size=source.system.model.nv - 6)])
    trace = simulate(source.system, State(q, v), 0.4, 1e-3, "rk4", fps=fps)
    motion = source.motion._replace(times=np.arange(len(trace.frame_step)) / fps)
    return placed(source._replace(motion=motion), trace.qpos[trace.frame_step])


def test_free_flight_leaves_nothing_open():
    """and what is left is the differences' error: a quarter at half the step"""
    coarse, fine = (analyse(limp_flight(fps)).report for fps in (240, 480))
    assert fine["flight_frames"] == fine["frames"] and fine["contacts"] == 0
    assert fine["residual_force_rms_BW"] < 1e-3 and fine["flight_spin_drift_share"] < 1e-3 and fine["flight_fall_error_rms_g"] < 1e-3
    assert fine["residual_force_rms_BW"] < 0.35 * coarse["residual_force_rms_BW"]


def test_hanging_in_the_air_is_a_hand_from_nowhere():
    source = standing()
    q = source.motion.q.copy()
    q[:, 2] += 1
    report = analyse(placed(source, q)).report
    assert report["residual_force_rms_BW"] == pytest.approx(1) and report["flight_fall_error_rms_g"] == pytest.approx(1)
    assert any(law.startswith("flight") for law in report["broken_laws"])


def sliding_box(mu, deceleration):
    """3 kg, half sides 0.2 0.1 0.15 m, along x; its corners may push"""
    box = Body("box", 3.0, (0.03, 0.05, 0.04), None, Joint("free"), shapes=(Shape("box", (0.2, 0.1, 0.15)),))
    system = build(Character("box", (box,)), shapes=(Shape("plane"),))
    t = np.arange(60) / FPS
    q = np.zeros((60, 7))
    q[:, 0], q[:, 2], q[:, 3] = 4 * t - deceleration / 2 * t * t, 0.15, 1
    points = touching_points(system, q, FPS, [Contact("box", "box", 0, 0, 59, "sliding")], features(system, ()), system.shapes)
    return points, fit_forces(system, q, *derivatives(system.model, q, 1 / FPS), points, mu, 1.0)


def test_a_sliding_box_is_braked_by_friction():
    """m a = mu m g, and the front carries more: the friction's moment mu m g h over the length between the corners"""
    mu, h = 0.3, 0.15
    points, fit = sliding_box(mu, mu * G)
    force = fit.force.reshape(60, 4, 3)
    assert force.sum(axis=1) == pytest.approx(np.tile([-mu * 3 * G, 0, 3 * G], (60, 1)), abs=1e-3)
    assert np.abs(fit.residual).max() < 1e-3
    along = points.point.reshape(60, 4, 3)[..., 0] - fit.com[:, None, 0]
    assert np.einsum("tk,tk->t", along, force[..., 2]) / (3 * G) == pytest.approx(np.full(60, mu * h), abs=1e-4)
    assert (force[..., 0] < 0).all() and fit.velocity[:, 0] == pytest.approx(np.repeat(4 - mu * G * np.arange(60) / FPS, 4), abs=1e-9)


def test_a_box_that_brakes_harder_than_friction_lets_it():
    """twice as hard: of the fits that are left the nearest pushes on its cone"""
    fit = sliding_box(0.3, 0.6 * G)[1]
    force = fit.force.reshape(60, 4, 3).sum(axis=1)
    assert -force[:, 0] == pytest.approx(0.3 * force[:, 2], rel=1e-4)
    assert np.linalg.norm(fit.residual[:, :3], axis=1).min() > 0.2 * 3 * G


def test_elsewhere_and_turned_it_is_the_same():
    one, other = (analyse(source).report for source in (lowering(), moved(lowering(), 2.0, (7.0, -30.0))))
    for name in ("residual_force_rms_BW", "residual_moment_rms_BWh", "zmp_least_margin_mm", "peak_torque_Nm", "motor_work_positive_J",
                 "jitter_10m_s3", "skate_mean_mm_s", "largest_force_N"):
        assert other[name] == pytest.approx(one[name], rel=1e-5, abs=1e-6), name


def test_mirrored_it_is_the_same_on_the_other_side():
    left, right = analyse(lowering("Left")), analyse(lowering("Right"))
    assert left.report["motor_work_positive_J"] > 1
    for name, value in left.report["joints"].items():
        mirror = name.replace(".L", ".x").replace(".R", ".L").replace(".x", ".R")
        assert right.report["joints"][mirror]["peak_torque_Nm"] == pytest.approx(value["peak_torque_Nm"], rel=1e-4, abs=1e-4), name
    assert right.residual[:, 2] == pytest.approx(left.residual[:, 2], abs=1e-3)
    assert right.zmp_margin == pytest.approx(left.zmp_margin, abs=1e-6)


def test_the_source_stays_as_it_is():
    source = lowering()
    before = source.motion.q.copy()
    found = analyse(source)
    assert (source.motion.q == before).all() and (found.trace.qpos == before).all() and len(found.trace.frame_step) == len(before)


def test_another_engine_finds_the_same_forces(tmp_path):
    """MuJoCo's inverse dynamics less the contacts of the trace: nothing in the joints, the residual at the root"""
    mujoco = pytest.importorskip("mujoco")
    source = lowering()
    found = analyse(source)
    write_mjcf(tmp_path / "a.xml", source.system, contacts=False)
    m = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    d, jp, jr, trace = mujoco.MjData(m), np.zeros((3, m.nv)), np.zeros((3, m.nv)), found.trace
    for s in range(0, len(trace.time), 10):
        d.qpos, d.qvel, d.qacc = trace.qpos[s], trace.qvel[s], trace.qacc[s]
        mujoco.mj_inverse(m, d)
        left = d.qfrc_inverse + d.qfrc_passive + d.qfrc_constraint - trace.tau[s]
        for k in np.flatnonzero(trace.contact_step == s):
            mujoco.mj_jac(m, d, jp, jr, trace.contact_point[k], int(trace.contact_body[k]))
            left -= jp.T @ trace.contact_force[k] + jr.T @ trace.contact_torque[k]
        assert left[6:] == pytest.approx(0, abs=1e-8) and left[:3] == pytest.approx(found.residual[s, :3], abs=1e-8)


def test_energy_and_work_agree():
    """joints work what kinetic and potential energy change by, and the ground works nothing"""
    found = analyse(lowering())
    energy = found.kinetic + found.potential
    half = 120
    work = found.power.sum(axis=1)[:half].sum() / FPS
    assert work == pytest.approx(energy[half] - energy[0], rel=0.01) and abs(work) > 1


def test_bad_friction_is_refused():
    with pytest.raises(HeftError, match="friction is -1, must be positive"):
        analyse(standing(), friction=-1)


def test_a_contact_of_a_part_that_is_not_there_is_refused():
    source = standing()
    with pytest.raises(HeftError, match=r"body 'foot\.L': has no part 'knee'"):
        analyse(source._replace(contacts=(Contact("foot.L", "knee", 0, 0, 5, "sticking"),)))
    with pytest.raises(HeftError, match=r"until frame 80, but the last is 59"):
        analyse(source._replace(contacts=(Contact("foot.L", "heel", 0, 0, 80, "sticking"),)))


def test_standing_on_a_box_the_box_carries():
    """the floor 0.4 m lower, a box between: the same forces, on surface 1"""
    ground = standing()
    top = Shape("box", (0.6, 0.6, 0.2), Frame((0, 0, 0.2)))
    source = make_source(still_clip(skeleton("cmu"), 60), floor_height=float(ground.floor.point[2]) - 0.4, obstacles=(top,))
    found = analyse(source)
    assert set(found.regions.surface) == {1} and found.regions.normal == pytest.approx(np.tile([0, 0, 1.0], (len(found.regions.frame), 1)))
    assert found.regions.pressure[:, 2] == pytest.approx(0.4) and found.zmp[:, 2] == pytest.approx(0.4)
    assert np.bincount(found.regions.frame, found.regions.push) == pytest.approx(np.full(60, weight(source)), rel=1e-5)
    assert found.report["all_laws_hold"], found.report["broken_laws"]


def test_only_the_corners_on_the_box_push():
    """a box as wide as half the feet: no corner beyond its edge"""
    ground = analyse(standing())
    middle = ground.com[0, 1]
    ledge = Shape("box", (1.0, 0.5, 0.2), Frame((0, middle - 0.5 + 0.03, 0.2)))
    source = make_source(still_clip(skeleton("cmu"), 60), floor_height=float(standing().floor.point[2]) - 0.4, obstacles=(ledge,))
    found = analyse(source)
    assert set(found.points.surface) == {1} and found.points.point[:, 1].max() < middle + 0.03 + 0.011


def test_another_size_in_as_much_more_gravity_is_the_same():
    """twice as large in twice the gravity: times and angles stay, forces in weights too"""
    clip = lowering().clip
    small, large = make_source(clip, mass=70.0), make_source(clip.scaled(2.0), mass=70.0)
    heavier = large.system._replace(model=large.system.model._replace(gravity=2.0 * large.system.model.gravity))
    one, other = analyse(small), analyse(large._replace(system=heavier))
    unit = weight(small) * small.humanoid.stature
    assert other.torque / (2.0 ** 2 * unit) == pytest.approx(one.torque / unit, abs=1e-6)
    assert other.report["peak_torque_Nm"] == pytest.approx(2.0 ** 2 * one.report["peak_torque_Nm"], rel=1e-5)
    assert other.zmp_margin == pytest.approx(2.0 * one.zmp_margin, abs=1e-6)


def test_another_frame_rate_is_the_same():
    clip = lowering().clip
    one, other = analyse(make_source(clip)), analyse(make_source(clip, fps=240.0))
    for name in ("peak_torque_Nm", "motor_work_positive_J", "zmp_least_margin_mm", "peak_power_W"):
        assert other.report[name] == pytest.approx(one.report[name], rel=0.02), name
