"""How a whole pose answers six numbers a step: a shift of its centre of mass and its mean rotation, feet kept at their targets.

The pose nearest to the source (in the metric W) among those with C e = b, rows C of feet, centre of mass and angular momentum over
inertia, is e = X (b + C d) - d, with X = W^-1 C^T S^-1, S = C W^-1 C^T + softness, and d what the pose is off the source already.
Its distance is (b + C d)^T S^-1 (b + C d): what is left to choose is the part y of b that belongs to the last six rows.
"""
import math
from typing import NamedTuple

import numpy as np

from ..algebra.spatial import inertia_times
from ..dynamics.data import Data, allocate
from ..dynamics.jacobian import body_jacobian
from ..dynamics.kinematics import update_pose
from ..dynamics.mass_matrix import factor, solve, update_mass_matrix
from ..kernel import kernel
from ..model.model import Model
from .rows import move, write_difference
from .stances import ROWS

YIELD = 3e-5                                     # of a hard row: a straight knee gives way by fractions of a millimetre and does not snap


class Basis(NamedTuple):
    """Of every step."""
    Z: np.ndarray                   # (S, 6, nv) the pose's answer to each of the six
    H: np.ndarray                   # (S, 6, 6) the distance's second derivative
    g: np.ndarray                   # (S, 6) and its first
    centre: np.ndarray              # (S, 3) centre of mass, m
    distance: np.ndarray            # (S,) from the source, in the metric, squared
    missed: np.ndarray              # (S,) largest error of a hard row, m or rad


class Work(NamedTuple):
    d: Data
    metric: Data
    C: np.ndarray                   # (n + 6, nv)
    A: np.ndarray                   # (n + 6, nv) W^-1 C^T, a row a column
    S: np.ndarray                   # (n + 6, n + 6), then its inverse
    error: np.ndarray               # (n + 6,)
    wanted: np.ndarray              # (n + 6,)
    solved: np.ndarray              # (n + 6,)
    off: np.ndarray                 # (nv,)
    J: np.ndarray                   # (6, nv)
    vector: np.ndarray              # (8, 6)


def allocate_basis(m: Model, steps: int) -> Basis:
    return Basis(np.zeros((steps, 6, m.nv)), np.zeros((steps, 6, 6)), np.zeros((steps, 6)), np.zeros((steps, 3)), np.zeros(steps),
                 np.zeros(steps))


def allocate_work(m: Model, metric: Model, feet: int) -> Work:
    n = ROWS * feet + 6
    return Work(allocate(m), allocate(metric), np.zeros((n, m.nv)), np.zeros((n, m.nv)), np.zeros((n, n)), np.zeros(n), np.zeros(n),
                np.zeros(n), np.zeros(m.nv), np.zeros((6, m.nv)), np.zeros((8, 6)))


@kernel
def update_basis(basis, q, m, metric, source, targets, w, free, pull, longest):
    """Fill `basis`, and move every pose q (S, nq) towards its targets and, by the share `pull`, towards the source. `free` 0: the centre of
    mass and the rotation may move as they like. Returns the largest move, rad or m; none is longer than `longest`."""
    largest = 0.0
    n = w.C.shape[0]
    used = n if free == 1 else n - 6
    for s in range(q.shape[0]):
        update_pose(w.d, m, q[s])
        update_pose(w.metric, metric, q[s])
        update_mass_matrix(w.metric, metric)
        factor(w.metric, metric)
        write_feet(w, m, targets, s)
        write_centre(w, m)
        for j in range(3):
            basis.centre[s, j] = w.d.origin[0, j] + w.vector[7, j]
        write_difference(w.off, m, source[s], q[s], w.vector[0])
        # S = C W^-1 C^T + softness
        for r in range(used):
            for k in range(m.armature.shape[0]):
                w.A[r, k] = w.C[r, k]
            solve(w.A[r], w.metric, metric)
        worst = 0.0
        for r in range(used):
            for c in range(r + 1):
                total = 0.0
                for k in range(m.armature.shape[0]):
                    total += w.C[r, k] * w.A[c, k]
                w.S[r, c] = total
            w.S[r, r] += YIELD
            if r < n - 6:
                w.S[r, r] += targets.softness[s, r]
                if targets.softness[s, r] == 0.0:
                    worst = max(worst, abs(w.error[r]))
        basis.missed[s] = worst
        invert(w.S, used)
        # b + C d, and its answer
        distance = 0.0
        for r in range(used):
            total = w.error[r] if r < n - 6 else 0.0
            for k in range(m.armature.shape[0]):
                total += w.C[r, k] * w.off[k]
            w.wanted[r] = total
        for r in range(used):
            total = 0.0
            for c in range(used):
                total += w.S[r, c] * w.wanted[c]
            w.solved[r] = total
            distance += total * w.wanted[r]
        basis.distance[s] = distance
        if free == 1:
            for r in range(6):
                basis.g[s, r] = w.solved[n - 6 + r]
                for c in range(6):
                    basis.H[s, r, c] = w.S[n - 6 + r, n - 6 + c]
                for k in range(m.armature.shape[0]):
                    total = 0.0
                    for c in range(n):
                        total += w.A[c, k] * w.S[c, n - 6 + r]
                    basis.Z[s, r, k] = total
        # the move
        if pull < 1.0:
            for r in range(used):
                total = 0.0
                for c in range(n - 6):
                    if targets.softness[s, c] == 0.0:
                        total += w.S[r, c] * w.error[c]
                w.solved[r] = pull * w.solved[r] + (1.0 - pull) * total
        biggest = 0.0
        for k in range(m.armature.shape[0]):
            total = -pull * w.off[k]
            for r in range(used):
                total += w.A[r, k] * w.solved[r]
            w.off[k] = total
            biggest = max(biggest, abs(total))
        move(q[s], m, w.off, min(1.0, longest / max(biggest, 1e-30)))
        largest = max(largest, biggest)
    return largest


