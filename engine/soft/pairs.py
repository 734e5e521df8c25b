"""Contacts between two moving bodies, and holds: they close loops, so they are rows of virtual links (source 000, 2.1) with B = H A^-1 H^T.

003's contact joint: its force follows from the relative velocity at the end of the step, which follows from its force.
"""
from ..algebra.linear import solve_linear
from ..contact.problem import COMPLIANCE
from ..contact.virtual_links import apply_impulses, update_rows
from ..contact.write_holds import write_hold_target
from ..kernel import kernel


@kernel
def pair_link(w, soft, k):
    """the link of point k's region: world axes, at the first of its points"""
    links, p, f = w.links, soft.points, soft.points.region[k]
    if soft.link[f] >= 0:
        return soft.link[f]
    r = links.count[0]
    soft.link[f] = r
    links.count[0] = r + 1
    links.body[r], links.other[r], links.length[r], links.ratio[r] = p.body[k], p.other[k], 1.0, 0.0
    w.region[r] = f
    for j in range(3):
        links.place[r, j] = p.place[k, j]
        for l in range(3):
            links.frame[r, j, l] = 1.0 if j == l else 0.0
    for j in range(6):
        links.drive[r, j] = 0.0
        soft.f6[r, j] = 0.0
        for l in range(6):
            soft.G6[r, j, l] = 0.0
    return r


@kernel
def write_arm(soft, p, k, place):
    for j in range(3):
        soft.arm[j] = p.place[k, j] - place[j]


@kernel
def solve_links(w, soft, step):
    """Impulses of the links, P = step (f0 - G V) of contacts between bodies with V = free + B P, and those of holds; w.v_new with them."""
    links, c, A = w.links, w.c, w.c.A
    count = links.count[0]
    for r in range(count):
        links.island[r] = 0
    update_rows(links, w.d, w.m, w.v_new)
    for r in range(soft.holds[0]):
        write_hold_target(c, w.holds, r, -1 - w.region[r], step, False)
    largest = 0.0
    for r in range(count):
        for j in range(6):
            largest = max(largest, links.B[r, r, j, j])
    n = 6 * count
    for r in range(count):
        for a in range(6):
            row = A[6 * r + a]
            for s in range(n + 1):
                row[s] = 0.0
            if r >= soft.holds[0]:
                row[6 * r + a] = 1.0
                row[n] = step * soft.f6[r, a]
                for b in range(6):
                    G = step * soft.G6[r, a, b]
                    row[n] -= G * links.free[r, b]
                    for s in range(count):
                        for e in range(6):
                            row[6 * s + e] += G * links.B[r, s, b, e]
            elif c.held[r, a]:
                for s in range(count):
                    for e in range(6):
                        row[6 * s + e] = links.B[r, s, a, e]
                row[6 * r + a] += c.compliance[r, a] + COMPLIANCE * largest
                row[n] = c.target[r, a] - links.free[r, a]
            else:
                row[6 * r + a] = 1.0
    solve_linear(A, n)
    for r in range(count):
        for a in range(6):
            c.impulse[r, a] = A[6 * r + a, n]
    apply_impulses(w.v_new, links, w.d, w.m, c.impulse)
