"""What stands, leans or lies: forces carry the weight, inside the regions, and nothing creeps."""
import numpy as np
import pytest
from heft.engine.analysis.contact_report import region_distances
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.model.state import State
from heft.engine.scenes import SCENES
from heft.engine.scenes.figures import standing_figure, thrown
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import G, compiled, run


@compiled
def test_stack_does_not_creep():
    trace = run(SCENES["stack"](), 60.0)
    assert np.abs(trace.qpos[-1] - trace.qpos[0]).max() < 1e-4
    forces = np.array([np.linalg.norm(f) for f in trace.contact_force[trace.contact_step == len(trace.time) - 1]])
    assert forces.max() == pytest.approx(5 * G, rel=1e-6)


@compiled
def test_figure_on_two_feet_shares_its_weight():
    trace = run(SCENES["stand"]())
    last = trace.contact_step == len(trace.time) - 1
    assert trace.contact_force[last].sum(0) == pytest.approx([0, 0, 69 * G], abs=1e-3)
    assert trace.contact_force[last][:, 2] == pytest.approx([69 * G / 2] * 2, rel=1e-4)
    # ZMP is the mean of the p_v, weighted by their forces, and lies under the centre of mass
    f, torque, point = trace.contact_force[last], trace.contact_torque[last], trace.contact_point[last]
    p_v = point[:, :2] + np.c_[-torque[:, 1], torque[:, 0]] / f[:, 2:]
    corners = trace.polygon_points[trace.polygon_start[np.flatnonzero(last)[0]]:]
    assert (corners[:, 0].min() <= p_v[:, 0]).all() and (p_v[:, 0] <= corners[:, 0].max()).all()


@compiled
@pytest.mark.parametrize("name, contacts", [("stand", 2), ("one_foot", 1), ("tiptoe", 2), ("heels", 2), ("four_limbs", 4)])
def test_figure_stands_on_whatever_it_stands_on(name, contacts):
    """forces carry the weight, and every p_v lies in its region"""
    trace = run(SCENES[name](), 0.5)
    last = trace.contact_step == trace.contact_step[-1]
    assert last.sum() == contacts
    assert trace.contact_force[last].sum(0) == pytest.approx([0, 0, 69 * G], abs=0.02 * 69 * G)
    assert region_distances(trace).max() < 1e-6
    corners = {int(n) for n in np.diff(trace.polygon_start)[last]}
    assert corners == {"tiptoe": {2}, "heels": {2}, "four_limbs": {1, 4}}.get(name, {4})
    assert np.abs(trace.qpos[-1, :3] - trace.qpos[0, :3]).max() < 0.01


@compiled
def test_sitting_figure_leans_on_its_elbows():
    trace = run(SCENES["elbow"](), 3.0)
    last = trace.contact_step == trace.contact_step[-1]
    assert trace.contact_force[last].sum(0) == pytest.approx([0, 0, 69 * G], rel=1e-3, abs=1.0)
    names = SCENES["elbow"]().system.names
    touching = {names[i - 1] for i in trace.contact_body[last]}
    assert {"thigh.L", "thigh.R", "foot.L", "foot.R"} < touching and touching & {"upper_arm.L", "forearm.L"}
    assert region_distances(trace).max() < 1e-6


@compiled
def test_standing_drifts_less_than_a_tenth_of_a_millimetre_in_a_minute():
    trace = run(SCENES["stand"](), 60.0)
    settled = trace.time > 1.0
    assert np.ptp(trace.qpos[settled], axis=0).max() < 1e-4


@compiled
def test_least_norm_forces_where_rows_depend_on_each_other():
    """a stiff figure with straight legs: both feet flat is one row too many; forces stay finite and even"""
    system = build(standing_figure(1e5, 1e3), shapes=(Shape("plane"),))
    state = State.rest(system)
    state.q[2] = 0.93
    trace = simulate(system, state, 0.5, 0.001, "euler", contact="rigid")
    last = trace.contact_step == len(trace.time) - 1
    assert trace.contact_force[last][:, 2] == pytest.approx([69 * G / 2] * 2, rel=1e-3)
    assert np.abs(trace.contact_force[last][:, :2]).max() < 1.0


@compiled
@pytest.mark.parametrize("seed", range(4))
def test_thrown_figure_comes_to_rest(seed):
    scene = thrown(seed)
    trace = run(scene)
    assert np.abs(trace.qvel[-1]).max() < 0.2
    assert trace.contact_depth.max() < 2e-3
