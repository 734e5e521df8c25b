"""The forces of drives in one step, linear in the velocity that the step ends with.

Implicit step: with w the axis velocity as the step begins and w' as it ends, every drive's torque is force - slope (w' - w). So it enters
the equations of motion as springs and dampers do: the force in tau, and ratio^2 step slope on the diagonal of M.

- A target: torque k (target' - q - h w') + c (rate - w'), so slope = c + h k.
- A motor (004, eq 26): at constant voltage u and velocity w' the current tends to j = (u - K w') / R, as i = j + (i0 - j) e^(-t / T),
  T = L / R. Its mean over the step, with f = (1 - e^(-h / T)) T / h, is (1 - f) j + f i0, and K times that is the torque:
  K ((1 - f) (u - K w') / R + f i0), slope = (1 - f) K^2 / R. For h << T this is eq 33 with its row of L solved for i', for h >> T a
  damper K^2 / R; the current is exact for whatever w' is, however short T.
- A target for a motor: the voltage R torque / K + K w' of that torque, so slope = (1 - f) (c + h k).
- Limits: a torque or a voltage beyond its limit is that limit, which may itself fall with speed. Which of them are at a limit is not
  known before w' is: choose_forces takes the sides of the last solution, revise_sides looks whether they were right.
- Dry friction: a damper that holds all but DRY_SPEED, up to its limit.
"""
import math

from ..algebra.rotations import quaternion_log
from ..kernel import kernel
from ..model.model import BALL
from .drives import CURRENT, FRICTION, MOTOR, TORQUE, VOLTAGE
from .limits import share_left, share_slope

DRY_SPEED = 1e-4                                  # rad/s or m/s at which dry friction is whole
MOST_PASSES = 8
SLACK = 1e-9                                      # of a limit
BEND = 1e-6                                       # of the range of limits: how far a limit's tangent may be off


@kernel
def update_commands(p, m, q, v, time, step):
    """Fill p.wanted and p.sides for a step from `time` on; step 0: for this moment."""
    n, share = sample_at(p, time + step)
    for j in range(p.axis.shape[0]):
        p.error[j] = 0.0
        p.rate_error[j] = 0.0
    for t in range(p.target_body.shape[0]):
        i, first = p.target_body[t], p.target_drive[t]
        axes, iq = m.axis_start[i + 1] - m.axis_start[i], m.q_start[i]
        if m.kind[i] == BALL:
            wanted, turn = p.quaternion[0], p.quaternion[1]
            for j in range(4):
                wanted[j] = (1.0 - share) * p.target[t, n, j] + share * p.target[t, n + 1, j]
                turn[j] = q[iq + j] if j == 0 else -q[iq + j]
            quaternion_product_in_place(turn, wanted)
            quaternion_log(p.vector, wanted)
            for j in range(3):
                p.error[first + j] = p.vector[j]
        else:
            for j in range(axes):
                p.error[first + j] = (1.0 - share) * p.target[t, n, j] + share * p.target[t, n + 1, j] - q[iq + j]
        for j in range(axes):
            p.rate_error[first + j] = p.rate[t, n, j]
    n, share = sample_at(p, time + 0.5 * step)
    for j in range(p.axis.shape[0]):
        w, k, c = p.ratio[j] * v[p.dof[j]], p.stiffness[j], p.damping[j]
        feed = (1.0 - share) * p.feed[j, n] + share * p.feed[j, n + 1]
        wanted = feed + k * (p.error[j] - step * w) + c * (p.rate_error[j] - w)
        slope = c + step * k
        p.speed[j] = w
        S = p.sides[j]
        if p.kind[j] == MOTOR:
            R, K = p.R[j], p.K[j]
            p.wanted[j, 0] = feed if p.volts[j] else R * wanted / K + K * w
            p.wanted[j, 1] = 0.0 if p.volts[j] else R * slope / K - K
            S[0], S[1], S[2], S[3] = p.supply[j], 0.0, -p.supply[j], 0.0
        else:
            p.wanted[j, 0] = wanted
            p.wanted[j, 1] = slope
            write_sides(p, j, w)


@kernel
def write_sides(p, j, w):
    """the limits of an ideal torque near the velocity w: their tangents, as seen from the velocity that the step begins with"""
    S, slow = p.sides[j], p.slowness[j]
    if slow == 0.0:
        S[0], S[1], S[2], S[3] = p.high[j], 0.0, p.low[j], 0.0
        return
    x, curvature, eccentric, turn = w * slow, p.curvature[j], p.eccentric[j], w - p.speed[j]
    S[1] = p.high[j] * slow * share_slope(x, curvature, eccentric)
    S[0] = p.high[j] * share_left(x, curvature, eccentric) + S[1] * turn
    S[3] = -p.low[j] * slow * share_slope(-x, curvature, eccentric)
    S[2] = p.low[j] * share_left(-x, curvature, eccentric) + S[3] * turn


