"""Many steps with contact, one after the other: to the next impact, through it, and on."""
import math

from ..dynamics.integrate import first_broken_body
from ..dynamics.run import write_driven
from ..effort.drives import CURRENT
from ..kernel import kernel
from .arrival import first_arrival
from .impact import jams, keep_elastic, keep_island
from .record import CONTACTS, IMPACTS, IMPULSES, POINTS, ROWS, write_contacts, write_impact, write_state
from .step import find, finish, solve_step
from .targets import IMPACT, PLASTIC, STEP, arrives
from .virtual_links import apply_impulses
from .write_holds import break_holds

MOST_SINKING = 5e-4                               # m, by which a step may go deeper than it began
SHORTEST = 1e-2                                   # of a step


@kernel
def run_contact(record, q, v, clock, w, drives, step, end):
    """Fill rows until time `end` or until the buffers are nearly full. clock (4,): the time, steps of the grid
    done, what was solved last, and whether this step has jammed.
    Returns the body that stopped being finite, or -1."""
    links, used = w.links.body.shape[0], record.used
    moved, mode, taken, longest = True, int(clock[2]), 0.0, math.inf
    stepped, depth = False, 0.0
    while clock[0] < end - 1e-9:
        # to the next step of the grid; an impact may have cut this one
        target = (clock[1] + 1.0) * step
        length = target - clock[0]
        if moved:
            sure = find(w, q, v, length, clock[0])
            if stepped and taken > SHORTEST * step and deepest(w.found) > depth + MOST_SINKING:
                # something came in that was not seen coming: back, and half as far
                longest = 0.5 * taken
                undo_step(record, q, v, clock, w.holds, drives)
                stepped = False
                continue
            if (used[ROWS] + 2 > record.time.shape[0] or used[CONTACTS] + links > record.contact_step.shape[0]
                    or used[IMPULSES] + 2 * links > record.impulse_impact.shape[0] or used[IMPACTS] + 2 > record.impact_step.shape[0]):
                clock[2] = mode
                return -1
            again = longest < math.inf
            mode = IMPACT if mode == STEP and not again and arrives(w.c, w.links, w.region, w.holds) else STEP
            taken, longest = min(length, longest, max(sure, SHORTEST * step)), math.inf
            stepped, depth = False, deepest(w.found)
        solve_step(w, q, v, drives, taken, mode, clock[0])
        moved = True
        if mode == IMPACT and keep_elastic(w.elastic, w.c, w.links):
            mode, moved = PLASTIC, False
        elif mode != STEP:
            write_impact(record, w.links, w.c, w.region, w.d, w.m, v)
            for k in range(v.shape[0]):
                v[k] = w.v_new[k]
        elif clock[3] == 0.0 and jams(w.c, w.links) >= 0:
            clock[3] = 1.0                        # once: then time goes on
            keep_island(w.c, w.links, jams(w.c, w.links))
            write_impact(record, w.links, w.c, w.region, w.d, w.m, v)
            apply_impulses(v, w.links, w.d, w.m, w.c.impulse)
        else:
            first = first_arrival(w.corner_speed, w.d, w.m, w.found, w.v_new, v, taken)
            if first < taken:
                taken, moved = first, False
                continue
            write_state(record, w.d, q, v, clock)
            write_driven(record.driven[used[ROWS]], drives.applied)
            record.length[used[ROWS]] = taken
            record.solver[used[ROWS]] = w.c.solver[0]
            write_contacts(record, w.links, w.c, w.region, w.found, taken)
            used[ROWS] += 1
            break_holds(w.holds, w.c, w.links, w.region, taken, clock[0])
            finish(q, v, w.d, w.m, drives, w.v_new, taken)
            body = first_broken_body(w.m, q, v)
            if body >= 0:
                return body
            stepped, clock[3] = True, 0.0
            if taken == length:
                clock[1] += 1.0
                clock[0] = target
            else:
                clock[0] += taken
    return -1


@kernel
def deepest(found):
    """m"""
    depth = 0.0
    for f in range(found.count[0]):
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            depth = max(depth, -found.gap[k])
    return depth


@kernel
def undo_step(record, q, v, clock, holds, drives):
    """back to the last row, which is taken out of the record"""
    used = record.used
    used[ROWS] -= 1
    row = used[ROWS]
    while used[CONTACTS] > 0 and record.contact_step[used[CONTACTS] - 1] == row:
        used[CONTACTS] -= 1
    used[POINTS] = record.polygon_start[used[CONTACTS]]
    for k in range(q.shape[0]):
        q[k] = record.qpos[row, k]
    for k in range(v.shape[0]):
        v[k] = record.qvel[row, k]
    for j in range(drives.current.shape[0]):
        drives.current[j] = record.driven[row, j, CURRENT]
    clock[0], clock[1] = record.time[row], record.grid[row]
    for h in range(holds.broken.shape[0]):
        if holds.broken[h] > clock[0]:
            holds.broken[h] = -1.0
