"""Actuators in soft contact: without anything to touch as without contact; with it, accounts of energy that balance."""
from dataclasses import replace

import numpy as np
import pytest
from heft.engine import Actuator, Body, Character, DCMotor, Follow, Frame, Joint, Range, State, Torque, build
from heft.engine.analysis.contact_report import contact_report
from heft.engine.analysis.effort import effort
from heft.engine.scenes import SCENES
from heft.engine.scenes.mats import falling_on
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import compiled

MOTOR = DCMotor(resistance=2.0, inductance=0.01, torque_constant=0.05, gear=20.0, rotor_inertia=1e-4, viscous=1e-4, supply=6.0)


def arm(last: Actuator | DCMotor):
    """two rods with springs and limits; the first pushes up to 2 N m, less the faster it is"""
    joint = Joint("hinge", Frame((0, 0, 1)), axis=(0, 1, 0), stiffness=3.0, damping=0.2, limits=(Range(-0.3, 0.3),),
                  actuator=Actuator((Range(-2, 2),), top_speed=8.0))
    rod = Body("rod", 2.0, (0.1, 0.1, 0.01), joint=joint, com=(0, 0, -0.25))
    tip = replace(rod, name="tip", parent="rod", joint=replace(joint, socket=Frame((0, 0, -0.5)), actuator=last))
    return build(Character("arm", (rod, tip)))


@compiled
@pytest.mark.parametrize("contact, method, free", [
    ("compliant", "implicit", "euler"), ("compliant", "euler", "euler"), ("compliant", "rk4", "rk4"), ("smooth", "rk4", "rk4")])
@pytest.mark.parametrize("coulomb", [0.0, 0.5])
def test_drives_are_those_without_contact(contact, method, free, coulomb):
    if coulomb and free == "rk4":
        pytest.skip("dry friction needs implicit steps")
    system = arm(replace(MOTOR, coulomb=coulomb))
    commands = [Torque("rod", [0, 0.5, 1], [3.0, -3.0, 3.0]), Follow("tip", [0, 1], [0.2, -0.5], 4.0)]
    state, constant = State([0.2, 0.1], [3.0, -2.0]), np.array([0.5, 0.0])
    soft, without = (simulate(system, state, 1.0, 0.0005, way, contact=kind, commands=commands, motor=constant)
                     for kind, way in ((contact, method), ("none", free)))
    assert np.abs(without.tau_limit).max() > 1 and np.abs(without.voltage).max() == 6.0
    for name in ("time", "qpos", "qvel", "tau_motor", "tau_passive", "tau_limit", "current", "voltage"):
        np.testing.assert_allclose(getattr(soft, name), getattr(without, name), rtol=1e-9, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(soft.tau_motor + soft.tau_passive + soft.tau_limit, soft.tau, atol=1e-9)


@compiled
@pytest.mark.parametrize("contact", ["compliant", "smooth"])
@pytest.mark.parametrize("name", ["stand", "fall", "slope", "stack", "spin", "arm_elbow", "stand_up"])
def test_soft_scenes_balance(name, contact):
    scene = SCENES[name]()
    trace = simulate(scene.system, scene.state, scene.seconds, contact=contact, commands=scene.commands)
    accounts = effort(scene.system, trace)
    assert accounts.imbalance_share < 0.01, accounts
    assert accounts.stored == trace.contact_energy[-1] - trace.contact_energy[0]


@compiled
@pytest.mark.parametrize("contact", ["compliant", "smooth"])
def test_the_harder_a_table_the_nearer_to_rigid(contact):
    """heat in the motors of an arm that rests its elbow: 36 J without the table"""
    scene = SCENES["arm_elbow"]()
    heat = lambda system, kind: effort(system, simulate(system, scene.state, 2.0, contact=kind, commands=scene.commands)).heat.sum()
    more = [heat(with_sinkage(scene.system, sinkage), contact) / heat(scene.system, "rigid") - 1 for sinkage in (0.0005, 0.0001, 0.00002)]
    assert 0.3 > more[0] > 5 * more[1] > 25 * more[2] > 0 and more[2] < 0.003


def with_sinkage(system, sinkage):
    soft = lambda shapes: tuple(replace(shape, sinkage=sinkage) for shape in shapes)
    bodies = tuple(replace(body, shapes=soft(body.shapes)) for body in system.bodies)
    return build(Character("arm", bodies), shapes=soft(system.shapes))


@compiled
@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_runge_kutta_balances_by_the_trapezoidal_rule(method):
    scene = SCENES["stand"]()
    trace = simulate(scene.system, scene.state, 0.5, 1e-4, method, contact="compliant")
    assert effort(scene.system, trace).imbalance_share < 0.01


@compiled
def test_how_deep_a_mat_gives_way_is_no_law():
    scene = falling_on(0.05)
    report = contact_report(scene.system, simulate(scene.system, scene.state, 1.0, contact="compliant"))
    assert report["soft_contact"] and report["deepest_mm"] > 2 and "penetration" not in report["verdict"]
