"""The accounts of energy: they balance, and each entry is what a closed form says."""
import numpy as np
import pytest
from heft.engine import Actuator, Body, Character, DCMotor, Follow, Frame, Gear, Joint, Range, Shape, State, Torque, Voltage, build
from heft.engine.analysis.effort import effort
from heft.engine.analysis.effort_report import effort_report
from heft.engine.export.trace import read_trace, write_trace
from heft.engine.model.figure import figure
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate
from heft.tests.engine.contact_runs import compiled

MOTOR = DCMotor(resistance=2.0, inductance=2e-4, torque_constant=0.05, gear=20.0, rotor_inertia=1e-4, viscous=1e-4)


@compiled
@pytest.mark.parametrize("name", SCENES)
def test_scenes_balance(name):
    scene = SCENES[name]()
    trace = simulate(scene.system, scene.state, scene.seconds, contact="rigid", holds=scene.holds, commands=scene.commands)
    accounts = effort(scene.system, trace)
    assert accounts.imbalance_share < 0.01, accounts


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_a_lift_costs_its_height(method):
    """2 kg lifted by 0.25 m, from rest to rest"""
    body = Body("rod", 2.0, (0.05, 0.05, 1e-3), joint=Joint("hinge", Frame((0, 0, 1)), axis=(0, -1, 0)), com=(0, 0, -0.25))
    system = build(Character("rod", (body,)))
    trace = simulate(system, State.rest(system), 3.0, method=method, commands=[Follow("rod", [0, 2], [0, np.pi / 2], 6.0)])
    accounts = effort(system, trace)
    height = 0.25 * (1 - np.cos(trace.qpos[-1, 0]))             # all but what it sags
    assert height > 0.24 and abs(accounts.motors - 2 * 9.81 * height) < 0.005 and accounts.imbalance_share < 0.002
    assert abs(accounts.positive.sum() + accounts.negative.sum() - accounts.motors) < 1e-9
    assert abs(accounts.positive.sum() - accounts.negative.sum() - accounts.absolute.sum()) < 1e-9
    # down again: the motor brakes
    down = simulate(system, State([np.pi / 2], [0.0]), 3.0, method=method, commands=[Follow("rod", [0, 2], [np.pi / 2, 0], 6.0)])
    assert effort(system, down).negative.sum() < -4


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_a_stalled_motor_burns_i2R(method):
    """12 V on 2 ohm: 6 A, 72 W, all of it heat"""
    joint = Joint("hinge", actuator=MOTOR, armature=1e9)
    system = build(Character("stalled", (Body("arm", 1.0, (1.0,) * 3, joint=joint),)))
    trace = simulate(system, State.rest(system), 1.0, 0.002, method, commands=[Voltage("arm", [0], [12.0])])
    accounts = effort(system, trace)
    # what is missing is the start: i = 6 (1 - e^(-t / T)), T = 0.1 ms
    assert abs(accounts.heat[0] - (72.0 - 72.0 * 1.5e-4)) < (1e-4 if method == "euler" else 0.1)
    assert abs(accounts.electrical[0] - accounts.heat[0] - accounts.magnetic[0]) < (1e-4 if method == "euler" else 0.1)
    assert abs(accounts.motors) < 1e-6


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_electricity_is_heat_and_work(method):
    wheel = build(Character("wheel", (Body("wheel", 1.0, (0.06,) * 3, joint=Joint("hinge", actuator=MOTOR)),)))
    trace = simulate(wheel, State.rest(wheel), 1.0, 0.001, method, commands=[Voltage("wheel", [0], [12.0])])
    accounts = effort(wheel, trace)
    missing = accounts.electrical.sum() - accounts.heat.sum() - accounts.magnetic.sum() - accounts.motors
    assert abs(missing) < 0.01 * accounts.electrical.sum()
    assert accounts.imbalance_share < 0.01 and accounts.passive < 0            # friction takes


@compiled
def test_everything_at_once_balances():
    """gears, springs, limits, drives, an impact at the start, contact"""
    def rod(name: str, parent: str | None, x: float, **joint) -> Body:
        return Body(name, 1.0, (0.01, 0.01, 0.001), parent, Joint("hinge", Frame((0, 0, x)), axis=(0, 1, 0), **joint), com=(0, 0, -0.15),
                    shapes=(Shape("capsule", (0.03, 0.1), Frame((0, 0, -0.15))),))
    character = Character("arm", (rod("a", None, 0.5, limits=(Range(-0.65, 0.65),), damping=0.05), rod("b", "a", -0.3, stiffness=1.0),
                                  rod("c", "b", -0.3, actuator=Actuator((Range(-2, 2),), top_speed=8.0))), (Gear("a", "b", 0.5),),
                          ignored_pairs=(("a", "c"),))
    system = build(character, shapes=(Shape("plane", frame=Frame((0, 0, -0.25))),))
    trace = simulate(system, State([0.6, 0.3, 0.2], [2.0, 3.0]), 3.0, contact="rigid", commands=[Torque("c", [0, 1, 2], [0, 1.5, -1.5])])
    accounts = effort(system, trace)
    assert accounts.imbalance_share < 0.01, accounts
    assert abs(accounts.couplings) < 0.01 * accounts.gross and accounts.positive.sum() > 0.1
    assert accounts.limits != 0 and accounts.contacts < 0 and accounts.impacts < 0


@compiled
def test_a_false_force_is_seen():
    """the balance can fail: the same motion with a tenth more torque"""
    scene = SCENES["fall"]()
    trace = simulate(scene.system, scene.state, 1.0, contact="rigid")
    trace.contact_force = 1.1 * trace.contact_force
    trace.tau = 1.1 * trace.tau
    trace.tau_passive = 1.1 * trace.tau_passive
    assert effort(scene.system, trace).imbalance_share > 0.01


def test_report_and_file_keep_the_effort(tmp_path):
    wheel = build(Character("wheel", (Body("wheel", 1.0, (0.06,) * 3, joint=Joint("hinge", actuator=MOTOR)),)))
    trace = simulate(wheel, State.rest(wheel), 0.2, method="euler", commands=[Voltage("wheel", [0], [12.0])])
    write_trace(tmp_path / "wheel.npz", trace)
    again = effort_report(wheel, read_trace(tmp_path / "wheel.npz"))
    assert again == effort_report(wheel, trace)
    assert set(again["joints"]["wheel"]) == {"peak_torque_Nm", "positive_J", "negative_J", "absolute_J", "electrical_J", "heat_J",
                                            "peak_current_A"}


def test_a_tumbling_figure_keeps_its_energy():
    system = build(figure())
    state = State.rest(system)
    state.v[:] = np.random.default_rng(0).normal(size=system.model.nv)
    accounts = effort(system, simulate(system, state, 1.0))
    assert accounts.motors == accounts.passive == 0 and abs(accounts.imbalance) < 1e-6
