"""Forces at a point, and what springs and dampers there add to an inertia, about another point."""
from ..kernel import kernel


@kernel
def add_wrench(out, arm, force, sign):
    """out (6,) += sign times a force at `arm` from the origin"""
    x, y, z = arm[0], arm[1], arm[2]
    out[0] += sign * force[0]
    out[1] += sign * force[1]
    out[2] += sign * force[2]
    out[3] += sign * (y * force[2] - z * force[1])
    out[4] += sign * (z * force[0] - x * force[2])
    out[5] += sign * (x * force[1] - y * force[0])


@kernel
def add_stiffness(out, arm, n, along, across):
    """out (6, 6) += X^T G X with X the velocity at `arm` and G = along (1 - n n^T) + across n n^T: what a mass `along` has there,
    and a rank of one"""
    x, y, z = arm[0], arm[1], arm[2]
    row = (n[0], n[1], n[2], y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0])
    for j in range(6):
        for l in range(6):
            out[j, l] += (across - along) * row[j] * row[l]
    for j in range(3):
        out[j, j] += along
    out[0, 4] += along * z
    out[4, 0] += along * z
    out[0, 5] -= along * y
    out[5, 0] -= along * y
    out[1, 3] -= along * z
    out[3, 1] -= along * z
    out[1, 5] += along * x
    out[5, 1] += along * x
    out[2, 3] += along * y
    out[3, 2] += along * y
    out[2, 4] -= along * x
    out[4, 2] -= along * x
    out[3, 3] += along * (y * y + z * z)
    out[4, 4] += along * (x * x + z * z)
    out[5, 5] += along * (x * x + y * y)
    out[3, 4] -= along * x * y
    out[4, 3] -= along * x * y
    out[3, 5] -= along * x * z
    out[5, 3] -= along * x * z
    out[4, 5] -= along * y * z
    out[5, 4] -= along * y * z
