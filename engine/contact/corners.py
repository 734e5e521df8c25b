"""The exact conditions of contact, corner by corner: where newton.py does not end.

Every corner of every region carries an impulse of its own that pushes, stays in its friction cone, and pushes only where the
corner would go in (Coulomb's law and Signorini's conditions). Sums of such impulses push, act inside the region and stay in
its cone too. Gauss-Seidel over the corners (Jean 1999): each round leaves all impulses within their limits.
"""
import math

from ..kernel import kernel
from .guess import guess_support
from .hypothesis import update_velocities
from .problem import COMPLIANCE, FIXED, SLIDE, SLOWEST_SLIDE, STICK

MOST_ROUNDS = 60
TOLERANCE = 1e-6                                  # m/s, the last change of any corner's velocity


@kernel
def solve_corners(c, links, count):
    """Impulses and velocities of the links in c.member[:count], starting from those in c.corner_impulse. True if it settled."""
    largest = 0.0
    for i in range(count):
        r = c.member[i]
        for a in range(6):
            c.impulse[r, a] = 0.0
        l = links.length[r]
        for k in range(c.corner_start[r], c.corner_start[r + 1]):
            P, x, y, gx, gy = c.corner_impulse[k], c.corner[k, 0], c.corner[k, 1], c.grip[k, 0], c.grip[k, 1]
            c.impulse[r, 0] += P[0]
            c.impulse[r, 1] += P[1]
            c.impulse[r, 2] += P[2]
            c.impulse[r, 3] += P[2] * y / l
            c.impulse[r, 4] -= P[2] * x / l
            c.impulse[r, 5] += (P[1] * gx - P[0] * gy) / l
            write_corner_scale(c.corner_scale[k], links.B[r, r], x / l, y / l, gx / l, gy / l)
            largest = max(largest, c.corner_scale[k, 0], c.corner_scale[k, 1], c.corner_scale[k, 2])
    update_velocities(c, links, count)
    for i in range(count):
        for k in range(c.corner_start[c.member[i]], c.corner_start[c.member[i] + 1]):
            c.corner_scale[k, 3] = 0.0
            for j in range(3):
                if c.corner_scale[k, j] <= FIXED * largest:
                    c.corner_scale[k, j] = 0.0
    change = 0.0
    for _ in range(MOST_ROUNDS):
        change = 0.0
        for i in range(count):
            r = c.member[i]
            if c.corner_start[r] == c.corner_start[r + 1]:
                change = max(change, relax_held(c, links, count, r))
            for k in range(c.corner_start[r], c.corner_start[r + 1]):
                change = max(change, relax_corner(c, links, count, r, k))
        if change < TOLERANCE:
            break
    finish_corners(c, links, count)
    return change < TOLERANCE


@kernel
def finish_corners(c, links, count):
    """the hypotheses that corners' impulses stand for, as a first guess for the next step"""
    for i in range(count):
        r = c.member[i]
        if c.corner_start[r] < c.corner_start[r + 1]:
            speed = abs(c.velocity[r, 0]) + abs(c.velocity[r, 1]) + abs(c.velocity[r, 5]) / links.length[r] * c.arm[r]
            c.motion[r] = SLIDE if speed > SLOWEST_SLIDE else STICK
            guess_support(c, r)


@kernel
def write_corner_scale(out, B, x, y, gx, gy):
    """out (4,): velocity of a corner at (x, y) l, its friction at (gx, gy) l, along x, y, z for a unit impulse there, 0 where nothing
    moves; 1 once it has slid"""
    out[0] = B[0, 0] - 2.0 * gy * B[0, 5] + gy * gy * B[5, 5]
    out[1] = B[1, 1] + 2.0 * gx * B[1, 5] + gx * gx * B[5, 5]
    out[2] = B[2, 2] + 2.0 * (y * B[2, 3] - x * B[2, 4] - x * y * B[3, 4]) + y * y * B[3, 3] + x * x * B[4, 4]


@kernel
def relax_held(c, links, count, r):
    change = 0.0
    for a in range(6):
        if c.held[r, a]:
            scale = links.B[r, r, a, a] * (1.0 + COMPLIANCE) + c.compliance[r, a]
            if scale == 0.0:
                continue
            step = (c.target[r, a] - c.velocity[r, a] - c.compliance[r, a] * c.impulse[r, a]) / scale
            spread(c, links, count, r, a, step)
            change = max(change, abs(step) * scale)
    return change


@kernel
def relax_corner(c, links, count, r, k):
    """bring corner k of link r to its conditions, all others held; returns the change of its velocity"""
    l, P, V, scale = links.length[r], c.corner_impulse[k], c.velocity[r], c.corner_scale[k]
    x, y, gx, gy = c.corner[k, 0] / l, c.corner[k, 1] / l, c.grip[k, 0] / l, c.grip[k, 1] / l
    if scale[2] == 0.0:
        return 0.0
    # along the normal
    push = max(0.0, P[2] - (V[2] + V[3] * y - V[4] * x - c.approach[k]) / scale[2])
    dz = push - P[2]
    P[2] = push
    if dz != 0.0:
        spread(c, links, count, r, 2, dz)
        spread(c, links, count, r, 3, y * dz)
        spread(c, links, count, r, 4, -x * dz)
    # across it: towards rest, within friction
    side = max(scale[0], scale[1])
    if side == 0.0:
        return abs(dz) * scale[2]
    px, py = P[0] - (V[0] - V[5] * gy) / side, P[1] - (V[1] + V[5] * gx) / side
    force = math.sqrt(px * px + py * py)
    # what has slid in this solution brakes with dynamic friction: between the two it would jump to and fro
    if force > (c.dynamic_friction[r] if scale[3] else c.static_friction[r]) * push:
        scale[3] = 1.0
        share = c.dynamic_friction[r] * push / force
        px, py = share * px, share * py
    dx, dy = px - P[0], py - P[1]
    P[0], P[1] = px, py
    if dx != 0.0 or dy != 0.0:
        spread(c, links, count, r, 0, dx)
        spread(c, links, count, r, 1, dy)
        spread(c, links, count, r, 5, gx * dy - gy * dx)
    return max(abs(dz) * scale[2], side * max(abs(dx), abs(dy)))


@kernel
def spread(c, links, count, r, a, step):
    """a change of row a of link r's impulse, and what it does to all velocities"""
    c.impulse[r, a] += step
    for i in range(count):
        s = c.member[i]
        for b in range(6):
            c.velocity[s, b] += links.B[s, r, b, a] * step
