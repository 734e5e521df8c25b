"""What a simulation with contact writes down, step by step: buffers that are emptied when they are nearly full."""
from typing import NamedTuple

import numpy as np

from ..kernel import kernel
from ..model.model import SLIDER, Model
from .problem import HYPOTHESIS, SLIDE, SLOWEST_SLIDE, UNSETTLED
from .step import SMALLEST_IMPULSE

ROWS, CONTACTS, POINTS, IMPACTS, IMPULSES = range(5)
LENGTHS = {ROWS: ("time", "grid", "qpos", "qvel", "qacc", "tau", "solver", "driven", "length", "energy"),
           CONTACTS: ("contact_step", "contact_body", "contact_vector", "contact_number", "contact_slip", "contact_kind"),
           POINTS: ("polygon",), IMPACTS: ("impact_step", "impact_qvel"),
           IMPULSES: ("impulse_impact", "impulse_body", "impulse_vector", "impulse_mu", "impulse_kind")}
"""Which of the record's arrays count by which entry of `used`."""

SLIDING = 1e-3                                    # m/s; a contact that moves faster slides


class Record(NamedTuple):
    """Rows of the trace (see export.trace): bodies by their index, -1 the world."""
    used: np.ndarray                # (5,) entries used of each kind
    time: np.ndarray                # (·,)
    grid: np.ndarray                # (·,) steps of the grid done
    qpos: np.ndarray                # (·, nq)
    qvel: np.ndarray                # (·, nv)
    qacc: np.ndarray                # (·, nv)
    tau: np.ndarray                 # (·, nv)
    length: np.ndarray              # (·,) of the step that begins there, s
    driven: np.ndarray              # (·, nd, 4) what drives did (see effort.drives)
    solver: np.ndarray              # (·,) HYPOTHESIS, EXACT or UNSETTLED: the worst of its islands
    energy: np.ndarray              # (·,) in the springs of soft contact, J
    contact_step: np.ndarray        # (·,)
    contact_body: np.ndarray        # (·, 2)
    contact_vector: np.ndarray      # (·, 4, 3) point, normal, force, torque
    contact_number: np.ndarray      # (·, 2) friction in force, depth
    contact_slip: np.ndarray        # (·,)
    contact_kind: np.ndarray        # (·,) 0 contact, 1 hold
    impulse_kind: np.ndarray        # (·,)
    polygon_start: np.ndarray       # (· + 1,)
    polygon: np.ndarray             # (·, 3)
    impact_step: np.ndarray         # (·,)
    impact_qvel: np.ndarray         # (·, nv) before it
    impulse_impact: np.ndarray      # (·,)
    impulse_body: np.ndarray        # (·, 2)
    impulse_vector: np.ndarray      # (·, 4, 3) point, normal, linear, angular
    impulse_mu: np.ndarray          # (·,)


def allocate_record(m: Model, rows: int, links: int, drives: int = 0) -> Record:
    """Room for `rows` steps, each with some of its `links` links in use."""
    contacts = max(4 * links, rows * min(links, 16))
    floats = {"time": (rows,), "grid": (rows,), "qpos": (rows, m.nq), "qvel": (rows, m.nv), "qacc": (rows, m.nv), "tau": (rows, m.nv),
              "driven": (rows, drives, 4), "length": (rows,),
              "contact_vector": (contacts, 4, 3), "contact_number": (contacts, 2), "polygon": (8 * contacts, 3),
              "impact_qvel": (rows, m.nv), "impulse_vector": (contacts, 4, 3), "impulse_mu": (contacts,), "energy": (rows,)}
    whole = {"used": (5,), "solver": (rows,), "contact_step": (contacts,), "contact_body": (contacts, 2), "contact_slip": (contacts,),
             "contact_kind": (contacts,), "impulse_kind": (contacts,), "polygon_start": (contacts + 1,), "impact_step": (rows,),
             "impulse_impact": (contacts,), "impulse_body": (contacts, 2)}
    return Record(**{name: np.zeros(shape) for name, shape in floats.items()},
                  **{name: np.zeros(shape, int) for name, shape in whole.items()})


def taken(record: Record) -> Record:
    """A copy of what the record holds; the record is emptied."""
    used = record.used.copy()
    arrays = {name: getattr(record, name)[:used[kind]].copy() for kind, names in LENGTHS.items() for name in names}
    arrays["polygon_start"] = record.polygon_start[:used[CONTACTS] + 1].copy()
    record.used[:] = 0
    return Record(used=used, **arrays)


@kernel
def write_state(record, d, q, v, clock):
    row = record.used[ROWS]
    record.time[row], record.grid[row] = clock[0], clock[1]
    for k in range(q.shape[0]):
        record.qpos[row, k] = q[k]
    for k in range(v.shape[0]):
        record.qvel[row, k] = v[k]
        record.qacc[row, k] = d.a[k]
        record.tau[row, k] = d.tau[k]


