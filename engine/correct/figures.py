"""What a correction did, in the figures by which motions are judged, before and after."""
from typing import Any

import numpy as np

from ..analyse import analyse
from ..analysis.contact_report import contact_report
from ..analysis.motion_figures import jitter
from ..dynamics.data import allocate
from ..dynamics.poses import body_poses
from ..export.trace import Trace
from ..humanoid.feet import Sole
from ..model.model import System
from ..motion.centre import centre_of_mass
from ..motion.floor import sole_edges
from ..motion.source import Source
from .grid import PAD, Grid
from .solve import State
from .to_trace import write_torques


def figures(source: Source, grid: Grid, state: State, trace: Trace, friction: float) -> dict[str, Any]:
    """Figures by name, units in the names; lengths are of the corrected motion against the source as it was read."""
    system, soles = source.system, source.humanoid.soles
    q, fps = trace.qpos[trace.frame_step], source.motion.fps
    places, wanted = body_poses(system, q)[0], source.motion.joints
    off = 100 * np.linalg.norm(places - wanted, axis=2)
    centre = 100 * np.linalg.norm(centre_of_mass(system, q) - centre_of_mass(system, source.motion.q), axis=1)
    height = source.humanoid.stature
    after = contact_report(system, trace)
    return {
        "friction": friction, "steps": len(trace.time), "frames": len(q), "seconds": float(trace.time[-1]),
        "before": {**_residual(_needed(source, friction), height), **_feet(system, soles, grid, grid.q),
                   **_flight(system, grid, grid.q), "jitter_10m_s3": jitter(wanted, fps) / 10},
        "after": {**_residual(_left(system, trace), height), **_feet(system, soles, grid, state.q), **_flight(system, grid, state.q),
                  "jitter_10m_s3": jitter(places, fps) / 10, "pull_share": after["pull_share"],
                  "friction_share": after["outside_friction_share"],
                  "outside_region_share": after["outside_region_share"], "zmp_outside_share": after["zmp_outside_share"],
                  "largest_force_N": after["largest_force_N"]},
        "tracking": {"mean_cm": float(off.mean()), "max_cm": float(off.max()), "max_frame": int(off.max(axis=1).argmax()),
                     "max_body": system.names[int(off.max(axis=0).argmax())], "centre_of_mass_cm": float(centre.mean()),
                     "end_cm": float(off[-1].mean())},
        "largest_torque_N_m": float(np.abs(trace.tau).max()), "contacts": len(trace.contact_step), "interior_point_left": state.residual,
        "steps_a_second": float(1 / (trace.time[1] - trace.time[0]))}


def _residual(left: np.ndarray, height: float) -> dict[str, float]:
    """of what is left over (S, 6), in weights and weights times metres"""
    force, moment = np.linalg.norm(left[:, :3], axis=1), np.linalg.norm(left[:, 3:], axis=1) / height
    return {"residual_force_rms": float(np.sqrt(np.mean(force ** 2))), "residual_force_max": float(force.max()),
            "residual_moment_rms": float(np.sqrt(np.mean(moment ** 2)))}


def _left(system: System, trace: Trace) -> np.ndarray:
    """(S, 6) root rows of M a + c - J^T f, force and moment about the root, over the weight"""
    m, S = system.model, len(trace.time)
    external = np.zeros((S, m.nb, 6))
    arm = trace.contact_point - trace.qpos[trace.contact_step, :3]
    at = (trace.contact_step, trace.contact_body - 1)
    np.add.at(external, at, np.concatenate([trace.contact_force, trace.contact_torque + np.cross(arm, trace.contact_force)], axis=1))
    tau = np.zeros((S, m.nv))
    write_torques(tau, allocate(m), m, trace.qpos, trace.qvel, trace.qacc, external)
    return tau[:, :6] / (m.mass.sum() * np.linalg.norm(m.gravity))


def _needed(source: Source, friction: float) -> np.ndarray:
    """(T, 6) what the source needs beyond the best forces of its contacts, over the weight"""
    m = source.system.model
    return analyse(source, friction).residual / (m.mass.sum() * np.linalg.norm(m.gravity))


def _feet(system: System, soles: tuple[Sole, ...], grid: Grid, q: np.ndarray) -> dict[str, float]:
    """how deep soles go, and how fast what touches moves along the floor"""
    edges = sole_edges(system, soles, q)
    on = grid.on.transpose(2, 0, 1)
    both = on[1:] & on[:-1]
    speed = np.linalg.norm(np.diff(edges[..., :2], axis=0), axis=-1).mean(axis=-1) / grid.step
    return {"penetration_mm": 1000 * float(max(0.0, -edges[PAD:-PAD, ..., 2].min())),
            "skate_mm_s": 1000 * float(speed[both].mean()) if both.any() else 0.0}


def _flight(system: System, grid: Grid, q: np.ndarray) -> dict[str, float]:
    """(centre of mass acceleration - g) / g where nothing touches"""
    flying = ~grid.on.any(axis=(0, 1))[1:-1]
    if not flying.any():
        return {"flight_share_of_g": 0.0}
    centre = centre_of_mass(system, q)
    gravity = system.model.gravity
    error = np.diff(centre, 2, axis=0)[flying] / grid.step ** 2 - gravity
    return {"flight_share_of_g": float(np.sqrt(np.mean(np.sum(error ** 2, axis=1))) / np.linalg.norm(gravity))}
