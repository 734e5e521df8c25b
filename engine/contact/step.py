"""One step of a system with rigid contact: detection, impacts, contact forces, integration (source 000, 4.9).

Semi-implicit Euler: the contact impulses are those that give the velocities at the end of the step, with which the pose then
moves. A step never runs past an impact: it ends where the first corner arrives, and the impact is resolved there, in a step of
no length, before time goes on. (4.8 undoes what sank in a plain step of 2 ms; here that is what little an impact not seen coming
leaves, see record.py.)
"""
import math
from typing import NamedTuple

import numpy as np

from ..dynamics.data import Data
from ..dynamics.integrate import move
from ..dynamics.inverse_dynamics import update_bias
from ..dynamics.kinematics import update_kinematics, update_velocity
from ..dynamics.mass_matrix import factor, solve, update_mass_matrix
from ..dynamics.passive import update_passive, write_implicit_diagonal
from ..kernel import kernel
from ..model.model import Model
from .contacts import Contacts
from .corners import solve_corners
from .detect import detect
from .guess import recall, remember, share_out
from .holds import Holds, add_coupling_forces, closes, write_hold_target, write_holds
from .paths import Paths, follow
from .rigid import CORNERS, FIXED, HYPOTHESIS, UNSETTLED, VELOCITY_TOLERANCE, Contact, solve_by_hypothesis
from .shapes import Shapes
from .virtual_links import Links, add_velocity, apply_impulses, update_rows

TOUCH = 2e-5                                      # m; corners nearer than this touch
IMPACT_SPEED = 5e-3                               # m/s; slower arrivals are taken up by the contact force
SLOWEST_MOTION = 1e-3                             # m/s
RECOVERY_TIME = 0.02                              # s, in which what sank in comes out (eq 20b)
RECOVERY_SPEED = 0.1                              # m/s, at most
RECOVERY_COMPLIANCE = 1e-3                        # of the link's own B: what can't move so, because other contacts hold it, need not
JAM_SPEED = 0.25                                  # m/s; what jams and loses more than this within a step is stopped by an impulse
WAIT = 20                                         # solutions
SMALLEST_IMPULSE = 1e-12                          # N s

STEP, IMPACT, PLASTIC = range(3)
"""What is solved: a step in time, what happens at one moment, the same without restitution."""


class World(NamedTuple):
    """Everything that a step with contact reads and writes."""
    m: Model
    d: Data
    shapes: Shapes
    found: Contacts
    links: Links
    c: Contact
    holds: Holds
    paths: Paths                    # of obstacles, then of moving targets of holds
    q: np.ndarray                   # (4,) work array of `follow`
    region: np.ndarray              # (nl,) the region of each link
    label: np.ndarray               # (nt,) work array of write_islands
    v_free: np.ndarray              # (nv,) velocities at the end of the step without contact
    v_new: np.ndarray               # (nv,) with it
    elastic: np.ndarray             # (nl, 6) impulses of an impact with restitution


@kernel
def write_links(links, c, region, found, n):
    """a virtual link, from number n on, for every region with a corner that touches: place, frame and corners (4.2)"""
    corners = 0
    for f in range(found.count[0]):
        first = corners
        x, y, z, touching = 0.0, 0.0, 0.0, 0
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            if found.gap[k] <= TOUCH:
                x, y, z, touching = x + found.vertex[k, 0], y + found.vertex[k, 1], z + found.vertex[k, 2], touching + 1
        if touching == 0 or n == links.body.shape[0]:
            continue
        place, frame = links.place[n], links.frame[n]
        place[0], place[1], place[2] = x / touching, y / touching, z / touching
        write_frame(frame, found.normal[f])
        spread = 0.0
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            if found.gap[k] <= TOUCH:
                a, b = 0.0, 0.0
                for j in range(3):
                    a += frame[0, j] * (found.vertex[k, j] - place[j])
                    b += frame[1, j] * (found.vertex[k, j] - place[j])
                c.corner[corners, 0], c.corner[corners, 1] = a, b
                c.approach[corners] = found.gap[k]          # turned into a speed by write_targets
                spread += a * a + b * b
                corners += 1
        # radius of gyration of the region under even pressure, from that of its corners
        links.length[n] = max(math.sqrt(spread / (3.0 * touching)), 0.01)
        c.corner_start[n + 1] = corners
        c.arm[n] = mean_distance(c, first, corners)
        c.static_friction[n], c.dynamic_friction[n] = found.friction[f], found.dynamic_friction[f]
        links.body[n], links.other[n] = found.body[f], max(-1, found.other[f])
        for j in range(6):
            c.held[n, j] = 0.0
            c.compliance[n, j] = 0.0
            links.drive[n, j] = 0.0
        links.ratio[n] = 0.0
        if found.other[f] <= -2:
            o = -2 - found.other[f]
            add_velocity(links.drive[n], links, n, found.obstacle_V[o], found.obstacle_x[o], 1.0)
        region[n] = f
        n += 1
    links.count[0] = n


