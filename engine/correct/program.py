"""The quadratic program of one outer step, over all steps of the clip at once.

    minimise    sum 1/2 (y^T H y) + g^T y + bend/2 |second difference of (total + y)|^2 + calm/2 |change of w|^2 + cost/2 |f|^2
    subject to  w = B- y(s-1) + B0 y(s) + B+ y(s+1) + r = G f,   f >= 0

Primal-dual interior point (Mehrotra 1992). The forces f and their multipliers are eliminated step by step, which leaves the system of
skyline.py: [H B^T; B -S] with S = G diag(1 / (cost + z / f)) G^T.
"""
from typing import NamedTuple

import numpy as np

from ..kernel import kernel
from .generators import Generators
from .skyline import BLOCKS, OWN, REACH, factor_blocks, solve_blocks

MOST_ITERATIONS = 30
INFEASIBILITY, GAP = 1e-9, 1e-8                  # weights; weights squared


class Program(NamedTuple):
    """Its data, unknowns and work arrays. S steps, K generators."""
    H: np.ndarray                   # (S, 4, 6, 6) by the y of its own step and of the three before
    g: np.ndarray                   # (S, 6)
    B: np.ndarray                   # (S, 3, 6, 6)
    r: np.ndarray                   # (S, 6)
    y: np.ndarray                   # (S, 6)
    u: np.ndarray                   # (S, 6) multipliers
    f: np.ndarray                   # (S, K) factors of the generators, weights
    z: np.ndarray                   # (S, K) their multipliers
    df: np.ndarray                  # (S, K)
    dz: np.ndarray                  # (S, K)
    rf: np.ndarray                  # (S, K) residual
    target: np.ndarray              # (S, K) what z df + f dz shall be
    ry: np.ndarray                  # (S, 6) residual
    ru: np.ndarray                  # (S, 6) residual
    fixed: np.ndarray               # (2 S, BLOCKS, 6, 6) the system without S
    A: np.ndarray                   # (2 S, BLOCKS, 6, 6) the system
    L: np.ndarray                   # (2 S, BLOCKS, 6, 6) its factor
    D: np.ndarray                   # (2 S, 6)
    x: np.ndarray                   # (S, 12) steps of y and u
    T: np.ndarray                   # (4, 6, 6)


def allocate_program(steps: int, generators: int) -> Program:
    six, many = (steps, 6), (steps, generators)
    shapes = [(steps, REACH + 1, 6, 6), six, (steps, 3, 6, 6), six, six, six, many, many, many, many, many, many, six, six,
              (2 * steps, BLOCKS, 6, 6), (2 * steps, BLOCKS, 6, 6), (2 * steps, BLOCKS, 6, 6), (2 * steps, 6), (steps, 12), (4, 6, 6)]
    return Program(*(np.zeros(shape) for shape in shapes))


@kernel
def set_program(p, H, g, total, B, r, bend, calm):
    """The program's data; `total` (S, 6): what earlier outer steps have moved, `bend` (6,) and `calm` the weights of smoothness."""
    S = p.y.shape[0]
    for s in range(S):
        for i in range(6):
            p.g[s, i] = g[s, i]
            p.r[s, i] = r[s, i]
            for j in range(6):
                for o in range(REACH + 1):
                    p.H[s, o, i, j] = 0.0
                p.H[s, 0, i, j] = H[s, i, j]
                for o in range(3):
                    p.B[s, o, i, j] = B[s, o, i, j]
            p.H[s, 0, i, i] += 1e-8
    # second differences of all that was moved
    for s in range(1, S - 1):
        for i in range(6):
            D2 = total[s - 1, i] - 2.0 * total[s, i] + total[s + 1, i]
            for a in range(3):
                ca = -2.0 if a == 1 else 1.0
                p.g[s - 1 + a, i] += bend[i] * ca * D2
                for b in range(a + 1):
                    cb = -2.0 if b == 1 else 1.0
                    p.H[s - 1 + a, a - b, i, i] += bend[i] * ca * cb
    # changes of the wrench: T_0 y(s-1) + ... + T_3 y(s+2) + r(s+1) - r(s)
    for s in range(1, S - 2):
        for i in range(6):
            for j in range(6):
                p.T[0, i, j] = -B[s, 0, i, j]
                p.T[1, i, j] = B[s + 1, 0, i, j] - B[s, 1, i, j]
                p.T[2, i, j] = B[s + 1, 1, i, j] - B[s, 2, i, j]
                p.T[3, i, j] = B[s + 1, 2, i, j]
        for a in range(4):
            for i in range(6):
                for l in range(6):
                    p.g[s - 1 + a, i] += calm * p.T[a, l, i] * (r[s + 1, l] - r[s, l])
                for b in range(a + 1):
                    for j in range(6):
                        value = 0.0
                        for l in range(6):
                            value += p.T[a, l, i] * p.T[b, l, j]
                        p.H[s - 1 + a, a - b, i, j] += calm * value
    write_fixed(p)


