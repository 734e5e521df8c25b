"""Work of forces and impulses on bodies, from what the trace says of them."""
import numpy as np

from ..dynamics.data import allocate
from ..dynamics.kinematics import update_kinematics
from ..kernel import kernel
from ..model.model import System


def works(system: System, qpos, velocities, row, body, point, force, torque) -> np.ndarray:
    """(K,) of forces on bodies (counted from 1) in poses qpos[row], whose axes move at velocities[row] (·, na): W, of impulses J."""
    m = system.model
    first = np.array([int(np.flatnonzero(m.dof == k)[0]) for k in range(m.nv)], int)
    v = np.ascontiguousarray(velocities[:, first] / m.ratio[first])
    out = np.zeros(len(row))
    write_works(out, allocate(m), m, np.ascontiguousarray(qpos), v, np.ascontiguousarray(row), np.ascontiguousarray(body) - 1,
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
