"""Spatial vectors and inertias: six numbers that hold a whole motion or a whole force.

A motion is [linear velocity at the origin; angular velocity], a force [force; moment about the origin], both in world
axes. Source 001 has the same order; there the origin is the body's centre of mass, here one point for the whole tree,
so that the vectors of two bodies add without a transformation (001's X becomes the identity).

A spatial inertia is ten numbers about that origin: m, h = m c (3), and the tensor xx yy zz xy xz yz (6).
"""
from ..kernel import kernel


@kernel
def dot6(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@kernel
def add_scaled6(out, a, s):
    """out += s a"""
    for j in range(6):
        out[j] += s * a[j]


@kernel
def symmetric_times(out, A, V):
    """out = A V for a symmetric 6 x 6 matrix, row by row, so that it runs in vectors"""
    a, b, c, d, e, f = V[0], V[1], V[2], V[3], V[4], V[5]
    for j in range(6):
        out[j] = A[0, j] * a + A[1, j] * b + A[2, j] * c + A[3, j] * d + A[4, j] * e + A[5, j] * f


@kernel
def add_cross_motion(out, V, S, s):
    """out += s V x S: the rate of a motion S that is carried along by V"""
    out[0] += s * (V[4] * S[2] - V[5] * S[1] + V[1] * S[5] - V[2] * S[4])
    out[1] += s * (V[5] * S[0] - V[3] * S[2] + V[2] * S[3] - V[0] * S[5])
    out[2] += s * (V[3] * S[1] - V[4] * S[0] + V[0] * S[4] - V[1] * S[3])
    out[3] += s * (V[4] * S[5] - V[5] * S[4])
    out[4] += s * (V[5] * S[3] - V[3] * S[5])
    out[5] += s * (V[3] * S[4] - V[4] * S[3])


@kernel
def add_cross_force(out, V, F):
    """out += V x* F: the rate of a momentum F that is carried along by V"""
    out[0] += V[4] * F[2] - V[5] * F[1]
    out[1] += V[5] * F[0] - V[3] * F[2]
    out[2] += V[3] * F[1] - V[4] * F[0]
    out[3] += V[4] * F[5] - V[5] * F[4] + V[1] * F[2] - V[2] * F[1]
    out[4] += V[5] * F[3] - V[3] * F[5] + V[2] * F[0] - V[0] * F[2]
    out[5] += V[3] * F[4] - V[4] * F[3] + V[0] * F[1] - V[1] * F[0]


@kernel
def inertia_times(out, I, V):
    """out = I V, momentum of a motion: p = m v + w x h, L = I w + h x v"""
    out[0] = I[0] * V[0] + V[4] * I[3] - V[5] * I[2]
    out[1] = I[0] * V[1] + V[5] * I[1] - V[3] * I[3]
    out[2] = I[0] * V[2] + V[3] * I[2] - V[4] * I[1]
    out[3] = I[4] * V[3] + I[7] * V[4] + I[8] * V[5] + I[2] * V[2] - I[3] * V[1]
    out[4] = I[7] * V[3] + I[5] * V[4] + I[9] * V[5] + I[3] * V[0] - I[1] * V[2]
    out[5] = I[8] * V[3] + I[9] * V[4] + I[6] * V[5] + I[1] * V[1] - I[2] * V[0]


@kernel
def body_inertia(out, mass, com, R, tensor):
    """out: the inertia about the origin of a body whose centre of mass is at `com`, whose axes are R and whose tensor
    about its centre of mass in those axes is `tensor` (xx yy zz xy xz yz)"""
    out[0] = mass
    for j in range(3):
        out[1 + j] = mass * com[j]
    # R tensor R^T, upper triangle, and the parallel axis term m (|c|^2 - c c^T)
    x0 = R[0, 0] * tensor[0] + R[0, 1] * tensor[3] + R[0, 2] * tensor[4]
    x1 = R[0, 0] * tensor[3] + R[0, 1] * tensor[1] + R[0, 2] * tensor[5]
    x2 = R[0, 0] * tensor[4] + R[0, 1] * tensor[5] + R[0, 2] * tensor[2]
    y0 = R[1, 0] * tensor[0] + R[1, 1] * tensor[3] + R[1, 2] * tensor[4]
    y1 = R[1, 0] * tensor[3] + R[1, 1] * tensor[1] + R[1, 2] * tensor[5]
    y2 = R[1, 0] * tensor[4] + R[1, 1] * tensor[5] + R[1, 2] * tensor[2]
    z0 = R[2, 0] * tensor[0] + R[2, 1] * tensor[3] + R[2, 2] * tensor[4]
    z1 = R[2, 0] * tensor[3] + R[2, 1] * tensor[1] + R[2, 2] * tensor[5]
    z2 = R[2, 0] * tensor[4] + R[2, 1] * tensor[5] + R[2, 2] * tensor[2]
    xx, yy, zz = com[0] * out[1], com[1] * out[2], com[2] * out[3]
    out[4] = x0 * R[0, 0] + x1 * R[0, 1] + x2 * R[0, 2] + yy + zz
    out[5] = y0 * R[1, 0] + y1 * R[1, 1] + y2 * R[1, 2] + zz + xx
    out[6] = z0 * R[2, 0] + z1 * R[2, 1] + z2 * R[2, 2] + xx + yy
    out[7] = x0 * R[1, 0] + x1 * R[1, 1] + x2 * R[1, 2] - com[0] * out[2]
    out[8] = x0 * R[2, 0] + x1 * R[2, 1] + x2 * R[2, 2] - com[0] * out[3]
    out[9] = y0 * R[2, 0] + y1 * R[2, 1] + y2 * R[2, 2] - com[1] * out[3]


@kernel
def inertia_matrix(out, I):
    """out: the ten numbers as a symmetric 6 x 6 matrix, [m 1, -h^x; h^x, tensor]"""
    m, hx, hy, hz = I[0], I[1], I[2], I[3]
    for j in range(3):
        for k in range(3):
            out[j, k] = 0.0
        out[j, j] = m
        out[j, 3 + j] = 0.0
        out[3 + j, j] = 0.0
        out[3 + j, 3 + j] = I[4 + j]
    out[0, 4] = out[4, 0] = hz
    out[0, 5] = out[5, 0] = -hy
    out[1, 3] = out[3, 1] = -hz
    out[1, 5] = out[5, 1] = hx
    out[2, 3] = out[3, 2] = hy
    out[2, 4] = out[4, 2] = -hx
    out[3, 4] = out[4, 3] = I[7]
    out[3, 5] = out[5, 3] = I[8]
    out[4, 5] = out[5, 4] = I[9]
