"""Impacts (source 000, 4.6): restitution that makes no energy, and friction that digs itself in."""
import math

from ..kernel import kernel

JAM_SPEED = 0.25                                  # m/s; what jams and loses more than this within a step is stopped by an impulse


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
