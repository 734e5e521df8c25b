"""From heft's dofs to MuJoCo's: geared joints share a dof here, there every axis has its own."""
import numpy as np

from ..algebra.spatial import dot6
from ..dynamics.data import allocate
from ..dynamics.inverse_dynamics import rnea
from ..dynamics.kinematics import update_kinematics
from ..kernel import kernel
from ..model.model import System


def expand_dofs(system: System, x: np.ndarray) -> np.ndarray:
    """Velocities or accelerations (S, nv) as (S, na), each axis `ratio` times its dof. Not for forces: a gear adds its own."""
    return np.asarray(x)[..., system.model.dof] * system.model.ratio


def axis_forces(system: System, qpos: np.ndarray, qvel: np.ndarray, qacc: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Forces on every axis (S, na) for forces on the dofs tau (S, nv). Without gears the same; with them, what each joint
    of a group feels by inverse dynamics, so that the gear's own force is in it. For motion without contacts."""
    m = system.model
    if m.na == m.nv:
        return tau
    out = np.zeros((len(qpos), m.na))
    armature = np.repeat([float(body.joint.armature) for body in system.bodies], np.diff(m.axis_start))
    write_axis_forces(out, allocate(m), m, armature, qpos, qvel, qacc)
    return out


@kernel
def write_axis_forces(out, d, m, armature, qpos, qvel, qacc):
    for s in range(qpos.shape[0]):
        update_kinematics(d, m, qpos[s], qvel[s])
        rnea(d.tau, d, m, qacc[s])
        for i in range(m.parent.shape[0]):
            for k in range(m.axis_start[i], m.axis_start[i + 1]):
                out[s, k] = dot6(d.S[k], d.F[i]) / m.ratio[k] + armature[k] * m.ratio[k] * qacc[s, m.dof[k]]
