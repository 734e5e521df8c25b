"""What of a character may touch something: edges of soles, ends of limbs, corners of the trunk."""
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import matrix
from ..humanoid.feet import Sole
from ..model.character import Shape
from ..model.model import System

NEAR = {"shin": "knee", "forearm": "elbow", "thigh": "hip", "upper_arm": "shoulder", "clavicle": "shoulder"}
"""What the upper end of a limb is called; its lower end is the next one's upper end, and not a feature of its own."""
WHOLE = {"hand": "hand", "pelvis": "seat", "spine": "back", "chest": "back", "head": "head", "neck": "neck"}
FEET = ("heel", "ball", "tip")


class Feature(NamedTuple):
    """Points of a body that touch together."""
    body: int
    part: str                       # heel, ball, tip, hand, knee, elbow, seat, back ...
    points: np.ndarray              # (p, 3) on the body, m
    radius: float                   # m, around the points


def features(system: System, soles: Sequence[Sole]) -> list[Feature]:
    """Soles by their edges, all other bodies by their shapes."""
    index = {name: i for i, name in enumerate(system.names)}
    found = []
    for sole in soles:
        found += [Feature(index[body], part, points, 0.0) for part, body, points in
                  (("heel", sole.foot, sole.heel), ("ball", sole.toe, sole.ball), ("tip", sole.toe, sole.tip))]
    feet = {body for sole in soles for body in (sole.foot, sole.toe)}
    for i, body in enumerate(system.bodies):
        if system.names[i] in feet:
            continue
        for number, shape in enumerate(body.shapes):
            found += _of_shape(i, system.names[i], number, shape)
    return found


def _of_shape(i: int, name: str, number: int, shape: Shape) -> list[Feature]:
    R, x = matrix(shape.frame.rotation), np.asarray(shape.frame.position, float)
    size = np.asarray(shape.size, float)
    kind = name.split("/")[-1].split(".")[0]
    # a second shape on a forearm is a hand that rides along
    part = "hand" if kind == "forearm" and number else NEAR.get(kind) or WHOLE.get(kind, name)
    if shape.kind == "sphere":
        return [Feature(i, part, x[None], float(size[0]))]
    if shape.kind == "capsule":
        ends = x + np.outer([-size[1], size[1]], R[:, 2])
        return [Feature(i, part, ends[:1] if kind in NEAR and part != "hand" else ends, float(size[0]))]
    if shape.kind == "box":
        corners = x + (np.array(list(product((-1, 1), repeat=3))) * size) @ R.T
        return [Feature(i, part, corners, 0.0)]
    if shape.kind == "hull":
        return [Feature(i, part, x + np.asarray(shape.points, float) @ R.T, 0.0)]
    return []
