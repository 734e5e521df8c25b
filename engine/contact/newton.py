"""The exact conditions of contact, all corners at once: where hypothesis and check does not end.

Every corner of every region carries an impulse f of its own. Coulomb's law and Signorini's conditions say that f is what is left
of z = f - v / scale inside its friction cone (Alart and Curnier 1991): nothing where z pulls, z where it sticks, the limit along
z where it slides. Newton's method on that equation, damped where it would lead away (a proximal step); corners that pull drop
out of the system. It mostly ends after two steps from the last step's impulses; where it does not, corners.py goes on one by one.
"""
import math

from ..algebra.linear import solve_linear, solve_symmetric
from ..kernel import kernel
from .corners import finish_corners
from .hypothesis import update_velocities
from .problem import FIXED, SLOWEST_SLIDE

MOST_STEPS = 10
FIRST_DAMPING = 1e-3                              # of a corner's scale
TOLERANCE = 1e-6                                  # m/s, by which all conditions together may be missed
SOFTNESS = 1e-6                                   # of each row's own entry: chooses among impulses where rows depend on each other


@kernel
def solve_newton(c, links, count):
    """Impulses and velocities of the links in c.member[:count], starting from those in c.corner_impulse. Returns by how much,
    m/s, they miss the conditions: settled below TOLERANCE."""
    n = write_rows(c, links, count)
    if n < 0:
        return math.inf
    write_system(c, links, n)
    error, damping = update_error(c, n, c.x), FIRST_DAMPING
    for _ in range(MOST_STEPS):
        if error < TOLERANCE * TOLERANCE:
            if not slip_begins(c, n):
                break
            error = update_error(c, n, c.x)
        if not write_step(c, n, damping):
            break
        for u in range(n):
            c.x[u] += c.step[u]
        after = update_error(c, n, c.x)
        if after < error:
            error, damping = after, 0.1 * damping
        else:
            damping *= 10.0
            for u in range(n):
                c.x[u] -= c.step[u]
            update_error(c, n, c.x)
    if slip_begins(c, n):
        error = update_error(c, n, c.x)
    read_impulses(c, n)
    update_velocities(c, links, count)
    finish_corners(c, links, count)
    return math.sqrt(error)


@kernel
def write_rows(c, links, count):
    """one unknown for each row that is held, three for each corner: x, y, normal. Returns how many, -1 if there is no room."""
    n, largest = 0, 0.0
    for i in range(count):
        r = c.member[i]
        for a in range(3):
            largest = max(largest, links.B[r, r, a, a])
    for i in range(count):
        r = c.member[i]
        l = links.length[r]
        if c.corner_start[r] == c.corner_start[r + 1]:
            for a in range(6):
                if c.held[r, a] and links.B[r, r, a, a] > FIXED * largest:
                    if n + 1 > c.x.shape[0]:
                        return -1
                    start_row(c, n, r, -1)
                    c.direction[n, a] = 1.0
                    c.x[n] = 0.0
                    c.bias[n] = links.free[r, a] - c.target[r, a]
                    c.soft[n] = c.compliance[r, a]
                    n += 1
        for k in range(c.corner_start[r], c.corner_start[r + 1]):
            if n + 3 > c.x.shape[0]:
                return -1
            x, y, gx, gy = c.corner[k, 0] / l, c.corner[k, 1] / l, c.grip[k, 0] / l, c.grip[k, 1] / l
            for a in range(3):
                start_row(c, n + a, r, k)
                c.direction[n + a, a] = 1.0
                c.x[n + a] = c.corner_impulse[k, a]
            c.direction[n, 5], c.direction[n + 1, 5] = -gy, gx
            c.direction[n + 2, 3], c.direction[n + 2, 4] = y, -x
            free = links.free[r]
            c.bias[n], c.bias[n + 1] = free[0] - gy * free[5], free[1] + gx * free[5]
            c.bias[n + 2] = free[2] + y * free[3] - x * free[4] - c.approach[k]
            start = c.start[r]
            vx, vy = start[0] - gy * start[5], start[1] + gx * start[5]
            c.slid[k] = 1 if vx * vx + vy * vy > SLOWEST_SLIDE * SLOWEST_SLIDE else 0
            n += 3
    return n


