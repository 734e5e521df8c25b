"""The table's segments handed out to the bodies that a skeleton has."""
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..algebra.quaternions import unit
from ..model.character import Frame, Shape
from .feet import Sole
from .measures import Measures, far_end
from .proportions import Table
from .recognise import Parts
from .segments import CLAVICLE, Mass, capsule, foot_masses, hand, head_and_neck, rod, trunk_slices
from .skeleton import Skeleton


def body_masses(skeleton: Skeleton, parts: Parts, table: Table, mass: float, measures: Measures, bone: dict[str, int],
                joint_bone: dict[str, int], soles: Sequence[Sole]) -> dict[str, Mass]:
    """Of each body, at rest in the world; together `mass` kg."""
    places, first = measures.places, parts.first
    masses: dict[str, Mass] = {}
    # trunk
    trunk = [body for body in bone if body.split(".")[0] in ("pelvis", "spine", "chest")]
    total = float(np.linalg.norm(measures.neck - measures.hips))
    heights = [float((places[joint_bone[body]] - measures.hips) @ measures.up) / total for body in trunk[1:]]
    least = 0.5 / (len(trunk) + 1)
    cuts = [0.0]
    for number, height in enumerate(heights):
        cuts.append(float(np.clip(height, cuts[-1] + 0.25 * least, 1 - (len(heights) - number) * 0.25 * least)))
    masses.update(zip(trunk, trunk_slices(table, mass, measures, [*cuts, 1.0])))
    # head and neck
    upper = [body for body in bone if body.split(".")[0] in ("neck", "head")]
    if upper:
        masses.update(zip(upper, head_and_neck(table, mass, measures, [places[joint_bone[body]] for body in upper])))
    for side in "LR":
        for part, following in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot")):
            body = f"{part}.{side}"
            if body not in bone:
                continue
            start, end = places[first[body]], far_end(skeleton, parts, body, f"{following}.{side}")
            if end is None:
                above = places[first[body]] - places[first[f"upper_arm.{side}"]]
                end = start + table.segments[part].length * measures.scale * unit(above)
            masses[body] = rod(table, part, mass, start, end)
            if part == "forearm":
                masses.update(_hand(side, skeleton, parts, table, mass, measures, bone, end, end - start, masses))
        foot, toe = foot_masses(table, mass, soles["LR".index(side)], measures.scale)
        masses[f"foot.{side}"] = _placed(foot, places[first[f"foot.{side}"]])
        if toe is not None:
            masses[f"toe.{side}"] = _placed(toe, places[first[f"toe.{side}"]])
        if f"clavicle.{side}" in bone:
            _split_clavicle(masses, f"clavicle.{side}", trunk[-1], places[first[f"clavicle.{side}"]], places[first[f"upper_arm.{side}"]],
                            mass * table.segments["upper trunk"].mass * CLAVICLE, measures)
    # what has no part to go to goes everywhere: the total is what was asked for
    sum_of_all = sum(m.mass for m in masses.values())
    return {body: m._replace(mass=m.mass * mass / sum_of_all, inertia=m.inertia * mass / sum_of_all) for body, m in masses.items()}


def _hand(side, skeleton, parts, table, mass, measures, bone, wrist, forearm, masses) -> dict[str, Mass]:
    """the hand's own body, or the forearm with the hand on it"""
    body = f"hand.{side}"
    end = far_end(skeleton, parts, body, "") if body in parts.first else None
    made = hand(table, mass, measures, wrist, end - wrist if end is not None else forearm)
    return {body: made} if body in bone else {f"forearm.{side}": _joined(masses[f"forearm.{side}"], made)}


def _joined(a: Mass, b: Mass) -> Mass:
    m = a.mass + b.mass
    com = (a.mass * a.com + b.mass * b.com) / m
    inertia = sum(x.inertia + x.mass * ((r := x.com - com) @ r * np.eye(3) - np.outer(r, r)) for x in (a, b))
    return Mass(m, com, inertia, a.shapes + b.shapes)


def _split_clavicle(masses: dict[str, Mass], body: str, trunk: str, start, end, m: float, measures: Measures) -> None:
    """the shoulder girdle takes its mass from the trunk, whose centre moves so that the sum's stays"""
    chest, com = masses[trunk], 0.3 * start + 0.7 * end
    rest = chest.mass - m
    length, radius = float(np.linalg.norm(end - start)), 0.05 * measures.scale
    axis = unit(end - start)
    outer = np.outer(axis, axis)
    masses[body] = Mass(m, com, m * ((length ** 2 / 12 + radius ** 2 / 4) * (np.eye(3) - outer) + radius ** 2 / 2 * outer),
                        (capsule(start + 0.4 * (end - start), end, min(radius, 0.3 * length)),))
    masses[trunk] = chest._replace(mass=rest, com=(chest.mass * chest.com - m * com) / rest, inertia=chest.inertia * rest / chest.mass)


def _placed(m: Mass, place: np.ndarray) -> Mass:
    """from the body's own axes to the world at rest"""
    return m._replace(com=m.com + place, shapes=tuple(moved_shape(shape, place) for shape in m.shapes))


def moved_shape(shape: Shape, by: np.ndarray) -> Shape:
    return replace(shape, frame=Frame(np.asarray(shape.frame.position) + by, shape.frame.rotation))
