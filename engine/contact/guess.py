"""First guesses: what held in the last step most likely holds in this one."""
from ..kernel import kernel
from .hypothesis import assume, assume_sliding
from .problem import AREA, LINE, OPEN, POINT, SLOWEST_SLIDE, STICK


@kernel
def recall(c, links, region, key):
    """Hypotheses and corners' impulses of the same contact in the last step; for a new one, closed all over and none."""
    for r in range(links.count[0]):
        first, count = c.corner_start[r], c.corner_start[r + 1] - c.corner_start[r]
        c.pressure[r, 0], c.pressure[r, 1] = 0.0, 0.0
        for k in range(first, first + count):
            for j in range(3):
                c.corner_impulse[k, j] = 0.0
        if count == 0:
            continue
        assume(c, r, links.length[r])
        for s in range(c.last_count[0]):
            if c.last_key[s] == key[region[r]] and c.last_start[s + 1] - c.last_start[s] == count:
                for k in range(count):
                    for j in range(3):
                        c.corner_impulse[first + k, j] = c.last_impulse[c.last_start[s] + k, j]
                c.support[r] = c.last_hypothesis[s, 0]
                c.first[r], c.second[r] = first + c.last_hypothesis[s, 1], first + c.last_hypothesis[s, 2]
                # p_v, from the corners
                push, x, y = 0.0, 0.0, 0.0
                for k in range(first, first + count):
                    P = c.corner_impulse[k, 2]
                    push, x, y = push + P, x + P * c.corner[k, 0], y + P * c.corner[k, 1]
                if push > 0.0:
                    c.pressure[r, 0], c.pressure[r, 1] = x / push, y / push
                    c.motion[r] = STICK
                    assume_sliding(c, r, links.length[r], c.start[r], SLOWEST_SLIDE)
                break


@kernel
def remember(c, links, region, key):
    n = links.count[0]
    c.last_count[0] = n
    for r in range(n):
        first = c.corner_start[r]
        c.last_key[r] = key[region[r]] if region[r] >= 0 else -1
        c.last_start[r + 1] = c.corner_start[r + 1]
        c.last_hypothesis[r, 0] = c.support[r]
        c.last_hypothesis[r, 1], c.last_hypothesis[r, 2] = c.first[r] - first, c.second[r] - first
    for k in range(c.corner_start[n]):
        for j in range(3):
            c.last_impulse[k, j] = c.corner_impulse[k, j]


@kernel
def share_out(c, r, l):
    """corner_impulse: link r's impulse on its corners, so that they push at p_v; near enough for a guess"""
    first, end, P = c.corner_start[r], c.corner_start[r + 1], c.impulse[r]
    n = end - first
    if n == 0 or P[2] <= 0.0:
        for k in range(first, end):
            for j in range(3):
                c.corner_impulse[k, j] = 0.0
        return
    x, y = -l * P[4] / P[2], l * P[3] / P[2]
    xx, xy, yy = 1e-12, 0.0, 1e-12
    for k in range(first, end):
        a, b = c.corner[k, 0], c.corner[k, 1]
        xx, xy, yy = xx + a * a, xy + a * b, yy + b * b
    determinant = xx * yy - xy * xy
    a, b = (yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant
    for k in range(first, end):
        share = max(0.0, 1.0 / n + a * c.corner[k, 0] + b * c.corner[k, 1])
        for j in range(3):
            c.corner_impulse[k, j] = share * P[j]


@kernel
def guess_support(c, r):
    """the hypothesis that the corners' impulses stand for"""
    first, end = c.corner_start[r], c.corner_start[r + 1]
    largest = 0.0
    for k in range(first, end):
        largest = max(largest, c.corner_impulse[k, 2])
    pressed = 0
    for k in range(first, end):
        if c.corner_impulse[k, 2] > 1e-6 * largest:
            if pressed == 0:
                c.first[r] = k
            elif pressed == 1:
                c.second[r] = k
            pressed += 1
    c.support[r] = AREA if pressed > 2 else LINE if pressed == 2 else POINT if pressed == 1 else OPEN
