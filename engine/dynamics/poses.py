"""Body poses in the world for a whole clip at once: what gets keyed, drawn and compared."""
import numpy as np

from ..kernel import kernel
from ..model.model import System
from .data import allocate
from .kinematics import update_pose


def body_poses(system: System, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (T, nb, 3) in m and rotation matrices (T, nb, 3, 3) of all bodies for coordinates qpos (T, nq)."""
    qpos = np.ascontiguousarray(np.atleast_2d(qpos), float)
    m = system.model
    positions, rotations = np.zeros((len(qpos), m.nb, 3)), np.zeros((len(qpos), m.nb, 3, 3))
    write_poses(positions, rotations, allocate(m), m, qpos)
    return positions, rotations


@kernel
def write_poses(positions, rotations, d, m, qpos):
    for t in range(qpos.shape[0]):
        update_pose(d, m, qpos[t])
        for i in range(m.parent.shape[0]):
            for j in range(3):
                positions[t, i, j] = d.origin[m.tree[i], j] + d.x[i, j]
                for l in range(3):
                    rotations[t, i, j, l] = d.R[i, j, l]
