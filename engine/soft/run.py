"""Many steps with soft contact, one after the other."""
from ..contact.record import CONTACTS, ROWS, write_contacts, write_state
from ..contact.step import finish, locate
from ..contact.touching import write_start
from ..contact.write_holds import break_holds, write_holds
from ..dynamics.integrate import first_broken_body
from ..dynamics.run import write_driven
from ..kernel import kernel
from .compliant import implicit_step
from .explicit import explicit_euler_step, explicit_rk4_step
from .points import elastic_energy, remember, write_points
from .record import write_soft_contacts


@kernel
def find_points(w, soft, q, v, step, time):
    """Where everything is, what touches, and what it remembers."""
    locate(w, q, v, step, time)
    soft.holds[0] = write_holds(w.links, w.c, w.region, w.holds, w.paths, w.d, w.m, q, time)
    w.links.count[0] = soft.holds[0]
    write_start(w.c.start, w.links, w.d, w.m, v)
    write_points(soft.points, w.found, soft.materials, w.d, w.m)


@kernel
def is_full(record, links):
    return record.used[ROWS] == record.time.shape[0] or record.used[CONTACTS] + links > record.contact_step.shape[0]


@kernel
def run_implicit(record, q, v, clock, w, soft, drives, step, end):
    """Fill rows of compliant contact until time `end` or until the buffers are full. clock (2,): the time and the steps done.
    Returns the body that stopped being finite, or -1."""
    while clock[0] < end - 1e-9 and not is_full(record, w.links.body.shape[0]):
        find_points(w, soft, q, v, step, clock[0])
        energy = elastic_energy(soft.points)
        record.solver[record.used[ROWS]] = implicit_step(w, soft, q, v, drives, step, clock[0])
        write_state(record, w.d, q, v, clock)
        write_driven(record.driven[record.used[ROWS]], drives.applied)
        record.energy[record.used[ROWS]], record.length[record.used[ROWS]] = energy, step
        write_rows(record, w, soft, step)
        if soft.holds[0]:
            w.links.count[0] = soft.holds[0]
            break_holds(w.holds, w.c, w.links, w.region, step, clock[0])
        finish(q, v, w.d, w.m, drives, w.v_new, step)
        body = go_on(record, q, v, clock, w, soft, step)
        if body >= 0:
            return body
    return -1


@kernel
def run_explicit(record, q, v, clock, w, soft, drives, step, end, law, rk4):
    """The same for the law of points `law`, with Runge-Kutta or semi-implicit Euler."""
    while clock[0] < end - 1e-9 and not is_full(record, w.links.body.shape[0]):
        find_points(w, soft, q, v, step, clock[0])
        row = record.used[ROWS]
        for k in range(q.shape[0]):
            record.qpos[row, k] = q[k]
        for k in range(v.shape[0]):
            record.qvel[row, k] = v[k]
        record.energy[row] = elastic_energy(soft.points)
        if rk4:
            explicit_rk4_step(w, soft, q, v, drives, step, clock[0], law)
        else:
            explicit_euler_step(w, soft, q, v, drives, step, clock[0], law)
        for k in range(v.shape[0]):
            record.qacc[row, k] = w.d.a[k]
            record.tau[row, k] = w.d.tau[k]
        write_driven(record.driven[row], drives.first if rk4 else drives.applied)
        record.time[row], record.grid[row], record.length[row] = clock[0], clock[1], 0.0 if rk4 else step
        write_rows(record, w, soft, step)
        body = go_on(record, q, v, clock, w, soft, step)
        if body >= 0:
            return body
    return -1


@kernel
def write_rows(record, w, soft, step):
    """contacts of points, and holds"""
    if soft.holds[0]:
        w.links.count[0] = soft.holds[0]
        write_contacts(record, w.links, w.c, w.region, w.found, step)
    write_soft_contacts(record, soft.points, w.found)


@kernel
def go_on(record, q, v, clock, w, soft, step):
    remember(soft.points)
    record.used[ROWS] += 1
    clock[1] += 1.0
    clock[0] = clock[1] * step
    return first_broken_body(w.m, q, v)
