"""The forces at given points, each inside its friction cone, whose wrench comes nearest to a wanted one.

Minimise |b - sum G f|^2 + sum ease |f|^2 over f in their cones: six rows, any number of points. With r = b - sum G f, the six numbers
that stay open, the conditions say that ease f is the nearest point of the cone to G^T r (Moreau). So only r is unknown: it is the
minimum of a smooth convex function of six variables, whose gradient r + sum G P(G^T r) / ease - b is piecewise smooth. Newton's method
with a line search finds it, in three rounds of smaller and smaller ease. The cones are round: nothing depends on how the world is turned.
Among forces that fit equally well a small ease chooses the least, weighted point by point.
"""
import math
from typing import NamedTuple

import numpy as np

from ..algebra.linear import solve_symmetric
from ..algebra.spatial import dot6
from ..kernel import kernel

ROUNDS = 3
FIRST_EASE, LESS = 1e-2, 1e-2                    # of the points' own, and its factor from round to round: 1e-6 in the last
MOST_STEPS = 60                                  # a round
TOLERANCE = 1e-10                                # of the wanted wrench, by which the gradient may miss
MOST_HALVINGS = 40
ARMIJO, ROUNDING = 1e-4, 1e-15                   # of the slope, of the value


class Cones(NamedTuple):
    """Work arrays of one fit: forces are in weights, lengths in levers."""
    r: np.ndarray                   # (6,) what stays open
    gradient: np.ndarray            # (6,)
    step: np.ndarray                # (6,)
    trial: np.ndarray               # (6,)
    system: np.ndarray              # (6, 7) Newton's equations
    column: np.ndarray              # (6,)
    pull: np.ndarray                # (3,) G^T r at a point
    axis: np.ndarray                # (3,)
    side: np.ndarray                # (3,)


def allocate_cones() -> Cones:
    return Cones(np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6), np.zeros((6, 7)), np.zeros(6), np.zeros(3), np.zeros(3), np.zeros(3))


@kernel
def fit_in_cones(force, c, b, arm, normal, ease, mu):
    """force (n, 3) and c.r for points at arm (n, 3) from where b (6,) is taken. Returns the steps taken."""
    steps, scale = 0, 0.0
    for j in range(6):
        scale += b[j] * b[j]
        c.r[j] = b[j]
    limit = TOLERANCE * TOLERANCE * max(scale, 1e-12)
    factor = FIRST_EASE
    for _ in range(ROUNDS):
        value = update_cones(force, c, c.r, b, arm, normal, ease, mu, factor)
        for _ in range(MOST_STEPS):
            if dot6(c.gradient, c.gradient) <= limit:
                break
            steps += 1
            if not solve_symmetric(c.system, 6):
                break
            slope = 0.0
            for j in range(6):
                c.step[j] = -c.system[j, 6]
                slope += c.gradient[j] * c.step[j]
            size, after = 1.0, value
            for _ in range(MOST_HALVINGS):
                for j in range(6):
                    c.trial[j] = c.r[j] + size * c.step[j]
                after = update_cones(force, c, c.trial, b, arm, normal, ease, mu, factor)
                if after <= value + ARMIJO * size * slope + ROUNDING * abs(value):
                    break
                size *= 0.5
            for j in range(6):
                c.r[j] = c.trial[j]
            if not after < value:
                break                            # as near as rounding lets it
            value = after
        factor *= LESS
    return steps


@kernel
def update_cones(force, c, r, b, arm, normal, ease, mu, factor):
    """Forces, gradient and Newton's equations at r; returns the function's value."""
    value = 0.0
    for j in range(6):
        value += (0.5 * r[j] - b[j]) * r[j]
        c.gradient[j] = r[j] - b[j]
        for k in range(6):
            c.system[j, k] = 1.0 if j == k else 0.0
    for p in range(force.shape[0]):
        f, x, n, pull = force[p], arm[p], normal[p], c.pull
        weight = 1.0 / (factor * ease[p])
        # G^T r: the force row, and the moment row crossed with the arm
        pull[0] = r[0] + r[4] * x[2] - r[5] * x[1]
        pull[1] = r[1] + r[5] * x[0] - r[3] * x[2]
        pull[2] = r[2] + r[3] * x[1] - r[4] * x[0]
        up = pull[0] * n[0] + pull[1] * n[1] + pull[2] * n[2]
        along = 0.0
        for j in range(3):
            c.axis[j] = pull[j] - up * n[j]
            along += c.axis[j] * c.axis[j]
        along = math.sqrt(along)
        if along <= mu * up:
            # inside: the force itself
            for j in range(3):
                f[j] = weight * pull[j]
                for k in range(3):
                    c.side[k] = 1.0 if k == j else 0.0
                add_column(c, c.side, x, weight)
        elif mu * along <= -up:
            f[0] = f[1] = f[2] = 0.0
            continue
        else:
            # on the cone: its nearest edge, and the way round it
            push = (up + mu * along) / (1.0 + mu * mu)
            length = math.sqrt(1.0 + mu * mu)
            for j in range(3):
                c.axis[j] /= along
            c.side[0] = n[1] * c.axis[2] - n[2] * c.axis[1]
            c.side[1] = n[2] * c.axis[0] - n[0] * c.axis[2]
            c.side[2] = n[0] * c.axis[1] - n[1] * c.axis[0]
            for j in range(3):
                c.axis[j] = n[j] + mu * c.axis[j]
                f[j] = weight * push * c.axis[j]
                c.axis[j] /= length
            add_column(c, c.axis, x, weight)
            add_column(c, c.side, x, weight * mu * push / along)
        value += 0.5 / weight * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2])
        g = c.gradient
        g[0] += f[0]
        g[1] += f[1]
        g[2] += f[2]
        g[3] += x[1] * f[2] - x[2] * f[1]
        g[4] += x[2] * f[0] - x[0] * f[2]
        g[5] += x[0] * f[1] - x[1] * f[0]
    for j in range(6):
        c.system[j, 6] = c.gradient[j]
    return value


@kernel
def add_column(c, axis, x, weight):
    """add weight g g^T to Newton's matrix, g the wrench of a unit force along `axis` at x"""
    g = c.column
    g[0], g[1], g[2] = axis[0], axis[1], axis[2]
    g[3] = x[1] * axis[2] - x[2] * axis[1]
    g[4] = x[2] * axis[0] - x[0] * axis[2]
    g[5] = x[0] * axis[1] - x[1] * axis[0]
    for j in range(6):
        for k in range(j, 6):
            c.system[j, k] += weight * g[j] * g[k]

