"""From the records of steps with contact to a trace."""
import numpy as np

from ..contact.record import IMPACTS, LENGTHS, POINTS, ROWS, Record
from ..model.model import System
from .expand import axis_forces, expand_dofs
from .trace import Trace


def contact_trace(system: System, parts: list[Record], frames: int, fps: float) -> Trace:
    """The parts joined, forces on both bodies of each contact, bodies and axes counted as in the MJCF."""
    starts = np.cumsum([np.zeros(5, int), *(part.used for part in parts)], axis=0)
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for names in LENGTHS.values() for name in names}
    shift = lambda name, kind: np.concatenate([getattr(part, name) + start[kind] for part, start in zip(parts, starts)])
    step, impact_step, impact = shift("contact_step", ROWS), shift("impact_step", ROWS), shift("impulse_impact", IMPACTS)
    polygons = np.concatenate([[0], *(part.polygon_start[1:] + start[POINTS] for part, start in zip(parts, starts))])
    contact = _both_sides(joined["contact_body"], joined["contact_vector"], step)
    impulse = _both_sides(joined["impulse_body"], joined["impulse_vector"], impact)
    rows = contact["row"]
    # around the normal, which is turned round for the second body
    corners = [np.arange(polygons[k], polygons[k + 1])[::-1 if second else 1] for k, second in zip(rows, contact["second"])]
    qpos, qvel, qacc, times = joined["qpos"], joined["qvel"], joined["qacc"], joined["time"]
    tau = axis_forces(system, qpos, qvel, qacc, joined["tau"], step[rows], contact)
    return Trace(
        times, qpos, expand_dofs(system, qvel), expand_dofs(system, qacc), tau,
        contact_step=step[rows], contact_body=contact["body"], contact_other=contact["other"], contact_point=contact["point"],
        contact_normal=contact["normal"], contact_force=contact["force"], contact_torque=contact["torque"],
        contact_mu=joined["contact_number"][rows, 0], contact_depth=joined["contact_number"][rows, 1],
        contact_kind=joined["contact_kind"][rows], contact_slip=joined["contact_slip"][rows],
        polygon_start=np.cumsum([0, *(len(corner) for corner in corners)]),
        polygon_points=joined["polygon"][np.concatenate([np.zeros(0, int), *corners])],
        impact_step=impact_step, impact_qpos=qpos[impact_step], impact_qvel_before=expand_dofs(system, joined["impact_qvel"]),
        impulse_impact=impact[impulse["row"]], impulse_body=impulse["body"], impulse_other=impulse["other"],
        impulse_kind=joined["impulse_kind"][impulse["row"]], impulse_point=impulse["point"], impulse_linear=impulse["force"],
        impulse_angular=impulse["torque"], impulse_normal=impulse["normal"], impulse_mu=joined["impulse_mu"][impulse["row"]],
        frame_step=np.searchsorted(times, np.arange(frames + 1) / fps - 1e-9), contact_solver=joined["solver"], fps=fps)


def _both_sides(bodies: np.ndarray, vectors: np.ndarray, order: np.ndarray) -> dict[str, np.ndarray]:
    """a contact between two moving bodies as two rows, equal and opposite; bodies counted as in the MJCF, the world 0"""
    row = np.concatenate([np.arange(len(bodies)), np.flatnonzero(bodies[:, 1] >= 0)])
    second = np.arange(len(row)) >= len(bodies)
    sign = np.where(second, -1.0, 1.0)[:, None]
    sort = np.argsort(order[row], kind="stable")
    return {"row": row[sort], "second": second[sort], "body": np.where(second, bodies[row, 1], bodies[row, 0])[sort] + 1,
            "other": np.where(second, bodies[row, 0], bodies[row, 1])[sort] + 1, "point": vectors[row, 0][sort],
            "normal": (sign * vectors[row, 1])[sort], "force": (sign * vectors[row, 2])[sort], "torque": (sign * vectors[row, 3])[sort]}