@kernel
def write_contacts(record, links, c, region, found, taken):
    for r in range(links.count[0]):
        P = c.impulse[r]
        held = region[r] < 0
        size = 0.0
        for j in range(6):
            size = max(size, abs(P[j]))
        if links.ratio[r] != 0.0 or (size <= SMALLEST_IMPULSE and not held):
            continue
        e = record.used[CONTACTS]
        write_row(record.contact_vector[e], links, c.impulse[r], r, 1.0 / taken)
        record.contact_step[e] = record.used[ROWS]
        record.contact_body[e, 0], record.contact_body[e, 1] = links.body[r], links.other[r]
        record.contact_kind[e] = 1 if held else 0
        if held:
            record.contact_number[e, 0] = record.contact_number[e, 1] = 0.0
            record.contact_slip[e] = 0
            record.used[CONTACTS] = e + 1
            record.polygon_start[e + 1] = record.used[POINTS]
            continue
        depth, f = 0.0, region[r]
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            depth = max(depth, -found.gap[k])
        l = links.length[r]
        x, y = (-l * P[4] / P[2], l * P[3] / P[2]) if P[2] != 0.0 else (0.0, 0.0)
        vx, vy = c.start[r, 0] - c.start[r, 5] / l * y, c.start[r, 1] + c.start[r, 5] / l * x
        # one that comes to rest in this step still slid when it began; one that turns back does not slide by this law
        slips = (c.motion[r] == SLIDE or vx * vx + vy * vy > SLIDING * SLIDING) and P[0] * vx + P[1] * vy <= 0.0
        # a solution that stopped short keeps within static friction, and no more is said of it
        dynamic = slips and slides_on(c, r, l, x, y) and c.solver[0] != UNSETTLED
        record.contact_number[e, 0] = c.dynamic_friction[r] if dynamic else c.static_friction[r]
        record.contact_number[e, 1] = depth
        record.contact_slip[e] = 1 if slips else 0
        p = record.used[POINTS]
        for k in range(c.corner_start[r], c.corner_start[r + 1]):
            for j in range(3):
                record.polygon[p, j] = (links.origin[j] + links.place[r, j] + c.corner[k, 0] * links.frame[r, 0, j]
                                        + c.corner[k, 1] * links.frame[r, 1, j])
            p += 1
        record.used[POINTS] = p
        record.used[CONTACTS] = e + 1
        record.polygon_start[e + 1] = p


@kernel
def slides_on(c, r, l, x, y):
    """True where p_v, at (x, y), and all corners of link r that press still slide when the step ends: what has come to rest, or turns
    about p_v, is held by static friction"""
    if c.motion[r] != SLIDE or rests(c, r, x / l, y / l):
        return False
    if c.solver[0] == HYPOTHESIS:
        return True
    for k in range(c.corner_start[r], c.corner_start[r + 1]):
        if c.corner_impulse[k, 2] > 0.0 and rests(c, r, c.grip[k, 0] / l, c.grip[k, 1] / l):
            return False
    return True


@kernel
def rests(c, r, x, y):
    """does the point at (x, y) l of link r rest when the step ends"""
    V = c.velocity[r]
    return (V[0] - y * V[5]) ** 2 + (V[1] + x * V[5]) ** 2 <= SLOWEST_SLIDE ** 2


@kernel
def write_impact(record, links, c, region, d, m, v):
    i = record.used[IMPACTS]
    record.impact_step[i] = record.used[ROWS]
    for k in range(v.shape[0]):
        record.impact_qvel[i, k] = v[k]
    for r in range(links.count[0]):
        if c.impulse[r, 2] <= SMALLEST_IMPULSE and region[r] >= 0:
            continue
        if links.ratio[r] != 0.0:
            write_coupling_impulse(record, d, m, links.body[r], c.impulse[r, 0])
            write_coupling_impulse(record, d, m, links.other[r], -links.ratio[r] * c.impulse[r, 0])
            continue
        e = record.used[IMPULSES]
        record.impulse_kind[e] = 1 if region[r] < 0 else 0
        write_row(record.impulse_vector[e], links, c.impulse[r], r, 1.0)
        record.impulse_impact[e] = i
        record.impulse_body[e, 0], record.impulse_body[e, 1] = links.body[r], links.other[r]
        record.impulse_mu[e] = 0.0 if region[r] < 0 else c.static_friction[r]
        record.used[IMPULSES] = e + 1
    record.used[IMPACTS] = i + 1


@kernel
def write_coupling_impulse(record, d, m, i, impulse):
    """a coupling's impulse on body i's joint: on the body along or about the joint's axis, and the opposite on its parent"""
    e, k = record.used[IMPULSES], m.axis_start[i]
    out = record.impulse_vector[e]
    for j in range(3):
        out[0, j] = d.origin[m.tree[i], j] + d.x[i, j]
        out[1, j] = 0.0
        # a slider's axis is its velocity, a hinge's its turning
        out[2, j] = impulse * d.S[k, j] / m.ratio[k] if m.kind[i] == SLIDER else 0.0
        out[3, j] = 0.0 if m.kind[i] == SLIDER else impulse * d.S[k, 3 + j] / m.ratio[k]
    record.impulse_kind[e] = 1
    record.impulse_impact[e] = record.used[IMPACTS]
    record.impulse_body[e, 0], record.impulse_body[e, 1] = i, m.parent[i]
    record.impulse_mu[e] = 0.0
    record.used[IMPULSES] = e + 1


@kernel
def write_row(out, links, P, r, scale):
    """point, normal, force and moment of link r in the world; the impulse times `scale`"""
    frame, l = links.frame[r], links.length[r]
    for j in range(3):
        out[0, j] = links.origin[j] + links.place[r, j]
        out[1, j] = frame[2, j]
        out[2, j] = scale * (P[0] * frame[0, j] + P[1] * frame[1, j] + P[2] * frame[2, j])
        out[3, j] = scale * l * (P[3] * frame[0, j] + P[4] * frame[1, j] + P[5] * frame[2, j])
