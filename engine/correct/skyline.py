"""L D L^T of the program's symmetric system, twelve unknowns a step: six numbers y, then six multipliers u.

y couples with the y of three steps before and the u of the step before, u with the y of its own step and of the one before. Rows are kept
from their first entry on, so nothing outside is ever touched, and the work is linear in the clip. The system is quasi-definite (a positive
block for y, a negative one for u): it factors without pivots in any order (Vanderbei 1995).
"""
from ..kernel import kernel

STEP = 12                                        # unknowns a step
REACH = 3                                        # steps that y couples back to
WIDTH = STEP * (REACH + 1)
"""Columns kept of a row: those of its own step and of the three before."""


@kernel
def first_column(i):
    """of row i, in its own counting; the second half of a step's rows are multipliers"""
    return 0 if i % STEP < 6 else STEP * (REACH - 1)


@kernel
def factor_rows(L, D):
    """L (N, WIDTH) holds the lower triangle row by row and becomes the factor; D (N,)"""
    for i in range(L.shape[0]):
        k = i // STEP
        base = STEP * (k - REACH)                    # the column of entry 0
        start = max(first_column(i), -base)
        own = i - base
        row = L[i]
        for c in range(start, own):
            j = base + c
            shift = STEP * (j // STEP - k)           # entry c of row i is entry c - shift of row j
            other = L[j]
            low = max(start, first_column(j) + shift)
            total = row[c]
            for p in range(low, c):
                total -= row[p] * other[p - shift]
            row[c] = total
        pivot = row[own]
        for c in range(start, own):
            ratio = row[c] / D[base + c]
            pivot -= ratio * row[c]
            row[c] = ratio
        D[i] = pivot


@kernel
def solve_rows(x, L, D):
    """x (N,) becomes the solution"""
    N = L.shape[0]
    for i in range(N):
        base = STEP * (i // STEP - REACH)
        start = max(first_column(i), -base)
        total = x[i]
        for c in range(start, i - base):
            total -= L[i, c] * x[base + c]
        x[i] = total
    for i in range(N):
        x[i] /= D[i]
    for i in range(N - 1, -1, -1):
        base = STEP * (i // STEP - REACH)
        start = max(first_column(i), -base)
        value = x[i]
        for c in range(start, i - base):
            x[base + c] -= L[i, c] * value
