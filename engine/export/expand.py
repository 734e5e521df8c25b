"""From heft's dofs to MuJoCo's: geared joints share a dof here, there every axis has its own."""
import numpy as np

from ..algebra.spatial import dot6
from ..dynamics.data import allocate
from ..dynamics.inverse_dynamics import rnea
from ..dynamics.kinematics import update_kinematics, update_pose
from ..kernel import kernel
from ..model.actuators import rotor_inertia
from ..model.model import System


def expand_dofs(system: System, x: np.ndarray) -> np.ndarray:
    """Velocities or accelerations (S, nv) as (S, na), each axis `ratio` times its dof. Not for forces: a gear adds its own."""
    return np.asarray(x)[..., system.model.dof] * system.model.ratio


def axis_forces(system: System, qpos: np.ndarray, qvel: np.ndarray, qacc: np.ndarray, tau: np.ndarray,
                contact_step: np.ndarray | None = None, contact: dict[str, np.ndarray] | None = None) -> np.ndarray:
    """Forces on every axis (S, na) for forces on the dofs tau (S, nv). Without gears the same; with them, what each joint of a
    group feels by inverse dynamics less the contacts (body, point, force, torque as in the trace): the gear's own force is in it."""
    m = system.model
    if m.na == m.nv:
        return tau
    out = np.zeros((len(qpos), m.na))
    armature = np.repeat([rotor_inertia(body.joint) for body in system.bodies], np.diff(m.axis_start))
    d = allocate(m)
    write_axis_forces(out, d, m, armature, qpos, qvel, qacc)
    if contact_step is not None and contact is not None:
        take_contacts(out, d, m, qpos, contact_step, contact["body"] - 1, contact["point"], contact["force"], contact["torque"])
    return out


@kernel
def write_axis_forces(out, d, m, armature, qpos, qvel, qacc):
    for s in range(qpos.shape[0]):
        update_kinematics(d, m, qpos[s], qvel[s])
        rnea(d.tau, d, m, qacc[s])
        for i in range(m.parent.shape[0]):
            for k in range(m.axis_start[i], m.axis_start[i + 1]):
                out[s, k] = dot6(d.S[k], d.F[i]) / m.ratio[k] + armature[k] * m.ratio[k] * qacc[s, m.dof[k]]


@kernel
def take_contacts(out, d, m, qpos, step, body, point, force, torque):
    """take the moments of contact forces, sorted by step, from the axes of all joints they act through"""
    last = -1
    for k in range(step.shape[0]):
        s, i = step[k], body[k]
        if s != last:
            update_pose(d, m, qpos[s])
            last = s
        F, origin = d.scratch_motion[0], d.origin[m.tree[i]]
        x, y, z = point[k, 0] - origin[0], point[k, 1] - origin[1], point[k, 2] - origin[2]
        f = force[k]
        F[0], F[1], F[2] = f[0], f[1], f[2]
        F[3], F[4], F[5] = torque[k, 0] + y * f[2] - z * f[1], torque[k, 1] + z * f[0] - x * f[2], torque[k, 2] + x * f[1] - y * f[0]
        while i >= 0:
            for j in range(m.axis_start[i], m.axis_start[i + 1]):
                out[s, j] -= dot6(d.S[j], F) / m.ratio[j]
            i = m.parent[i]
