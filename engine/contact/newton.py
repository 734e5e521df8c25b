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
from .unknowns import cone_share, friction_of, read_impulses, write_rows, write_system

MOST_STEPS = 10
FIRST_DAMPING = 1e-3                              # of a corner's scale
TOLERANCE = 1e-6                                  # m/s, by which all conditions together may be missed


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
