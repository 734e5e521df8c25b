"""Joint limits: how far a joint is beyond its range, and in which direction that grows.

Hinges and sliders have a range; a ball has an elliptical cone for its swing and a range for its twist (source 001, 2.5.3).
With theta the swing's angle, psi its direction and w the velocity turned back by the twist: theta' = w_r,
psi' = w_t / sin theta, twist' = w_z + tan(theta / 2) w_t. At theta = pi all directions meet in one point, any twist would do,
and both quotients grow without bound. So over the last radian before pi a weight k, 1 at its start, goes to 0 as (pi - theta)^2
and theta gives way to a height h that comes to rest there:

    cone:   k (h(theta) - h(reach(psi))) + (1 - k) rise(theta)         rise: the excess over the widest half-angle
    twist:  k (angle to the nearer end of the range)

Excesses are then continuous with bounded gradients everywhere, and equal to the plain angles up to pi - 1. The row is the
gradient, so that the springs they make keep energy. Where the twist is as far from one end as from the other the row jumps.
"""
import math

from ..algebra.rotations import quaternion_matrix, quaternion_product, swing_twist
from ..algebra.vectors import rotate
from ..kernel import kernel

FADE = 1.0                                       # rad before a swing of pi
SMALLEST_SINE = 1e-9


@kernel
def limit_excess(row, d, m, q, l):
    """How far limit l is passed (rad or m, 0 inside), and row (3,): its rate for unit velocities of the joint's axes."""
    i, axis = m.limit_body[l], m.limit_axis[l]
    iq, low, high = m.q_start[i], m.limit_range[l, 0], m.limit_range[l, 1]
    for j in range(3):
        row[j] = 0.0
    if axis < 2:
        x = q[iq + axis]
        if x > high:
            row[axis] = 1.0
            return x - high
        if x < low:
            row[axis] = -1.0
            return low - x
        return 0.0

    # the ball's rotation between socket and plug
    P, turned, out = m.plug_rotation[i], d.quaternion[0], d.quaternion[1]
    out[0] = P[0]
    for j in range(1, 4):
        out[j] = -P[j]
    quaternion_product(turned, out, q[iq:iq + 4])
    quaternion_product(out, turned, P)
    angles = d.swing
    swing_twist(angles, out)
    theta, twist = math.sqrt(angles[0] * angles[0] + angles[1] * angles[1]), angles[2]
    cx, cy = (angles[0] / theta, angles[1] / theta) if theta > 1e-12 else (1.0, 0.0)
    sine = max(math.sin(theta), SMALLEST_SINE)
    k, k_rate = weight(theta), weight_rate(theta)
    if axis == 2:
        if low <= twist <= high:
            return 0.0
        # around the circle to either end
        over, under = twist - high, low - twist
        over += 2.0 * math.pi if over < 0.0 else 0.0
        under += 2.0 * math.pi if under < 0.0 else 0.0
        sign, angle = (1.0, over) if over < under else (-1.0, under)
        excess = k * angle
        along_r, along_t, wz = k_rate * angle, k * sign * (1.0 - math.cos(theta)) / sine, k * sign
    else:
        # the cone's half-angle in this direction: an ellipse with half-axes low and high
        reach = 1.0 / math.sqrt((cx / low) ** 2 + (cy / high) ** 2)
        if theta <= reach:
            return 0.0
        beyond, widest = height(theta) - height(reach), max(low, high)
        rise, rise_rate = height(theta) - height(widest), slope(theta)
        if widest > math.pi - FADE:
            # the weight is below 1 before the widest half-angle is reached: begin there without a kink
            whole = height(math.pi) - height(widest)
            share = rise / whole if rise > 0.0 and whole > 1e-12 else 0.0
            rise, rise_rate = rise * share, 2.0 * share * rise_rate
        excess = k * beyond + (1.0 - k) * rise
        along_r = k * slope(theta) + (1.0 - k) * rise_rate + k_rate * (beyond - rise)
        along_t = k * slope(reach) * reach ** 3 * cx * cy * (1.0 / (high * high) - 1.0 / (low * low)) / sine
        wz = 0.0
    wx, wy = along_r * cx - along_t * cy, along_r * cy + along_t * cx
    # from the frame before the twist to the plug's, then to the body's
    c, s = math.cos(twist), math.sin(twist)
    angles[0] = c * wx + s * wy
    angles[1] = -s * wx + c * wy
    angles[2] = wz
    quaternion_matrix(d.scratch_R, P)
    rotate(row, d.scratch_R, angles)
    return excess


@kernel
def weight(theta):
    """1 up to the last radian before pi, and on to 0 without a kink at either end"""
    x = max(0.0, (theta - math.pi) / FADE + 1.0)
    return (1.0 - x) ** 2 * (1.0 + 2.0 * x)


@kernel
def weight_rate(theta):
    x = max(0.0, (theta - math.pi) / FADE + 1.0)
    return -6.0 * x * (1.0 - x) / FADE


@kernel
def height(theta):
    """theta up to the last radian before pi; from there its slope falls to 0"""
    x = max(0.0, (theta - math.pi) / FADE + 1.0)
    return theta - FADE * x * x / 2.0


@kernel
def slope(theta):
    x = max(0.0, (theta - math.pi) / FADE + 1.0)
    return 1.0 - x
