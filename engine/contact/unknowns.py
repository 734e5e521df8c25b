"""Unknowns of the exact conditions of contact: one impulse for each row that is held, three for each corner, and how they move each
other. What newton.py solves."""
import math

from ..kernel import kernel
from .problem import FIXED, SLOWEST_SLIDE

SOFTNESS = 1e-6                                   # of each row's own entry: chooses among impulses where rows depend on each other


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
