"""Where the ground pushes: p_v of each contact (source 000, 4.4) and the ZMP of each character (Vukobratovic).

p_v is the point of a contact's plane about which its forces have no moment but about the normal: its centre of pressure.
The ZMP is the same for all that touches a character, in a horizontal plane. On one foot they coincide; on coplanar contacts the
ZMP is the mean of the p_v, weighted with their normal forces.
"""
import numpy as np

from ..dynamics.data import allocate
from ..dynamics.kinematics import update_kinematics
from ..export.trace import Trace
from ..kernel import kernel
from ..model.model import System
from .momentum import allocate_momentum, update_momentum, update_momentum_rate


def pressure_points(trace: Trace) -> np.ndarray:
    """(K, 3) p_v of every contact, m; NaN where it does not push."""
    n, force, torque = trace.contact_normal, trace.contact_force, trace.contact_torque
    push = np.einsum("ki,ki->k", force, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((push > 0)[:, None], trace.contact_point + np.cross(n, torque) / push[:, None], np.nan)


def zero_moment_points(system: System, trace: Trace, height: float = 0.0) -> np.ndarray:
    """(S, nt, 3) the ZMP of every tree from the forces of its contacts, at `height` m; NaN where nothing carries it."""
    trees = system.model.tree[trace.contact_body - 1]
    moments = trace.contact_torque + np.cross(trace.contact_point - [0, 0, height], trace.contact_force)
    wrench = np.zeros((len(trace.time), len(system.model.tree_start) - 1, 6))
    np.add.at(wrench, (trace.contact_step, trees), np.concatenate([trace.contact_force, moments], axis=1))
    return _without_moment(wrench, height)


def zero_moment_points_of_motion(system: System, trace: Trace, height: float = 0.0) -> np.ndarray:
    """The same from masses and accelerations alone: where the forces must act that move the character so."""
    m = system.model
    first = np.array([int(np.flatnonzero(m.dof == k)[0]) for k in range(m.nv)])
    wrench = np.zeros((len(trace.time), len(m.tree_start) - 1, 6))
    rates = [np.ascontiguousarray(x[:, first] / m.ratio[first]) for x in (trace.qvel, trace.qacc)]
    write_wrenches(wrench, allocate_momentum(m), allocate(m), m, np.ascontiguousarray(trace.qpos), *rates, height)
    return _without_moment(wrench, height)


def _without_moment(wrench: np.ndarray, height: float) -> np.ndarray:
    """the points at `height` where forces and moments (·, 6) about its origin turn about the vertical alone"""
    up = wrench[..., 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        points = np.stack([-wrench[..., 4] / up, wrench[..., 3] / up, np.full(up.shape, height)], axis=-1)
    return np.where((up > 0)[..., None], points, np.nan)


@kernel
def write_wrenches(out, work, d, m, qpos, v, a, height):
    """out (S, nt, 6): rates of momentum less gravity, moments about (0, 0, height)"""
    for s in range(qpos.shape[0]):
        update_kinematics(d, m, qpos[s], v[s])
        update_momentum(work, d, m, v[s])
        update_momentum_rate(work, d, m, a[s])
        for t in range(work.mass.shape[0]):
            F = out[s, t]
            x, y, z = work.com[t, 0], work.com[t, 1], work.com[t, 2] - height
            for j in range(3):
                F[j] = work.linear_rate[t, j] - work.mass[t] * m.gravity[j]
            F[3] = work.angular_rate[t, 0] + y * F[2] - z * F[1]
            F[4] = work.angular_rate[t, 1] + z * F[0] - x * F[2]
            F[5] = work.angular_rate[t, 2] + x * F[1] - y * F[0]
