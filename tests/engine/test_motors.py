"""DC motors (source 004, 2.3) against closed forms, and in one system with constraints (eqs 33-48)."""
from dataclasses import replace

import numpy as np
import pytest
from heft.engine import Body, Character, DCMotor, Frame, Hold, Joint, Shape, State, Torque, Voltage, build
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.inverse_dynamics import rnea, update_bias
from heft.engine.dynamics.jacobian import body_jacobian
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.dynamics.mass_matrix import update_mass_matrix, write_dense
from heft.engine.errors import HeftError
from heft.engine.model.figure import figure
from heft.engine.simulate import simulate

MOTOR = DCMotor(resistance=2.0, inductance=0.1, torque_constant=0.05, gear=20.0, rotor_inertia=1e-4, viscous=1e-4)
FAST = DCMotor(resistance=2.0, inductance=2e-4, torque_constant=0.05, gear=20.0, rotor_inertia=1e-4, viscous=1e-4)     # L / R = 0.1 ms


def wheel(motor: DCMotor, inertia: float = 0.06):
    """a wheel about a vertical axis: gravity does nothing"""
    return build(Character("wheel", (Body("wheel", 1.0, (inertia,) * 3, joint=Joint("hinge", actuator=motor)),)))


def closed_form(motor: DCMotor, inertia: float, volts: float, times: np.ndarray):
    """speed and current after the voltage is switched on: eqs 24, 25 for one joint, as a matrix exponential"""
    K, J, D = motor.torque_constant * motor.gear, inertia + motor.rotor_inertia * motor.gear ** 2, motor.viscous * motor.gear ** 2
    A = np.array([[-D / J, K / J], [-K / motor.inductance, -motor.resistance / motor.inductance]])
    steady = -np.linalg.solve(A, [0.0, volts / motor.inductance])
    rates, modes = np.linalg.eig(A)
    return (steady[:, None] - ((modes * np.linalg.solve(modes, steady)) @ np.exp(np.outer(rates, times))).real)


@pytest.mark.parametrize("method, motor, step, error", [
    ("rk4", MOTOR, 0.001, 1e-9), ("adaptive", MOTOR, 0.002, 1e-9), ("adaptive", FAST, 0.002, 1e-6), ("rk4", FAST, 0.002, 2e-3),
    ("euler", MOTOR, 0.001, 0.02), ("euler", FAST, 0.002, 0.02)])
def test_step_response_is_the_closed_form(method, motor, step, error):
    trace = simulate(wheel(motor), State.rest(wheel(motor)), 0.5, step, method, 100.0, commands=[Voltage("wheel", [0], [12.0])])
    speed, current = closed_form(motor, 0.06, 12.0, trace.time)
    assert np.abs(trace.qvel[:, 0] - speed).max() < error * speed.max()
    late = trace.time > 0.005
    assert np.abs(trace.current[:, 0] - current)[late].max() < error * current.max()


def test_euler_with_a_motor_is_of_first_order():
    errors = []
    for step in (0.002, 0.001, 0.0005):
        trace = simulate(wheel(MOTOR), State.rest(wheel(MOTOR)), 0.3, step, "euler", 500.0, commands=[Voltage("wheel", [0], [12.0])])
        errors.append(np.abs(trace.qvel[:, 0] - closed_form(MOTOR, 0.06, 12.0, trace.time)[0]).max())
    assert 1.7 < errors[0] / errors[1] < 2.3 and 1.7 < errors[1] / errors[2] < 2.3


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_stalled_motor_tends_to_the_ohmic_current(method):
    """against a spring of great strength; the current is exact at any step"""
    joint = Joint("hinge", actuator=FAST, stiffness=1e9 if method == "euler" else 0.0)
    system = build(Character("stalled", (Body("arm", 1.0 if method == "euler" else 1e12, (1.0 if method == "euler" else 1e12,) * 3,
                                              joint=joint),)))
    trace = simulate(system, State.rest(system), 0.1, 0.002, method, 500.0, commands=[Voltage("arm", [0], [12.0])])
    assert np.allclose(trace.current[:, 0], 6.0 * -np.expm1(-trace.time / 1e-4), atol=1e-4)
    assert np.allclose(trace.tau_motor[5:, 0], 6.0, atol=1e-4)


