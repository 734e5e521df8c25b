"""Weights of the exponential Runge-Kutta method of order four (Cox and Matthews 2002, eqs 26-29), for currents.

T i' = j - i, with T = L / R and j = (v - K_m q') / R the current that it tends to (004, eq 26), is linear in i with a rate that may be
far faster than a step. The method solves that part exactly and takes j from the four stages, which are those of classic RK4:
i_s = decay_s i + sum_r weight_sr j_r. With y = -step / T.
"""
import math

import numpy as np

SERIES_BELOW = 0.5
TERMS = 16


def decays_and_weights(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 5) and (n, 5, 4) for steps (n,) in units of L / R; rows are the four stages and the end of the step."""
    n = len(steps)
    decay, weight = np.ones((n, 5)), np.zeros((n, 5, 4))
    for k, z in enumerate(steps):
        half, whole = math.exp(-z / 2), math.exp(-z)
        decay[k] = 1.0, half, half, whole, whole
        grown = -math.expm1(-z / 2)
        weight[k, 1, 0] = weight[k, 2, 1] = grown
        weight[k, 3, 0], weight[k, 3, 2] = grown * (half - 1.0), 2.0 * grown
        # the step: (a + e^y (b + c y + d y^2)) / y^2, less what cancels
        weight[k, 4, 0] = -_quotient(-z, (-4.0, -1.0, 0.0), (4.0, -3.0, 1.0))
        weight[k, 4, 1] = weight[k, 4, 2] = -2.0 * _quotient(-z, (2.0, 1.0, 0.0), (-2.0, 1.0, 0.0))
        weight[k, 4, 3] = -_quotient(-z, (-4.0, -3.0, -1.0), (4.0, -1.0, 0.0))
    return decay, weight


def _quotient(y: float, plain: tuple[float, ...], grown: tuple[float, ...]) -> float:
    """(plain(y) + e^y grown(y)) / y^2, whose first three powers cancel"""
    if abs(y) > SERIES_BELOW:
        power = 1.0, y, y * y
        return (float(np.dot(plain, power)) + math.exp(y) * float(np.dot(grown, power))) / (y * y)
    return sum(sum(grown[j] / math.factorial(n - j) for j in range(3)) * y ** (n - 2) for n in range(3, TERMS))
