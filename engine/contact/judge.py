"""Is a hypothesis true (source 000, 4.4-4.5)? It must push, act inside its region and stay within friction; where it fails, another
takes its place."""
import math

from ..kernel import kernel
from .hypothesis import arm_of, assume_sliding, normal_velocity
from .problem import AREA, COMPLIANCE, FIXED, LINE, OPEN, POINT, SLIDE, SLOWEST_SLIDE, STICK, TURN, VELOCITY_TOLERANCE

MOST_TRIES = 6
MOST_RETURNS = 3
FAR = 1e3                                         # m


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
