"""No impact makes energy, with any friction and restitution: of free boxes, of articulated bodies, held and coupled ones."""
import numpy as np
import pytest
from heft.engine import Body, Character, Coupling, Frame, Hold, Joint, Shape, State, Trace, build
from heft.engine.analysis.balance import balance
from heft.engine.scenes.props import box, placed, turn
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import compiled


@compiled
@pytest.mark.parametrize("seed", range(6))
def test_no_impact_makes_energy(seed):
    """boxes with friction and restitution, thrown on each other"""
    rng = np.random.default_rng(seed)
    e, mu = rng.uniform(0, 1), rng.uniform(0, 1.5)
    system = build(*(box(f"b{i}", rng.uniform(0.05, 0.2, 3), rng.uniform(0.5, 3), friction=mu, restitution=e) for i in range(3)),
                   shapes=(Shape("plane"),))
    poses = [((rng.normal(0, 0.1), rng.normal(0, 0.1), 0.3 + 0.4 * i), turn(rng.normal(size=3), 2), rng.normal(0, 2, 6)) for i in range(3)]
    trace = simulate(system, placed(system, *poses), 2.0, 0.001, "euler", contact="rigid")
    m = system.model
    weights = np.concatenate([[*([m.mass[i]] * 3), *m.inertia[i, :3]] for i in range(3)])
    before = (weights * trace.impact_qvel_before ** 2).sum(1)
    after = (weights * trace.qvel[trace.impact_step] ** 2).sum(1)
    assert len(before) > 3 and (after <= before * (1 + 1e-9)).all()
    assert trace.contact_depth.max(initial=0.0) < 2e-3


def flail(rng, name, material):
    """a free root with two arms of two hinged rods each"""
    def rod(own, parent, place):
        inertia = 0.01 * rng.uniform(0.5, 2.0) * np.array([1.0, 1.0, 0.2])
        joint = Joint("hinge", Frame(place), axis=rng.normal(size=3), damping=rng.uniform(0, 0.1))
        return Body(own, rng.uniform(0.3, 2.0), inertia, parent, joint, com=(0, 0, -0.12),
                    shapes=(Shape("capsule", (0.04, 0.08), Frame((0, 0, -0.14)), **material),))
    root = Body("root", 2.0, (0.02, 0.02, 0.03), joint=Joint("free"), shapes=(Shape("box", (0.1, 0.15, 0.1), **material),))
    arms = (rod(f"{side}{n}", "root" if n == 0 else f"{side}0", ((0, y, 0) if n == 0 else (0, 0, -0.26)))
            for side, y in (("l", 0.25), ("r", -0.25)) for n in range(2))
    return Character(name, (root, *arms))


def kinetic(system, q, v):
    """of all together, at rows of coordinates and velocities"""
    return balance(system, Trace(np.zeros(len(q)), q, v, 0 * v, 0 * v)).kinetic.sum(1)


@compiled
@pytest.mark.parametrize("chunk", range(4))
def test_no_impact_of_articulated_bodies_makes_energy(chunk):
    """thrown on the floor and on each other, in every third run free, in the others hand in hand, pinned to the world, and coupled"""
    impacts = 0
    for seed in range(10 * chunk, 10 * chunk + 10):
        rng = np.random.default_rng(seed)
        material = {"friction": rng.uniform(0, 1.5), "restitution": rng.uniform(0, 1)}
        system = build(flail(rng, "a", material), flail(rng, "b", material), shapes=(Shape("plane", **material),))
        state = State.rest(system)
        for n, height in enumerate((0.8, 1.6)):
            k = system.model.q_start[system.model.tree_start[n]]
            state.q[k:k + 7] = *rng.normal(0, 0.05, 2), height, *turn(rng.normal(size=3), rng.uniform(0, 3))
        state.v[:] = rng.normal(0, 2, len(state.v))
        holds = [Coupling("a/l0", "a/r1", rng.uniform(-2, 2), begin=rng.uniform(0, 0.5)),
                 Hold("b/l1", Frame((0, 0, -0.26)), "a/r1", Frame((0, 0, -0.26)), begin=rng.uniform(0, 0.5)),
                 Hold("b/r1", Frame((0, 0, -0.26)), to=Frame((0.3, 0, 0.5)), begin=rng.uniform(0, 0.5))]
        trace = simulate(system, state, 1.5, contact="rigid", holds=holds if seed % 3 else [])
        before = kinetic(system, trace.impact_qpos, trace.impact_qvel_before)
        # of impacts at one moment each ends where the next begins
        last = np.append(np.diff(trace.impact_step) > 0, True)
        after = np.where(last, kinetic(system, trace.impact_qpos, trace.qvel[trace.impact_step]), np.append(before[1:], 0.0))
        # corners and holds are solved to 1e-6 m/s and 1e-5 rad/s: impulses times that is what they may be off by
        off = 1e-6 * np.linalg.norm(trace.impulse_linear, axis=1) + 1e-5 * np.linalg.norm(trace.impulse_angular, axis=1)
        off = np.bincount(trace.impulse_impact, off, len(before))
        assert (after <= before + off).all(), f"seed {seed}: {(after / before).max()}"
        impacts += len(before)
    assert impacts > 200


@compiled
def test_what_lands_far_away_lends_a_rod_no_energy():
    """restitution with friction is cut back island by island: a heavy box that loses much at the same moment is no excuse"""
    gains = []
    for angle in np.linspace(0.2, 1.2, 11):
        bar = Body("rod", 1.0, (0.083, 0.083, 1e-3), joint=Joint("free"),
                   shapes=(Shape("capsule", (0.01, 0.49), friction=0.9, restitution=1.0),))
        height = 0.01 + 0.49 * np.cos(angle)
        system = build(Character("rod", (bar,)), box("box", (0.2, 0.2, 0.2), 100.0, restitution=0.0),
                       shapes=(Shape("plane", restitution=1.0),))
        state = placed(system, ((0, 0, height), turn((0, 1, 0), angle), (3.0, 0, -3.0, 0, 0, 0)),
                       ((5, 0, 0.2), (1, 0, 0, 0), (0, 0, -3.0, 0, 0, 0)))
        trace = simulate(system, state, 0.1, 0.001, "euler", contact="rigid")
        weights = np.array([1.0, 1.0, 1.0, 0.083, 0.083, 1e-3])
        before, after = ((weights * v[:6] ** 2).sum() for v in (trace.impact_qvel_before[0], trace.qvel[trace.impact_step[0]]))
        gains.append(after / before - 1)
    assert max(gains) < 1e-9 and min(gains) < -1e-3
