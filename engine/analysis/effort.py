"""Effort and the accounts of energy: who did what work in a trace, and whether it adds up.

Work is force times the mean velocity of the step. A trace of semi-implicit steps holds its forces through each step, so the mean is
between the velocities at its start and its end; any other is taken by the trapezoidal rule.
"""
from typing import NamedTuple

import numpy as np

from ..export.trace import Trace
from ..model.actuators import DCMotor
from ..model.model import System
from .balance import balance
from .work import works


class Effort(NamedTuple):
    """Sizes: S steps, nb joints (one a body), na axes, A motors. J unless told. Work is what a force did on the bodies."""
    # joints
    power: np.ndarray               # (S, nb) W of the motors
    peak: np.ndarray                # (na,) largest torque of the motors, N m or N
    positive: np.ndarray            # (nb,) work of the motors while they push
    negative: np.ndarray            # (nb,) while they brake, below 0
    absolute: np.ndarray            # (nb,) both without sign

    # electricity
    electrical: np.ndarray          # (A,) taken from the supply, less what came back
    drawn: np.ndarray               # (A,) without what came back
    heat: np.ndarray                # (A,) i^2 R
    magnetic: np.ndarray            # (A,) gained by L i^2 / 2

    # all forces, summed over the system
    motors: float
    passive: float                  # springs, dampers, friction of motors
    limits: float
    couplings: float                # gears and couplings
    contacts: float                 # what the springs of soft contact took and gave, too
    holds: float
    impacts: float
    kinetic: float                  # gained
    potential: float                # gained
    elastic: float                  # gained; part of what springs and limits took
    stored: float                   # gained in the springs of soft contact; part of what contacts took
    gross: float                    # work of all forces, gravity's too, without sign

    @property
    def imbalance(self) -> float:
        """J: work of all forces less the change of kinetic and potential energy."""
        work = self.motors + self.passive + self.limits + self.couplings + self.contacts + self.holds + self.impacts
        return work - self.kinetic - self.potential

    @property
    def imbalance_share(self) -> float:
        """of the work without sign, or of 1 J"""
        return abs(self.imbalance) / max(self.gross, 1.0)


def effort(system: System, trace: Trace) -> Effort:
    """The accounts of a trace from `simulate`."""
    m = system.model
    h = np.diff(trace.time)
    v, a = trace.qvel, trace.qacc
    held = holds_forces(trace)
    mean = v[:-1] + 0.5 * h[:, None] * a[:-1]
    work = lambda tau: (tau[:-1] * mean if held else 0.5 * (tau[:-1] * v[:-1] + tau[1:] * v[1:])) * h[:, None]
    zero = np.zeros_like(trace.tau)
    motor, passive, limit = (zero if part is None else part for part in (trace.tau_motor, trace.tau_passive, trace.tau_limit))
    by_joint = lambda axes: np.stack([axes[:, m.axis_start[i]:m.axis_start[i + 1]].sum(1) for i in range(m.nb)], axis=1)
    own = by_joint(work(motor))
    contact = _contact_work(system, trace, h, mean) if held else _contact_work_at_rows(system, trace, h)
    impacts = _impact_work(system, trace)
    touching = trace.contact_kind == 0
    values = balance(system, trace)
    start = balance(system, _start(trace))
    gained = lambda name: float((getattr(values, name)[-1] - getattr(start, name)[0]).sum())
    parts = [work(part) for part in (motor, passive, limit)]
    coupling = work(trace.tau) - sum(parts)
    unsigned = [*(by_joint(part) for part in (*parts, coupling)), contact, impacts, np.diff(values.potential, axis=0)]
    return Effort(
        power=by_joint(motor * v), peak=np.abs(motor).max(0, initial=0.0), positive=np.maximum(own, 0).sum(0),
        negative=np.minimum(own, 0).sum(0), absolute=np.abs(own).sum(0), **_electricity(system, trace, h, held),
        motors=float(parts[0].sum()), passive=float(parts[1].sum()), limits=float(parts[2].sum()), couplings=float(coupling.sum()),
        contacts=float(contact[touching].sum()), holds=float(contact[~touching].sum()), impacts=float(impacts.sum()),
        kinetic=gained("kinetic"), potential=gained("potential"), elastic=gained("elastic"),
        stored=0.0 if trace.contact_energy is None else float(trace.contact_energy[-1] - trace.contact_energy[0]),
        gross=sum(float(np.abs(part).sum()) for part in unsigned))