@kernel
def write_frame(frame, normal):
    """rows: two tangents and the normal"""
    a, b, c = normal[0], normal[1], normal[2]
    # the world axis that is least along the normal gives the first tangent
    if abs(a) <= abs(b) and abs(a) <= abs(c):
        x, y, z = 1.0 - a * a, -a * b, -a * c
    elif abs(b) <= abs(c):
        x, y, z = -b * a, 1.0 - b * b, -b * c
    else:
        x, y, z = -c * a, -c * b, 1.0 - c * c
    n = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * n, y * n, z * n
    frame[0, 0], frame[0, 1], frame[0, 2] = x, y, z
    frame[1, 0], frame[1, 1], frame[1, 2] = b * z - c * y, c * x - a * z, a * y - b * x
    frame[2, 0], frame[2, 1], frame[2, 2] = a, b, c


@kernel
def mean_distance(c, first, end):
    """from the middle, under even pressure: over triangles with the middle as their tip, two thirds of the mean along the
    outer edge, which Simpson's rule gives"""
    if end - first == 1:
        return 0.0
    if end - first == 2:
        return 0.5 * math.sqrt(c.corner[first, 0] ** 2 + c.corner[first, 1] ** 2)
    total, area = 0.0, 0.0
    for k in range(first, end):
        n = k + 1 if k + 1 < end else first
        ax, ay, bx, by = c.corner[k, 0], c.corner[k, 1], c.corner[n, 0], c.corner[n, 1]
        mx, my = 0.5 * (ax + bx), 0.5 * (ay + by)
        weight = abs(ax * by - ay * bx)
        edge = (math.sqrt(ax * ax + ay * ay) + 4.0 * math.sqrt(mx * mx + my * my) + math.sqrt(bx * bx + by * by)) / 6.0
        total += weight * edge
        area += weight
    return 2.0 / 3.0 * total / max(area, 1e-12)


@kernel
def write_islands(links, m, label):
    """links that are connected through trees get one island"""
    for t in range(label.shape[0]):
        label[t] = t
    for r in range(links.count[0]):
        if links.other[r] >= 0:
            a, b = m.tree[links.body[r]], m.tree[links.other[r]]
            while label[a] != a:
                a = label[a]
            while label[b] != b:
                b = label[b]
            label[max(a, b)] = min(a, b)
    for r in range(links.count[0]):
        a = m.tree[links.body[r]]
        while label[a] != a:
            a = label[a]
        links.island[r] = a


@kernel
def write_start(start, links, d, m, v):
    """start (nl, 6): velocities of the links as the step begins. Needs update_velocity."""
    for r in range(links.count[0]):
        for j in range(6):
            start[r, j] = -links.drive[r, j]
        for side in range(2):
            i = links.body[r] if side == 0 else links.other[r]
            if links.ratio[r] != 0.0:
                k = m.axis_start[i]
                start[r, 0] += (1.0 if side == 0 else -links.ratio[r]) * m.ratio[k] * v[m.dof[k]]
            elif i >= 0:
                add_velocity(start[r], links, r, d.V[i], d.origin[m.tree[i]], 1.0 if side == 0 else -1.0)


@kernel
def start_approach(c, r, k, l):
    """velocity of corner k of link r along the normal as the step begins"""
    V = c.start[r]
    return V[2] + (V[3] * c.corner[k, 1] - V[4] * c.corner[k, 0]) / l


@kernel
def fit_target(c, r, l):
    """c.target: the motion of the link that gives its corners their approach velocities, by least squares"""
    first, end = c.corner_start[r], c.corner_start[r + 1]
    mean, sxx, sxy, syy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(first, end):
        x, y, a = c.corner[k, 0], c.corner[k, 1], c.approach[k]
        mean, ax, ay = mean + a, ax + a * x, ay + a * y
        sxx, sxy, syy = sxx + x * x, sxy + x * y, syy + y * y
    T = c.target[r]
    for j in range(6):
        T[j] = 0.0
    T[2] = mean / (end - first)
    # v = v_z + w_x y - w_y x; a line has no turning about itself
    determinant, trace = sxx * syy - sxy * sxy, sxx + syy
    if determinant > 1e-9 * trace * trace:
        T[3] = l * (sxx * ay - sxy * ax) / determinant
        T[4] = l * (sxy * ay - syy * ax) / determinant
    elif trace > 0.0:
        T[3] = l * ay / trace
        T[4] = -l * ax / trace


