"""Rigid contact by hypothesis and check (source 000, 4.2-4.9).

Each contact is assumed to be closed over its whole region and not to slide. The impulses that keep it so follow from one
linear system; then each is judged: it must push, act inside the region, and stay within friction. Where it fails, the
hypothesis is changed - open, an edge, a corner, sliding - and the system solved again.

A hypothesis is a choice among the six rows of the virtual link: the columns of C are the motions it stops, those of F the
wrenches that do it. F differs from C where friction is folded in (eq 36). Everything is in impulses and velocities over one
step; an impact is the same problem with other velocities (4.6).
"""
import math
from typing import NamedTuple

import numpy as np

from ..algebra.linear import solve_linear
from ..kernel import kernel
from .virtual_links import Links

OPEN, POINT, LINE, AREA = range(4)
"""What part of its region a contact is assumed to press on."""

STICK, TURN, SLIDE = range(3)
"""What friction is assumed to do: hold, hold all but turning about the normal, or brake what slides (Table 2)."""

HYPOTHESIS, CORNERS, UNSETTLED = range(3)
"""How contacts were solved: hypothesis and check; corner by corner, where that did not end; the latter, stopped short."""

SLOWEST_SLIDE = 1e-4                              # m/s; what is slower is taken to stick until friction fails
MOST_TRIES = 6
MOST_RETURNS = 3
PASSES_TOGETHER, PASSES_EACH = 3, 1

VELOCITY_TOLERANCE = 1e-8                         # m/s; a motion slower than this is none
FAR = 1e3                                         # m
FIXED = 1e-9                                      # of the largest entry of B: less is a direction in which nothing can move
COMPLIANCE = 1e-9                                 # of the largest entry of B: chooses the least impulses where rows depend on each other


class Contact(NamedTuple):
    """The problem of one step and its hypotheses. Sizes: nl links, of which some are contacts."""
    # given from outside, one a link
    held: np.ndarray                # (nl, 6) 1 for rows that are held whatever the force; all zero for a contact
    target: np.ndarray              # (nl, 6) velocity that stopped rows shall have
    compliance: np.ndarray          # (nl, 6) velocity a row gives way by for a unit impulse
    start: np.ndarray               # (nl, 6) velocity when the step begins: which way it slides
    static_friction: np.ndarray     # (nl,)
    dynamic_friction: np.ndarray    # (nl,)
    corner_start: np.ndarray        # (nl + 1,)
    corner: np.ndarray              # (·, 2) corners of the region in the link's plane, counter-clockwise
    approach: np.ndarray            # (·,) velocity along the normal that each corner must at least reach, m/s
    arm: np.ndarray                 # (nl,) mean distance from the middle of the region under even pressure, m

    # hypothesis
    support: np.ndarray             # (nl,) OPEN ... AREA
    first: np.ndarray               # (nl,) the corner of a POINT, the first of a LINE
    second: np.ndarray              # (nl,) the second of a LINE
    motion: np.ndarray              # (nl,) STICK ... SLIDE
    pressure: np.ndarray            # (nl, 2) where p_v was thought to be when the direction of sliding was chosen
    tries: np.ndarray               # (nl,) how often it was
    returned: np.ndarray            # (nl,) how often it went in after it was let go
    slide: np.ndarray               # (nl, 3) direction and share of sliding along x and y, and of turning about z

    # computed by write_basis
    size: np.ndarray                # (nl,) how many rows are stopped
    C: np.ndarray                   # (nl, 6, 6) columns: motions that are stopped
    F: np.ndarray                   # (nl, 6, 6) columns: wrenches that stop them

    # result
    impulse: np.ndarray             # (nl, 6) on the body
    velocity: np.ndarray            # (nl, 6) after it
    corner_impulse: np.ndarray      # (·, 3) the same, shared out to the corners
    corner_scale: np.ndarray        # (·, 4) by solve_corners alone
    solver: np.ndarray              # (1,) HYPOTHESIS, CORNERS or UNSETTLED: the worst of all islands

    # memory of the last step, for a first guess
    last_count: np.ndarray          # (1,)
    last_key: np.ndarray            # (nl,)
    wait: np.ndarray                # (nt,) of each island: how many solutions until hypotheses are tried again
    last_start: np.ndarray          # (nl + 1,)
    last_impulse: np.ndarray        # (·, 3) of corners
    last_hypothesis: np.ndarray     # (nl, 3) support, first, second (counted in the link)

    # work arrays
    island: np.ndarray              # (nl,) links that are solved together
    member: np.ndarray              # (nl,)
    A: np.ndarray                   # (6 nl, 6 nl + 1) system and right side
    product: np.ndarray             # (6, 6)


