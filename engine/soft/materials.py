"""Soft materials as an animator gives them, and as springs and dampers.

*Sinkage* x: how far a person of 70 kg who stands on both flat feet sinks in, m. A flat region then has the stiffness
K = 70 kg 9.81 m/s^2 / (2 x), shared among its corners; an edge has half of it, a point a quarter, as two corners and one corner of a
box have. Of a pair the softer counts, as with friction the rougher.

*Restitution* e, 0 to 1: the damper d = 2 zeta sqrt(K m) with m the reduced mass of the two things (of whole characters). A spring and a
damper that never pull part with the share e of the speed at which they met (Schwager and Poschel 2007), s = sqrt|1 - zeta^2|:
ln e = -zeta / s atan2(2 zeta s, 2 zeta^2 - 1) for zeta < 1, and -zeta / s ln((zeta + s) / (zeta - s)) beyond.

Smooth contact (002) is, while it lasts, -K (1 + beta s) / (1 + alpha s) of the gap: `smooth_damping` gives beta w with w = sqrt(K / m).
"""
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..collision.build_shapes import Obstacle, list_shapes
from ..errors import HeftError
from ..model.model import System

STANDING = 70.0 * 9.81                           # N, of the person whose sinkage is given
MOST_DAMPING = 1.5                               # zeta of what does not bounce; it returns 8 % of the speed
ALPHA = 0.1
"""alpha over beta of smooth contact: the smaller, the more it can damp, and the finer the steps must be."""
MOST_SMOOTH_DAMPING = 2.0                        # beta w of smooth contact that does not bounce; it returns 22 % of the speed

MOST_SMOOTH_BOUNCE = 0.99                        # restitution; beyond it beta, and with it the step, shrink to nothing
STABLE_STATE = 0.8                               # step over the shortest beta: points' states decay as e' = -e / beta
STABLE = {"rk4": 2.0, "euler": 1.0}              # step times the fastest frequency


class Materials(NamedTuple):
    """Of every shape, in the order of build_shapes; a pair takes the softest, and the least damped."""
    sinkage: np.ndarray             # (ns,) m
    zeta: np.ndarray                # (ns,) damper over 2 sqrt(K m)
    smooth: np.ndarray              # (ns,) beta sqrt(K / m)
    mass: np.ndarray                # (nt,) of each tree, kg


def build_materials(system: System, obstacles: Sequence[Obstacle] = ()) -> Materials:
    """The materials of all shapes."""
    shapes = [shape for shape, _ in list_shapes(system, obstacles)]
    bounce = [float(shape.restitution) for shape in shapes]
    mass = np.add.reduceat(system.model.mass, system.model.tree_start[:-1])
    return Materials(np.array([float(shape.sinkage) for shape in shapes]), np.array([damping(e) for e in bounce]),
                     np.array([smooth_damping(e) for e in bounce]), mass)


def stiffness(sinkage: float) -> float:
    """of a flat region, N/m"""
    return STANDING / (2 * sinkage)


def restitution(zeta: float) -> float:
    """of a spring and a damper that never pull: x'' + 2 zeta x' + x = 0 from x = 0, x' = 1 until x + 2 zeta x' = 0"""
    if abs(zeta - 1) < 1e-6:
        return float(np.exp(-2.0))
    if zeta < 1:
        s = np.sqrt(1 - zeta ** 2)
        return float(np.exp(-zeta / s * np.arctan2(2 * zeta * s, 2 * zeta ** 2 - 1))) if zeta > 0 else 1.0
    s = np.sqrt(zeta ** 2 - 1)
    return float(np.exp(-zeta / s * np.log((zeta + s) / (zeta - s))))


@lru_cache
def damping(e: float) -> float:
    """zeta for a restitution e, by bisection"""
    return _bisect(restitution, e, MOST_DAMPING)


def _bisect(falling, value: float, most: float) -> float:
    low, high = 0.0, most
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > value else (low, middle)
    return (low + high) / 2


def smooth_restitution(b: float, ratio: float = ALPHA) -> float:
    """of a mass that meets smooth contact (002, eq 16) with beta = b sqrt(m / K) and alpha = ratio beta, without gravity.
    Until the force ends it is the linear system p'' = e - b (p + e) / (ratio b), e' = -(p + e) / (ratio b), in units of sqrt(m / K)"""
    if b <= 0:
        return 1.0
    alpha = ratio * b
    A = np.array([[0.0, 1.0, 0.0], [-1 / ratio, 0.0, 1 - 1 / ratio], [-1 / alpha, 0.0, -1 / alpha]])   # p, p', e
    values, vectors = np.linalg.eig(A)
    parts = np.linalg.solve(vectors, np.array([0.0, -1.0, 0.0]).astype(complex))
    state = lambda t: (vectors @ (parts * np.exp(values * t))).real
    push = lambda t: A[1] @ state(t)
    times = np.linspace(0, 20, 2001)[1:]
    forces = np.array([push(t) for t in times])
    last = int(np.argmax(forces < 0))
    low, high = times[last - 1], times[last]
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if push(middle) > 0 else (low, middle)
    return float(state(low)[1])


@lru_cache
def smooth_damping(e: float) -> float:
    """b = beta sqrt(K / m) for a restitution e"""
    return _bisect(smooth_restitution, e, MOST_SMOOTH_DAMPING)


def largest_smooth_step(system: System, obstacles: Sequence[Obstacle] = (), method: str = "rk4") -> float:
    """s: the longest step at which smooth contact stays stable on every body with a shape. At high frequencies a point has the
    stiffness K / ALPHA; a corner's share of it, a quarter, meets about a quarter of a body's mass."""
    materials = build_materials(system, obstacles)
    softest = materials.sinkage.min(initial=np.inf)
    lightest = min((float(body.mass) for body in system.bodies if body.shapes), default=np.inf)
    if not np.isfinite([softest, lightest]).all():
        return np.inf
    bounciest = max(float(shape.restitution) for shape, _ in list_shapes(system, obstacles))
    if bounciest > MOST_SMOOTH_BOUNCE:
        raise HeftError(f"a shape's restitution is {bounciest:g}, must be at most {MOST_SMOOTH_BOUNCE} in smooth contact, whose step "
                        "shrinks to nothing with what is lost: lower it, or take rigid or compliant contact")
    meets = materials.mass.min() / (2 if len(materials.mass) > 1 else 1)
    beta = materials.smooth.min() * np.sqrt(meets / stiffness(softest))
    return min(STABLE[method] * float(np.sqrt(ALPHA * lightest / stiffness(softest))), STABLE_STATE * float(beta))
