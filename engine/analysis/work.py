"""The balance of energy: what all forces of a trace worked, against what kinetic and potential energy changed by.

Over a step from v to v' a force f works dt J^T f (v + v') / 2, an impulse P at an impact J^T P (v + v') / 2.
"""
import numpy as np

from ..dynamics.data import allocate
from ..dynamics.kinematics import update_kinematics
from ..export.trace import Trace
from ..kernel import kernel
from ..model.model import System
from .balance import Balance


def energy_balance(system: System, trace: Trace, values: Balance) -> float:
    """(work of all forces but gravity - change of kinetic energy and of that of gravity) over the absolute work of all forces, gravity
    included, or 1 J where that is less. Springs and limits are forces here; `values` is balance(system, trace)."""
    m = system.model
    first = np.array([int(np.flatnonzero(m.dof == k)[0]) for k in range(m.nv)])
    own = lambda v: np.ascontiguousarray(v[:, first] / m.ratio[first])
    ends, lengths = trace.qvel[1:].copy(), np.diff(trace.time)
    work, size = 0.0, 0.0
    before = trace.impact_qvel_before
    if trace.impact_step is not None and before is not None and len(before):
        # of two impacts at one moment the first ends where the second begins
        last = np.append(np.diff(trace.impact_step) > 0, True)
        after = np.where(last[:, None], trace.qvel[trace.impact_step], np.roll(before, -1, axis=0))
        for i, s in reversed(list(enumerate(trace.impact_step))):
            if s > 0:
                ends[s - 1] = before[i]
        done = _works(system, trace.impact_qpos, own((before + after) / 2), trace.impulse_impact, trace.impulse_body, trace.impulse_point,
                      trace.impulse_linear, trace.impulse_angular)
        done[trace.impact_step[trace.impulse_impact] == 0] = 0.0     # an impact at the start: the first row is after it
        work, size = done.sum(), np.abs(done).sum()
    mean = (trace.qvel[:-1] + ends) / 2
    steps = trace.contact_step < len(lengths)
    rows = trace.contact_step[steps]
    powers = _works(system, trace.qpos[:-1], own(mean), rows, *(getattr(trace, f"contact_{name}")[steps]
                                                                for name in ("body", "point", "force", "torque")))
    for done in (powers * lengths[rows], trace.tau[:-1] * mean * lengths[:, None]):
        work, size = work + done.sum(), size + np.abs(done).sum()
    energy = (values.kinetic + values.potential).sum(1)
    size += np.abs(np.diff(values.potential, axis=0)).sum()
    return float(abs(work - (energy[-1] - energy[0])) / max(size, 1.0))


def _works(system: System, qpos, v, row, body, point, force, torque) -> np.ndarray:
    """(K,) of forces on bodies (counted from 1) in poses qpos[row], moving at v[row]"""
    out = np.zeros(len(row))
    numbers = (np.ascontiguousarray(x) for x in (row, body - 1))
    write_works(out, allocate(system.model), system.model, np.ascontiguousarray(qpos), v, *numbers,
                *(np.ascontiguousarray(x) for x in (point, force, torque)))
    return out


@kernel
def write_works(out, d, m, qpos, v, row, body, point, force, torque):
    last = -1
    for k in range(out.shape[0]):
        s, i = row[k], body[k]
        if s != last:
            update_kinematics(d, m, qpos[s], v[s])
            last = s
        origin, V, F, T = d.origin[m.tree[i]], d.V[i], force[k], torque[k]
        x, y, z = point[k, 0] - origin[0], point[k, 1] - origin[1], point[k, 2] - origin[2]
        out[k] = (F[0] * (V[0] + V[4] * z - V[5] * y) + F[1] * (V[1] + V[5] * x - V[3] * z) + F[2] * (V[2] + V[3] * y - V[4] * x)
                  + T[0] * V[3] + T[1] * V[4] + T[2] * V[5])