@kernel
def write_fixed(p):
    """the lower triangle of [H B^T; B 0], by block rows"""
    S = p.y.shape[0]
    for s in range(S):
        own, dual = p.fixed[2 * s], p.fixed[2 * s + 1]
        inner = s > 0 and s < S - 1
        for i in range(6):
            for j in range(6):
                for c in range(BLOCKS):
                    own[c, i, j] = 0.0
                    dual[c, i, j] = 0.0
                for o in range(REACH + 1):
                    own[OWN - 2 * o, i, j] = p.H[s, o, i, j]
                if s > 1:
                    own[OWN - 1, i, j] = p.B[s - 1, 2, j, i]
                if inner:
                    dual[OWN - 2, i, j] = p.B[s, 0, i, j]
                    dual[OWN, i, j] = p.B[s, 1, i, j]
            dual[OWN + 1, i, i] = -1e-12 if inner else -1.0


@kernel
def solve_program(p, gen, weight):
    """Fill p.y and p.f. Returns the iterations used, and what is left of the constraint, in weights. `weight` of the force's cost."""
    S = p.y.shape[0]
    many = 0
    for s in range(S):
        inner = s > 0 and s < S - 1
        if not inner:
            gen.used[s] = 0
        many += gen.used[s]
        for i in range(6):
            p.y[s, i] = 0.0
            p.u[s, i] = 0.0
        for k in range(gen.used[s]):
            p.f[s, k] = 0.1
            p.z[s, k] = 0.1
    left = 0.0
    for iteration in range(MOST_ITERATIONS):
        left, worst, gap = write_residuals(p, gen, weight)
        gap /= max(many, 1)
        if left < INFEASIBILITY and gap < GAP and worst < 1e-6:
            return iteration, left
        write_system(p, gen, weight)
        factor_blocks(p.A, p.L, p.D)
        # predictor
        for s in range(S):
            for k in range(gen.used[s]):
                p.target[s, k] = -p.f[s, k] * p.z[s, k]
        solve_step(p, gen, weight)
        length = longest_step(p, gen)
        after = 0.0
        for s in range(S):
            for k in range(gen.used[s]):
                after += (p.f[s, k] + length * p.df[s, k]) * (p.z[s, k] + length * p.dz[s, k])
        after /= max(many, 1)
        centring = (after / max(gap, 1e-300)) ** 3
        # corrector
        for s in range(S):
            for k in range(gen.used[s]):
                p.target[s, k] = -p.f[s, k] * p.z[s, k] - p.df[s, k] * p.dz[s, k] + centring * gap
        solve_step(p, gen, weight)
        length = longest_step(p, gen)
        for s in range(S):
            for i in range(6):
                p.y[s, i] += length * p.x[s, i]
                p.u[s, i] += length * p.x[s, 6 + i]
            for k in range(gen.used[s]):
                p.f[s, k] += length * p.df[s, k]
                p.z[s, k] += length * p.dz[s, k]
    return MOST_ITERATIONS, left