def allocate_contact(links: Links, trees: int) -> Contact:
    """Work arrays for `links` in a system of so many trees."""
    nl, corners = len(links.body), 8 * len(links.body)
    floats = {"held": (nl, 6), "target": (nl, 6), "compliance": (nl, 6), "start": (nl, 6), "static_friction": (nl,),
              "dynamic_friction": (nl,), "corner": (corners, 2), "approach": (corners,), "arm": (nl,), "slide": (nl, 3),
              "pressure": (nl, 2), "C": (nl, 6, 6), "F": (nl, 6, 6), "impulse": (nl, 6), "velocity": (nl, 6),
              "corner_impulse": (corners, 3), "corner_scale": (corners, 4), "A": (6 * nl, 6 * nl + 1), "product": (6, 6),
              "last_impulse": (corners, 3)}
    whole = {"corner_start": (nl + 1,), "support": (nl,), "first": (nl,), "second": (nl,), "motion": (nl,), "tries": (nl,),
             "returned": (nl,), "size": (nl,), "solver": (1,), "last_count": (1,), "wait": (trees,), "last_key": (nl,),
             "last_start": (nl + 1,), "last_hypothesis": (nl, 3), "island": (nl,), "member": (nl,)}
    return Contact(**{name: np.zeros(shape) for name, shape in floats.items()},
                   **{name: np.zeros(shape, int) for name, shape in whole.items()})


@kernel
def assume(c, r, l):
    """The first hypothesis for link r: closed all over; sliding on if it slides or turns."""
    n = c.corner_start[r + 1] - c.corner_start[r]
    c.support[r] = AREA if n > 2 else LINE if n == 2 else POINT
    c.first[r] = c.corner_start[r]
    c.second[r] = c.corner_start[r] + 1
    c.motion[r] = STICK
    assume_sliding(c, r, l, c.start[r], SLOWEST_SLIDE)


@kernel
def assume_sliding(c, r, l, V, slowest):
    """Sliding where velocity V slides or turns faster than `slowest`: share 1 - exp(-k l_vc) of friction is against sliding,
    the rest against turning (4.5), with l_vc from p_v to the centre of rotation and k = 1 / arm."""
    x, y = c.pressure[r, 0], c.pressure[r, 1]
    w = V[5] / l
    vx, vy = V[0] - w * y, V[1] + w * x
    speed, turning = math.sqrt(vx * vx + vy * vy), abs(w) * arm_of(c, r)
    if speed + turning > slowest:
        share = 1.0 if turning == 0.0 else 1.0 - math.exp(-speed / turning)
        c.motion[r] = SLIDE
        c.slide[r, 0] = share * vx / speed if speed > 0.0 else 0.0
        c.slide[r, 1] = share * vy / speed if speed > 0.0 else 0.0
        c.slide[r, 2] = math.copysign(1.0 - share, w)


@kernel
def arm_of(c, r):
    """mean distance from p_v of what presses: the region, an edge of it, a point"""
    if c.support[r] == POINT:
        return 0.0
    if c.support[r] == LINE:
        x, y = c.corner[c.second[r], 0] - c.corner[c.first[r], 0], c.corner[c.second[r], 1] - c.corner[c.first[r], 1]
        return 0.25 * math.sqrt(x * x + y * y)
    return c.arm[r]


