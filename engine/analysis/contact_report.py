"""What a simulation with contact did, in numbers: for the screen, for a file, for a pipeline."""
from typing import Any

import numpy as np

from ..export.trace import Trace
from ..model.model import System
from .balance import balance
from .pressure import pressure_points

RESTING = 0.01                                   # m/s or rad/s


def contact_report(system: System, trace: Trace) -> dict[str, Any]:
    """Figures by name; units in the names. Shares are of contacts or of steps, 0 to 1."""
    contacts = trace.contact_kind == 0
    push = np.einsum("ki,ki->k", trace.contact_force, trace.contact_normal)
    side = np.linalg.norm(trace.contact_force - push[:, None] * trace.contact_normal, axis=1)
    values = balance(system, trace)
    energy = values.energy.sum(1) + (0.0 if trace.contact_energy is None else trace.contact_energy)
    solver = np.zeros(len(trace.time), int) if trace.contact_solver is None else trace.contact_solver
    share = lambda wrong: float(np.mean(wrong[contacts])) if contacts.any() else 0.0
    return {
        "seconds": float(trace.time[-1]), "steps": len(trace.time), "frames": len(trace.frame_step),
        "bodies": system.model.nb, "mass_kg": float(system.model.mass.sum()),
        "contacts": int(contacts.sum()), "holds": int((~contacts).sum()),
        "impacts": 0 if trace.impact_step is None else len(trace.impact_step),
        "sliding_share": share(trace.contact_slip == 1),
        "pull_share": share(push < 0),
        "outside_friction_share": share(side > trace.contact_mu * push * (1 + 1e-6) + 1e-9),
        "outside_region_share": share(region_distances(trace) > 1e-3),
        "deepest_mm": 1000 * float(trace.contact_depth.max(initial=0.0)),
        "largest_force_N": float(np.linalg.norm(trace.contact_force, axis=1).max(initial=0.0)),
        "energy_lost_J": float(energy[0] - energy[-1]),
        "energy_rise_share": float((energy - np.minimum.accumulate(energy)).max() / max(np.ptp(energy), values.kinetic.sum(1).max(), 1e-9)),
        "rests": bool(np.abs(trace.qvel[-1]).max() < RESTING), "last_speed": float(np.abs(trace.qvel[-1]).max()),
        "corner_solves_share": float(np.mean(solver > 0)), "unsettled_share": float(np.mean(solver > 1))}


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
