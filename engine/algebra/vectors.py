"""Vectors and rotation matrices in space. Outputs come first; an output is never also an input."""
from ..kernel import kernel


@kernel
def cross(out, a, b):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@kernel
def rotate(out, R, a):
    """out = R a"""
    for j in range(3):
        out[j] = R[j, 0] * a[0] + R[j, 1] * a[1] + R[j, 2] * a[2]


@kernel
def compose(out, A, B):
    """out = A B"""
    for j in range(3):
        for k in range(3):
            out[j, k] = A[j, 0] * B[0, k] + A[j, 1] * B[1, k] + A[j, 2] * B[2, k]