@kernel
def start_row(c, u, r, k):
    c.row_link[u], c.row_corner[u] = r, k
    c.soft[u] = 0.0
    for a in range(6):
        c.direction[u, a] = 0.0


@kernel
def write_system(c, links, n):
    """system = direction B direction^T, and for each corner the scale of its velocities"""
    largest = 0.0
    for u in range(n):
        r, g = c.row_link[u], c.direction[u]
        s = -1
        for w in range(u, n):
            if c.row_link[w] != s:
                s = c.row_link[w]
                for b in range(6):
                    c.row[b] = 0.0
                for a in range(6):
                    if g[a] != 0.0:
                        for b in range(6):
                            c.row[b] += g[a] * links.B[r, s, a, b]
            x = 0.0
            for b in range(6):
                x += c.row[b] * c.direction[w, b]
            c.system[u, w] = c.system[w, u] = x
        if links.ratio[r] == 0.0:
            largest = max(largest, c.system[u, u])
    u = 0
    while u < n:
        if c.row_corner[u] < 0:
            u += 1
            continue
        c.scale[u] = max(c.system[u, u], c.system[u + 1, u + 1], c.system[u + 2, u + 2])
        if c.system[u + 2, u + 2] <= FIXED * largest:
            # nothing moves it: it carries nothing
            c.scale[u], c.bias[u + 2], c.x[u + 2] = largest, 1.0, 0.0
        u += 3
    for u in range(n):
        c.system[u, u] += SOFTNESS * c.system[u, u] + c.soft[u]


@kernel
def update_error(c, n, x):
    """velocities y and z at impulses x; returns the square of how far the conditions are missed, (m/s)^2"""
    for u in range(n):
        y = c.bias[u]
        for w in range(n):
            y += c.system[u, w] * x[w]
        c.y[u] = y
    error, u = 0.0, 0
    while u < n:
        if c.row_corner[u] < 0:
            error += c.y[u] * c.y[u]
            u += 1
            continue
        share = cone_share(c, u, x)
        push = max(0.0, c.z[u + 2])
        dx, dy, dz = x[u] - share * c.z[u], x[u + 1] - share * c.z[u + 1], x[u + 2] - push
        error += c.scale[u] * c.scale[u] * (dx * dx + dy * dy + dz * dz)
        u += 3
    return error


@kernel
def cone_share(c, u, x):
    """z of the corner at row u, and what share of its sideways part stays inside the friction cone: 1 where it sticks"""
    for a in range(3):
        c.z[u + a] = x[u + a] - c.y[u + a] / c.scale[u]
    limit = friction_of(c, u) * max(0.0, c.z[u + 2])
    size = math.sqrt(c.z[u] * c.z[u] + c.z[u + 1] * c.z[u + 1])
    return 1.0 if size <= limit else limit / size


@kernel
def friction_of(c, u):
    r = c.row_link[u]
    return c.dynamic_friction[r] if c.slid[c.row_corner[u]] else c.static_friction[r]


@kernel
def slip_begins(c, n):
    """True where a corner slides that was thought to stick till now: from here on dynamic friction brakes it"""
    begins, u = False, 0
    while u < n:
        if c.row_corner[u] < 0:
            u += 1
            continue
        r = c.row_link[u]
        if not c.slid[c.row_corner[u]] and c.dynamic_friction[r] < c.static_friction[r] and c.z[u + 2] > 0.0:
            if c.z[u] ** 2 + c.z[u + 1] ** 2 > (c.static_friction[r] * c.z[u + 2]) ** 2:
                c.slid[c.row_corner[u]] = 1
                begins = True
        u += 3
    return begins


