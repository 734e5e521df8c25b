"""Many steps without contact, one after the other."""
from ..effort.drives import CURRENT
from ..kernel import kernel
from .integrate import euler_step, first_broken_body, runge_kutta_step

MOST_HALVINGS = 12

WELL, TOO_COARSE = -1, -2
"""What a run returns in place of a body: all went well; no substep was short enough for the tolerance."""


@kernel
def run_euler(qpos, qvel, qacc, tau, driven, q, v, d, m, drives, step, time):
    """Fill one row a step. Returns the number of rows filled, and WELL or the body that stopped being finite."""
    for s in range(qpos.shape[0]):
        write_row(qpos[s], qvel[s], q, v)
        euler_step(q, v, d, m, drives, step, time + s * step)
        write_driven(driven[s], drives.applied)
        for k in range(v.shape[0]):
            tau[s, k] = d.tau[k]
            qacc[s, k] = d.a[k]
        body = first_broken_body(m, q, v)
        if body >= 0:
            return s, body
    return qpos.shape[0], WELL


@kernel
def run_runge_kutta(qpos, qvel, qacc, tau, driven, q, v, d, m, drives, step, time, tableau, tolerance):
    """The same by a Butcher tableau, in substeps whose error stays below the tolerance, which may be infinite; or TOO_COARSE."""
    for s in range(qpos.shape[0]):
        write_row(qpos[s], qvel[s], q, v)
        substeps, halvings = 1, 0
        while True:
            error = 0.0
            for n in range(substeps):
                error = max(error, runge_kutta_step(q, v, d, m, drives, step / substeps, tableau,
                                                    time + step * (s + n / substeps)))
                if n == 0:
                    for k in range(v.shape[0]):
                        tau[s, k] = d.first_tau[k]
                        qacc[s, k] = d.a[k]
                    write_driven(driven[s], drives.first)
                if error > tolerance:
                    break                        # this try is lost already
            if error <= tolerance:
                break
            body = first_broken_body(m, q, v)
            if halvings == MOST_HALVINGS:
                return s, body if body >= 0 else TOO_COARSE
            # again from the start of the step, finer
            halvings += 1
            substeps *= 2
            for k in range(q.shape[0]):
                q[k] = qpos[s, k]
            for k in range(v.shape[0]):
                v[k] = qvel[s, k]
            for j in range(driven.shape[1]):
                drives.current[j] = driven[s, j, CURRENT]
        body = first_broken_body(m, q, v)
        if body >= 0:
            return s, body
    return qpos.shape[0], WELL


@kernel
def write_row(qpos, qvel, q, v):
    for k in range(q.shape[0]):
        qpos[k] = q[k]
    for k in range(v.shape[0]):
        qvel[k] = v[k]


@kernel
def write_driven(row, applied):
    """what drives did, (nd, 4)"""
    for j in range(row.shape[0]):
        for c in range(4):
            row[j, c] = applied[j, c]