def _start(trace: Trace) -> Trace:
    """the first row, before an impact that happens there"""
    v = trace.qvel[:1]
    if trace.impact_step is not None and trace.impact_qvel_before is not None and (trace.impact_step[:1] == 0).any():
        v = trace.impact_qvel_before[:1]
    return Trace(trace.time[:1], trace.qpos[:1], v, trace.qacc[:1], trace.tau[:1])


def holds_forces(trace: Trace) -> bool:
    """True where velocities step by the accelerations in the trace: semi-implicit steps."""
    if len(trace.time) < 2 or (trace.impact_step is not None and len(trace.impact_step)):
        return True
    ends = trace.qvel[:-1] + np.diff(trace.time)[:, None] * trace.qacc[:-1]
    return bool(np.allclose(ends, trace.qvel[1:], rtol=1e-9, atol=1e-9 * max(1.0, np.abs(trace.qvel).max(initial=0.0))))


def _contact_work(system: System, trace: Trace, h: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """(K,) J; 0 in the last row, whose step is not in the trace"""
    inside = trace.contact_step < len(h)
    row, out = trace.contact_step[inside], np.zeros(len(inside))
    parts = (part[inside] for part in (trace.contact_body, trace.contact_point, trace.contact_force, trace.contact_torque))
    out[inside] = h[row] * works(system, trace.qpos[:-1], mean, row, *parts)
    return out


def _contact_work_at_rows(system: System, trace: Trace, h: np.ndarray) -> np.ndarray:
    """(K,) J by the trapezoidal rule: power at each row, for half of the steps next to it"""
    row, lasts = trace.contact_step, 0.5 * (np.append(h, 0.0) + np.append(0.0, h))
    return lasts[row] * works(system, trace.qpos, trace.qvel, row, trace.contact_body, trace.contact_point, trace.contact_force,
                              trace.contact_torque)


def _impact_work(system: System, trace: Trace) -> np.ndarray:
    """(L,) J: impulses times the mean of the velocities before and after"""
    if trace.impact_step is None or not len(trace.impact_step):
        return np.zeros(0)
    at, body, point, linear, angular, before = (np.asarray(part) for part in (
        trace.impulse_impact, trace.impulse_body, trace.impulse_point, trace.impulse_linear, trace.impulse_angular,
        trace.impact_qvel_before))
    after = trace.qvel[trace.impact_step].copy()
    again = np.flatnonzero(np.diff(trace.impact_step) == 0)
    after[again] = before[again + 1]               # of two impacts at one moment the first ends where the second begins
    return works(system, trace.impact_qpos, 0.5 * (before + after), at, body, point, linear, angular)


def motors_of(system: System, trace: Trace) -> list[DCMotor]:
    """The motor of each column of the trace's currents."""
    if trace.motor_dof is None:
        return []
    return [system.bodies[system.model.axis_body[k]].joint.actuator for k in trace.motor_dof]


def _electricity(system: System, trace: Trace, h: np.ndarray, held: bool) -> dict[str, np.ndarray]:
    """a motor's voltage is constant through a semi-implicit step, and its current exponential between the two it has at the ends"""
    motors = motors_of(system, trace)
    taken, heat, magnetic, drawn = np.zeros((4, len(motors)))
    for k, motor in enumerate(motors):
        i, u = np.asarray(trace.current)[:, k], np.asarray(trace.voltage)[:, k]
        R, T = motor.resistance, motor.inductance / motor.resistance
        if held:
            e = np.exp(-h / T)
            tends = (i[1:] - e * i[:-1]) / (1 - e)
            rest = i[:-1] - tends
            energy = u[:-1] * (tends * h + rest * T * (1 - e))
            burnt = R * (tends ** 2 * h + 2 * tends * rest * T * (1 - e) + rest ** 2 * T / 2 * (1 - e ** 2))
        else:
            energy = 0.5 * h * (u[:-1] * i[:-1] + u[1:] * i[1:])
            burnt = 0.5 * h * R * (i[:-1] ** 2 + i[1:] ** 2)
        taken[k], heat[k], drawn[k] = energy.sum(), burnt.sum(), np.maximum(energy, 0).sum()
        magnetic[k] = motor.inductance / 2 * (i[-1] ** 2 - i[0] ** 2)
    return {"electrical": taken, "heat": heat, "magnetic": magnetic, "drawn": drawn}