@kernel
def write_residuals(p, gen, weight):
    """ry = H y + g + B^T u, ru = B y + r - G f, rf = cost f - G^T u - z"""
    S = p.y.shape[0]
    left, worst, gap = 0.0, 0.0, 0.0
    for s in range(S):
        for i in range(6):
            value = p.g[s, i]
            for o in range(REACH + 1):
                if s - o >= 0:
                    for j in range(6):
                        value += p.H[s, o, i, j] * p.y[s - o, j]
                if o > 0 and s + o < S:
                    for j in range(6):
                        value += p.H[s + o, o, j, i] * p.y[s + o, j]
            for o in range(3):
                t = s + 1 - o                        # y(s) is the entry o of the constraint at t
                if t > 0 and t < S - 1:
                    for j in range(6):
                        value += p.B[t, o, j, i] * p.u[t, j]
            p.ry[s, i] = value
            value = 0.0
            if s > 0 and s < S - 1:
                value = p.r[s, i]
                for o in range(3):
                    for j in range(6):
                        value += p.B[s, o, i, j] * p.y[s - 1 + o, j]
                for k in range(gen.used[s]):
                    value -= gen.G[s, k, i] * p.f[s, k]
            p.ru[s, i] = value
            left = max(left, abs(value))
        for k in range(gen.used[s]):
            value = weight * gen.cost[s, k] * p.f[s, k] - p.z[s, k]
            for i in range(6):
                value -= gen.G[s, k, i] * p.u[s, i]
            p.rf[s, k] = value
            worst = max(worst, abs(value))
            gap += p.f[s, k] * p.z[s, k]
    return left, worst, gap


@kernel
def write_system(p, gen, weight):
    S = p.y.shape[0]
    for b in range(2 * S):
        for c in range(BLOCKS):
            for i in range(6):
                for j in range(6):
                    p.A[b, c, i, j] = p.fixed[b, c, i, j]
    for s in range(1, S - 1):
        block = p.A[2 * s + 1, OWN + 1]
        for k in range(gen.used[s]):
            scale = 1.0 / (weight * gen.cost[s, k] + p.z[s, k] / p.f[s, k])
            for i in range(6):
                part = scale * gen.G[s, k, i]
                for j in range(6):
                    block[i, j] -= part * gen.G[s, k, j]


@kernel
def solve_step(p, gen, weight):
    """The step of all unknowns, with z df + f dz = target: y and u in p.x, forces in p.df and p.dz."""
    S = p.y.shape[0]
    for s in range(S):
        for i in range(6):
            p.x[s, i] = -p.ry[s, i]
            p.x[s, 6 + i] = -p.ru[s, i]
        for k in range(gen.used[s]):
            scale = 1.0 / (weight * gen.cost[s, k] + p.z[s, k] / p.f[s, k])
            p.df[s, k] = scale * (p.target[s, k] / p.f[s, k] - p.rf[s, k])
            for i in range(6):
                p.x[s, 6 + i] += gen.G[s, k, i] * p.df[s, k]
    solve_blocks(p.x.reshape(2 * S, 6), p.L, p.D)
    for s in range(S):
        for k in range(gen.used[s]):
            scale = 1.0 / (weight * gen.cost[s, k] + p.z[s, k] / p.f[s, k])
            value = 0.0
            for i in range(6):
                value += gen.G[s, k, i] * p.x[s, 6 + i]
            p.df[s, k] += scale * value
            p.dz[s, k] = (p.target[s, k] - p.z[s, k] * p.df[s, k]) / p.f[s, k]


@kernel
def longest_step(p, gen):
    """how far all forces and their multipliers stay positive, a little less, at most 1"""
    length = 1.0
    for s in range(p.y.shape[0]):
        for k in range(gen.used[s]):
            if p.df[s, k] < 0.0:
                length = min(length, -0.995 * p.f[s, k] / p.df[s, k])
            if p.dz[s, k] < 0.0:
                length = min(length, -0.995 * p.z[s, k] / p.dz[s, k])
    return length


def forces(p: Program, gen: Generators, weight: float) -> np.ndarray:
    """(S, K / 4, 3) N at each corner that touches, in the order of the generators."""
    S, K = p.f.shape
    used = np.where(np.arange(K) < gen.used[:, None], p.f, 0.0)
    return weight * (used[..., None] * gen.G[..., :3]).reshape(S, K // 4, 4, 3).sum(axis=2)
