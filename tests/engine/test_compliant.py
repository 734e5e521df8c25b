"""Compliant contact (003): sinkage and bounce as set, friction that does not creep, energy that never rises, large steps."""

import numpy as np
import pytest
from heft.engine.analysis.balance import balance
from heft.engine.analysis.contact_report import contact_report
from heft.engine.collision.build_shapes import Obstacle
from heft.engine.collision.paths import Path as Way
from heft.engine.errors import HeftError
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.scenes import SCENES
from heft.engine.scenes.mats import falling_on, standing_on, walking_into
from heft.engine.scenes.mechanisms import dropped, on_slope
from heft.engine.scenes.props import ball, box, placed
from heft.engine.simulate import simulate
from heft.engine.soft.materials import MOST_DAMPING, damping, restitution
from heft.tests.engine.contact_runs import VERIFY, compiled, verified, verify
from heft.tests.studies.box_drop import RIGHT, outcome, tilted_box

G, UPRIGHT = 9.81, (1, 0, 0, 0)


def run(scene, seconds=None, step=0.001, contact="compliant", **options):
    return simulate(scene.system, scene.state, seconds or scene.seconds, step, contact=contact, holds=scene.holds, **options)


def energies(scene, trace):
    return balance(scene.system, trace).energy.sum(1) + trace.contact_energy


@pytest.mark.parametrize("zeta", [0.1, 0.5, 0.95, 1.4])
def test_restitution_of_a_spring_and_a_damper(zeta):
    """the formula against the motion"""
    h, x, v = 1e-5, 0.0, 1.0
    while x + 2 * zeta * v > 0:
        v -= h * (x + 2 * zeta * v)
        x += h * v
    assert restitution(zeta) == pytest.approx(-v, abs=1e-3)
    assert damping(restitution(zeta)) == pytest.approx(min(zeta, MOST_DAMPING), abs=1e-6)


@compiled
@pytest.mark.parametrize("contact", ["compliant", "smooth"])
@pytest.mark.parametrize("sinkage", [0.001, 0.003, 0.008])
def test_the_figure_sinks_in_as_set(sinkage, contact, tmp_path):
    scene = standing_on(sinkage)
    trace = run(scene, 2.0, contact=contact)
    last = trace.contact_step == len(trace.time) - 1
    assert trace.contact_depth[last] == pytest.approx([sinkage] * 2, rel=0.05)
    assert trace.contact_force[last].sum(0)[2] == pytest.approx(69 * G, rel=1e-3)
    if VERIFY.exists():
        verify(tmp_path, scene.system, trace, "--limit", f"penetration_max={1.05 * sinkage}", "--allow-pins")


@compiled
@verified
@pytest.mark.parametrize("name, step", [
    ("stand", 0.001), ("stand", 0.005), ("stack", 0.001), ("slope", 0.001), ("hang", 0.001), ("spin", 0.001)])
def test_another_engine_finds_it_lawful(name, step, tmp_path):
    scene = SCENES[name]()
    verify(tmp_path, scene.system, run(scene, step=step), "--limit", "penetration_max=0.001", "--allow-pins")


@compiled
@pytest.mark.parametrize("make, most", [(walking_into, 0.04), (falling_on, 0.15)])
@pytest.mark.parametrize("sinkage", [0.002, 0.01, 0.05])
def test_the_figure_walks_into_and_falls_on_mats(make, most, sinkage):
    scene = make(sinkage)
    trace = run(scene, 2.0)
    report = contact_report(scene.system, trace)
    assert report["pull_share"] == report["outside_friction_share"] == 0
    assert report["energy_rise_share"] < 3e-3
    assert 1000 * sinkage / 4 < report["deepest_mm"] < 1000 * most
    # the softer the mat, the less it hits
    if sinkage > 0.002:
        harder = make(0.0005)
        assert report["largest_force_N"] < np.linalg.norm(run(harder, 2.0).contact_force, axis=1).max()


@compiled
@pytest.mark.parametrize("wished", [0.3, 0.6, 0.9])
def test_a_ball_bounces_as_wished(wished):
    trace = run(dropped(wished), 0.6, 5e-5)
    speed = trace.qvel[:, 2]
    assert speed.max() / -speed.min() == pytest.approx(wished, abs=0.01)
    assert (trace.contact_force[:, 2] >= 0).all()


