"""Small dense linear systems."""
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
