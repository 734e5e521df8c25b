"""Nearest points of segments and boxes in closed form."""
import math

from ..kernel import kernel

SIDE_BY_SIDE = 2.7e-3
"""Sine squared of 3 degrees: segments closer to parallel may touch along a line."""


@kernel
def touch_segments(w, known, radius_a, radius_b, margin, size):
    """Segments w.segment[0:2] and [2:4] with radii around them: the point where they are nearest, or the two ends of the line along
    which they lie side by side. `known`: keep the normal w.n, else fill it, from the second to the first. Fills w.point and
    w.gap; returns how many points, and the distance of the segments."""
    p, q, end, n = w.segment[0], w.segment[2], w.segment, w.n
    ux, uy, uz = end[1, 0] - p[0], end[1, 1] - p[1], end[1, 2] - p[2]
    wx, wy, wz = end[3, 0] - q[0], end[3, 1] - q[1], end[3, 2] - q[2]
    rx, ry, rz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    a, e, b = ux * ux + uy * uy + uz * uz, wx * wx + wy * wy + wz * wz, ux * wx + uy * wy + uz * wz
    first, second = ux * rx + uy * ry + uz * rz, wx * rx + wy * ry + wz * rz
    # a point is a segment whose length does not matter
    tiny = 1e-20 * size * size
    long_a, long_e = a > tiny, e > tiny
    a, e = a if long_a else 1.0, e if long_e else 1.0
    # nearest points (Ericson 2005, 5.1.9): share g along the first, h along the second
    sine = (a * e - b * b) / (a * e) if long_a and long_e else 1.0
    g = clamp((b * second - first * e) / (a * e * sine)) if sine > 1e-12 and long_a else 0.0
    h = (b * g + second) / e if long_e else 0.0
    if h < 0.0 or h > 1.0:
        h = clamp(h)
        g = clamp((b * h - first) / a) if long_a else 0.0
    x, y, z = rx + g * ux - h * wx, ry + g * uy - h * wy, rz + g * uz - h * wz
    distance = math.sqrt(x * x + y * y + z * z)
    if not known:
        if distance < 1e-9 * size:
            # the cores meet: across both, else across the longer, else up
            x, y, z = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
            if x * x + y * y + z * z < 1e-12 * a * e:
                x, y = (uz, 0.0) if long_a else (wz, 0.0)
                z = -ux if long_a else -wx
                if x * x + z * z < 1e-6 * (a if long_a else e):
                    x, y, z = (1.0, 0.0, 0.0) if long_a or long_e else (0.0, 0.0, 1.0)
        scale = 1.0 / math.sqrt(x * x + y * y + z * z)
        n[0], n[1], n[2] = x * scale, y * scale, z * scale

    # side by side from `low` to `high` along the first; if one end is out of reach, or else, the nearest point alone
    low, high = -first / a, (b - first) / a
    low, high = max(0.0, min(low, high)), min(1.0, max(low, high))
    line = long_a and long_e and sine < SIDE_BY_SIDE and (high - low) * math.sqrt(a) > 1e-3 * size
    count = 0
    for turn in range(0 if line else 2, 3):
        if turn < 2:
            g2 = low if turn == 0 else high
            h2 = clamp((b * g2 + second) / e)
        elif count < 2:
            g2, h2, count = g, h, 0
        else:
            break
        x, y, z = rx + g2 * ux - h2 * wx, ry + g2 * uy - h2 * wy, rz + g2 * uz - h2 * wz
        along = x * n[0] + y * n[1] + z * n[2]
        gap = (along if known or along < 0.0 else math.sqrt(x * x + y * y + z * z)) - radius_a - radius_b
        if gap <= margin:
            w.gap[count] = gap
            for j in range(3):
                here, there = p[j] + g2 * (end[1, j] - p[j]), q[j] + h2 * (end[3, j] - q[j])
                w.point[count, j] = 0.5 * (here + there + (radius_b - radius_a) * n[j])
            count += 1
    return count, distance


@kernel
def clamp(x):
    return min(1.0, max(0.0, x))


@kernel
def nearest_in_box(w, half_length, half):
    """The core of a sphere or capsule (middle w.t, along w.Q's z axis) against a box about the origin. The squared distance is
    convex along the core and its slope is piecewise linear, with bends where the core crosses a side's plane: exact. Fills w.n
    and w.segment with the nearest points; returns their distance, or -1 inside."""
    t, u, segment = w.t, w.segment[1], w.segment
    for j in range(3):
        u[j] = half_length * w.Q[j, 2]
    low, high, low_slope, high_slope = -1.0, 1.0, -math.inf, math.inf
    # the two ends, then the bends between them
    for bend in range(8):
        j = bend // 2 - 1
        if bend < 2:
            here = 2.0 * bend - 1.0
        elif abs(u[j]) > 1e-12 * half_length:
            here = ((half[j] if bend % 2 else -half[j]) - t[j]) / u[j]
        else:
            here = low
        if low <= here <= high:
            slope = 0.0
            for l in range(3):
                place = t[l] + here * u[l]
                slope += u[l] * (place - min(half[l], max(-half[l], place)))
            if slope < 0.0:
                low, low_slope = here, slope
            else:
                high, high_slope = here, slope
    # the slope changes its sign between `low` and `high`; beyond the ends it is infinite
    at = low if high_slope == math.inf else high if low_slope == -math.inf else low - low_slope * (high - low) / (high_slope - low_slope)
    if half_length == 0.0:
        at = 0.0
    total = 0.0
    for j in range(3):
        here = t[j] + at * u[j]
        there = min(half[j], max(-half[j], here))
        segment[0, j] = here
        segment[1, j] = here
        segment[2, j] = there
        segment[3, j] = there
        total += (here - there) * (here - there)
    if total < 1e-24:
        return -1.0
    total = math.sqrt(total)
    for j in range(3):
        w.n[j] = (segment[0, j] - segment[2, j]) / total
    return total
