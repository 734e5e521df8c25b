"""Values known on some steps, carried on over the others as smoothly as can be: least sum of squared second differences.

Minimises |D2 x|^2 + sum pull (x - wanted)^2 with x given on hard steps: a symmetric system with two neighbours each side, by L D L^T.
"""
import numpy as np

from ..kernel import kernel


def filled(x: np.ndarray, hard: np.ndarray, pull: float) -> np.ndarray:
    """(S, n) x where `hard` (S,), smooth between; zero where nothing is hard."""
    out = np.ascontiguousarray(np.where(hard[:, None], x, 0.0))
    if hard.any() and not hard.all():
        fill(out, np.zeros((len(x), 3)), np.ascontiguousarray(hard), np.full(len(x), pull))
    return out


def fitted(x: np.ndarray, hard: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """(S,) zero where `hard`, elsewhere smooth and near x by `pull` (S,)."""
    out = np.ascontiguousarray(np.where(hard, 0.0, x)[:, None])
    fill(out, np.zeros((len(x), 3)), np.ascontiguousarray(hard), np.ascontiguousarray(pull))
    return out[:, 0]


@kernel
def fill(x, L, hard, pull):
    """L (S, 3): row t holds A[t, t-2], A[t, t-1], A[t, t], then the factor's"""
    S = x.shape[0]
    for t in range(S):
        L[t, 0], L[t, 1], L[t, 2] = 0.0, 0.0, pull[t]
    for t in range(1, S - 1):
        L[t - 1, 2] += 1.0
        L[t, 2] += 4.0
        L[t + 1, 2] += 1.0
        L[t, 1] -= 2.0
        L[t + 1, 1] -= 2.0
        L[t + 1, 0] += 1.0
    # known values move to the right side
    for t in range(S):
        if not hard[t]:
            for j in range(x.shape[1]):
                total = pull[t] * x[t, j]
                for o in range(-2, 3):
                    s = t + o
                    if o != 0 and s >= 0 and s < S and hard[s]:
                        total -= (L[t, 2 + o] if o < 0 else L[s, 2 - o]) * x[s, j]
                x[t, j] = total
    for t in range(S):
        for o in (1, 2):
            if t - o >= 0 and (hard[t] or hard[t - o]):
                L[t, 2 - o] = 0.0
        if hard[t]:
            L[t, 2] = 1.0
    for t in range(S):
        far = L[t, 0]
        near = L[t, 1] - (far * L[t - 1, 1] if t >= 2 else 0.0)
        # L[t - 1, 1] is a factor already; far and near are still times D
        if t >= 2:
            L[t, 0] = far / L[t - 2, 2]
            L[t, 2] -= L[t, 0] * far
        if t >= 1:
            L[t, 1] = near / L[t - 1, 2]
            L[t, 2] -= L[t, 1] * near
    for j in range(x.shape[1]):
        for t in range(S):
            if t >= 1:
                x[t, j] -= L[t, 1] * x[t - 1, j]
            if t >= 2:
                x[t, j] -= L[t, 0] * x[t - 2, j]
        for t in range(S - 1, -1, -1):
            x[t, j] /= L[t, 2]
            if t + 1 < S:
                x[t, j] -= L[t + 1, 1] * x[t + 1, j]
            if t + 2 < S:
                x[t, j] -= L[t + 2, 0] * x[t + 2, j]
