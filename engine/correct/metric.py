"""How far a pose is from another: the kinetic energy of equal masses at the joints, and a little for every turn.

So a centimetre counts the same on every joint, and W, a mass matrix, factors along the tree.
"""
from collections.abc import Mapping

import numpy as np

from ..errors import HeftError
from ..model.model import FREE, Model, System

MASS = 70.0                                      # kg, of all joints together
ROOT = (1.0, 0.3)                                # kg, kg m^2 on the root's place and turn
TURNS = {"pelvis": 1.0, "spine": 1.0, "chest": 1.0, "neck": 1.0, "head": 1.0, "clavicle": 1.0, "upper_arm": 0.5, "forearm": 0.5,
         "hand": 0.3, "thigh": 0.5, "shin": 0.5, "foot": 0.05, "toe": 0.05}
"""kg m^2 for each part's turns; feet are where the contacts want them."""


def metric_model(system: System, weights: Mapping[str, float] | None = None) -> Model:
    """A model whose mass matrix is W; `weights`: by body or part, how much more than others its place and turns are kept."""
    m, weights = system.model, dict(weights or {})
    parts = [name.split("/")[-1] for name in system.names]
    unknown = [name for name in weights if name not in parts and name not in {part.split(".")[0] for part in parts}]
    if unknown:
        raise HeftError(f"weights name '{unknown[0]}', which is none of the bodies {', '.join(parts)}")
    factor = np.array([float(weights.get(part, weights.get(part.split(".")[0], 1.0))) for part in parts])
    if not (np.isfinite(factor).all() and (factor > 0).all()):
        raise HeftError(f"weights must be positive, {parts[int(np.argmin(factor))]} has {factor.min():g}")
    turns = np.zeros(m.nv)
    for i, part in enumerate(parts):
        start, end = m.axis_start[i], m.axis_start[i + 1]
        own = np.full(end - start, factor[i] * TURNS.get(part.split(".")[0], 0.3))
        if m.kind[i] == FREE:
            own[:3], own[3:] = ROOT
        turns[m.dof[start:end]] = own
    return m._replace(mass=MASS / m.nb * factor, com=np.zeros_like(m.com), inertia=np.zeros_like(m.inertia), armature=turns)