def arm(motor: DCMotor, links: int = 4):
    """a chain of rods in the plane x, z, each with the motor"""
    bodies = []
    for n in range(links):
        joint = Joint("hinge", socket=Frame((0.3 if n else 0, 0, 0 if n else 1.0)), axis=(0, -1, 0), actuator=motor)
        bodies.append(Body(f"link{n}", 1.0, (1e-3, 7.5e-3, 7.5e-3), f"link{n - 1}" if n else None, joint, com=(0.15, 0, 0)))
    return build(Character("arm", tuple(bodies)))


def matrices(system, q, v, held):
    """M + J_m, bias, and the rows of the points held in z: C_q = J_c, each (link, distance along it)"""
    m = system.model
    d = allocate(m)
    update_kinematics(d, m, q, v)
    update_mass_matrix(d, m)
    M, bias = np.zeros((m.nv, m.nv)), np.zeros(m.nv)
    write_dense(M, m, d.M)
    update_bias(bias, d, m)
    rows = []
    for i, along in held:
        J = np.zeros((6, m.nv))
        body_jacobian(J, d, m, i, d.origin[0] + d.x[i] + d.R[i] @ [along, 0, 0])
        rows.append(J[2])
    return M, bias, np.array(rows)


def block_inverse(M, J, L):
    """(46)-(48) with the signs mended"""
    inverse, S = np.linalg.inv(M), np.linalg.inv(J @ np.linalg.inv(M) @ J.T)
    top = np.hstack([inverse - inverse @ J.T @ S @ J @ inverse, inverse @ J.T @ S])
    bottom = np.hstack([-S @ J @ inverse, S])
    n, s = len(M) + len(J), len(L)
    return np.block([[np.vstack([top, bottom]), np.zeros((n, s))], [np.zeros((s, n)), np.linalg.inv(L)]])


@pytest.mark.parametrize("seed", range(5))
def test_block_inverse_is_the_dense_one_and_regular(seed):
    """(35) is regular with independent constraints (45); (46)-(48) are its inverse"""
    rng = np.random.default_rng(seed)
    system = arm(MOTOR)
    M, _, J = matrices(system, rng.uniform(-2, 2, 4), rng.normal(size=4), [(1, 0.3), (3, 0.1)])
    L = np.diag(np.full(4, MOTOR.inductance))
    star = np.block([[M, -J.T, np.zeros((4, 4))], [J, np.zeros((2, 6))], [np.zeros((4, 6)), L]])
    determinant = np.linalg.det(M) * np.linalg.det(J @ np.linalg.inv(M) @ J.T) * np.linalg.det(L)      # (39), (41), (43)
    assert abs(np.linalg.det(star) - determinant) < 1e-9 * abs(determinant) and determinant != 0
    assert np.allclose(block_inverse(M, J, L) @ star, np.eye(10), atol=1e-9)
    # the same constraint twice: (43) needs them independent
    J = J[[0, 0]]
    assert np.linalg.matrix_rank(np.block([[M, -J.T], [J, np.zeros((2, 2))]])) < 6


@pytest.mark.parametrize("seed", range(3))
def test_one_step_solves_eq_33_with_its_current(seed):
    """motion, constraint force and current of one implicit step are those of the dense system (33), its electrical rows
    integrated over the step: L (i' - i) / h = v - R i_mean - K_m q', and i_mean that of the exponential"""
    rng = np.random.default_rng(seed)
    system, h = arm(MOTOR), 1e-3
    q, v, volts = rng.uniform(-1, 1, 4), np.zeros(4), rng.uniform(-24, 24, 4)
    M, bias, J = matrices(system, q, v, [(1, 0.3)])
    d = allocate(system.model)
    update_kinematics(d, system.model, q, v)
    tip = d.origin[0] + d.x[1] + d.R[1] @ [0.3, 0, 0]
    hold = Hold("link1", Frame((0.3, 0, 0)), to=Frame(tip), rows=(False, False, True, False, False, False))
    commands = [Voltage(f"link{n}", [0], [volts[n]]) for n in range(4)]
    trace = simulate(system, State(q, v), 0.002, h, fps=1000.0, contact="rigid", holds=[hold], commands=commands)
    K, D, R, L = (x * np.eye(4) for x in (1.0, 0.04, MOTOR.resistance, MOTOR.inductance))
    e = np.exp(-h * MOTOR.resistance / MOTOR.inductance)
    f = (1 - e) * MOTOR.inductance / MOTOR.resistance / h
    # unknowns: q'', f_n, i'. The current at the start is 0
    A = np.block([[M + h * D + h * (1 - f) * K @ K / MOTOR.resistance, -J.T, np.zeros((4, 4))],
                  [J, np.zeros((1, 5))],
                  [h * (1 - e) * K / MOTOR.resistance, np.zeros((4, 1)), np.eye(4)]])
    b = np.concatenate([(1 - f) * volts / MOTOR.resistance - bias, [0.0], (1 - e) * volts / MOTOR.resistance])
    solution = np.linalg.solve(A, b)
    assert np.allclose(trace.qacc[0], solution[:4], rtol=1e-6, atol=1e-6)
    assert np.allclose(trace.contact_force[trace.contact_step == 0][0, 2], solution[4], rtol=1e-6, atol=1e-6)
    assert np.allclose(trace.current[1], solution[5:], rtol=1e-6, atol=1e-9)
    # its row of L is eq 33's for small steps: L di/dt = v - R i - K_m q' at i = 0, q' = 0
    assert np.allclose(L @ trace.current[1] / h, volts, rtol=0.03, atol=0.2) and R.any()


