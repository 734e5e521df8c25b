"""What a given motion asks of physics, in numbers: METRICS' figures, units in their names, and which laws they break."""
from typing import Any, NamedTuple

import numpy as np

from ..export.trace import Trace
from ..forces.regions import Regions, stance_slips
from ..model.model import System
from .contact_report import OUTSIDE, region_distances


class Law(NamedTuple):
    """What must hold."""
    name: str
    figure: str                     # in the report
    limit: float                    # the most that it may be
    unit: str                       # for people


LAWS = (
    Law("residual force", "residual_force_rms_BW", 1e-3, "BW"), Law("residual moment", "residual_moment_rms_BWh", 1e-3, "BW x height"),
    Law("pull", "pull_share", 0.0, "of contacts"), Law("friction", "outside_friction_share", 0.0, "of contacts"),
    Law("p_v outside", "outside_region_share", 0.0, "of contacts"), Law("ZMP outside", "zmp_outside_share", 0.0, "of frames"),
    Law("flight", "flight_fall_error_rms_g", 1e-3, "g"), Law("spin in flight", "flight_spin_drift_share", 1e-3, "of its peak"),
    Law("penetration", "deepest_mm", 2.0, "mm"), Law("skate", "skate_mean_mm_s", 2.0, "mm/s"),
    Law("skate a stance", "skate_worst_stance_mm", 5.0, "mm"), Law("balance of energy", "energy_balance_share", 0.01, "of the work"))


def failures(report: dict[str, Any]) -> list[str]:
    """The laws that the figures break, each with its figure and the limit. A figure that is not a number breaks its law too."""
    return [f"{law.name} {report[law.figure]:.3g} {law.unit} (limit {law.limit:g})" for law in LAWS if not report[law.figure] <= law.limit]


def residual_figures(residual: np.ndarray, weight: float, stature: float) -> dict[str, Any]:
    """of wrenches (T, 6) about the centre of mass, N and N m"""
    force, moment = np.linalg.norm(residual[:, :3], axis=1) / weight, np.linalg.norm(residual[:, 3:], axis=1) / (weight * stature)
    return {"residual_force_rms_BW": rms(force), "residual_force_max_BW": float(force.max()),
            "residual_force_worst_frame": int(force.argmax()), "residual_moment_rms_BWh": rms(moment),
            "residual_moment_max_BWh": float(moment.max()), "residual_moment_rms_Nm": rms(moment) * weight * stature}


def contact_figures(trace: Trace, found: Regions, zmp_margin: np.ndarray) -> dict[str, Any]:
    side = np.linalg.norm(found.force - found.push[:, None] * found.normal, axis=1)
    share = lambda wrong: float(np.mean(wrong)) if len(wrong) else 0.0
    # of nothing, nothing can be outside
    carried = zmp_margin[np.isfinite(zmp_margin)]
    speed, holds = np.linalg.norm(found.slip, axis=1), (found.push > 0) & ~found.sliding
    return {"contacts": len(found.frame), "sliding_share": share(found.sliding), "pull_share": share(found.push < 0),
            "outside_friction_share": share(side > trace.contact_mu * found.push * (1 + 1e-6) + 1e-9),
            "outside_region_share": share(region_distances(trace) > OUTSIDE),
            "zmp_outside_share": share(carried < -OUTSIDE), "zmp_least_margin_mm": 1000 * float(carried.min(initial=np.inf)),
            "flat_ground_frames": len(carried),
            "mean_depth_mm": 1000 * float(found.depth.mean()) if len(found.depth) else 0.0,
            "skate_mean_mm_s": 1000 * float(np.average(speed[holds], weights=found.push[holds])) if holds.any() else 0.0,
            "skate_worst_stance_mm": 1000 * float(stance_slips(found, trace.fps).max(initial=0.0)),
            "largest_force_N": float(np.linalg.norm(found.force, axis=1).max(initial=0.0))}


def joint_figures(system: System, torque: np.ndarray, power: np.ndarray) -> dict[str, Any]:
    """of torques and powers of joints (T, nb), N m and W"""
    strongest = int(torque.max(axis=0).argmax())
    return {"peak_torque_Nm": float(torque.max()), "peak_torque_joint": system.names[strongest],
            "peak_power_W": float(np.maximum(power, 0).sum(axis=1).max())}


def rms(x: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(x)))) if len(x) else 0.0
