"""The trace of a motion that was given, with the forces that were found for it."""
import numpy as np

from ..forces.fit_forces import Fit
from ..forces.regions import Regions
from ..model.model import FREE, System
from .expand import axis_forces, expand_dofs
from .trace import Trace


def fitted_trace(system: System, times: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, fit: Fit, found: Regions,
                 friction: float) -> Trace:
    """One step a frame. Roots have no motor: what is left there is in no column, so a check of the trace finds it as its residual.
    All that joints need counts as their motors'."""
    m = system.model
    contact = {"body": found.body + 1, "point": found.centre, "force": found.force, "torque": found.moment}
    tau = np.array(axis_forces(system, q, v, a, fit.tau, found.frame, contact))
    tau[:, np.repeat(m.kind == FREE, np.diff(m.axis_start))] = 0.0
    K, T = len(found.frame), len(times)
    return Trace(
        np.asarray(times, float), q, expand_dofs(system, v), expand_dofs(system, a), tau,
        contact_step=found.frame, contact_body=contact["body"], contact_other=np.zeros(K, int), contact_point=found.centre,
        contact_normal=found.normal, contact_force=found.force, contact_torque=found.moment, contact_mu=np.full(K, friction),
        contact_depth=found.depth, contact_kind=np.zeros(K, int), contact_slip=found.sliding.astype(int),
        polygon_start=found.corner_start, polygon_points=found.corner, frame_step=np.arange(T),
        tau_motor=tau, fps=float((T - 1) / (times[-1] - times[0])))