@kernel
def write_step(c, n, damping):
    """Newton's step from c.x, with y and z as they are there. False where its system is singular."""
    # corners that pull: their impulses go, and velocities with them
    size, u = 0, 0
    for w in range(n):
        c.change[w] = 0.0
    while u < n:
        rows = 1 if c.row_corner[u] < 0 else 3
        if rows == 3 and c.z[u + 2] <= 0.0:
            for a in range(u, u + 3):
                c.step[a] = -c.x[a]
                if c.step[a] != 0.0:
                    for w in range(n):
                        c.change[w] += c.system[w, a] * c.step[a]
        else:
            for a in range(u, u + rows):
                c.closed[size] = a
                size += 1
        u += rows
    A, i, symmetric = c.A, 0, True
    while i < size:
        u = c.closed[i]
        rows = 1 if c.row_corner[u] < 0 else 3
        for a in range(rows):
            for j in range(size):
                A[i + a, j] = c.system[u + a, c.closed[j]]
            A[i + a, size] = -(c.y[u + a] + c.change[u + a])
            A[i + a, i + a] += damping * c.system[u + a, u + a] if rows == 1 else damping * c.scale[u]
        if rows == 3:
            limit = friction_of(c, u) * c.z[u + 2]
            reach = math.sqrt(c.z[u] ** 2 + c.z[u + 1] ** 2)
            if reach > limit:
                symmetric = False
                fold_sliding(c, A, i, u, size, limit, reach)
        i += rows
    if not (solve_symmetric(A, size) if symmetric else solve_linear(A, size)):
        return False
    for i in range(size):
        c.step[c.closed[i]] = A[i, size]
    return True


@kernel
def fold_sliding(c, A, i, u, size, limit, reach):
    """the two sideways rows of a corner that slides: derivatives of limit z / |z|, from the rows of sticking in A"""
    scale, mu, a, b = c.scale[u], friction_of(c, u), c.z[u] / reach, c.z[u + 1] / reach
    share = limit / reach
    xx, xy, yy = share * (1.0 - a * a), -share * a * b, share * (1.0 - b * b)
    for j in range(size):
        x, y, z = A[i, j], A[i + 1, j], A[i + 2, j]
        A[i, j] = xx * x + xy * y + mu * a * z
        A[i + 1, j] = xy * x + yy * y + mu * b * z
    x, y, z = c.change[u], c.change[u + 1], c.change[u + 2]
    A[i, size] = -(scale * (c.x[u] - limit * a) + xx * x + xy * y + mu * a * z)
    A[i + 1, size] = -(scale * (c.x[u + 1] - limit * b) + xy * x + yy * y + mu * b * z)
    A[i, i] += scale * (1.0 - xx)
    A[i, i + 1] -= scale * xy
    A[i + 1, i] -= scale * xy
    A[i + 1, i + 1] += scale * (1.0 - yy)
    A[i, i + 2] -= scale * mu * a
    A[i + 1, i + 2] -= scale * mu * b


@kernel
def read_impulses(c, n):
    """corners' impulses, exactly within their cones, and with them those of the links"""
    for u in range(n):
        for a in range(6):
            c.impulse[c.row_link[u], a] = 0.0
    u = 0
    while u < n:
        r = c.row_link[u]
        if c.row_corner[u] < 0:
            for a in range(6):
                c.impulse[r, a] += c.direction[u, a] * c.x[u]
            u += 1
            continue
        P, share = c.corner_impulse[c.row_corner[u]], cone_share(c, u, c.x)
        P[0], P[1], P[2] = share * c.z[u], share * c.z[u + 1], max(0.0, c.z[u + 2])
        for j in range(3):
            for a in range(6):
                c.impulse[r, a] += c.direction[u + j, a] * P[j]
        u += 3