def test_mass_matrix_by_unit_accelerations():
    """(53)-(54): column i is what inverse dynamics gives for a unit acceleration, no gravity and no velocity; (53) is the bias"""
    system = build(figure(), gravity=(0, 0, 0))
    m, rng = system.model, np.random.default_rng(0)
    q, d = rng.normal(size=m.nq), allocate(m)
    for i in range(m.nb):
        if m.q_start[i + 1] - m.q_start[i] >= 4:
            turn = q[m.q_start[i + 1] - 4:m.q_start[i + 1]]
            turn /= np.linalg.norm(turn)
    update_kinematics(d, m, q, np.zeros(m.nv))
    columns, M = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    for k in range(m.nv):
        rnea(columns[k], d, m, np.eye(m.nv)[k])
    update_mass_matrix(d, m)
    write_dense(M, m, d.M)
    assert np.allclose(columns.T, M, atol=1e-12)


def test_supply_limits_the_voltage():
    motor = DCMotor(2.0, 1e-3, 0.05, 20.0, 1e-4, supply=12.0)
    for method in ("euler", "rk4"):
        trace = simulate(wheel(motor), State.rest(wheel(motor)), 3.0, method=method, commands=[Voltage("wheel", [0], [100.0])])
        assert trace.voltage.max() == 12.0
        assert abs(trace.qvel[-1, 0] - 12.0) < 0.01                # no load: back-EMF is the supply, K = 1


def test_a_torque_through_a_motor():
    """the voltage makes up for back-EMF, so that the torque comes after L / R and stays"""
    trace = simulate(wheel(FAST), State.rest(wheel(FAST)), 0.2, 0.001, "euler", commands=[Torque("wheel", [0], [0.5])])
    assert np.allclose(trace.tau_motor[5:, 0], 0.5, atol=1e-6)


def test_dry_friction_holds_and_slips():
    motor = DCMotor(2.0, 1e-3, 0.05, 20.0, 1e-4, coulomb=0.3)
    held = simulate(wheel(motor), State.rest(wheel(motor)), 0.5, method="euler", commands=[Torque("wheel", [0], [0.29])])
    assert abs(held.qpos[-1, 0]) < 1e-4
    moved = simulate(wheel(motor), State.rest(wheel(motor)), 0.5, method="euler", commands=[Torque("wheel", [0], [0.4])])
    assert abs(moved.qvel[-1, 0] - 0.1 / 0.1 * 0.5) < 0.01       # 0.1 N m over 0.1 kg m^2
    with pytest.raises(HeftError, match=r"wheel.*dry friction"):
        simulate(wheel(motor), State.rest(wheel(motor)), 0.1, method="rk4")


def test_stiff_motor_with_contact_stays_calm():
    """an arm whose motors have L / R = 0.1 ms lies on a table at steps of 2 ms"""
    chain = arm(FAST, 2)
    link = chain.bodies[1]
    system = build(Character("arm", (chain.bodies[0], replace(link, shapes=(Shape("sphere", (0.02,), Frame((0.3, 0, 0))),)))),
                   shapes=(Shape("plane", frame=Frame((0, 0, 0.9))),))
    trace = simulate(system, State.rest(system), 8.0, 0.002, contact="rigid")
    assert np.abs(trace.qvel[-1]).max() < 0.01 and np.isfinite(trace.current).all()
