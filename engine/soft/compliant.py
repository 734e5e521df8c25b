"""Compliant contact (source 003): a spring and a damper at every corner, stepped implicitly by the derivatives of their forces alone.

Across the surface f = K (depth at the end of the step) + d (speed in), never a pull. Along it the corner hangs on a spring whose other
end sticks until friction fails (002, eq 8): it does not creep. With u' the corner's velocity at the end of the step both are
f = f0 - G u', so a corner against the world adds step G to its body's inertia (Data.added) and costs nothing more; a corner
between two bodies closes a loop and is a row of a virtual link. Which corners push, and how much of the grip friction allows, is
guessed from the last step, judged, and solved again where it was wrong: the grip's stiffness is scaled to the cone (a secant),
so that the system stays symmetric and every pass damps.
"""
import math

from ..algebra.spatial import add_scaled6
from ..contact.problem import HYPOTHESIS, UNSETTLED
from ..contact.write_holds import add_coupling_forces
from ..dynamics.forward_dynamics import forward_dynamics
from ..dynamics.mass_matrix import factor, update_mass_matrix
from ..dynamics.passive import update_passive, write_implicit_diagonal
from ..effort.force import add_diagonal, add_forces, apply_drives, choose_forces, revise_sides, update_commands
from ..kernel import kernel
from .pairs import pair_link, solve_links, write_arm
from .points import write_velocity
from .wrenches import add_stiffness, add_wrench

PASSES = 8
CONE_TOLERANCE = 3e-3                             # of friction's limit
SMALLEST_FORCE = 1e-9                             # N


@kernel
def implicit_step(w, soft, q, v, drives, step, time):
    """w.v_new and the forces of the points; returns HYPOTHESIS if they settled, else UNSETTLED. Needs find_points."""
    d, m, p = w.d, w.m, soft.points
    update_passive(d.passive, d, m, q, v, step)
    update_commands(drives, m, q, v, time, step)
    for k in range(p.count[0]):
        if p.pushes[k] < 0:
            judge(p, k, p.u[k], step)
            p.share[k] = 1.0
            p.slides[k] = 0
    settled, passes = False, 0
    while not settled and passes < PASSES:
        write_joint_forces(d, m, drives, step)
        solve_pass(w, soft, v, step, False)
        # as elsewhere, drives that have not settled by the last pass stay as they are
        settled = passes == PASSES - 1 or not revise_sides(drives, w.v_new)
        for k in range(p.count[0]):
            write_velocity(soft.u[k], p, k, soft.V, d, m, w.found)
            settled = judge(p, k, soft.u[k], step) and settled
        passes += 1
    if not settled:
        # the last word: the forces as the law has them at these velocities
        write_joint_forces(d, m, drives, step)
        solve_pass(w, soft, v, step, True)
    apply_drives(drives, w.v_new, step)
    for k in range(v.shape[0]):
        d.a[k] = (w.v_new[k] - v[k]) / step
        d.tau[k] -= (d.diagonal[k] - m.armature[k]) * d.a[k]
        d.diagonal[k] = m.armature[k]
    for i in range(d.loaded.shape[0]):
        d.loaded[i] = 0
        for j in range(6):
            d.external[i, j] = 0.0
    if w.links.count[0]:
        add_coupling_forces(d.tau, w.c, w.links, m, step)
    # 002, eq 9a: the grip's spring goes to where its force is
    for k in range(p.count[0]):
        rate = 1.0 / (step + p.grip_beta[k])
        for j in range(3):
            p.stretch[k, j] = p.stretch[k, j] + step * rate * (p.pulled[k, j] - p.stretch[k, j]) if p.pushes[k] == 1 else 0.0
    return HYPOTHESIS if settled else UNSETTLED


@kernel
def write_joint_forces(d, m, drives, step):
    """d.tau and d.diagonal: springs and dampers, and drives on the sides of their limits last found"""
    choose_forces(drives, step)
    write_implicit_diagonal(d, m, step)
    add_diagonal(d.diagonal, drives, step)
    for k in range(d.tau.shape[0]):
        d.tau[k] = d.passive[k]
    add_forces(d.tau, drives)


@kernel
def normal_damper(p, k, step):
    """N s/m: the spring at the end of the step acts as a damper step K. One that is there already counts towards the material's."""
    return step * p.K[k] if p.gap[k] > 0.0 else max(p.damper[k], step * p.K[k])


