"""From the records of steps with contact to a trace."""
import numpy as np

from ..contact.record import IMPACTS, LENGTHS, POINTS, ROWS, Record
from ..dynamics.data import allocate
from ..dynamics.kinematics import update_pose
from ..effort.drives import Drives
from ..model.model import SLIDER, System
from .effort_trace import effort_arrays
from .expand import axis_forces, expand_dofs
from .trace import Trace


def contact_trace(system: System, parts: list[Record], frames: int, fps: float, drives: Drives) -> Trace:
    """The parts joined, forces on both bodies of each contact, bodies and axes counted as in the MJCF."""
    starts = np.cumsum([np.zeros(5, int), *(part.used for part in parts)], axis=0)
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for names in LENGTHS.values() for name in names}
    shift = lambda name, kind: np.concatenate([getattr(part, name) + start[kind] for part, start in zip(parts, starts)])
    step, impact_step, impact = shift("contact_step", ROWS), shift("impact_step", ROWS), shift("impulse_impact", IMPACTS)
    polygons = np.concatenate([[0], *(part.polygon_start[1:] + start[POINTS] for part, start in zip(parts, starts))])
    qpos, qvel, qacc, times = joined["qpos"], joined["qvel"], joined["qacc"], joined["time"]
    contact = _both_sides(joined["contact_body"], joined["contact_vector"], step)
    impulse = _both_sides(joined["impulse_body"], joined["impulse_vector"], impact)
    kind, mu = joined["impulse_kind"][impulse["row"]], joined["impulse_mu"][impulse["row"]]
    impulses = _with_gears(system, qpos[impact_step], qvel[impact_step] - joined["impact_qvel"],
                           {"impact": impact[impulse["row"]], "kind": kind, "mu": mu, **impulse})
    rows = contact["row"]
    # around the normal, which is turned round for the second body
    corners = [np.arange(polygons[k], polygons[k + 1])[::-1 if second else 1] for k, second in zip(rows, contact["second"])]
    tau = axis_forces(system, qpos, qvel, qacc, joined["tau"], step[rows], contact)
    rates = expand_dofs(system, qvel), expand_dofs(system, qacc)
    return Trace(
        times, qpos, *rates, tau, **effort_arrays(system, drives, qpos, *rates, joined["driven"], joined["length"]),
        contact_step=step[rows], contact_body=contact["body"], contact_other=contact["other"], contact_point=contact["point"],
        contact_normal=contact["normal"], contact_force=contact["force"], contact_torque=contact["torque"],
        contact_mu=joined["contact_number"][rows, 0], contact_depth=joined["contact_number"][rows, 1],
        contact_kind=joined["contact_kind"][rows], contact_slip=joined["contact_slip"][rows],
        polygon_start=np.cumsum([0, *(len(corner) for corner in corners)]),
        polygon_points=joined["polygon"][np.concatenate([np.zeros(0, int), *corners])],
        impact_step=impact_step, impact_qpos=qpos[impact_step], impact_qvel_before=expand_dofs(system, joined["impact_qvel"]),
        impulse_impact=impulses["impact"], impulse_body=impulses["body"], impulse_other=impulses["other"], impulse_kind=impulses["kind"],
        impulse_point=impulses["point"], impulse_linear=impulses["force"], impulse_angular=impulses["torque"],
        impulse_normal=impulses["normal"], impulse_mu=impulses["mu"],
        frame_step=np.searchsorted(times, np.arange(frames + 1) / fps - 1e-9), contact_solver=joined["solver"],
        contact_energy=joined["energy"], fps=fps)


def _both_sides(bodies: np.ndarray, vectors: np.ndarray, order: np.ndarray) -> dict[str, np.ndarray]:
    """a contact between two moving bodies as two rows, equal and opposite; bodies counted as in the MJCF, the world 0"""
    row = np.concatenate([np.arange(len(bodies)), np.flatnonzero(bodies[:, 1] >= 0)])
    second = np.arange(len(row)) >= len(bodies)
    sign = np.where(second, -1.0, 1.0)[:, None]
    sort = np.argsort(order[row], kind="stable")
    return {"row": row[sort], "second": second[sort], "body": np.where(second, bodies[row, 1], bodies[row, 0])[sort] + 1,
            "other": np.where(second, bodies[row, 0], bodies[row, 1])[sort] + 1, "point": vectors[row, 0][sort],
            "normal": (sign * vectors[row, 1])[sort], "force": (sign * vectors[row, 2])[sort], "torque": (sign * vectors[row, 3])[sort]}


def _with_gears(system: System, qpos: np.ndarray, change: np.ndarray, impulses: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The impulses, and those of gears: what each geared joint feels by inverse dynamics, on its body and against its parent.
    `change` (I, nv) of the velocities."""
    m = system.model
    columns = {name: impulses[name] for name in ("impact", "body", "other", "kind", "point", "normal", "force", "torque", "mu")}
    if m.na == m.nv or not len(qpos):
        return columns
    still = system._replace(model=m._replace(gravity=np.zeros(3)))
    felt = axis_forces(still, qpos, np.zeros_like(change), change, change, impulses["impact"], impulses)
    d, rows = allocate(m), []
    shared = np.bincount(m.dof)[m.dof] > 1
    geared = [i for i in range(m.nb) if shared[m.axis_start[i]:m.axis_start[i + 1]].any()]
    for number, q in enumerate(qpos):
        update_pose(d, m, q)
        for i in geared:
            axes = slice(m.axis_start[i], m.axis_start[i + 1])
            linear, angular = (d.S[axes, part] / m.ratio[axes, None] for part in (slice(0, 3), slice(3, 6)))
            along = linear if m.kind[i] == SLIDER else angular
            # the impulse along or about the axes whose share on each of them is what it feels
            vector = np.linalg.lstsq(along, felt[number, axes], rcond=None)[0]
            force, torque = (vector, np.zeros(3)) if m.kind[i] == SLIDER else (np.zeros(3), vector)
            point = d.origin[m.tree[i]] + d.x[i]
            for body, other, sign in ((i, m.parent[i], 1.0), (m.parent[i], i, -1.0)):
                if body >= 0:
                    rows.append((number, body + 1, other + 1, 1, point, np.zeros(3), sign * force, sign * torque, 0.0))
    return {name: np.concatenate([column, np.array([row[k] for row in rows], column.dtype).reshape(-1, *column.shape[1:])])
            for k, (name, column) in enumerate(columns.items())}
