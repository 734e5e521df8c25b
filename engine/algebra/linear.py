"""Small dense linear systems."""
import math

from ..kernel import kernel


@kernel
def solve_linear(A, n):
    """Solve the system of A's first n rows and columns for the right side in column n, which becomes the solution; A is spoilt.
    Gaussian elimination with partial pivoting. False where it is singular."""
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if abs(A[pivot, k]) < 1e-300:
            return False
        if pivot != k:
            for j in range(k, n + 1):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, n):
            ratio = A[i, k] * inverse
            if ratio != 0.0:
                for j in range(k + 1, n + 1):
                    A[i, j] -= ratio * A[k, j]
    for k in range(n - 1, -1, -1):
        x = A[k, n]
        for j in range(k + 1, n):
            x -= A[k, j] * A[j, n]
        A[k, n] = x / A[k, k]
    return True


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