@kernel
def judge(p, k, u, step):
    """Force of point k at the velocity u, as the law has it; True where that is what was solved with. Updates pushes, share and slides."""
    n, K, S = p.normal[k], p.K[k], p.stretch[k]
    out = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
    push = -K * p.gap[k] - normal_damper(p, k, step) * out
    if push <= SMALLEST_FORCE:
        settled = p.pushes[k] != 1
        p.pushes[k], p.share[k], p.slides[k] = 0, 1.0, 0
        for j in range(3):
            p.force[k, j] = 0.0
        return settled
    grip, time = 0.0, step + p.grip_beta[k]
    for j in range(3):
        p.pulled[k, j] = S[j] + time * (u[j] - out * n[j])
        grip += p.pulled[k, j] ** 2
    grip = K * math.sqrt(grip)
    limit = (p.dynamic_friction[k] if p.slides[k] == 1 else p.static_friction[k]) * push
    share, slides = 1.0, 0
    if grip > limit:
        limit = p.dynamic_friction[k] * push
        share, slides = limit / grip, 1
    settled = p.pushes[k] == 1 and abs(share - p.share[k]) * grip <= CONE_TOLERANCE * limit + SMALLEST_FORCE
    # a settled point has the force that was solved with; its spring goes to where the law has it, or it would creep by the tolerance
    used = p.share[k] if settled else share
    for j in range(3):
        p.force[k, j] = push * n[j] - used * K * p.pulled[k, j]
        p.pulled[k, j] *= share
    p.pushes[k], p.slides[k], p.share[k] = 1, slides, share
    return settled


@kernel
def solve_pass(w, soft, v, step, given):
    """w.v_new and soft.V for the points that push; with `given` for the forces in p.force as they are."""
    d, m, p, links = w.d, w.m, soft.points, w.links
    for i in range(d.loaded.shape[0]):
        d.loaded[i] = 0
        for j in range(6):
            d.external[i, j] = 0.0
    links.count[0] = soft.holds[0]
    for f in range(w.found.count[0]):
        soft.link[f] = -1
    for k in range(p.count[0]):
        if p.pushes[k] != 1:
            continue
        n, K, S, u = p.normal[k], p.K[k], p.stretch[k], p.u[k]
        across = normal_damper(p, k, step)
        along = p.share[k] * K * (step + p.grip_beta[k])
        pair = p.other[k] >= 0
        force = soft.force
        for j in range(3):
            # f0, less G u where the unknown is the change of velocity
            force[j] = -K * p.gap[k] * n[j] - p.share[k] * K * S[j]
        if not pair:
            out = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
            for j in range(3):
                force[j] -= along * u[j] + (across - along) * out * n[j]
        if given:
            across, along = 0.0, 0.0
            for j in range(3):
                force[j] = p.force[k, j]
        if pair and not given:
            r = pair_link(w, soft, k)
            write_arm(soft, p, k, links.place[r])
            add_wrench(soft.f6[r], soft.arm, force, 1.0)
            add_stiffness(soft.G6[r], soft.arm, n, along, across)
        else:
            for side in range(2 if pair else 1):
                i = p.body[k] if side == 0 else p.other[k]
                at = d.origin[m.tree[i]]
                for j in range(3):
                    soft.arm[j] = p.place[k, j] + (w.found.origin[j] - at[j])
                add_wrench(d.external[i], soft.arm, force, 1.0 if side == 0 else -1.0)
                if not given:
                    if d.loaded[i] == 0:
                        d.loaded[i] = 1
                        for j in range(6):
                            for l in range(6):
                                d.added[i, j, l] = 0.0
                    add_stiffness(d.added[i], soft.arm, n, step * along, step * across)
    forward_dynamics(d.a, d, m, d.tau)
    for k in range(v.shape[0]):
        w.v_new[k] = v[k] + step * d.a[k]
    if links.count[0]:
        if not m.shallow:
            update_mass_matrix(d, m)
            factor(d, m)
        solve_links(w, soft, step)
    for i in range(m.parent.shape[0]):
        parent = m.parent[i]
        for j in range(6):
            soft.V[i, j] = soft.V[parent, j] if parent >= 0 else 0.0
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            add_scaled6(soft.V[i], d.S[k], w.v_new[m.dof[k]])
