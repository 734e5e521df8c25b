"""L D L^T of the program's symmetric system, in blocks of six: each step has its numbers y, then its multipliers u.

y couples with the y of three steps before and the u of the step before, u with the y of its own step and of the one before. Rows of blocks
are kept from their first entry on, so nothing outside is ever touched, and the work is linear in the clip. The system is quasi-definite (a
positive block for y, a negative one for u): it factors without pivots in any order (Vanderbei 1995).
"""
from ..kernel import kernel, product

REACH = 3                                        # steps that y couples back to
BLOCKS = 2 * (REACH + 1)
"""Blocks kept of a row: those of its own step and of the three before; y even, u odd."""
OWN = BLOCKS - 2                                 # where a row's own step begins

subtract = product(6, 6, 6, -1)                  # out -= X Y


@kernel
def first_block(b):
    """of block row b, in its own counting"""
    return 0 if b % 2 == 0 else OWN - 2


@kernel
def factor_blocks(A, T, D):
    """A (2 S, BLOCKS, 6, 6) holds the lower triangle by block rows and is spoilt; T gets L^T of each block, D (2 S, 6) the diagonal. Number
    by number, as the condition asks for: inverses of whole blocks lose all digits over a long clip."""
    for b in range(A.shape[0]):
        s = b // 2
        base = 2 * (s - REACH)                       # the block column of entry 0
        start, own = max(first_block(b), -base), b - base
        row, last = A[b], A[b, own]
        for c in range(start, own):
            j = base + c
            shift = 2 * (j // 2 - s)                 # entry c of this row is entry c - shift of row j
            U, unit = row[c], T[j, j - 2 * (j // 2 - REACH)]
            for p in range(max(start, first_block(j) + shift), c):
                subtract(U, row[p], T[j, p - shift])
            for k in range(6):
                for m in range(k):
                    factor = unit[m, k]
                    for i in range(6):
                        U[i, k] -= factor * U[i, m]
            for k in range(6):
                inverse = 1.0 / D[j, k]
                for i in range(6):
                    T[b, c, k, i] = U[i, k] * inverse
            subtract(last, U, T[b, c])
        # the block's own factor
        unit = T[b, own]
        for k in range(6):
            D[b, k] = last[k, k]
            inverse = 1.0 / last[k, k]
            for i in range(k + 1, 6):
                unit[k, i] = last[i, k] * inverse
            for i in range(k + 1, 6):
                for m in range(k + 1, i + 1):
                    last[i, m] -= unit[k, i] * last[m, k]


@kernel
def solve_blocks(x, T, D):
    """x (2 S, 6) becomes the solution"""
    N = x.shape[0]
    for b in range(N):
        base = 2 * (b // 2 - REACH)
        own = b - base
        for c in range(max(first_block(b), -base), own):
            L, y = T[b, c], x[base + c]
            for k in range(6):
                for i in range(6):
                    x[b, i] -= L[k, i] * y[k]
        for k in range(6):
            for i in range(k + 1, 6):
                x[b, i] -= T[b, own, k, i] * x[b, k]
    for b in range(N):
        for i in range(6):
            x[b, i] /= D[b, i]
    for b in range(N - 1, -1, -1):
        base = 2 * (b // 2 - REACH)
        own = b - base
        for k in range(5, -1, -1):
            for i in range(k + 1, 6):
                x[b, k] -= T[b, own, k, i] * x[b, i]
        for c in range(max(first_block(b), -base), own):
            L, y = T[b, c], x[base + c]
            for k in range(6):
                total = 0.0
                for i in range(6):
                    total += L[k, i] * x[b, i]
                y[k] -= total