@kernel
def write_feet(w, m, targets, s):
    """rows of all feet, and how far each is off its target"""
    d, C, v = w.d, w.C, w.vector
    nv = m.armature.shape[0]
    for f in range(targets.foot.shape[0]):
        start = ROWS * f
        foot, toe = targets.foot[f], targets.toe[f]
        for r in range(ROWS):
            for k in range(nv):
                C[start + r, k] = 0.0
            w.error[start + r] = 0.0
        # the anchor
        for j in range(3):
            w.error[start + j] = targets.place[f, s, j]
        for edge in range(3):
            share = targets.share[f, s, edge]
            if share != 0.0:
                i = foot if edge == 0 else toe
                origin = d.origin[m.tree[i]]
                for j in range(3):
                    v[0, j] = origin[j] + d.x[i, j]
                    for l in range(3):
                        v[0, j] += d.R[i, j, l] * targets.middle[f, edge, l]
                body_jacobian(w.J, d, m, i, v[0])
                for j in range(3):
                    w.error[start + j] -= share * v[0, j]
                    for k in range(nv):
                        C[start + j, k] += share * w.J[j, k]
        # rotations: of the foot by v[1], of the toe by v[2]
        rotation_error(v[1], targets.foot_R[f, s], d.R[foot], v[3])
        rotation_error(v[2], targets.toe_R[f, s], d.R[toe], v[3])
        heel = targets.share[f, s, 0]
        for body in range(2):
            i = foot if body == 0 else toe
            share = heel if body == 0 else 1.0 - heel
            axes = targets.foot_axes[f, s] if body == 0 else targets.toe_axes[f, s]
            body_jacobian(w.J, d, m, i, v[0])
            for r in range(3):
                # about up and along by the body in charge, across by each for itself
                row = start + 2 + r if r > 0 else start + 5 + body
                scale = share if r > 0 else 1.0
                if scale == 0.0 or (r == 0 and body == 1 and foot == toe):
                    continue
                for j in range(3):
                    w.error[row] += scale * axes[r, j] * v[1 + body, j]
                    for k in range(nv):
                        C[row, k] += scale * axes[r, j] * w.J[3 + j, k]


@kernel
def rotation_error(out, target, R, axis):
    """out = the rotation vector of target R^T, world axes"""
    trace = 0.0
    for j in range(3):
        axis[j] = 0.0
    for j in range(3):
        for l in range(3):
            trace += target[j, l] * R[j, l]
    for l in range(3):
        axis[0] += target[2, l] * R[1, l] - target[1, l] * R[2, l]
        axis[1] += target[0, l] * R[2, l] - target[2, l] * R[0, l]
        axis[2] += target[1, l] * R[0, l] - target[0, l] * R[1, l]
    sine = 0.5 * math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    scale = 0.5 * angle / sine if sine > 1e-12 else 0.5
    for j in range(3):
        out[j] = scale * axis[j]


@kernel
def write_centre(w, m):
    """the last six rows: velocity of the centre of mass, and angular momentum about it over inertia; its place is left in vector[7]"""
    d, C, v = w.d, w.C, w.vector
    first = C.shape[0] - 6
    nb = m.parent.shape[0]
    for i in range(nb):
        for j in range(10):
            d.Ic[i, j] = d.I[i, j]
    for i in range(nb - 1, 0, -1):
        for j in range(10):
            d.Ic[m.parent[i], j] += d.Ic[i, j]
    total = d.Ic[0]
    mass = total[0]
    x, y, z = total[1] / mass, total[2] / mass, total[3] / mass
    v[7, 0], v[7, 1], v[7, 2] = x, y, z
    # inertia about the centre: xx yy zz xy xz yz
    xx, yy, zz = total[4] - mass * (y * y + z * z), total[5] - mass * (x * x + z * z), total[6] - mass * (x * x + y * y)
    xy, xz, yz = total[7] + mass * x * y, total[8] + mass * x * z, total[9] + mass * y * z
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    inverse = 1.0 / (xx * a + xy * b + xz * c)
    e, f, g = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    for k in range(m.dof.shape[0]):
        F = v[0]
        inertia_times(F, d.Ic[m.axis_body[k]], d.S[k])
        # angular momentum about the centre: L - c x p
        l0 = F[3] - (y * F[2] - z * F[1])
        l1 = F[4] - (z * F[0] - x * F[2])
        l2 = F[5] - (x * F[1] - y * F[0])
        for j in range(3):
            C[first + j, k] = F[j] / mass
        C[first + 3, k] = inverse * (a * l0 + b * l1 + c * l2)
        C[first + 4, k] = inverse * (b * l0 + e * l1 + f * l2)
        C[first + 5, k] = inverse * (c * l0 + f * l1 + g * l2)


@kernel
def invert(S, n):
    """S becomes its inverse; symmetric and positive definite, the lower triangle is read. In place, by L L^T."""
    for j in range(n):
        for k in range(j):
            S[j, j] -= S[j, k] * S[j, k]
        S[j, j] = math.sqrt(S[j, j]) if S[j, j] > 1e-300 else 1e150
        for i in range(j + 1, n):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            S[i, j] = total / S[j, j]
    # L^-1
    for j in range(n):
        S[j, j] = 1.0 / S[j, j]
        for i in range(j + 1, n):
            total = 0.0
            for k in range(j, i):
                total -= S[i, k] * S[k, j]
            S[i, j] = total / S[i, i]
    # L^-T L^-1
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, n):
                total += S[k, i] * S[k, j]
            S[i, j] = total
            S[j, i] = total