@kernel
def write_basis(c, r, l):
    """C and F of link r for its hypothesis"""
    C, F = c.C[r], c.F[r]
    for j in range(6):
        for n in range(6):
            C[j, n] = 0.0
    size = 0
    if c.corner_start[r + 1] == c.corner_start[r]:
        for j in range(6):
            if c.held[r, j]:
                C[j, size] = 1.0
                size += 1
    elif c.support[r] != OPEN:
        # Table 1: v_z, w_x, w_y of an area; v_z and the turning of a line that lifts one end; v_z of a point
        x, y = c.corner[c.first[r], 0], c.corner[c.first[r], 1]
        if c.support[r] == AREA:
            x, y = 0.0, 0.0
            C[3, 1] = C[4, 2] = 1.0
            size = 2
        elif c.support[r] == LINE:
            tx, ty = c.corner[c.second[r], 0] - x, c.corner[c.second[r], 1] - y
            x, y = x + 0.5 * tx, y + 0.5 * ty
            norm = 1.0 / math.sqrt(tx * tx + ty * ty)
            C[3, 1], C[4, 1] = ty * norm, -tx * norm
            size = 1
        # a force at (x, y): its moment about the link's origin over l
        C[2, 0], C[3, 0], C[4, 0] = 1.0, y / l, -x / l
        size += 1
        # Table 2: v_x, v_y unless it slides, at p_v if it turns; w_z if it sticks, and never at a point
        if c.motion[r] != SLIDE:
            if c.motion[r] == TURN:
                x, y = c.pressure[r, 0], c.pressure[r, 1]
            C[0, size], C[5, size] = 1.0, -y / l
            C[1, size + 1], C[5, size + 1] = 1.0, x / l
            size += 2
            if c.motion[r] == STICK and c.support[r] != POINT:
                C[5, size] = 1.0
                size += 1
    c.size[r] = size
    for j in range(6):
        for n in range(size):
            F[j, n] = C[j, n]
    if c.motion[r] != STICK and c.support[r] != OPEN and c.corner_start[r + 1] > c.corner_start[r]:
        # friction follows the pressure: eqs 34-36 and, about p_v, eq 29 with its sign mended, eq 30
        mu, a, b, g = c.dynamic_friction[r], c.slide[r, 0], c.slide[r, 1], c.slide[r, 2] * arm_of(c, r) / l
        if c.motion[r] == TURN:
            a, b = 0.0, 0.0
        for n in range(size):
            F[0, n] -= mu * a * F[2, n]
            F[1, n] -= mu * b * F[2, n]
            F[5, n] += mu * (a * C[3, n] + b * C[4, n]) - mu * g * F[2, n]


@kernel
def solve_hypothesis(c, links, count):
    """impulses and velocities of the links in c.member[:count] for their hypotheses"""
    A = c.A
    rows = 0
    for i in range(count):
        rows += c.size[c.member[i]]
    row, largest = 0, 0.0
    for i in range(count):
        r = c.member[i]
        for a in range(3):
            largest = max(largest, links.B[r, r, a, a])
        column = 0
        for j in range(count):
            s = c.member[j]
            # C^T B F
            B = links.B[r, s]
            for n in range(c.size[s]):
                for a in range(6):
                    x = 0.0
                    for b in range(6):
                        x += B[a, b] * c.F[s, b, n]
                    c.product[a, n] = x
            for k in range(c.size[r]):
                for n in range(c.size[s]):
                    x = 0.0
                    for a in range(6):
                        x += c.C[r, a, k] * c.product[a, n]
                    A[row + k, column + n] = x
            column += c.size[s]
        for k in range(c.size[r]):
            x = 0.0
            for a in range(6):
                x += c.C[r, a, k] * (c.target[r, a] - links.free[r, a])
                A[row + k, row + k] += c.C[r, a, k] * c.C[r, a, k] * c.compliance[r, a]
            A[row + k, rows] = x
        row += c.size[r]
    for k in range(rows):
        if abs(A[k, k]) <= FIXED * largest:
            # nothing moves this way, whatever pushes
            for n in range(rows):
                A[k, n] = A[n, k] = 0.0
            A[k, k], A[k, rows] = largest, 0.0
        A[k, k] += COMPLIANCE * largest
    regular = solve_linear(A, rows)
    row = 0
    for i in range(count):
        r = c.member[i]
        for a in range(6):
            x = 0.0
            for k in range(c.size[r]):
                x += c.F[r, a, k] * A[row + k, rows]
            c.impulse[r, a] = x
        row += c.size[r]
    return regular


