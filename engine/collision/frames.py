"""Two shapes in one frame: w.t and w.Q place the first in the frame of the second."""
from ..kernel import kernel

ALIGNED, ACROSS = 0.99905, 0.0436
"""Cosine and sine of 2.5 degrees: a face that looks so nearly along the normal touches with its whole area, an edge so nearly across it
with its whole length."""


MERGE = 1e-6
"""Points nearer than this share of the smaller shape's size are one; so near a line or rim, they lie on it."""


@kernel
def place_in(w, x_a, R_a, x_b, R_b):
    """w.t, Q: the frame a in the frame b"""
    for j in range(3):
        w.t[j] = R_b[0, j] * (x_a[0] - x_b[0]) + R_b[1, j] * (x_a[1] - x_b[1]) + R_b[2, j] * (x_a[2] - x_b[2])
        for l in range(3):
            w.Q[j, l] = R_b[0, j] * R_a[0, l] + R_b[1, j] * R_a[1, l] + R_b[2, j] * R_a[2, l]


@kernel
def swap(w):
    """The second shape in the frame of the first: Q^T, -Q^T t, and the normal looks the other way."""
    Q, t, n = w.Q, w.t, w.n
    x, y, z = back(Q, t[0], t[1], t[2])
    t[0], t[1], t[2] = -x, -y, -z
    x, y, z = back(Q, n[0], n[1], n[2])
    n[0], n[1], n[2] = -x, -y, -z
    Q[0, 1], Q[1, 0] = Q[1, 0], Q[0, 1]
    Q[0, 2], Q[2, 0] = Q[2, 0], Q[0, 2]
    Q[1, 2], Q[2, 1] = Q[2, 1], Q[1, 2]


@kernel
def forth(Q, x, y, z):
    """Q (x, y, z): from the first frame to the second"""
    return (Q[0, 0] * x + Q[0, 1] * y + Q[0, 2] * z, Q[1, 0] * x + Q[1, 1] * y + Q[1, 2] * z, Q[2, 0] * x + Q[2, 1] * y + Q[2, 2] * z)


@kernel
def back(Q, x, y, z):
    """Q^T (x, y, z): from the second frame to the first"""
    return (Q[0, 0] * x + Q[1, 0] * y + Q[2, 0] * z, Q[0, 1] * x + Q[1, 1] * y + Q[2, 1] * z, Q[0, 2] * x + Q[1, 2] * y + Q[2, 2] * z)


@kernel
def put(out, t, Q, v):
    """out = t + Q v"""
    x, y, z = forth(Q, v[0], v[1], v[2])
    out[0], out[1], out[2] = t[0] + x, t[1] + y, t[2] + z


@kernel
def row_dot(rows, k, x, y, z):
    return rows[k, 0] * x + rows[k, 1] * y + rows[k, 2] * z


@kernel
def support(vertex, first, end, x, y, z):
    """the corner farthest along (x, y, z), of those from `first` to before `end`"""
    corner, most = first, row_dot(vertex, first, x, y, z)
    for v in range(first + 1, end):
        along = row_dot(vertex, v, x, y, z)
        if along > most:
            corner, most = v, along
    return corner