@compiled
def test_friction_does_not_creep():
    """a minute on a slope just below the angle of friction, steps of 5 ms"""
    trace = run(on_slope(np.radians(20), 0.38, 0.37), 60.0, 0.005)
    settled = trace.time > 1
    assert np.ptp(trace.qpos[settled], axis=0).max() < 1e-9


@compiled
def test_it_slides_as_fast_as_friction_lets_it():
    angle, friction = np.radians(30), 0.3
    trace = run(on_slope(angle, 0.5, friction))
    assert np.linalg.norm(trace.qvel[-1, :3]) == pytest.approx(G * (np.sin(angle) - friction * np.cos(angle)) * trace.time[-1], rel=0.005)


@compiled
@pytest.mark.parametrize("name, step", [("stand", 0.001), ("stand", 0.005), ("stack", 0.002), ("fall", 0.001), ("spin", 0.001)])
def test_energy_never_rises(name, step):
    scene = SCENES[name]()
    trace = run(scene, 4.0, step)
    energy = energies(scene, trace)
    rise = energy - np.minimum.accumulate(energy)
    assert rise.max() < 1e-3 * max(np.ptp(energy), 1e-3)
    rests = trace.time > 3
    assert np.diff(energy[rests]).max() < 1e-8


@compiled
def test_two_balls_in_space_keep_their_momentum():
    system = build(ball("a", mass=1.0, restitution=0.5), ball("b", mass=3.0, restitution=0.5), gravity=(0, 0, 0))
    state = placed(system, ((-0.2, 0.03, 0), UPRIGHT, (1, 0, 0, 0, 0, 0)), ((0.1, 0, 0), UPRIGHT))
    trace = simulate(system, state, 0.5, 1e-4, contact="compliant")
    momentum = trace.qvel[:, :3] + 3 * trace.qvel[:, 6:9]
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    # along the line between them they part with half the speed
    line = trace.contact_normal[0]
    before, after = ((trace.qvel[s, :3] - trace.qvel[s, 6:9]) @ line for s in (0, -1))
    assert -after / before == pytest.approx(0.5, abs=0.02)


@compiled
def test_a_platform_lifts_what_stands_on_it():
    system = build(box("box"), shapes=())
    low, high = (0, 0, -0.05), (0.2, 0, 0.25)
    lift = Obstacle("lift", (Shape("box", (0.5, 0.5, 0.05)),), Way([0, 0.5, 1.5, 2], [low, low, high, high]))
    trace = simulate(system, placed(system, ((0, 0, 0.1), UPRIGHT)), 2.5, contact="compliant", obstacles=[lift])
    np.testing.assert_allclose(trace.qpos[-1, :3], (0.2, 0, 0.4), atol=1e-3)


@compiled
def test_implicit_holds_ten_times_the_steps_of_euler():
    """the experiment of 003; the table is in docs/soft-contact.md"""
    scene = tilted_box()
    assert [outcome(scene, "euler", step)[0] == RIGHT for step in (0.0002, 0.0005)] == [True, False]
    assert [outcome(scene, "implicit", step)[0] for step in (0.0002, 0.0005, 0.001, 0.002, 0.005)] == [RIGHT] * 5


@compiled
def test_it_is_the_same_to_the_bit():
    first, second = (run(SCENES["fall"](), 1.0) for _ in range(2))
    np.testing.assert_array_equal(first.qpos, second.qpos)


def test_what_does_not_fit_is_refused():
    scene = SCENES["hang"]()
    with pytest.raises(HeftError, match="holds go with"):
        simulate(scene.system, scene.state, 0.1, contact="smooth", holds=scene.holds)
    with pytest.raises(HeftError, match="compliant contact steps by implicit or euler or rk4, not by 'adaptive'"):
        simulate(scene.system, scene.state, 0.1, contact="compliant", method="adaptive")
    with pytest.raises(HeftError, match="sinkage is 0 m, must be positive"):
        build(box("box", sinkage=0.0))