@kernel
def update_velocities(c, links, count):
    """velocity = free + B impulse"""
    for i in range(count):
        r = c.member[i]
        for a in range(6):
            x = links.free[r, a]
            for j in range(count):
                s = c.member[j]
                for b in range(6):
                    x += links.B[r, s, a, b] * c.impulse[s, b]
            c.velocity[r, a] = x


@kernel
def normal_velocity(c, r, k, l):
    """of corner k of link r"""
    V = c.velocity[r]
    return V[2] + (V[3] * c.corner[k, 1] - V[4] * c.corner[k, 0]) / l


@kernel
def judge(c, B, r, l, smallest):
    """Change link r's hypothesis where it fails; True if it did. B (8, 8) is the link's own block, `smallest` N s an impulse
    below which there is none."""
    start, end = c.corner_start[r], c.corner_start[r + 1]
    if start == end:
        return False
    # corners that were let go must not go in
    if c.support[r] == OPEN or (end - start > 2 and c.support[r] != AREA) or (end - start == 2 and c.support[r] == POINT):
        for k in range(start, end):
            pressed = (c.support[r] != OPEN and k == c.first[r]) or (c.support[r] == LINE and k == c.second[r])
            if not pressed and normal_velocity(c, r, k, l) < c.approach[k] - VELOCITY_TOLERANCE:
                close_again(c, r, l)
                return True
    if c.support[r] == OPEN:
        return False
    P = c.impulse[r]
    # a contact that comes back was let go for the sake of friction that it can't have: ask for friction first
    if c.returned[r] and c.motion[r] != SLIDE and exceeds_friction(c, B, r, l):
        return True
    # 1. it pushes
    if P[2] <= -smallest:
        c.support[r] = OPEN
        return True
    if P[2] <= smallest:
        # without pressure there is neither friction nor a moment: one that tips it presses on an edge, p_v far beyond it
        tipping = abs(P[3]) + abs(P[4])
        if abs(P[0]) + abs(P[1]) + abs(P[5]) + tipping <= smallest:
            return False
        if tipping <= smallest or not narrow_support(c, r, -FAR * P[4] / tipping, FAR * P[3] / tipping):
            c.support[r] = OPEN
        return True
    # 2. p_v stays in the region (eq 26), else the nearest edge or corner is what presses
    x, y = -l * P[4] / P[2], l * P[3] / P[2]
    if narrow_support(c, r, x, y):
        return True
    # 3. friction and the moment about the normal through p_v (eqs 31-33)
    moment = l * P[5] - (x * P[1] - y * P[0])
    V = c.velocity[r]
    if c.motion[r] == STICK:
        if exceeds_friction(c, B, r, l):
            return True
        left = c.static_friction[r] * P[2] - math.sqrt(P[0] * P[0] + P[1] * P[1])
        if c.support[r] != POINT and abs(moment) > (left + 1e-9 * P[2]) * arm_of(c, r):
            # it turns about p_v, with what the potential centre leaves of the moment
            c.motion[r] = TURN
            c.pressure[r, 0], c.pressure[r, 1] = x, y
            c.slide[r, 2] = math.copysign(max(0.0, left) / (c.static_friction[r] * P[2]), -moment)
            return True
        return False
    if c.motion[r] == TURN:
        if exceeds_friction(c, B, r, l):
            return True
        if c.slide[r, 2] * V[5] < -VELOCITY_TOLERANCE:
            c.motion[r] = STICK
            return True
        return False
    # the direction was chosen for another p_v: again, with this one
    moved = (x - c.pressure[r, 0]) ** 2 + (y - c.pressure[r, 1]) ** 2
    if moved > (0.01 * c.arm[r]) ** 2 and c.tries[r] < MOST_TRIES:
        c.tries[r] += 1
        c.pressure[r, 0], c.pressure[r, 1] = x, y
        assume_sliding(c, r, l, c.start[r], SLOWEST_SLIDE)
        return True
    # friction brakes; where it would drive, the contact comes to rest or slides another way
    vx, vy = V[0] - V[5] / l * y, V[1] + V[5] / l * x
    if c.slide[r, 0] * vx + c.slide[r, 1] * vy + c.slide[r, 2] * arm_of(c, r) * V[5] / l < -VELOCITY_TOLERANCE:
        if c.tries[r] < MOST_TRIES:
            c.tries[r] += 1
            choose_friction(c, B, r, l, x, y)
        else:
            c.motion[r] = STICK
        return True
    return False


