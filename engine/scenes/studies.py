"""Comparisons of effort: the arm of source 004 with and without its elbow on the table, and the figure that stands up from a chair."""
from collections.abc import Callable
from typing import Any

import numpy as np

from ..analysis.effort import effort, motors_of
from ..dynamics.poses import body_poses
from ..export.trace import Trace
from ..model.model import System
from ..simulate import simulate
from . import motor_arm
from .props import SCENES

ARM = {"elbow free": "arm_free", "elbow on the table": "arm_elbow"}
CHAIR = {"no hands": "stand_up", "hands on arm rests": "stand_up_rests", "hands on thighs": "stand_up_thighs"}


def run_scene(name: str, step: float = 0.001) -> tuple[System, Trace]:
    """A scene by its name, simulated."""
    scene = SCENES[name]()
    return scene.system, simulate(scene.system, scene.state, scene.seconds, step, contact="rigid", holds=scene.holds,
                                  commands=scene.commands)


def hand_errors(system: System, trace: Trace) -> np.ndarray:
    """(S,) how far the arm's hand is from its path, m"""
    x, R = body_poses(system, trace.qpos)
    hand = x[:, 3] + R[:, 3] @ np.array([motor_arm.LENGTHS[3], 0, 0])
    return np.linalg.norm(hand[:, [0, 2]] - motor_arm.hand_path(trace.time), axis=1)


def electrical_power(system: System, trace: Trace) -> np.ndarray:
    """(S,) W, of all motors"""
    if trace.voltage is None or trace.current is None or not motors_of(system, trace):
        return np.zeros(len(trace.time))
    return (trace.voltage * trace.current).sum(1)


def arm_study(step: float = 0.001, keep: Callable[[str, System, Trace], None] = lambda *_: None) -> dict[str, dict[str, float]]:
    """Figures of both runs, by name; `keep` gets each trace."""
    out = {}
    for name, scene in ARM.items():
        system, trace = run_scene(scene, step)
        keep(name, system, trace)
        accounts, errors = effort(system, trace), hand_errors(system, trace)
        out[name] = {"electrical_J": float(accounts.electrical.sum()), "heat_J": float(accounts.heat.sum()),
                     "absolute_work_J": float(accounts.absolute.sum()), "peak_torque_Nm": float(accounts.peak.max()),
                     "hand_error_mean_mm": 1000 * float(errors.mean()), "hand_error_max_mm": 1000 * float(errors.max()),
                     "imbalance_share": accounts.imbalance_share}
    return out


def chair_study(step: float = 0.001) -> dict[str, dict[str, float]]:
    """Figures of the three ways to stand up, by name. Torques are of one leg."""
    out = {}
    for name, scene in CHAIR.items():
        system, trace = run_scene(scene, step)
        accounts = effort(system, trace)
        torque = lambda body, axis, system=system, trace=trace: np.abs(
            np.asarray(trace.tau_motor)[:, system.model.axis_start[system.names.index(body)] + axis])
        knee, hip = torque("shin.L", 0), torque("thigh.L", 1)
        lengths = np.gradient(trace.time)
        out[name] = {"knee_peak_Nm": float(knee.max()), "knee_mean_Nm": float((knee * lengths).sum() / lengths.sum()),
                     "hip_peak_Nm": float(hip.max()), "hip_mean_Nm": float((hip * lengths).sum() / lengths.sum()),
                     "positive_work_J": float(accounts.positive.sum()), "absolute_work_J": float(accounts.absolute.sum()),
                     "pelvis_rise_m": float(trace.qpos[-1, 2] - trace.qpos[0, 2]), "imbalance_share": accounts.imbalance_share}
    return out


def in_rows(study: dict[str, dict[str, Any]]) -> list[str]:
    """The figures as a table, one row a figure."""
    names = list(study)
    rows = [f"{'':22}" + "".join(f"{name:>20}" for name in names)]
    for figure in study[names[0]]:
        rows.append(f"{figure:22}" + "".join(f"{study[name][figure]:>20.4g}" for name in names))
    return rows
