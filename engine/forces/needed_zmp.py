"""The ZMP that a motion asks for, and how far inside the support it is, frame by frame, on flat ground."""
import math

import numpy as np

from ..kernel import kernel
from .fit_forces import Fit
from .polygons import convex_polygon, distance_inside
from .touching import Touching

LEVEL = 1e-6                                     # of a normal's horizontal part
FLAT = 1e-3                                      # m, between the highest and the lowest point
LEAST_LOAD = 1e-3                                # of the weight; with less the ZMP is noise


def needed_zmp(touching: Touching, fit: Fit, weight: float) -> tuple[np.ndarray, np.ndarray]:
    """(T, 3) the ZMP in m, from masses and accelerations, at the height of what touches; (T,) m inside the convex hull of the touching
    points, negative outside. NaN where nothing touches or the ground is not flat and level."""
    T = len(fit.com)
    points, margins = np.full((T, 3), np.nan), np.full(T, np.nan)
    most = int(np.diff(touching.start).max(initial=0))
    write_zmp(points, margins, np.zeros(most, int), np.zeros(most), np.zeros(most), touching.start, touching.point, touching.normal,
                      fit.needed, fit.com, LEAST_LOAD * weight)
    return points, margins


@kernel
def write_zmp(points, margins, order, x, y, start, point, normal, needed, com, least):
    for t in range(points.shape[0]):
        first, n, F = start[t], start[t + 1] - start[t], needed[t]
        lowest, highest, level = math.inf, -math.inf, True
        for i in range(n):
            p = first + i
            x[i], y[i] = point[p, 0], point[p, 1]
            lowest, highest = min(lowest, point[p, 2]), max(highest, point[p, 2])
            level = level and abs(normal[p, 0]) < LEVEL and abs(normal[p, 1]) < LEVEL
        if n == 0 or not level or highest - lowest > FLAT or F[2] < least:
            continue
        # where the wrench about the centre of mass turns about the vertical alone
        down = lowest - com[t, 2]
        points[t, 0] = com[t, 0] + (down * F[0] - F[4]) / F[2]
        points[t, 1] = com[t, 1] + (down * F[1] + F[3]) / F[2]
        points[t, 2] = lowest
        margins[t] = distance_inside(order, convex_polygon(order, x, y, n), x, y, points[t, 0], points[t, 1])
