"""Rotations: unit quaternions (w x y z), rotation vectors, and the split of a rotation into swing and twist.

A rotation's velocity is given in the rotating frame (MuJoCo's convention for ball joints): q' = q (0, w) / 2.
"""
import math

from ..kernel import kernel


@kernel
def quaternion_product(out, a, b):
    """out = a b: first b, then a"""
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]


@kernel
def quaternion_matrix(out, q):
    """out = the rotation matrix of q; q need not be of unit length"""
    w, x, y, z = q[0], q[1], q[2], q[3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    out[0, 0] = 1.0 - s * (y * y + z * z)
    out[0, 1] = s * (x * y - w * z)
    out[0, 2] = s * (x * z + w * y)
    out[1, 0] = s * (x * y + w * z)
    out[1, 1] = 1.0 - s * (x * x + z * z)
    out[1, 2] = s * (y * z - w * x)
    out[2, 0] = s * (x * z - w * y)
    out[2, 1] = s * (y * z + w * x)
    out[2, 2] = 1.0 - s * (x * x + y * y)


@kernel
def quaternion_exp(out, r):
    """out = the unit quaternion of the rotation vector r (axis times angle)"""
    angle = math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    half = 0.5 * angle
    # sin(half) / angle, by its series where the quotient would lose digits
    s = math.sin(half) / angle if angle > 1e-4 else 0.5 - half * half / 12.0
    out[0] = math.cos(half)
    out[1] = s * r[0]
    out[2] = s * r[1]
    out[3] = s * r[2]


@kernel
def quaternion_log(out, q):
    """out = the rotation vector of q, of length pi at most"""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    n = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w = sign * q[0]
    # angle / n, by its series where n vanishes
    s = 2.0 * math.atan2(n, w) / n if n > 1e-8 else 2.0 / w
    out[0] = sign * s * q[1]
    out[1] = sign * s * q[2]
    out[2] = sign * s * q[3]


@kernel
def quaternion_turn(q, r):
    """q becomes q exp(r), of unit length: q after turning by the rotation vector r given in q's own frame"""
    square = 0.25 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    if square < 0.01:
        # a step's turn: cos h and sin h / h as power series, exact to rounding
        w = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0 * (1.0 - square / 90.0))))
        s = 0.5 * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0)))))
    elif square < 1e300:
        half = math.sqrt(square)
        w = math.cos(half)
        s = 0.5 * math.sin(half) / half
    else:
        w = s = math.nan                # no number: Python's cosine would raise an error, the compiled one gives NaN
    x, y, z = s * r[0], s * r[1], s * r[2]
    a, b, c, d = q[0], q[1], q[2], q[3]
    e = a * w - b * x - c * y - d * z
    f = a * x + b * w + c * z - d * y
    g = a * y - b * z + c * w + d * x
    h = a * z + b * y - c * x + d * w
    n = 1.0 / math.sqrt(e * e + f * f + g * g + h * h)
    q[0] = e * n
    q[1] = f * n
    q[2] = g * n
    q[3] = h * n


@kernel
def rotation_vector_rate(out, r, w):
    """out = r', the rate of the rotation vector r of q exp(r) when the rotation's velocity in its own frame is w:
    w + r x w / 2 + k r x (r x w), the inverse of the right Jacobian of the exponential map"""
    t2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    if t2 > 1e-4:
        t = math.sqrt(t2)
        k = 1.0 / t2 - 1.0 / (2.0 * t * math.tan(0.5 * t))
    else:
        k = 1.0 / 12.0 + t2 / 720.0 + t2 * t2 / 30240.0
    c0 = r[1] * w[2] - r[2] * w[1]
    c1 = r[2] * w[0] - r[0] * w[2]
    c2 = r[0] * w[1] - r[1] * w[0]
    out[0] = w[0] + 0.5 * c0 + k * (r[1] * c2 - r[2] * c1)
    out[1] = w[1] + 0.5 * c1 + k * (r[2] * c0 - r[0] * c2)
    out[2] = w[2] + 0.5 * c2 + k * (r[0] * c1 - r[1] * c0)


@kernel
def swing_twist(out, q):
    """out = (swing x, swing y, twist): q = exp(swing x, swing y, 0) exp(0, 0, twist), first the twist about z.

    The swing's length is the angle between the two z axes (source 001, eq 27), in [0, pi]; the twist lies in
    (-pi, pi] (eqs 28-29, derived anew: the scan's brackets are damaged). At a swing of pi any twist would do: it is 0.
    """
    w, x, y, z = q[0], q[1], q[2], q[3]
    c = math.sqrt(w * w + z * z)        # cos(swing / 2)
    s = math.sqrt(x * x + y * y)        # sin(swing / 2)
    if c > 1e-12:
        twist = 2.0 * math.atan2(z, w)
        # the swing alone: q times the twist's inverse
        sx, sy = (x * w - y * z) / c, (y * w + x * z) / c
    else:
        twist, sx, sy = 0.0, x, y
    if twist > math.pi:
        twist -= 2.0 * math.pi          # q and -q are one rotation
    elif twist <= -math.pi:
        twist += 2.0 * math.pi
    k = 2.0 * math.atan2(s, c) / s if s > 1e-12 else 2.0
    out[0] = k * sx
    out[1] = k * sy
    out[2] = twist


@kernel
def from_swing_twist(out, a):
    """out = the unit quaternion of (swing x, swing y, twist)"""
    angle = math.sqrt(a[0] * a[0] + a[1] * a[1])
    half = 0.5 * angle
    s = math.sin(half) / angle if angle > 1e-4 else 0.5 - half * half / 12.0
    w, x, y = math.cos(half), s * a[0], s * a[1]
    c, z = math.cos(0.5 * a[2]), math.sin(0.5 * a[2])
    out[0] = w * c
    out[1] = x * c + y * z
    out[2] = y * c - x * z
    out[3] = w * z
