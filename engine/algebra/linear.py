"""Small dense linear systems, four pivots at a time: each row is then read and written a quarter as often."""
import math

from ..kernel import kernel


@kernel
def solve_linear(A, n):
    """Solve the system of A's first n rows and columns for the right side in column n, which becomes the solution; A is spoilt.
    Gaussian elimination with partial pivoting. False where it is singular."""
    for k in range(0, n, 4):
        end = min(n, k + 4)
        for p in range(k, end):
            pivot = p
            for i in range(p + 1, n):
                if abs(A[i, p]) > abs(A[pivot, p]):
                    pivot = i
            if abs(A[pivot, p]) < 1e-300:
                return False
            if pivot != p:
                for j in range(k, n + 1):
                    A[p, j], A[pivot, j] = A[pivot, j], A[p, j]
            inverse = 1.0 / A[p, p]
            for i in range(p + 1, n):
                A[i, p] *= inverse
                for j in range(p + 1, end):
                    A[i, j] -= A[i, p] * A[p, j]
        for p in range(k, end):
            for i in range(p + 1, end):
                for j in range(end, n + 1):
                    A[i, j] -= A[i, p] * A[p, j]
        for i in range(end, n):
            take_out_rows(A, i, end, k, n, A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3])
    substitute_back(A, n)
    return True


@kernel
def solve_symmetric(A, n):
    """The same for a symmetric, positive definite system, of which only the upper triangle is read: half the work."""
    for k in range(0, n, 4):
        end = min(n, k + 4)
        for p in range(k, end):
            if A[p, p] < 1e-300:
                return False
            for i in range(p + 1, end):
                ratio = A[p, i] / A[p, p]
                for j in range(i, n + 1):
                    A[i, j] -= ratio * A[p, j]
        for i in range(end, n):
            take_out_rows(A, i, i, k, n, A[k, i] / A[k, k], A[k + 1, i] / A[k + 1, k + 1], A[k + 2, i] / A[k + 2, k + 2],
                          A[k + 3, i] / A[k + 3, k + 3])
    substitute_back(A, n)
    return True


@kernel
def take_out_rows(A, i, start, k, n, a, b, c, d):
    """subtract a, b, c, d times the four rows from k on, columns from `start` on, from row i"""
    for j in range(start, n + 1):
        A[i, j] -= a * A[k, j] + b * A[k + 1, j] + c * A[k + 2, j] + d * A[k + 3, j]


@kernel
def substitute_back(A, n):
    for k in range(n - 1, -1, -1):
        x = A[k, n]
        for j in range(k + 1, n):
            x -= A[k, j] * A[j, n]
        A[k, n] = x / A[k, k]


@kernel
def factor_cholesky(A, n):
    """The lower triangle of A's first n rows becomes L, A = L L^T. A must be positive definite."""
    for k in range(n):
        for l in range(k + 1):
            x = A[k, l]
            for j in range(l):
                x -= A[k, j] * A[l, j]
            A[k, l] = math.sqrt(x) if k == l else x / A[l, l]


@kernel
def solve_cholesky(x, L, n):
    """x = A^-1 x. Needs factor_cholesky."""
    for k in range(n):
        for l in range(k):
            x[k] -= L[k, l] * x[l]
        x[k] /= L[k, k]
    for k in range(n - 1, -1, -1):
        for l in range(k + 1, n):
            x[k] -= L[l, k] * x[l]
        x[k] /= L[k, k]
