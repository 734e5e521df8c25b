"""Analyse: what a given motion would need to be real. Nothing is changed; a list of stages, no equations."""
from typing import Any, NamedTuple

import numpy as np

from .analysis.balance import balance
from .analysis.effort_report import effort_report
from .analysis.motion_figures import depths, flights, jitter, spin_drift
from .analysis.motion_report import contact_figures, failures, joint_figures, residual_figures, rms
from .dynamics.poses import body_poses
from .errors import HeftError
from .export.fitted_trace import fitted_trace
from .export.trace import Trace
from .forces.fit_forces import fit_forces
from .forces.needed_zmp import needed_zmp
from .forces.regions import Regions, regions
from .forces.touching import Touching, touching_points
from .model.model import FREE, System
from .motion.features import features
from .motion.manifold import derivatives
from .motion.source import Source


class Analysis(NamedTuple):
    """T frames, K contact regions, nb joints, each that of the body it carries. Wrenches: force N, moment N m about the centre of mass."""
    times: np.ndarray               # (T,) s
    needed: np.ndarray              # (T, 6) the wrench that the motion asks for
    residual: np.ndarray            # (T, 6) what no contact can give of it: a hand from nowhere
    com: np.ndarray                 # (T, 3) m
    angular: np.ndarray             # (T, 3) angular momentum about the centre of mass, N m s
    kinetic: np.ndarray             # (T,) J
    potential: np.ndarray           # (T,) J
    torque: np.ndarray              # (T, nb) size of the torque of each joint, N m
    power: np.ndarray               # (T, nb) of each joint, W; 0 at the root
    zmp: np.ndarray                 # (T, 3) m; NaN where nothing touches flat ground
    zmp_margin: np.ndarray          # (T,) how far it is inside the support, m; negative outside
    touches: np.ndarray             # (T,) whether anything touches
    flying: np.ndarray              # (T,) whether nothing does, nor in the frames beside it
    depth: np.ndarray               # (T,) how far the deepest part is inside floor or obstacles, m
    points: Touching                # the corners of what touches
    regions: Regions                # their forces, p_v and slips, a contact
    trace: Trace                    # the same for anyone's engine
    report: dict[str, Any]          # figures, units in their names

    def __repr__(self) -> str:
        return f"Analysis({len(self.times)} frames, residual {self.report['residual_force_rms_BW']:.3g} BW rms)"


def analyse(source: Source, friction: float = 0.8) -> Analysis:
    """The motion with the contact forces that fit it best inside friction cones and regions, and what is left."""
    system, motion, stature = source.system, source.motion, source.humanoid.stature
    _check(system, friction)
    m, fps, q = system.model, motion.fps, np.ascontiguousarray(motion.q, float)
    weight = float(m.mass.sum() * np.linalg.norm(m.gravity))
    v, a = derivatives(m, q, 1 / fps)
    listed = features(system, source.humanoid.soles)
    points = touching_points(system, q, fps, source.contacts, listed, system.shapes)
    fit = fit_forces(system, q, v, a, points, friction, stature)
    found = regions(points, fit)
    zmp, margin = needed_zmp(points, fit, weight)
    trace = fitted_trace(system, motion.times, q, v, a, fit, found, friction)
    values = balance(system, trace)
    torque, power = joint_efforts(system, trace)
    touches = np.diff(points.start) > 0
    flying = flights(touches)
    deep = depths(system, q, listed, system.shapes)
    part = listed[int(deep.max(axis=0).argmax())]
    angular = values.angular[:, 0]
    report = {
        "seconds": float(motion.times[-1] - motion.times[0]), "frames": len(q), "fps": fps, "mass_kg": float(m.mass.sum()),
        "stature_m": stature, "friction": friction, "floor_height_m": float(source.floor.point[2]),
        "floor_tilt_deg": float(np.degrees(source.floor.tilt)), "intervals": len(points.contacts), "touching_frames": int(touches.sum()),
        "flight_frames": int(flying.sum()),
        **residual_figures(fit.residual, weight, stature), **contact_figures(trace, found, margin),
        "flight_fall_error_rms_g": rms(np.linalg.norm(fit.needed[flying, :3], axis=1) / weight),
        "flight_spin_drift_share": spin_drift(angular, flying),
        "deepest_mm": 1000 * float(deep.max()), "deepest_part": f"{part.part} of {system.names[part.body]}",
        "jitter_10m_s3": jitter(body_poses(system, q)[0], fps) / 10,
        "residual_work_J": float(np.abs(_root_power(system, v, fit.tau)).sum() / fps),
        **joint_figures(system, torque, power), **effort_report(system, trace)}
    broken = failures(report)
    report |= {"all_laws_hold": not broken, "broken_laws": broken}
    return Analysis(motion.times, fit.needed, fit.residual, fit.com, angular, values.kinetic[:, 0], values.potential[:, 0], torque, power,
                    zmp, margin, touches, flying, deep.max(axis=1), points, found, trace, report)


def joint_efforts(system: System, trace: Trace) -> tuple[np.ndarray, np.ndarray]:
    """(T, nb) sizes of the torques, N m, and powers, W, of every body's joint."""
    m = system.model
    torque, power = (np.zeros((len(trace.time), m.nb)) for _ in range(2))
    for i in range(m.nb):
        axes = slice(m.axis_start[i], m.axis_start[i + 1])
        torque[:, i] = np.linalg.norm(trace.tau[:, axes], axis=1)
        power[:, i] = np.einsum("tk,tk->t", trace.tau[:, axes], trace.qvel[:, axes])
    return torque, power


def _root_power(system: System, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """(T,) W of what is left at the root"""
    axes = system.model.dof[:system.model.axis_start[1]]
    return np.einsum("tk,tk->t", tau[:, axes], v[:, axes])


def _check(system: System, friction: float) -> None:
    m = system.model
    if len(m.tree_start) != 2 or m.kind[0] != FREE:
        raise HeftError(f"{len(m.tree_start) - 1} trees stand in the system, must be one character with a free root")
    if not (np.isfinite(friction) and friction > 0):
        raise HeftError(f"friction is {friction:g}, must be positive")