@kernel
def moves(V):
    """True for a link that slides or rolls; turning about the normal is neither"""
    return abs(V[0]) + abs(V[1]) + abs(V[3]) + abs(V[4]) > SLOWEST_MOTION


@kernel
def write_targets(c, links, holds, region, found, step, mode):
    """What corners must at least reach. In a step they come no nearer, and what has sunk in by more than TOUCH comes out (eq 20b):
    contacts at rest ask for no motion at all, so that any number of them agree with each other. One that slides or rolls is
    kept closed: its gap drifts with the square of the step. In an impact they return with restitution times their speed, or stop."""
    for r in range(links.count[0]):
        f, k = region[r], c.corner_start[r]
        if f < 0:
            write_hold_target(c, holds, r, -1 - f, step, mode != STEP)
            continue
        moving = moves(c.start[r])
        yielding = False
        for n in range(found.vertex_start[f], found.vertex_start[f + 1]):
            gap = found.gap[n]
            if gap > TOUCH:
                continue
            if mode == STEP:
                c.approach[k] = min(max(0.0, -TOUCH - gap) / RECOVERY_TIME, RECOVERY_SPEED)
                if moving and gap > 0.0:
                    c.approach[k] = -gap / step
                yielding = yielding or abs(c.approach[k]) > VELOCITY_TOLERANCE
            else:
                speed = start_approach(c, r, k, links.length[r])
                c.approach[k] = -found.restitution[f] * speed if mode == IMPACT and speed < -IMPACT_SPEED else 0.0
            k += 1
        fit_target(c, r, links.length[r])
        B = links.B[r, r]
        most = max(B[0, 0], B[1, 1], B[2, 2])
        for j in range(2, 5):
            c.compliance[r, j] = RECOVERY_COMPLIANCE * max(B[j, j], FIXED * most) if yielding else 0.0


@kernel
def arrives(c, links, region, holds):
    """True where a corner that touches comes in, or what is held comes apart, faster than a contact force takes up."""
    for r in range(links.count[0]):
        for j in range(6):
            if region[r] < 0 and closes(holds, -1 - region[r], j) and c.held[r, j] and abs(c.start[r, j]) > IMPACT_SPEED:
                return True
        for k in range(c.corner_start[r], c.corner_start[r + 1]):
            if start_approach(c, r, k, links.length[r]) < -IMPACT_SPEED:
                return True
    return False


@kernel
def find(w, q, v, step, time):
    """Where everything is and what touches."""
    update_kinematics(w.d, w.m, q, v)
    for o in range(w.found.obstacle_x.shape[0]):
        follow(w.found.obstacle_x[o], w.found.obstacle_R[o], w.found.obstacle_V[o], w.q, w.paths, o, time)
    detect(w.found, w.d, w.shapes, look_ahead(w.d, w.m, w.found.obstacle_V, step))
    for j in range(3):
        w.links.origin[j] = w.found.origin[j]
    write_links(w.links, w.c, w.region, w.found, write_holds(w.links, w.c, w.region, w.holds, w.paths, w.d, w.m, q, time))
    write_islands(w.links, w.m, w.label)
    write_start(w.c.start, w.links, w.d, w.m, v)


@kernel
def solve_step(w, q, v, motor, step, mode):
    """w.v_new and the impulses in c.impulse, for a step of this length or an impact. Needs find."""
    d, m, links = w.d, w.m, w.links
    w.c.solver[0] = HYPOTHESIS
    if mode == STEP:
        update_passive(d.passive, d, m, q, v, step)
        write_implicit_diagonal(d, m, step)
        update_bias(d.bias, d, m)
    update_mass_matrix(d, m)
    factor(d, m)
    for k in range(v.shape[0]):
        w.v_free[k] = v[k]
    if mode == STEP:
        for k in range(v.shape[0]):
            d.tau[k] = motor[k] + d.passive[k]
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
            settled = solve_corners(c, links, count)
            c.solver[0] = max(c.solver[0], CORNERS if settled else UNSETTLED)


