"""One step of a system with rigid contact: detection, impacts, contact forces, integration (source 000, 4.9).

Semi-implicit Euler: the contact impulses are those that give the velocities at the end of the step, with which the pose then
moves. A step never runs past an impact: it ends where the first corner arrives, and the impact is resolved there, in a step of
no length, before time goes on. (4.8 undoes what sank in a plain step of 2 ms; here that is what little an impact not seen coming
leaves, see run.py and targets.py.)
"""
from ..collision.detect import detect
from ..collision.paths import follow
from ..dynamics.integrate import move
from ..dynamics.inverse_dynamics import update_bias
from ..dynamics.kinematics import update_kinematics
from ..dynamics.mass_matrix import factor, solve, update_mass_matrix
from ..dynamics.passive import update_passive, write_implicit_diagonal
from ..effort.force import MOST_PASSES, add_diagonal, add_forces, apply_drives, choose_forces, revise_sides, take_current, update_commands
from ..kernel import kernel
from .arrival import fastest_approach, longest_step, look_ahead
from .corners import solve_corners
from .guess import recall, remember, share_out
from .impact import mix_with_elastic
from .newton import solve_newton
from .problem import EXACT, HYPOTHESIS, SLOWEST_SLIDE, UNSETTLED
from .rigid import solve_by_hypothesis
from .targets import PLASTIC, STEP, write_targets
from .touching import write_grips, write_islands, write_links, write_start
from .virtual_links import apply_impulses, update_rows
from .write_holds import add_coupling_forces, write_holds

WAIT = 20                                         # solutions
SETTLED, MOST_MISSED = 0.5 * SLOWEST_SLIDE, 1e-3  # m/s
SMALLEST_IMPULSE = 1e-12                          # N s


@kernel
def locate(w, q, v, step, time):
    """Where everything is, and which regions touch or may touch within a step; returns how fast anything nears another, m/s."""
    update_kinematics(w.d, w.m, q, v)
    for o in range(w.found.obstacle_x.shape[0]):
        follow(w.found.obstacle_x[o], w.found.obstacle_R[o], w.found.obstacle_V[o], w.q, w.paths, o, time)
    fastest = fastest_approach(w.d, w.body_reach, w.found.obstacle_V, w.obstacle_reach)
    detect(w.found, w.d, w.shapes, look_ahead(fastest, step))
    for j in range(3):
        w.links.origin[j] = w.found.origin[j]
    return fastest


@kernel
def find(w, q, v, step, time):
    """What touches, as links; returns for how long nothing else will, s."""
    fastest = locate(w, q, v, step, time)
    write_links(w.links, w.c, w.region, w.found, write_holds(w.links, w.c, w.region, w.holds, w.paths, w.d, w.m, q, time))
    write_islands(w.links, w.m, w.label)
    write_start(w.c.start, w.links, w.d, w.m, v)
    return longest_step(fastest)


@kernel
def solve_step(w, q, v, drives, step, mode, time):
    """w.v_new and the impulses in c.impulse, for a step of this length or an impact. Needs find. Again where a drive is found
    to be at another of its limits."""
    if mode == STEP:
        update_commands(drives, w.m, q, v, time, step)
    for turn in range(MOST_PASSES):
        if mode == STEP:
            choose_forces(drives, step)
        solve_once(w, q, v, drives, step, mode)
        if mode != STEP or turn == MOST_PASSES - 1 or not revise_sides(drives, w.v_new):
            break
    if mode == STEP:
        apply_drives(drives, w.v_new, step)


@kernel
def solve_once(w, q, v, drives, step, mode):
    d, m, links = w.d, w.m, w.links
    w.c.solver[0] = HYPOTHESIS
    if mode == STEP:
        update_passive(d.passive, d, m, q, v, step)
        write_implicit_diagonal(d, m, step)
        add_diagonal(d.diagonal, drives, step)
        update_bias(d.bias, d, m)
    update_mass_matrix(d, m)
    factor(d, m)
    for k in range(v.shape[0]):
        w.v_free[k] = v[k]
    if mode == STEP:
        for k in range(v.shape[0]):
            d.tau[k] = d.passive[k]
        add_forces(d.tau, drives)
        for k in range(v.shape[0]):
            d.a[k] = d.tau[k] - d.bias[k]
        solve(d.a, d, m)
        for k in range(v.shape[0]):
            w.v_free[k] += step * d.a[k]
    for k in range(v.shape[0]):
        w.v_new[k] = w.v_free[k]
    if links.count[0]:
        update_rows(links, d, m, w.v_free)
        write_targets(w.c, links, w.holds, w.region, w.found, step, mode)
        recall(w.c, links, w.region, w.found.key)
        solve_contact(w.c, links)
        if mode == STEP:
            remember(w.c, links, w.region, w.found.key)
        else:
            w.c.last_count[0] = 0
        if mode == PLASTIC:
            mix_with_elastic(w.c, links, w.elastic)
        apply_impulses(w.v_new, links, d, m, w.c.impulse)
    for k in range(v.shape[0]):
        if mode == STEP:
            # the forces applied: springs and dampers as they are at the end of the step
            d.a[k] = (w.v_new[k] - v[k]) / step
            d.tau[k] -= (d.diagonal[k] - m.armature[k]) * d.a[k]
        d.diagonal[k] = m.armature[k]
    if mode == STEP:
        add_coupling_forces(d.tau, w.c, links, m, step)


@kernel
def solve_contact(c, links):
    """Impulses of all links, island by island."""
    for r in range(links.count[0]):
        c.island[r] = 0
    for r in range(links.count[0]):
        if c.island[r]:
            continue
        count = 0
        for s in range(r, links.count[0]):
            if links.island[s] == links.island[r]:
                c.member[count] = s
                c.island[s] = 1
                count += 1
        # where hypotheses did not end a moment ago they most likely do not now: wait before they are tried again
        island = links.island[r]
        if c.wait[island] == 0 and solve_by_hypothesis(c, links, count, SMALLEST_IMPULSE):
            for i in range(count):
                share_out(c, c.member[i], links.length[c.member[i]])
        else:
            c.wait[island] = WAIT if c.wait[island] == 0 else c.wait[island] - 1
            for i in range(count):
                write_grips(c, c.member[i])
            miss = solve_newton(c, links, count)
            # Gauss-Seidel is for what is far off: it is too slow to mend the last tenths of a mm/s
            settled = miss < SETTLED or (miss > MOST_MISSED and solve_corners(c, links, count))
            c.solver[0] = max(c.solver[0], EXACT if settled else UNSETTLED)


@kernel
def finish(q, v, d, m, drives, v_new, step):
    """Take v_new and move on by it."""
    take_current(drives)
    for k in range(v.shape[0]):
        v[k] = v_new[k]
    for k in range(d.turned.shape[0]):
        d.turned[k] = step * m.ratio[k] * v[m.dof[k]]
    move(q, d, m)