@kernel
def quaternion_product_in_place(a, b):
    """b = a b"""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    b[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    b[0], b[1], b[2] = w, x, y


@kernel
def sample_at(p, time):
    """the sample before `time`, and how far it is to the next, 0 to 1"""
    place = max(0.0, time / p.sample[0])
    n = min(int(place), p.feed.shape[1] - 2)
    return n, min(1.0, place - n)


@kernel
def mean_share(step, time_constant):
    """f: how much of the current at the start is in the step's mean"""
    x = step / time_constant
    return -math.expm1(-x) / x if x > 0.0 else 1.0


@kernel
def choose_forces(p, step):
    """Fill p.force and p.friction by p.side."""
    for j in range(p.axis.shape[0]):
        side, S = p.side[j, 0], p.sides[j]
        level, slope = p.wanted[j, 0], p.wanted[j, 1]
        if side == 1:
            level, slope = S[0], S[1]
        elif side == -1:
            level, slope = S[2], S[3]
        if p.kind[j] == MOTOR:
            R, K = p.R[j], p.K[j]
            f = mean_share(step, p.L[j] / R)
            p.force[j, 0] = K * ((1.0 - f) * (level - K * p.speed[j]) / R + f * p.current[j])
            p.force[j, 1] = (1.0 - f) * K / R * (slope + K)
            p.friction[j, 0] = -p.D[j] * p.speed[j]
            p.friction[j, 1] = p.D[j]
            if p.coulomb[j] > 0.0:
                if p.side[j, 1] == 0:
                    p.friction[j, 0] -= p.coulomb[j] / DRY_SPEED * p.speed[j]
                    p.friction[j, 1] += p.coulomb[j] / DRY_SPEED
                else:
                    p.friction[j, 0] += p.side[j, 1] * p.coulomb[j]
        else:
            p.force[j, 0] = level
            p.force[j, 1] = slope


@kernel
def add_forces(tau, p):
    for k in range(tau.shape[0]):
        tau[k] += p.constant[k]
    for j in range(p.axis.shape[0]):
        tau[p.dof[j]] += p.ratio[j] * (p.force[j, 0] + p.friction[j, 0])


@kernel
def add_diagonal(diagonal, p, step):
    for j in range(p.axis.shape[0]):
        diagonal[p.dof[j]] += p.ratio[j] ** 2 * step * (p.force[j, 1] + p.friction[j, 1])


@kernel
def revise_sides(p, v_new):
    """True where a side was wrong for the velocities found, and is another now: solve again."""
    changed = False
    for j in range(p.axis.shape[0]):
        S, w, last = p.sides[j], p.ratio[j] * v_new[p.dof[j]] - p.speed[j], p.side[j, 0]
        wanted = p.wanted[j, 0] - p.wanted[j, 1] * w
        high, low = S[0] - S[1] * w, S[2] - S[3] * w
        side = 0
        if wanted > high + (SLACK * abs(high) if last == 0 else 0.0):
            side = 1
        elif wanted < low - (SLACK * abs(low) if last == 0 else 0.0):
            side = -1
        if side != last:
            p.side[j, 0] = side
            changed = True
        if side != 0 and p.slowness[j] > 0.0:
            # a limit that bends: again along its tangent here, where the last one is off
            given = high if side == 1 else low
            write_sides(p, j, p.speed[j] + w)
            if abs((S[0] - S[1] * w if side == 1 else S[2] - S[3] * w) - given) > BEND * (p.high[j] - p.low[j]):
                changed = True
        if p.coulomb[j] > 0.0:
            held = -(p.speed[j] + w) / DRY_SPEED
            side = 1 if held > 1.0 else -1 if held < -1.0 else 0
            if side != p.side[j, 1]:
                p.side[j, 1] = side
                changed = True
    return changed


@kernel
def apply_drives(p, v_new, step):
    """Fill p.applied and p.next_current for the velocities that the step ends with."""
    for j in range(p.axis.shape[0]):
        A, w = p.applied[j], p.ratio[j] * v_new[p.dof[j]]
        turn = w - p.speed[j]
        A[TORQUE] = p.force[j, 0] - p.force[j, 1] * turn
        A[FRICTION] = p.friction[j, 0] - p.friction[j, 1] * turn
        A[CURRENT] = p.current[j]
        A[VOLTAGE] = 0.0
        if p.kind[j] == MOTOR:
            S, side = p.sides[j], p.side[j, 0]
            A[VOLTAGE] = S[0] if side == 1 else S[2] if side == -1 else p.wanted[j, 0] - p.wanted[j, 1] * turn
            tends = (A[VOLTAGE] - p.K[j] * w) / p.R[j]
            p.next_current[j] = tends + (p.current[j] - tends) * math.exp(-step * p.R[j] / p.L[j])


@kernel
def take_current(p):
    for j in range(p.axis.shape[0]):
        p.current[j] = p.next_current[j]
