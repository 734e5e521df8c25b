"""Convex polygons in a plane, from a handful of points."""
import math

from ..kernel import kernel

SMALL = 1e-12                                    # m^2, the area below which three points are in line


@kernel
def convex_polygon(order, x, y, n):
    """order[:count] = the corners of the convex hull of n points, counter-clockwise; one for a point, two for a line. Returns count.
    Gift wrapping from the lowest point: of few points few are corners."""
    first = 0
    for i in range(1, n):
        if y[i] < y[first] or (y[i] == y[first] and x[i] < x[first]):
            first = i
    count, at = 0, first
    while count < n:
        order[count] = at
        count += 1
        # the point that all others are to the left of; of those in line the farthest
        best = -1
        for i in range(n):
            ux, uy = x[i] - x[at], y[i] - y[at]
            if ux * ux + uy * uy <= SMALL:
                continue
            if best < 0:
                best = i
                continue
            wx, wy = x[best] - x[at], y[best] - y[at]
            turn = wx * uy - wy * ux
            if turn < -SMALL or (turn <= SMALL and ux * ux + uy * uy > wx * wx + wy * wy):
                best = i
        if best < 0 or (x[best] - x[first]) ** 2 + (y[best] - y[first]) ** 2 <= SMALL:
            break
        at = best
    return count


@kernel
def distance_inside(order, count, x, y, px, py):
    """How far (px, py) is inside the polygon order[:count], negative outside. A point or a line has no inside."""
    nearest, inside = math.inf, count > 2
    for k in range(count):
        i, j = order[k], order[(k + 1) % count]
        ex, ey, ax, ay = x[j] - x[i], y[j] - y[i], px - x[i], py - y[i]
        length = ex * ex + ey * ey
        along = min(1.0, max(0.0, (ax * ex + ay * ey) / length)) if length > 0.0 else 0.0
        nearest = min(nearest, math.hypot(ax - along * ex, ay - along * ey))
        if ex * ay - ey * ax < 0.0:
            inside = False
    return nearest if inside else -nearest
