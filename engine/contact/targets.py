"""What velocities contacts must reach: at rest in a step (eq 20b), returned by restitution in an impact (4.6)."""
from ..kernel import kernel
from .problem import FIXED, VELOCITY_TOLERANCE
from .touching import TOUCH
from .write_holds import closes, write_hold_target

STEP, IMPACT, PLASTIC = range(3)
"""What is solved: a step in time, what happens at one moment, the same without restitution."""

IMPACT_SPEED = 5e-3                               # m/s; slower arrivals are taken up by the contact force
SLOWEST_MOTION = 1e-3                             # m/s
RECOVERY_TIME = 0.02                              # s, in which what sank in comes out (eq 20b)
RECOVERY_SPEED = 0.1                              # m/s, at most
RECOVERY_COMPLIANCE = 1e-3                        # of the link's own B: what can't move so, because other contacts hold it, need not


@kernel
def write_targets(c, links, holds, region, found, step, mode):
    """What corners must at least reach. In a step they come no nearer, and what has sunk in by more than TOUCH comes out (eq 20b):
    contacts at rest ask for no motion at all, so that any number of them agree with each other. One that slides or rolls is
    kept closed: its gap drifts with the square of the step. In an impact they return with restitution times their speed, or stop."""
    for r in range(links.count[0]):
        f, k = region[r], c.corner_start[r]
        if f < 0:
            write_hold_target(c, holds, r, -1 - f, step, mode != STEP)
            continue
        moving = moves(c.start[r])
        yielding = False
        for n in range(found.vertex_start[f], found.vertex_start[f + 1]):
            gap = found.gap[n]
            if gap > TOUCH:
                continue
            if mode == STEP:
                c.approach[k] = min(max(0.0, -TOUCH - gap) / RECOVERY_TIME, RECOVERY_SPEED)
                if moving and gap > 0.0:
                    c.approach[k] = -gap / step
                yielding = yielding or abs(c.approach[k]) > VELOCITY_TOLERANCE
            else:
                speed = start_approach(c, r, k, links.length[r])
                c.approach[k] = -found.restitution[f] * speed if mode == IMPACT and speed < -IMPACT_SPEED else 0.0
            k += 1
        fit_target(c, r, links.length[r])
        B = links.B[r, r]
        most = max(B[0, 0], B[1, 1], B[2, 2])
        for j in range(2, 5):
            c.compliance[r, j] = RECOVERY_COMPLIANCE * max(B[j, j], FIXED * most) if yielding else 0.0


@kernel
def moves(V):
    """True for a link that slides or rolls; turning about the normal is neither"""
    return abs(V[0]) + abs(V[1]) + abs(V[3]) + abs(V[4]) > SLOWEST_MOTION


@kernel
def start_approach(c, r, k, l):
    """velocity of corner k of link r along the normal as the step begins"""
    V = c.start[r]
    return V[2] + (V[3] * c.corner[k, 1] - V[4] * c.corner[k, 0]) / l


@kernel
def fit_target(c, r, l):
    """c.target: the motion of the link that gives its corners their approach velocities, by least squares"""
    first, end = c.corner_start[r], c.corner_start[r + 1]
    mean, sxx, sxy, syy, ax, ay = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(first, end):
        x, y, a = c.corner[k, 0], c.corner[k, 1], c.approach[k]
        mean, ax, ay = mean + a, ax + a * x, ay + a * y
        sxx, sxy, syy = sxx + x * x, sxy + x * y, syy + y * y
    T = c.target[r]
    for j in range(6):
        T[j] = 0.0
    T[2] = mean / (end - first)
    # v = v_z + w_x y - w_y x; a line has no turning about itself
    determinant, trace = sxx * syy - sxy * sxy, sxx + syy
    if determinant > 1e-9 * trace * trace:
        T[3] = l * (sxx * ay - sxy * ax) / determinant
        T[4] = l * (sxy * ay - syy * ax) / determinant
    elif trace > 0.0:
        T[3] = l * ay / trace
        T[4] = -l * ax / trace


@kernel
def arrives(c, links, region, holds):
    """True where a corner that touches comes in, or what is held comes apart, faster than a contact force takes up."""
    for r in range(links.count[0]):
        for j in range(6):
            if region[r] < 0 and closes(holds, -1 - region[r], j) and c.held[r, j] and abs(c.start[r, j]) > IMPACT_SPEED:
                return True
        for k in range(c.corner_start[r], c.corner_start[r + 1]):
            if start_approach(c, r, k, links.length[r]) < -IMPACT_SPEED:
                return True
    return False
