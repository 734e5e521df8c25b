"""Smooth contact (002): no creep, no pull, no jump; restitution by formula; the conveyor against rigid contact."""
import numpy as np
import pytest
from heft.engine.collision.build_shapes import Obstacle
from heft.engine.collision.paths import Path
from heft.engine.errors import HeftError
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.state import State
from heft.engine.scenes.mechanisms import dropped
from heft.engine.simulate import simulate
from heft.engine.soft.laws import smooth_push
from heft.engine.soft.materials import ALPHA, MOST_SMOOTH_DAMPING, smooth_damping, smooth_restitution
from heft.tests.engine.contact_runs import compiled
from heft.tests.studies.smooth_figures import LIMIT, RATIOS, K, bounce_run, friction_run


@compiled
def test_friction_does_not_creep_where_lugre_does():
    """figure 3: after the blow the force swings below the limit for 9 s"""
    times, ours, lugre = friction_run()
    period = (times > 2) & (times < 3), (times > 9) & (times < 10)
    creep, rival = (abs(x[period[1]].mean() - x[period[0]].mean()) for x in (ours, lugre))
    assert ours[times > 1.2].mean() > 10 * LIMIT / K             # the blow did move it
    assert creep < 1e-9 < 1e-3 < rival
    # it swings on its spring
    assert np.ptp(ours[times > 5]) == pytest.approx(2 * 0.09 / K, rel=0.05)


@compiled
def test_restitution_falls_with_alpha_and_force_never_pulls():
    """figure 5"""
    first = []
    for ratio in RATIOS:
        _, states, forces = bounce_run(ratio)
        speed = states[:, 0]
        end = np.argmax(speed > 0) + np.argmax(forces[np.argmax(speed > 0):] == 0)
        first.append(speed[end] / -speed.min())
        assert (forces >= 0).all() and forces.max() > 0
    assert first[0] == pytest.approx(1.0, abs=0.02)              # alpha = beta: a spring alone
    assert (np.diff(first) < 0).all() and first[-1] < 0.5


def test_force_is_continuous():
    """in p and e over all of both branches; v enters by e alone"""
    rng = np.random.default_rng(0)
    for p, e in rng.uniform(-1e-3, 1e-3, (200, 2)):
        for dp, de in ((1e-9, 0), (0, 1e-9)):
            assert abs(smooth_push(p + dp, e + de, 1e5, 1e-3, 1e-2) - smooth_push(p, e, 1e5, 1e-3, 1e-2)) < 1e5 * 1.1e-8


def test_the_guide_is_the_paper_s_equation():
    """beta sqrt(K / m) by formula against eq 16 integrated, without gravity"""
    for wished in (0.3, 0.5, 0.8):
        b = smooth_damping(wished)
        assert smooth_restitution(b) == pytest.approx(wished, abs=1e-6)
        h, p, v, e = 1e-4, 0.0, -1.0, 0.0                        # K = m = 1, beta = b
        while v <= 0 or smooth_push(p, e, 1.0, ALPHA * b, b) > 0:
            rate = max(-e / b, -(p + e) / (ALPHA * b))
            v += h * smooth_push(p, e, 1.0, ALPHA * b, b)
            p, e = p + h * v, e + h * rate
        assert v == pytest.approx(wished, abs=2e-3)
    assert smooth_damping(0.0) == pytest.approx(MOST_SMOOTH_DAMPING)


@compiled
@pytest.mark.parametrize("method", ["rk4", "euler"])
@pytest.mark.parametrize("wished", [0.3, 0.6, 0.9])
def test_a_ball_bounces_as_wished(wished, method):
    scene = dropped(wished)
    speed = simulate(scene.system, scene.state, 0.6, 1e-4, method, contact="smooth").qvel[:, 2]
    assert speed.max() / -speed.min() == pytest.approx(wished, abs=0.015)


def conveyor(spring: float = 400.0):
    """Example 2, eq 23: M1 between wall and M2, held by a spring along y (here z); M2 on a conveyor that presses it against M1.
    Each moves along x and z alone."""
    side, light = 0.05, 1e-4
    def block(name: str, x: float, z: float, mass: float, stiffness: float, friction: float) -> Character:
        rail = Body(f"{name} rail", light, (light,) * 3, joint=Joint("slider", Frame((x, 0, z)), axis=(1, 0, 0)))
        body = Body(name, mass, (0.01,) * 3, f"{name} rail", Joint("slider", axis=(0, 0, 1), stiffness=stiffness),
                    shapes=(Shape("box", (side,) * 3, friction=friction, dynamic_friction=friction, sinkage=2e-5),))
        return Character(name, (rail, body))
    upright = Frame((-2 * side, 0, 0), (np.sqrt(0.5), 0, np.sqrt(0.5), 0))
    wall = Shape("plane", frame=upright, friction=0.2, dynamic_friction=0.2, sinkage=2e-5)
    belt = Shape("plane", friction=0.5, dynamic_friction=0.5, sinkage=2e-5)
    system = build(block("first", -side, 0.07, 1.0, spring, 0.2), block("second", side, 0.05, 2.0, 0.0, 0.2), shapes=(wall,))
    moving = Obstacle("conveyor", (belt,), Path([0.0, 10.0], [(0, 0, 0), (-3.0, 0, 0)]))
    state = State.rest(system)
    return system, state, moving


@compiled
def test_the_conveyor_agrees_with_rigid_contact():
    system, state, belt = conveyor()
    rigid = simulate(system, state, 0.5, 1e-4, contact="rigid", obstacles=[belt])
    smooth = simulate(system, state, 0.5, 1e-4, "rk4", contact="smooth", obstacles=[belt])
    at = np.linspace(0, 0.5, 200)
    for k in range(4):
        ours, theirs = (np.interp(at, trace.time, trace.qpos[:, k]) for trace in (smooth, rigid))
        assert np.abs(ours - theirs).max() < 2e-4, k
    assert np.ptp(rigid.qpos[:, 1]) > 5e-3                       # the first block falls on its spring and is rubbed by the second


@compiled
@pytest.mark.parametrize("wished", [0.8, 0.95])
def test_bouncy_things_stay_stable_at_the_step_it_chooses(wished):
    scene = dropped(wished)
    speed = simulate(scene.system, scene.state, 0.6, 0.001, contact="smooth").qvel[:, 2]
    assert speed.max() / -speed.min() == pytest.approx(wished, abs=0.03)


def test_what_loses_nothing_is_refused():
    scene = dropped(1.0)
    with pytest.raises(HeftError, match=r"restitution is 1, must be at most 0\.99"):
        simulate(scene.system, scene.state, 0.1, contact="smooth")
