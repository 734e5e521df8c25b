"""Where every shape is, and the boxes around shapes and trees."""
import math

from ..algebra.vectors import compose, rotate
from ..kernel import kernel
from .shapes import PLANE


@kernel
def update_places(c, d, s, margin):
    """Fill c.origin, x, R, lower, upper and the trees' boxes. Needs update_pose."""
    for j in range(3):
        c.origin[j] = d.origin[0, j]
        for tree in range(c.tree_lower.shape[0]):
            c.tree_lower[tree, j] = math.inf
            c.tree_upper[tree, j] = -math.inf
    moving = s.tree_start[s.tree_start.shape[0] - 1]
    for k in range(s.kind.shape[0]):
        i, tree = s.body[k], s.tree[k]
        R, x = c.R[k], c.x[k]
        if i == -1:
            # part of the world: it never turns
            for j in range(3):
                x[j] = s.x[k, j] - c.origin[j]
        else:
            carrier = d.R[i] if i >= 0 else c.obstacle_R[-2 - i]
            rotate(x, carrier, s.x[k])
            for j in range(3):
                x[j] += d.x[i, j] + (d.origin[tree, j] - c.origin[j]) if i >= 0 else c.obstacle_x[-2 - i, j] - c.origin[j]
            if s.turned[k]:
                compose(R, carrier, s.R[k])
            else:
                for j in range(3):
                    for l in range(3):
                        R[j, l] = carrier[j, l]
        for j in range(3):
            reach = abs(R[j, 0]) * s.half[k, 0] + abs(R[j, 1]) * s.half[k, 1] + abs(R[j, 2]) * s.half[k, 2] + s.radius[k] + 0.5 * margin
            if s.kind[k] == PLANE:
                reach = math.inf
            c.lower[k, j] = x[j] - reach
            c.upper[k, j] = x[j] + reach
            if k < moving:
                c.tree_lower[tree, j] = min(c.tree_lower[tree, j], c.lower[k, j])
                c.tree_upper[tree, j] = max(c.tree_upper[tree, j], c.upper[k, j])
