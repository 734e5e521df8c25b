"""What a simulation with contact did, in numbers: for the screen, for a file, for a pipeline."""
from typing import Any

import numpy as np

from ..export.trace import Trace
from ..model.model import FREE, SLIDER, System
from .balance import balance
from .effort import Effort, effort
from .pressure import pressure_points
from .support import zmp_distances

RESTING = 0.01                                   # m/s or rad/s
OUTSIDE = 1e-3                                   # m, by which p_v or ZMP may leave

LAWS = (("pull", "pull_share", 0.0, "of contacts"), ("friction", "outside_friction_share", 0.0, "of contacts"),
        ("p_v outside", "outside_region_share", 0.0, "of contacts"), ("ZMP outside", "zmp_outside_share", 0.0, "of steps on flat ground"),
        ("penetration", "deepest_mm", 2.0, "mm"), ("balance of energy", "energy_balance_share", 0.01, "of the work"))
"""What must hold: its name, its figure in the report, the most it may be, and of what (a share) or in what unit. How deep soft
contact goes is its material's affair, not a law."""


def contact_report(system: System, trace: Trace, accounts: Effort | None = None) -> dict[str, Any]:
    """Figures by name; units in the names. Shares are of contacts or of steps, 0 to 1."""
    contacts = trace.contact_kind == 0
    push = np.einsum("ki,ki->k", trace.contact_force, trace.contact_normal)
    side = np.linalg.norm(trace.contact_force - push[:, None] * trace.contact_normal, axis=1)
    values = balance(system, trace)
    energy = values.energy.sum(1) + (0.0 if trace.contact_energy is None else trace.contact_energy)
    solver = np.zeros(len(trace.time), int) if trace.contact_solver is None else trace.contact_solver
    share = lambda wrong: float(np.mean(wrong[contacts])) if contacts.any() else 0.0
    zmp = zmp_distances(system, trace)
    on_flat = np.isfinite(zmp).any(axis=1)
    speed, turning = last_speeds(system, trace)
    report = {
        "seconds": float(trace.time[-1]), "steps": len(trace.time), "frames": len(trace.frame_step),
        "bodies": system.model.nb, "mass_kg": float(system.model.mass.sum()),
        "soft_contact": trace.contact_energy is not None and bool(trace.contact_energy.any()),
        "contacts": int(contacts.sum()), "holds": int((~contacts).sum()),
        "impacts": 0 if trace.impact_step is None else len(trace.impact_step),
        "sliding_share": share(trace.contact_slip == 1),
        "pull_share": share(push < 0),
        "outside_friction_share": share(side > trace.contact_mu * push * (1 + 1e-6) + 1e-9),
        "outside_region_share": share(region_distances(trace) > OUTSIDE),
        "zmp_outside_share": float(np.mean(np.nanmax(zmp[on_flat], axis=1) > OUTSIDE)) if on_flat.any() else 0.0,
        "flat_ground_steps": int(on_flat.sum()),
        "deepest_mm": 1000 * float(trace.contact_depth.max(initial=0.0)),
        "largest_force_N": float(np.linalg.norm(trace.contact_force, axis=1).max(initial=0.0)),
        "energy_lost_J": float(energy[0] - energy[-1]),
        "energy_rise_share": float((energy - np.minimum.accumulate(energy)).max() / max(np.ptp(energy), values.kinetic.sum(1).max(), 1e-9)),
        "energy_balance_share": (accounts or effort(system, trace)).imbalance_share,
        "rests": max(speed, turning) < RESTING, "last_speed_m_s": speed, "last_turning_rad_s": turning,
        "corner_solves_share": float(np.mean(solver > 0)), "unsettled_share": float(np.mean(solver > 1))}
    return {**report, "all_contact_laws_hold": not failures(report), "verdict": verdict(report)}


def failures(report: dict[str, Any]) -> list[str]:
    """The laws that the figures break, each with its figure and the limit."""
    # a figure that is not a number breaks its law too
    return [f"{law} {_shown(report[figure], unit)} (limit {_shown(limit, unit if unit == 'mm' else '')})"
            for law, figure, limit, unit in LAWS
            if not report[figure] <= limit and not (law == "penetration" and report["soft_contact"])]


def verdict(report: dict[str, Any]) -> str:
    """yes, or no and why"""
    broken = failures(report)
    return f"no: {', '.join(broken)}" if broken else "yes"


def _shown(value: float, unit: str) -> str:
    """shares in percent, never rounded to nothing"""
    return f"{value:.3g} mm" if unit == "mm" else f"{100 * value:.3g} % {unit}".strip()


def last_speeds(system: System, trace: Trace) -> tuple[float, float]:
    """The largest velocities of joints in the last step: m/s and rad/s."""
    m = system.model
    linear = np.zeros(m.na, bool)
    for i in range(m.nb):
        if m.kind[i] in (FREE, SLIDER):
            linear[m.axis_start[i]:m.axis_start[i] + (3 if m.kind[i] == FREE else 1)] = True
    last = np.abs(trace.qvel[-1])
    return float(last[linear].max(initial=0.0)), float(last[~linear].max(initial=0.0))


def region_distances(trace: Trace) -> np.ndarray:
    """(K,) how far each p_v lies outside its region, m; 0 inside, and for holds."""
    points = pressure_points(trace)
    out = np.zeros(len(points))
    counts = np.diff(trace.polygon_start)
    for size in np.unique(counts[counts > 0]):
        rows = np.flatnonzero((counts == size) & np.isfinite(points[:, 0]))
        corners = trace.polygon_points[trace.polygon_start[rows][:, None] + np.arange(size)]
        normal, ahead = trace.contact_normal[rows][:, None], np.roll(corners, -1, axis=1)
        edges, arms = ahead - corners, points[rows][:, None] - corners
        # to the nearest edge, and inside where it lies to the left of all
        along = np.clip(np.einsum("kni,kni->kn", arms, edges) / np.maximum(np.einsum("kni,kni->kn", edges, edges), 1e-18), 0, 1)
        nearest = np.linalg.norm(arms - along[..., None] * edges, axis=-1).min(1)
        inside = (np.einsum("kni,kni->kn", np.cross(edges, arms), np.broadcast_to(normal, edges.shape)) >= 0).all(1) & (size > 2)
        out[rows] = np.where(inside, 0.0, nearest)
    return out
