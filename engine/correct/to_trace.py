"""The corrected motion as a trace: every step with its velocities, accelerations, torques and contact regions."""
import numpy as np

from ..dynamics.data import allocate
from ..dynamics.inverse_dynamics import rnea
from ..dynamics.kinematics import update_kinematics
from ..export.trace import Trace
from ..kernel import kernel
from ..model.model import System
from ..motion.floor import sole_edges
from ..motion.manifold import derivatives
from .generators import CORNERS, body_of
from .grid import PAD, Grid
from .solve import State
from .stances import HEEL, Targets

AROUND = {2: (0, 1), 4: (0, 1, 3, 2), 6: (0, 1, 3, 5, 4, 2)}
"""Corners of edges behind each other, in order around their region."""


def make_trace(system: System, soles, grid: Grid, targets: Targets, state: State, friction: float) -> Trace:
    m, S = system.model, len(grid.q)
    v, a = derivatives(m, state.q, grid.step)
    rows = _regions(grid, targets, state, sole_edges(system, soles, state.q).reshape(S, -1, 3))
    external = np.zeros((S, m.nb, 6))
    for row in rows:
        step, body, point, force, torque = row[:5]
        arm = point - state.q[step, :3]
        external[step, body, :3] += force
        external[step, body, 3:] += torque + np.cross(arm, force)
    tau = np.zeros((S, m.nv))
    write_torques(tau, allocate(m), m, state.q, v, a, external)
    tau[:, :6] = 0.0
    keep = slice(PAD, S - PAD)
    rows = [row for row in rows if PAD <= row[0] < S - PAD]
    column = lambda k, shape: np.array([row[k] for row in rows], float).reshape(-1, *shape)
    count = len(rows)
    return Trace(
        grid.step * np.arange(S - 2 * PAD), state.q[keep], v[keep], a[keep], tau[keep],
        contact_step=np.array([row[0] - PAD for row in rows], int), contact_body=np.array([row[1] + 1 for row in rows], int),
        contact_other=np.zeros(count, int), contact_point=column(2, (3,)), contact_normal=np.tile([0.0, 0.0, 1.0], (count, 1)),
        contact_force=column(3, (3,)), contact_torque=column(4, (3,)), contact_mu=np.full(count, float(friction)),
        contact_depth=column(6, ()), contact_kind=np.zeros(count, int), contact_slip=np.zeros(count, int),
        polygon_start=np.cumsum([0, *(len(row[5]) for row in rows)]),
        polygon_points=np.concatenate([np.zeros((0, 3)), *(row[5] for row in rows)]),
        frame_step=grid.frames - PAD, fps=1 / (grid.step * grid.substeps))


def _regions(grid: Grid, targets: Targets, state: State, corners: np.ndarray) -> list[tuple]:
    """a row for each body that touches at a step: step, body, middle of its region, force, torque, region, depth"""
    rows = []
    gen = state.generators
    for s in range(len(grid.q)):
        bodies: dict[int, list[int]] = {}
        for k in range(gen.used[s] // 4):
            corner = int(gen.corner[s, k])
            foot = corner // CORNERS
            bodies.setdefault(body_of(targets, corner, bool(grid.on[foot, HEEL, s])), []).append(k)
        for body, members in bodies.items():
            region = gen.place[s, members]
            point, force = region.mean(axis=0), state.force[s, members].sum(axis=0)
            torque = np.cross(region - point, state.force[s, members]).sum(axis=0)
            depth = max(0.0, -float(corners[s, gen.corner[s, members], 2].min()))
            rows.append((s, body, point, force, torque, region[list(AROUND[len(members)])], depth))
    return rows


@kernel
def write_torques(tau, d, m, q, v, a, external):
    """tau = M a + c - J^T external, at every step; its root rows are what is left over"""
    for s in range(q.shape[0]):
        for i in range(external.shape[1]):
            for j in range(6):
                d.external[i, j] = external[s, i, j]
        update_kinematics(d, m, q[s], v[s])
        rnea(tau[s], d, m, a[s])
