"""Effort in numbers: for the screen, for a file, for a pipeline."""
from typing import Any

import numpy as np

from ..export.trace import Trace
from ..model.actuators import Actuator
from ..model.model import System
from .effort import Effort, effort


def effort_report(system: System, trace: Trace, accounts: Effort | None = None) -> dict[str, Any]:
    """Figures by name; units in the names. `joints` has those of every joint that a motor moves."""
    e = accounts or effort(system, trace)
    report: dict[str, Any] = {"motor_work_positive_J": float(e.positive.sum()), "motor_work_negative_J": float(e.negative.sum()),
              "motor_work_absolute_J": float(e.absolute.sum())}
    if trace.motor_dof is not None:
        report |= {"electrical_J": float(e.electrical.sum()), "heat_J": float(e.heat.sum())}
    return report | {
        "passive_work_J": e.passive, "limit_work_J": e.limits, "coupling_work_J": e.couplings, "contact_work_J": e.contacts,
        "contact_stored_J": e.stored, "hold_work_J": e.holds, "impact_work_J": e.impacts,
        "kinetic_gained_J": e.kinetic, "potential_gained_J": e.potential,
        "energy_imbalance_J": e.imbalance, "energy_balance_share": e.imbalance_share, "joints": _joints(system, trace, e)}


def _joints(system: System, trace: Trace, e: Effort) -> dict[str, dict[str, float]]:
    m = system.model
    out: dict[str, dict[str, float]] = {}
    for i, name in enumerate(system.names):
        axes = slice(m.axis_start[i], m.axis_start[i + 1])
        if not e.peak[axes].any():
            continue
        out[name] = {"peak_torque_Nm": float(e.peak[axes].max()), "positive_J": float(e.positive[i]), "negative_J": float(e.negative[i]),
                     "absolute_J": float(e.absolute[i])}
        share = limit_share(system, trace, i)
        if np.isfinite(share):
            out[name]["peak_share_of_limit"] = share
        if trace.motor_dof is not None:
            own = (trace.motor_dof >= axes.start) & (trace.motor_dof < axes.stop)
            if own.any():
                out[name] |= {"electrical_J": float(e.electrical[own].sum()), "heat_J": float(e.heat[own].sum()),
                              "peak_current_A": float(np.abs(np.asarray(trace.current)[:, own]).max())}
    return out


def limit_share(system: System, trace: Trace, i: int) -> float:
    """the largest torque of body i's joint over its limit at rest in that direction; NaN without limits"""
    actuator = system.bodies[i].joint.actuator
    if not isinstance(actuator, Actuator) or not actuator.limits or trace.tau_motor is None:
        return np.nan
    worst = 0.0
    for number, k in enumerate(range(system.model.axis_start[i], system.model.axis_start[i + 1])):
        limit = actuator.limits[number if len(actuator.limits) > 1 else 0]
        for most, reached in ((limit.high, trace.tau_motor[:, k].max()), (-limit.low, -trace.tau_motor[:, k].min())):
            if reached > 0:
                worst = max(worst, float(reached / most) if most > 0 else np.inf)
    return worst
