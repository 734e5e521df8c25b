"""The outer steps: linearise the motion about where it is, solve the program, move, again. Sequential quadratic programming."""
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..kernel import kernel
from ..model.model import System
from ..motion.floor import sole_edges
from ..motion.source import Source
from .basis import allocate_basis, allocate_work, update_basis
from .clearance import clear
from .generators import SIDES, Generators, make_generators
from .grid import PAD, Grid
from .metric import metric_model
from .program import allocate_program, forces, set_program, solve_program
from .rows import move
from .stances import Targets, make_targets
from .wrench import allocate_moving, allocate_wrench, update_wrench

BEND = 3e-6                                      # s^4, of the correction's acceleration against the pose
FORCE = 1e-3                                     # m^2, of forces in weights against the pose
CALM = 0.3                                       # kg m^2, of changes of the wrench within 1/120 s, in weights
ARM = 0.3                                        # m, a moment counts as a force at this distance
PULLS = (1.0,) * 8                                # towards the source, outer step by outer step
FIXED = 1e4                                      # how much more a fixed frame's pose counts
LONGEST = 0.5                                    # rad or m, a move of one joint in one outer step
FURTHEST = 0.3                                   # rad or m, a move of one joint by the program
PLACINGS = 4                                     # outer steps of feet alone, before
CLEARINGS = 4                                    # outer steps after which feet are still lifted
ENOUGH = 2e-5                                    # weights, rms: what may be left of the root's six equations


class State(NamedTuple):
    """After an outer step."""
    q: np.ndarray                   # (S, nq)
    force: np.ndarray               # (S, C, 3) N, at the generators' corners
    generators: Generators
    residual: float                 # weights, rms over force and moment / ARM
    iterations: int                 # of the interior point


def solve(source: Source, grid: Grid, friction: float, weights: Mapping[str, float] | None = None,
          fixed_frames: Sequence[int] = ()) -> Iterator[tuple[State, Targets, bool]]:
    """After every outer step the best state so far, the feet's targets, and whether it was the last."""
    system: System = source.system
    m, S, feet = system.model, len(grid.q), len(source.humanoid.soles)
    metric = metric_model(system, weights)
    targets = make_targets(system, source.humanoid.soles, grid)
    mass = float(m.mass.sum())
    weight = mass * float(np.linalg.norm(m.gravity))
    unit = np.array([1, 1, 1, 1 / ARM, 1 / ARM, 1 / ARM])
    q = grid.q.copy()
    work, basis, moving, wrench = allocate_work(m, metric, feet), allocate_basis(m, S), allocate_moving(m), allocate_wrench(S)
    program = allocate_program(S, SIDES * 6 * feet)
    total = np.zeros((S, 6))
    bend, calm = np.full(6, BEND * mass / grid.step ** 4), CALM / (120 * grid.step) ** 2
    fixed = PAD + grid.substeps * np.asarray(fixed_frames, int)
    for _ in range(PLACINGS):
        update_basis(basis, q, m, metric, grid.q, targets, work, 0, 1.0, LONGEST)
        clear(targets, grid, sole_edges(system, source.humanoid.soles, q))
    best: State | None = None
    for number, pull in enumerate(PULLS):
        update_basis(basis, q, m, metric, grid.q, targets, work, 1, pull, LONGEST)
        update_wrench(wrench, q, m, basis.Z, basis.centre, grid.step, 1, moving)
        corners = sole_edges(system, source.humanoid.soles, q)
        corners[..., 2] = 0.0
        generators = make_generators(grid, targets, corners, basis.centre, friction, unit)
        scale = unit / weight
        basis.H[fixed] *= FIXED
        basis.g[fixed] *= FIXED
        set_program(program, basis.H, basis.g, total, wrench.B * scale[:, None], wrench.w * scale, bend, calm)
        iterations, _ = solve_program(program, generators, FORCE * mass)
        total += move_all(q, m, basis.Z, program.y, moving.by, FURTHEST) * program.y
        force = forces(program, generators, weight)
        if number < CLEARINGS:
            clear(targets, grid, sole_edges(system, source.humanoid.soles, q))
        residual = _residual(wrench, q, m, basis, grid.step, moving, generators, program.f, scale)
        done = number == len(PULLS) - 1 or residual < ENOUGH
        state = State(q.copy(), force, generators, residual, int(iterations))
        best = state if best is None or residual < best.residual else best
        yield best, targets, done
        if done:
            return


def _residual(wrench, q, m, basis, step, moving, generators: Generators, factors: np.ndarray, scale: np.ndarray) -> float:
    update_wrench(wrench, q, m, basis.Z, basis.centre, step, 0, moving)
    used = np.where(np.arange(factors.shape[1]) < generators.used[:, None], factors, 0.0)
    left = wrench.w * scale - np.einsum("sk,ski->si", used, generators.G)
    return float(np.sqrt(np.mean(np.sum(left[1:-1] ** 2, axis=1))))


@kernel
def move_all(q, m, Z, y, by, longest):
    """every pose by its own six numbers, all by the same share of them, so that none moves further than `longest`; returns the share"""
    share = 1.0
    for attempt in range(2):
        for s in range(q.shape[0]):
            largest = 0.0
            for k in range(by.shape[0]):
                total = 0.0
                for j in range(6):
                    total += Z[s, j, k] * y[s, j]
                by[k] = total
                largest = max(largest, abs(total))
            if attempt == 0:
                share = min(share, longest / max(largest, 1e-30))
            else:
                move(q[s], m, by, share)
    return share