@kernel
def jams(c, links):
    """True where sliding stops dead because friction digs itself in (Painleve): a push along the normal would, with the friction that
    it brings, drive the contact in, so that no force lets it slide on, and an impulse stops it."""
    for r in range(links.count[0]):
        if c.corner_start[r + 1] > c.corner_start[r] and c.impulse[r, 2] > 0.0:
            a, b, B, P = c.start[r], c.velocity[r], links.B[r, r], c.impulse[r]
            before, after = math.sqrt(a[0] * a[0] + a[1] * a[1]), math.sqrt(b[0] * b[0] + b[1] * b[1])
            if before - after > JAM_SPEED:
                # at p_v, in rows of the link: C = (0, 0, 1, y, -x, 0), F = C less friction and its moment
                x, y = -P[4] / P[2], P[3] / P[2]
                fx, fy = -c.dynamic_friction[r] * a[0] / before, -c.dynamic_friction[r] * a[1] / before
                turn = x * fy - y * fx
                along = (B[2, 0] * fx + B[2, 1] * fy + B[2, 2] + B[2, 3] * y - B[2, 4] * x + B[2, 5] * turn
                         + y * (B[3, 0] * fx + B[3, 1] * fy + B[3, 2] + B[3, 3] * y - B[3, 4] * x + B[3, 5] * turn)
                         - x * (B[4, 0] * fx + B[4, 1] * fy + B[4, 2] + B[4, 3] * y - B[4, 4] * x + B[4, 5] * turn))
                if along <= 0.0:
                    return True
    return False


@kernel
def keep_elastic(elastic, c, links):
    """Newton's restitution with friction can make energy. Where it does, keep the impulses for mix_with_elastic; True if so."""
    if energy_change(c, links, elastic, 0.0) <= 0.0:
        return False
    for r in range(links.count[0]):
        for j in range(6):
            elastic[r, j] = c.impulse[r, j]
    return True


@kernel
def mix_with_elastic(c, links, elastic):
    """the impulses without restitution, and as much of those with it as makes no energy"""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        if energy_change(c, links, elastic, middle) > 0.0:
            high = middle
        else:
            low = middle
    for r in range(links.count[0]):
        for j in range(6):
            c.impulse[r, j] = (1.0 - low) * c.impulse[r, j] + low * elastic[r, j]


@kernel
def energy_change(c, links, elastic, share):
    """of kinetic energy by (1 - share) c.impulse + share elastic, J: P (free + B P / 2)"""
    energy = 0.0
    for r in range(links.count[0]):
        for a in range(6):
            velocity = links.free[r, a]
            for s in range(links.count[0]):
                if links.island[s] == links.island[r]:
                    for b in range(6):
                        velocity += 0.5 * links.B[r, s, a, b] * ((1.0 - share) * c.impulse[s, b] + share * elastic[s, b])
            energy += ((1.0 - share) * c.impulse[r, a] + share * elastic[r, a]) * velocity
    return energy


@kernel
def first_arrival(d, m, found, v_new, v, step):
    """When the first corner that does not touch yet arrives, s, or the whole step."""
    update_velocity(d, m, v_new)
    first = step
    for f in range(found.count[0]):
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            gap = found.gap[k]
            if gap > TOUCH:
                speed = 0.0
                for side in range(2):
                    i = found.body[f] if side == 0 else found.other[f]
                    sign = 1.0 if side == 0 else -1.0
                    if i >= 0:
                        speed += sign * point_speed(d.V[i], d.origin[m.tree[i]], found.vertex[k], found.origin, found.normal[f])
                    elif i < -1:
                        speed += sign * point_speed(found.obstacle_V[-2 - i], found.obstacle_x[-2 - i], found.vertex[k], found.origin,
                                                    found.normal[f])
                if gap + step * speed < 0.0:
                    first = min(first, -gap / speed)
    update_velocity(d, m, v)
    return first


@kernel
def point_speed(V, origin, place, place_origin, n):
    """velocity along n of the point at `place` of a body that moves with V about `origin`"""
    x, y, z = place[0] + (place_origin[0] - origin[0]), place[1] + (place_origin[1] - origin[1]), place[2] + (place_origin[2] - origin[2])
    return n[0] * (V[0] + V[4] * z - V[5] * y) + n[1] * (V[1] + V[5] * x - V[3] * z) + n[2] * (V[2] + V[3] * y - V[4] * x)


@kernel
def look_ahead(d, m, obstacle_V, step):
    """margin of detection, m: twice what can arrive within a step"""
    fastest = 0.0
    for i in range(m.parent.shape[0]):
        V, c = d.V[i], d.c[i]
        vx, vy, vz = V[0] + V[4] * c[2] - V[5] * c[1], V[1] + V[5] * c[0] - V[3] * c[2], V[2] + V[3] * c[1] - V[4] * c[0]
        turning = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
        fastest = max(fastest, math.sqrt(vx * vx + vy * vy + vz * vz) + 0.5 * turning)
    for o in range(obstacle_V.shape[0]):
        V = obstacle_V[o]
        fastest += math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]) + math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
    return min(50.0 * TOUCH + 2.0 * step * fastest, 0.1)


@kernel
def finish(q, v, d, m, v_new, step):
    """Take v_new and move on by it."""
    for k in range(v.shape[0]):
        v[k] = v_new[k]
    for k in range(d.turned.shape[0]):
        d.turned[k] = step * m.ratio[k] * v[m.dof[k]]
    move(q, d, m)
