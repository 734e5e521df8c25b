"""Where the forces of a trace come from: motors, springs and dampers, limits; and the currents and voltages of motors."""
import numpy as np

from ..dynamics.data import allocate
from ..dynamics.passive import update_passive
from ..effort.drives import CURRENT, FRICTION, MOTOR, TORQUE, VOLTAGE, Drives
from ..kernel import kernel
from ..model.model import System


def effort_arrays(system: System, drives: Drives, qpos: np.ndarray, qvel: np.ndarray, qacc: np.ndarray, driven: np.ndarray,
                  lengths: np.ndarray) -> dict[str, np.ndarray]:
    """The trace's optional arrays; qvel and qacc (S, na) of the axes, driven (S, nd, 4), and how long each step is that is implicit
    in springs and dampers, 0 for others. A motor's own friction counts as passive."""
    m = system.model
    motor, passive, limit = np.zeros((3, *qvel.shape))
    for k in np.flatnonzero(drives.constant):
        motor[:, np.flatnonzero((m.dof == k) & (m.ratio == 1.0))[0]] = drives.constant[k]
    # every axis a dof of its own
    axes = m._replace(dof=np.arange(m.na), ratio=np.ones(m.na))
    d = allocate(m)
    none = {name: getattr(m, name)[:0] for name in ("limit_body", "limit_axis", "limit_range", "limit_stiffness", "limit_damping")}
    ends = qvel + lengths[:, None] * qacc
    write_passive(passive, d, axes._replace(**none), qpos, ends, lengths)
    write_passive(limit, d, axes._replace(stiffness=np.zeros(m.na), damping=np.zeros(m.na)), qpos, qvel, np.zeros(len(qpos)))
    motor[:, drives.axis] += driven[:, :, TORQUE]
    passive[:, drives.axis] += driven[:, :, FRICTION]
    arrays = {"tau_motor": motor, "tau_passive": passive, "tau_limit": limit}
    electric = drives.kind == MOTOR
    if electric.any():
        arrays |= {"motor_dof": drives.axis[electric], "current": driven[:, electric, CURRENT], "voltage": driven[:, electric, VOLTAGE]}
    return arrays


@kernel
def write_passive(tau, d, m, qpos, qvel, ahead):
    for s in range(qpos.shape[0]):
        update_passive(tau[s], d, m, qpos[s], qvel[s], 0.0)
        # springs act where the step ends
        if ahead[s] > 0.0:
            for k in range(tau.shape[1]):
                tau[s, k] -= ahead[s] * m.stiffness[k] * qvel[s, k]
