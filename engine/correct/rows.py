"""Coordinates as points on a manifold, one step at a time, in kernels: the same as motion.manifold for whole clips."""
from ..algebra.rotations import quaternion_log, quaternion_turn
from ..kernel import kernel
from ..model.model import BALL, FREE


@kernel
def write_difference(out, m, a, b, scratch):
    """out (nv,) moves a to b by the shorter turns; `scratch` (4,)"""
    for i in range(m.parent.shape[0]):
        s, k, end = m.q_start[i], m.axis_start[i], m.axis_start[i + 1]
        if m.kind[i] == BALL or m.kind[i] == FREE:
            if m.kind[i] == FREE:
                for j in range(3):
                    out[k + j] = b[s + j] - a[s + j]
                s += 3
                k += 3
            # a^-1 b
            aw, ax, ay, az = a[s], -a[s + 1], -a[s + 2], -a[s + 3]
            bw, bx, by, bz = b[s], b[s + 1], b[s + 2], b[s + 3]
            scratch[0] = aw * bw - ax * bx - ay * by - az * bz
            scratch[1] = aw * bx + ax * bw + ay * bz - az * by
            scratch[2] = aw * by - ax * bz + ay * bw + az * bx
            scratch[3] = aw * bz + ax * by - ay * bx + az * bw
            quaternion_log(out[k:k + 3], scratch)
        else:
            for j in range(end - k):
                out[k + j] = b[s + j] - a[s + j]


@kernel
def move(q, m, by, scale):
    """q moved by scale times `by` (nv,), which is spoilt"""
    for k in range(by.shape[0]):
        by[k] *= scale
    for i in range(m.parent.shape[0]):
        s, k, end = m.q_start[i], m.axis_start[i], m.axis_start[i + 1]
        if m.kind[i] == BALL or m.kind[i] == FREE:
            if m.kind[i] == FREE:
                for j in range(3):
                    q[s + j] += by[k + j]
                s += 3
                k += 3
            quaternion_turn(q[s:s + 4], by[k:k + 3])
        else:
            for j in range(end - k):
                q[s + j] += by[k + j]