@kernel
def exceeds_friction(c, B, r, l):
    """True where link r holds with more than friction (eq 31): then it slides."""
    P = c.impulse[r]
    if P[0] * P[0] + P[1] * P[1] <= (c.static_friction[r] * P[2] + 1e-9 * abs(P[2])) ** 2 and P[2] > 0.0:
        return False
    if P[2] > 0.0:
        choose_friction(c, B, r, l, -l * P[4] / P[2], l * P[3] / P[2])
        if c.motion[r] == SLIDE:
            return True
    # eq 32: the way it pulls
    force = math.sqrt(P[0] * P[0] + P[1] * P[1])
    if force == 0.0:
        return False
    c.motion[r] = SLIDE
    c.slide[r, 0], c.slide[r, 1], c.slide[r, 2] = -P[0] / force, -P[1] / force, 0.0
    return True


@kernel
def choose_friction(c, B, r, l, x, y):
    """Stick, or slide against the friction that brakes most, for link r with p_v at (x, y), its pressure and all other links
    as they are: f minimises f B f / 2 + f v over |f| <= mu f_z, with v the sliding without friction. At the limit
    (B + k) f = -v for the k that gives f its size. (Eq 32 takes the pull itself, right where B is even in all directions.)"""
    P, V = c.impulse[r], c.velocity[r]
    a, b = x / l, y / l
    xx = B[0, 0] - 2.0 * b * B[0, 5] + b * b * B[5, 5]
    yy = B[1, 1] + 2.0 * a * B[1, 5] + a * a * B[5, 5]
    xy = B[0, 1] + a * B[0, 5] - b * B[1, 5] - a * b * B[5, 5]
    if xx + yy <= FIXED * B[2, 2]:
        c.motion[r] = STICK                       # nothing can slide
        return
    xx, yy = xx + COMPLIANCE * (xx + yy), yy + COMPLIANCE * (xx + yy)
    vx = V[0] - V[5] * b - xx * P[0] - xy * P[1]
    vy = V[1] + V[5] * a - xy * P[0] - yy * P[1]
    most = c.dynamic_friction[r] * P[2]
    k = 0.0
    fx, fy = 0.0, 0.0
    for turn in range(30):
        determinant = (xx + k) * (yy + k) - xy * xy
        fx, fy = -((yy + k) * vx - xy * vy) / determinant, -((xx + k) * vy - xy * vx) / determinant
        size = math.sqrt(fx * fx + fy * fy)
        if turn == 0:
            if size <= c.static_friction[r] * P[2]:
                c.motion[r] = STICK
                return
            if most <= 0.0:
                break
        if size <= most * (1.0 + 1e-6):
            break
        # Newton's method on 1 / size, which is nearly straight in k: d size / d k = -f (B + k)^-1 f / size
        gx, gy = ((yy + k) * fx - xy * fy) / determinant, ((xx + k) * fy - xy * fx) / determinant
        k += (size / most - 1.0) * size * size / (fx * gx + fy * gy)
    size = math.sqrt(fx * fx + fy * fy)
    c.motion[r] = SLIDE
    c.pressure[r, 0], c.pressure[r, 1] = x, y
    c.slide[r, 0], c.slide[r, 1], c.slide[r, 2] = -fx / size, -fy / size, 0.0


