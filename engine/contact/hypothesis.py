"""What a hypothesis about a contact means (source 000, 4.2-4.5), and the impulses that follow from all of them.

A hypothesis is a choice among the six rows of the virtual link: the columns of C are the motions it stops, those of F the
wrenches that do it. F differs from C where friction is folded in (eq 36). Everything is in impulses and velocities over one
step; an impact is the same problem with other velocities (4.6).
"""
import math

from ..algebra.linear import solve_linear, solve_symmetric
from ..kernel import kernel
from .problem import AREA, COMPLIANCE, FIXED, LINE, OPEN, POINT, SLIDE, SLOWEST_SLIDE, STICK, TURN


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
    if is_folded(c, r):
        # friction follows the pressure: eqs 34-36 and, about p_v, eq 29 with its sign mended, eq 30
        mu, a, b, g = c.dynamic_friction[r], c.slide[r, 0], c.slide[r, 1], c.slide[r, 2] * arm_of(c, r) / l
        if c.motion[r] == TURN:
            a, b = 0.0, 0.0
        for n in range(size):
            F[0, n] -= mu * a * F[2, n]
            F[1, n] -= mu * b * F[2, n]
            F[5, n] += mu * (a * C[3, n] + b * C[4, n]) - mu * g * F[2, n]


@kernel
def is_folded(c, r):
    """True where friction is folded into link r's wrenches, so that F differs from C"""
    return c.motion[r] != STICK and c.support[r] != OPEN and c.corner_start[r + 1] > c.corner_start[r]


@kernel
def solve_hypothesis(c, links, count):
    """impulses and velocities of the links in c.member[:count] for their hypotheses"""
    A = c.A
    rows, symmetric, largest = 0, True, 0.0
    for i in range(count):
        r = c.member[i]
        rows += c.size[r]
        symmetric = symmetric and not is_folded(c, r)
        for a in range(3 if links.ratio[r] == 0.0 else 0):       # of what is measured in 1/kg: a coupling's row is not
            largest = max(largest, links.B[r, r, a, a])
    row = 0
    for i in range(count):
        r = c.member[i]
        column = row if symmetric else 0
        for j in range(i if symmetric else 0, count):
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
            A[row + k, row + k] += COMPLIANCE * (largest if links.ratio[r] == 0.0 else A[row + k, row + k])
        row += c.size[r]
    for k in range(rows):
        if abs(A[k, k]) <= (FIXED + COMPLIANCE) * largest:
            # nothing moves this way, whatever pushes
            for n in range(rows):
                A[k, n] = A[n, k] = 0.0
            A[k, k], A[k, rows] = largest, 0.0
    regular = solve_symmetric(A, rows) if symmetric else solve_linear(A, rows)
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
        V = c.velocity[r]
        for a in range(6):
            V[a] = links.free[r, a]
        for j in range(count):
            s = c.member[j]
            for b in range(6):
                P, B = c.impulse[s, b], links.B[s, r, b]           # B is symmetric: its rows lie in a row
                for a in range(6):
                    V[a] += B[a] * P


@kernel
def normal_velocity(c, r, k, l):
    """of corner k of link r"""
    V = c.velocity[r]
    return V[2] + (V[3] * c.corner[k, 1] - V[4] * c.corner[k, 0]) / l
