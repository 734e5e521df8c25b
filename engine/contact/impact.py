"""Impacts (source 000, 4.6): restitution that makes no energy, and friction that digs itself in."""
import math

from ..kernel import kernel

JAM_SPEED = 0.25                                  # m/s; what jams and loses more than this within a step is stopped by an impulse


@kernel
def keep_elastic(elastic, c, links):
    """Newton's restitution with friction can make energy. Where it does, keep the impulses for mix_with_elastic; True if so."""
    for r in range(links.count[0]):
        for j in range(6):
            elastic[r, j] = c.impulse[r, j]
    for r in range(links.count[0]):
        if leads(links, r) and energy_change(c, links, elastic, 1.0, links.island[r]) > 0.0:
            return True
    return False


@kernel
def mix_with_elastic(c, links, elastic):
    """for each island the impulses without restitution, and as much of those with it as makes no energy"""
    for r in range(links.count[0]):
        if not leads(links, r):
            continue
        island, low, high = links.island[r], 0.0, 1.0
        if energy_change(c, links, elastic, 1.0, island) <= 0.0:
            low = 1.0
        while high - low > 1e-15:
            middle = 0.5 * (low + high)
            if energy_change(c, links, elastic, middle, island) > 0.0:
                high = middle
            else:
                low = middle
        for s in range(r, links.count[0]):
            if links.island[s] == island:
                for j in range(6):
                    c.impulse[s, j] = (1.0 - low) * c.impulse[s, j] + low * elastic[s, j]


@kernel
def leads(links, r):
    """True for the first link of each island"""
    for s in range(r):
        if links.island[s] == links.island[r]:
            return False
    return True


@kernel
def energy_change(c, links, elastic, share, island):
    """of an island's kinetic energy by (1 - share) c.impulse + share elastic, J: P (free + B P / 2)"""
    energy = 0.0
    for r in range(links.count[0]):
        if links.island[r] != island:
            continue
        for a in range(6):
            velocity = links.free[r, a]
            for s in range(links.count[0]):
                if links.island[s] == island:
                    for b in range(6):
                        velocity += 0.5 * links.B[r, s, a, b] * ((1.0 - share) * c.impulse[s, b] + share * elastic[s, b])
            energy += ((1.0 - share) * c.impulse[r, a] + share * elastic[r, a]) * velocity
    return energy


@kernel
def jams(c, links):
    """The island where sliding stops dead because friction digs itself in (Painleve): a push along the normal would, with the friction
    that it brings, drive the contact in, so that no force lets it slide on, and an impulse stops it. -1 where there is none."""
    for r in range(links.count[0]):
        if c.corner_start[r + 1] > c.corner_start[r] and c.impulse[r, 2] > 0.0:
            a, b, B, P = c.start[r], c.velocity[r], links.B[r, r], c.impulse[r]
            x, y = -P[4] / P[2], P[3] / P[2]
            ax, ay, bx, by = a[0] - y * a[5], a[1] + x * a[5], b[0] - y * b[5], b[1] + x * b[5]
            before, after = math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)
            if before - after > JAM_SPEED:
                # at p_v, in rows of the link: C = (0, 0, 1, y, -x, 0), F = C less friction and its moment
                fx, fy = -c.dynamic_friction[r] * ax / before, -c.dynamic_friction[r] * ay / before
                turn = x * fy - y * fx
                along = (B[2, 0] * fx + B[2, 1] * fy + B[2, 2] + B[2, 3] * y - B[2, 4] * x + B[2, 5] * turn
                         + y * (B[3, 0] * fx + B[3, 1] * fy + B[3, 2] + B[3, 3] * y - B[3, 4] * x + B[3, 5] * turn)
                         - x * (B[4, 0] * fx + B[4, 1] * fy + B[4, 2] + B[4, 3] * y - B[4, 4] * x + B[4, 5] * turn))
                if along <= 0.0:
                    return links.island[r]
    return -1


@kernel
def keep_island(c, links, island):
    """no impulses but those of one island"""
    for r in range(links.count[0]):
        if links.island[r] != island:
            for j in range(6):
                c.impulse[r, j] = 0.0
