"""Holds as virtual links: where they stand, what velocities they ask for (eq 20b), and when they break."""
import math

from ..algebra.rotations import quaternion_matrix
from ..algebra.vectors import compose, rotate
from ..collision.paths import follow
from ..kernel import kernel
from .virtual_links import add_drift, add_velocity

LENGTH = 0.1                                      # m, of the rows that turn
LOOSE = 1e-6                                      # m; what is further apart comes together at RETURN_RATE, else within a step
RETURN_RATE = 50.0                                # 1/s


@kernel
def write_holds(links, c, region, holds, paths, d, m, q, time):
    """Links 0 to n - 1 for the holds that hold at `time`, in s; returns n. region of a hold is -1 - its number."""
    n = 0
    for h in range(holds.body.shape[0]):
        if holds.broken[h] < 0.0 and holds.span[h, 0] - 1e-9 <= time < holds.span[h, 1] - 1e-9:
            links.body[n], links.other[n] = holds.body[h], holds.other[h]
            links.length[n] = LENGTH
            links.ratio[n] = holds.ratio[h]
            for j in range(6):
                c.held[n, j] = holds.rows[h, j]
                links.drive[n, j] = 0.0
                holds.drift[h, j] = 0.0
                holds.error[h, j] = 0.0
            if holds.ratio[h] != 0.0:
                write_coupling(links, holds, d, m, q, n, h)
            else:
                write_hold(links, holds, paths, d, m, n, h, time)
            region[n] = -1 - h
            c.corner_start[n + 1] = 0
            n += 1
    return n


@kernel
def write_coupling(links, holds, d, m, q, n, h):
    """link n for coupling h, whose row needs neither place nor frame; they stand at the follower for whoever looks"""
    i, p = holds.body[h], holds.other[h]
    for j in range(3):
        links.place[n, j] = d.x[i, j] + (d.origin[m.tree[i], j] - links.origin[j])
        for k in range(3):
            links.frame[n, j, k] = 1.0 if j == k else 0.0
    ahead = q[m.q_start[i]] - holds.ratio[h] * q[m.q_start[p]]
    if holds.holding[h] == 0.0:
        holds.offset[h] = ahead
    holds.error[h, 0] = ahead - holds.offset[h]


@kernel
def write_hold(links, holds, paths, d, m, n, h, time):
    """link n for hold h, at the body's frame, with the axes of the other side; fills error, drift and drive"""
    R, x = holds.R, holds.x
    for side in range(2):
        i = holds.body[h] if side == 0 else holds.other[h]
        at = holds.at[h] if side == 0 else holds.to[h]
        quaternion_matrix(R[2], holds.at_rotation[h] if side == 0 else holds.to_rotation[h])
        for j in range(3):
            x[side, j] = at[j] - links.origin[j]
            for k in range(3):
                R[side, j, k] = R[2, j, k]
        if i >= 0:
            rotate(x[side], d.R[i], at)
            compose(R[side], d.R[i], R[2])
            for j in range(3):
                x[side, j] += d.x[i, j] + (d.origin[m.tree[i], j] - links.origin[j])
    if holds.path[h] >= 0:
        follow(x[1], R[1], holds.V, holds.q, paths, holds.path[h], time)
        for j in range(3):
            x[1, j] -= links.origin[j]
    axes = R[0] if holds.rolling[h] else R[1]
    for j in range(3):
        links.place[n, j] = x[0, j]
        for k in range(3):
            links.frame[n, j, k] = axes[k, j]
    if holds.path[h] >= 0:
        # the target moves with V about x[1]
        for j in range(3):
            x[1, j] += links.origin[j]
        add_velocity(links.drive[n], links, n, holds.V, x[1], 1.0)
        for j in range(3):
            x[1, j] -= links.origin[j]
    if holds.rolling[h]:
        return
    for j in range(3):
        # half the sum over the axes of other x own: the turn from one frame to the other while it is small
        for k in range(3):
            holds.error[h, j] += R[1, k, j] * (x[0, k] - x[1, k])
            a, b = (j + 1) % 3, (j + 2) % 3
            holds.error[h, 3 + j] += 0.5 * (R[1, k, b] * R[0, k, a] - R[1, k, a] * R[0, k, b])
    # that is its sine: springs go by the angle
    turned, cosine = holds.error[h, 3:6], -0.5
    for k in range(3):
        for j in range(3):
            cosine += 0.5 * R[0, k, j] * R[1, k, j]
    sine = math.sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2])
    for j in range(3):
        if holds.stiffness[h, 3 + j] > 0.0 and sine > 0.0:
            turned[j] *= math.atan2(sine, cosine) / sine
    add_drift(holds.drift[h], links, d, m, n, holds.body[h], 1.0)
    if holds.other[h] >= 0:
        add_drift(holds.drift[h], links, d, m, n, holds.other[h], -1.0)


@kernel
def write_hold_target(c, holds, n, h, step, at_rest):
    """velocities that undo the error of link n, and how its springs give way; in an impact (at_rest) rows just stop.
    A spring's impulse P = -step (k (error + step v) + damping v), so v + P / give = -step k error / give, with
    give = step^2 k + step damping: a target and a compliance."""
    holds.holding[h] = 1.0
    for j in range(6):
        unit = 1.0 if j < 3 else LENGTH
        error, k = unit * holds.error[h, j], holds.stiffness[h, j] / (unit * unit)
        c.compliance[n, j] = 0.0
        c.target[n, j] = 0.0
        if at_rest:
            if k > 0.0:
                c.held[n, j] = 0.0                # a spring passes no impulse
        elif k > 0.0:
            give = step * (step * k + holds.damping[h, j] / (unit * unit))
            c.compliance[n, j] = 1.0 / give
            c.target[n, j] = -step * k * error / give
        else:
            # together at the end of the step: error + step v + step^2 / 2 H_C' v = 0 (eq 20b, with its drift term)
            c.target[n, j] = -error / max(step, holds.grid[0]) - 0.5 * step * holds.drift[h, j]
            if abs(error) > LOOSE:
                # what is far apart, since it was held so, comes together gently: a = -2 w v - w^2 error
                speed = c.start[n, j]
                c.target[n, j] = speed - step * RETURN_RATE * (2.0 * speed + RETURN_RATE * error)


@kernel
def closes(holds, h, j):
    """True for row j of a hold that begins: it stops with an impulse what a spring would only brake"""
    return holds.holding[h] == 0.0 and holds.stiffness[h, j] == 0.0


@kernel
def break_holds(holds, c, links, region, step, time):
    """let go of what is pulled harder than it holds, from the end of this step on"""
    for r in range(links.count[0]):
        if region[r] < 0:
            h, P = -1 - region[r], c.impulse[r]
            force = (P[0] * P[0] + P[1] * P[1] + P[2] * P[2]) / (step * step)
            moment = (P[3] * P[3] + P[4] * P[4] + P[5] * P[5]) * LENGTH * LENGTH / (step * step)
            if force > holds.limit[h, 0] ** 2 or moment > holds.limit[h, 1] ** 2:
                holds.broken[h] = time + step


@kernel
def add_coupling_forces(tau, c, links, m, step):
    """tau (nv,) += what couplings put on the two joints: no force on a body, but one between two"""
    for r in range(links.count[0]):
        if links.ratio[r] != 0.0:
            for side in range(2):
                k = m.axis_start[links.body[r] if side == 0 else links.other[r]]
                tau[m.dof[k]] += (1.0 if side == 0 else -links.ratio[r]) * m.ratio[k] * c.impulse[r, 0] / step
