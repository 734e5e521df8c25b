"""Joint limits: how far a joint is beyond its range, and in which direction that grows.

Hinges and sliders have a range; a ball has an elliptical cone for its swing and a range for its twist (source 001, 2.5.3).
With theta the swing's angle, psi its direction and w the velocity turned back by the twist: theta' = w_r,
psi' = w_t / sin theta, twist' = w_z + tan(theta / 2) w_t. Both quotients are kept finite at theta = pi.
"""
import math

from ..algebra.rotations import quaternion_matrix, quaternion_product, swing_twist
from ..algebra.vectors import rotate
from ..kernel import kernel

SMALLEST_SINE = 1e-6


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
    angles = d.scratch
    swing_twist(angles, out)
    theta, twist = math.sqrt(angles[0] * angles[0] + angles[1] * angles[1]), angles[2]
    cx, cy = (angles[0] / theta, angles[1] / theta) if theta > 1e-12 else (1.0, 0.0)
    sine = max(math.sin(theta), SMALLEST_SINE)
    if axis == 2:
        if low <= twist <= high:
            return 0.0
        sign = 1.0 if twist > high else -1.0
        excess = twist - high if twist > high else low - twist
        along_t = sign * (1.0 - math.cos(theta)) / sine
        wx, wy, wz = -cy * along_t, cx * along_t, sign
    else:
        # the cone's half-angle in this direction: an ellipse with half-axes low and high
        reach = 1.0 / math.sqrt((cx / low) ** 2 + (cy / high) ** 2)
        if theta <= reach:
            return 0.0
        excess = theta - reach
        along_t = reach ** 3 * cx * cy * (1.0 / (high * high) - 1.0 / (low * low)) / sine
        wx, wy, wz = cx - cy * along_t, cy + cx * along_t, 0.0
    # from the frame before the twist to the plug's, then to the body's
    c, s = math.cos(twist), math.sin(twist)
    angles[0] = c * wx + s * wy
    angles[1] = -s * wx + c * wy
    angles[2] = wz
    quaternion_matrix(d.scratch_R, P)
    rotate(row, d.scratch_R, angles)
    return excess
