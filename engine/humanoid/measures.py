"""Lengths of a body that its skeleton gives: stature, trunk, neck and head, where limbs end."""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import unit
from .proportions import Table
from .recognise import Parts, forward_axis
from .skeleton import Skeleton

SHOULDER_HEIGHT, ANKLE_HEIGHT = 0.818, 0.039     # of the stature (Drillis and Contini 1966, in Winter 2009, Fig. 4.1)


class Measures(NamedTuple):
    """All at rest, m."""
    places: np.ndarray              # (n, 3) joints
    forward: np.ndarray             # (3,) unit
    left: np.ndarray                # (3,) unit
    hips: np.ndarray                # (3,) the middle of the hip joints
    neck: np.ndarray                # (3,) where the trunk ends: the neck's first joint, or the shoulders' height if that is above
    vertex: np.ndarray              # (3,) the top of the head
    stature: float                  # standing height
    scale: float                    # stature over that of the table's subjects

    @property
    def up(self) -> np.ndarray:
        """(3,) along the trunk"""
        return unit(self.neck - self.hips)


def measure(skeleton: Skeleton, parts: Parts, table: Table) -> Measures:
    """The body's lengths. A skeleton often ends inside the head: then the shoulders' height tells the stature."""
    places, first = skeleton.rest_positions(), parts.first
    forward = forward_axis(skeleton, parts)
    hips = (places[first["thigh.L"]] + places[first["thigh.R"]]) / 2
    top = first.get("neck", first.get("head", first.get("chest", first["pelvis"])))
    up = unit(places[top] - hips) if np.linalg.norm(places[top] - hips) > 1e-3 else np.array([0.0, 0.0, 1.0])
    height = lambda place: float((place - hips) @ up)
    shoulders = [height(places[first[f"upper_arm.{side}"]]) for side in "LR" if f"upper_arm.{side}" in first]
    trunk = max([height(places[top]), np.mean(shoulders) if shoulders else 0.0, 1e-3])
    legs = np.mean([np.linalg.norm(places[first[f"shin.{s}"]] - places[first[f"thigh.{s}"]])
                    + np.linalg.norm(places[first[f"foot.{s}"]] - places[first[f"shin.{s}"]]) for s in "LR"])
    tops = [height(places[i]) for i in parts.bones("head")] + [height(places[b] + offset) for b, offset in
            zip(skeleton.end_bone, skeleton.end_offset) if parts.part[b] in ("head", "neck", "chest")] if "head" in first else []
    by_vertex = (legs + max([trunk, *tops])) / (1 - ANKLE_HEIGHT)
    by_shoulders = (legs + (np.mean(shoulders) if shoulders else trunk)) / (SHOULDER_HEIGHT - ANKLE_HEIGHT)
    stature = float(max(by_vertex, by_shoulders))
    vertex = hips + (stature * (1 - ANKLE_HEIGHT) - legs) * up
    return Measures(places, forward, np.cross([0.0, 0.0, 1.0], forward), hips, hips + trunk * up, vertex, stature, stature / table.stature)


def far_end(skeleton: Skeleton, parts: Parts, part: str, following: str) -> np.ndarray | None:
    """(3,) where a limb's part ends at rest: the joint of the following part, or its own end site or last child; None: nothing tells"""
    places = skeleton.rest_positions()
    if following in parts.first:
        return places[parts.first[following]]
    own = parts.first[part]
    ends = [places[i] for i in parts.bones(part) if i != own]
    ends += [places[b] + offset for b, offset in zip(skeleton.end_bone, skeleton.end_offset) if parts.part[b] == part]
    ends = [end for end in ends if np.linalg.norm(end - places[own]) > 1e-3]
    return max(ends, key=lambda end: float(np.linalg.norm(end - places[own]))) if ends else None