@kernel
def close_again(c, r, l):
    """A contact that was let go goes in: it presses after all, sliding the way it has just been found to go."""
    V = c.velocity[r]
    n = c.corner_start[r + 1] - c.corner_start[r]
    c.support[r] = AREA if n > 2 else LINE if n == 2 else POINT
    c.first[r], c.second[r] = c.corner_start[r], c.corner_start[r] + 1
    c.returned[r] += 1
    if c.returned[r] > MOST_RETURNS:
        # neither open nor sliding (Painleve): friction stops it
        c.motion[r] = STICK
        return
    c.motion[r] = STICK
    assume_sliding(c, r, l, c.start[r], SLOWEST_SLIDE)
    if c.motion[r] == STICK:
        assume_sliding(c, r, l, V, VELOCITY_TOLERANCE)


@kernel
def narrow_support(c, r, x, y):
    """Where (x, y) lies outside the part of the region that presses, press on its nearest edge or corner; True if so."""
    start, end = c.corner_start[r], c.corner_start[r + 1]
    if c.support[r] == POINT:
        return False
    if c.support[r] == LINE:
        along = place_on_edge(c, c.first[r], c.second[r], x, y)
        if -1e-9 <= along <= 1.0 + 1e-9:
            return False
        if along > 0.5:
            c.first[r] = c.second[r]
        c.support[r] = POINT
        return True
    inside, nearest, edge, at = True, math.inf, start, 0.0
    for k in range(start, end):
        n = k + 1 if k + 1 < end else start
        ax, ay = c.corner[k, 0], c.corner[k, 1]
        bx, by = c.corner[n, 0] - ax, c.corner[n, 1] - ay
        length = math.sqrt(bx * bx + by * by)
        if bx * (y - ay) - by * (x - ax) < -1e-9 * length:
            inside = False
        along = min(1.0, max(0.0, place_on_edge(c, k, n, x, y)))
        gap = (x - ax - along * bx) ** 2 + (y - ay - along * by) ** 2
        if gap < nearest:
            nearest, edge, at = gap, k, along
    if inside:
        return False
    after = edge + 1 if edge + 1 < end else start
    if 0.0 < at < 1.0:
        c.support[r], c.first[r], c.second[r] = LINE, edge, after
    else:
        c.support[r], c.first[r] = POINT, (edge if at == 0.0 else after)
    return True


@kernel
def place_on_edge(c, k, n, x, y):
    """0 at corner k, 1 at corner n"""
    bx, by = c.corner[n, 0] - c.corner[k, 0], c.corner[n, 1] - c.corner[k, 1]
    return (bx * (x - c.corner[k, 0]) + by * (y - c.corner[k, 1])) / (bx * bx + by * by)


@kernel
def solve_by_hypothesis(c, links, count, smallest):
    """Hypothesis and check for the links in c.member[:count]; False where it does not end.

    The paper's rule, at most three passes in which every contact may change (Fig 3). Coupled contacts can then chase each
    other in a circle, so that from there on only the first that fails changes: Murty's least-index rule, which ends wherever
    friction leaves B a P-matrix."""
    for i in range(count):
        r = c.member[i]
        c.tries[r] = 0
        c.returned[r] = 0
        write_basis(c, r, links.length[r])
    for turn in range(PASSES_TOGETHER + PASSES_EACH * count):
        if not solve_hypothesis(c, links, count):
            return False
        update_velocities(c, links, count)
        changed = False
        for i in range(count):
            r = c.member[i]
            if judge(c, links.B[r, r], r, links.length[r], smallest):
                changed = True
                write_basis(c, r, links.length[r])
                if turn >= PASSES_TOGETHER:
                    break
        if not changed:
            return True
    return False
