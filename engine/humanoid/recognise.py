"""Which bone is which part of a human body, by names, and by shape where names say nothing.

Limbs are found by their names: each side's leg is thigh - shin - foot (- toe), its arm (clavicle -) upper arm - forearm (- hand).
The trunk follows from them: the pelvis is where the two legs come together, the chest where the two arms do, the spine lies between,
and neck and head lie beyond the chest. So names that say little (Rigify's spine.004 is the neck) do no harm.
"""
from typing import NamedTuple

import numpy as np

from ..errors import HeftError
from .names import Reading, read_name
from .shape_limbs import limbs_by_shape
from .skeleton import Skeleton

LEG, ARM = ("thigh", "shin", "foot", "toe"), ("clavicle", "upper_arm", "forearm", "hand")


class Parts(NamedTuple):
    """What each bone is. Limbs' parts end in .L or .R."""
    part: tuple[str, ...]           # (n,) the part that begins with this bone or that it belongs to; empty: above the pelvis
    first: dict[str, int]           # the bone that begins each part, in the skeleton's order
    by_shape: bool                  # names were no help

    def bones(self, part: str) -> list[int]:
        """All bones of a part."""
        return [i for i, name in enumerate(self.part) if name == part]


def recognise(skeleton: Skeleton) -> Parts:
    """The parts of a human skeleton. Raises HeftError where it has no two legs."""
    limbs, by_shape = _limbs_by_name(skeleton), False
    if not _complete(limbs):
        found = limbs_by_shape(skeleton)
        # an animal's or a prop's names may read as a limb: then shape decides for all
        limbs, by_shape = ({**limbs, **found} if _fits(limbs, found) else found), True
    if not _complete(limbs):
        raise HeftError(f"the skeleton with root '{skeleton.names[0]}' has no two legs of thigh, shin and foot that could be recognised "
                        "by name or shape: name the bones as one of CMU, Mixamo, Rigify, Unreal or VRM does")
    first = {**_trunk(skeleton, limbs), **limbs}
    first = dict(sorted(first.items(), key=lambda item: item[1]))
    part = [""] * len(skeleton.names)
    begins = {bone: name for name, bone in first.items()}
    for i, p in enumerate(skeleton.parents):
        part[i] = begins.get(i, part[p] if p >= 0 else "")
    return Parts(tuple(part), first, by_shape)


def _complete(limbs: dict[str, int]) -> bool:
    return all(f"{part}.{side}" in limbs for part in LEG[:3] for side in "LR")


def _fits(limbs: dict[str, int], found: dict[str, int]) -> bool:
    """what names say is not against what the shape says"""
    return all(found.get(part, bone) == bone for part, bone in limbs.items())


def _limbs_by_name(skeleton: Skeleton) -> dict[str, int]:
    readings = [read_name(name) for name in skeleton.names]
    limbs: dict[str, int] = {}
    for side in "LR":
        for parts in (LEG, ARM):
            limbs.update({f"{part}.{side}": bone for part, bone in _limb(skeleton, readings, side, parts).items()})
    return limbs


def _limb(skeleton: Skeleton, readings: list[Reading], side: str, parts: tuple[str, ...]) -> dict[str, int]:
    """the first bone of each part, each below the one before"""
    named: dict[str, list[int]] = {}
    for i, reading in enumerate(readings):
        if reading.side == side:
            named.setdefault(reading.part, []).append(i)
    # bones named after the joint at their head: hip is a thigh and shoulder an upper arm where nothing else is
    if parts == LEG and "thigh" not in named and "hip" in named:
        named["thigh"] = named.pop("hip")
    if parts == ARM and "upper_arm" not in named and "clavicle" in named:
        named["upper_arm"] = named.pop("clavicle")
    # (up)leg - leg: where no thigh is named, the first of two legs is one; so with arms
    for upper, lower in (("thigh", "shin"), ("upper_arm", "forearm")):
        if upper not in named and len(named.get(lower, [])) > 1:
            named[upper] = [named[lower].pop(0)]
    limb: dict[str, int] = {}
    for part in parts:
        above = [limb[p] for p in parts[:parts.index(part)] if p in limb]
        below = [i for i in named.get(part, []) if not above or above[-1] in ancestors(skeleton, i)]
        if below:
            limb[part] = min(below, key=lambda i: (len(ancestors(skeleton, i)), i))
    return limb


def _trunk(skeleton: Skeleton, limbs: dict[str, int]) -> dict[str, int]:
    """pelvis, spine bones, chest, neck bones, head"""
    pelvis = _meeting(skeleton, [limbs["thigh.L"], limbs["thigh.R"]])
    trunk = {"pelvis": pelvis}
    arms = [limbs.get(f"clavicle.{side}", limbs.get(f"upper_arm.{side}", -1)) for side in "LR"]
    chest = _meeting(skeleton, arms) if min(arms) >= 0 else _far_end(skeleton, pelvis, limbs)
    if pelvis not in (chest, *ancestors(skeleton, chest)):
        chest = pelvis
    between = [i for i in reversed(ancestors(skeleton, chest)) if i > pelvis and pelvis in ancestors(skeleton, i)]
    trunk.update({_numbered("spine", number): bone for number, bone in enumerate(between)})
    if chest != pelvis:
        trunk["chest"] = chest
    head = _head(skeleton, chest, arms, limbs)
    if head is not None:
        neck = [i for i in reversed(ancestors(skeleton, head)) if chest in ancestors(skeleton, i)]
        trunk.update({_numbered("neck", number): bone for number, bone in enumerate(neck)})
        trunk["head"] = head
    return trunk


def _numbered(name: str, number: int) -> str:
    return name if number == 0 else f"{name}.{number:03d}"


def _head(skeleton: Skeleton, chest: int, arms: list[int], limbs: dict[str, int]) -> int | None:
    """the bone called head, or the one that ends what rises highest from the chest besides the arms"""
    taken = {i for i in range(len(skeleton.names)) if any(limb in (i, *ancestors(skeleton, i)) for limb in (*arms, *limbs.values()))}
    readings = [read_name(name) for name in skeleton.names]
    beyond = [i for i in range(len(skeleton.names)) if chest in ancestors(skeleton, i) and i not in taken]
    named = [i for i in beyond if readings[i].part == "head"]
    if named:
        return named[0]
    beyond = [i for i in beyond if readings[i].part not in ("along", "finger")]
    if not beyond:
        return None
    # up the middle: the last bone of the chain whose end is highest
    places = skeleton.rest_positions()
    top = max(beyond, key=lambda i: places[i][2])
    children = skeleton.children()
    chain = [i for i in reversed([top, *ancestors(skeleton, top)]) if i in beyond]
    # face bones fork off the head: it is the last bone before the first fork
    for i in chain:
        if len([child for child in children[i] if child in beyond]) != 1:
            return i
    return top


def _far_end(skeleton: Skeleton, pelvis: int, limbs: dict[str, int]) -> int:
    """without arms: the last bone but one of the chain that rises from the pelvis"""
    legs = {limbs["thigh.L"], limbs["thigh.R"]}
    places = skeleton.rest_positions()
    rest = [i for i in range(len(skeleton.names)) if pelvis in ancestors(skeleton, i) and not legs & {i, *ancestors(skeleton, i)}]
    if not rest:
        return pelvis
    top = max(rest, key=lambda i: places[i][2])
    return int(skeleton.parents[top])


def _meeting(skeleton: Skeleton, bones: list[int]) -> int:
    """the lowest bone that all of them hang on"""
    shared = set.intersection(*(set(ancestors(skeleton, bone)) for bone in bones))
    if not shared:
        raise HeftError(f"bones {' and '.join(repr(skeleton.names[bone]) for bone in bones)} hang on no common bone")
    return max(shared, key=lambda i: len(ancestors(skeleton, i)))


def ancestors(skeleton: Skeleton, bone: int) -> list[int]:
    """the bones above, nearest first"""
    above: list[int] = []
    p = int(skeleton.parents[bone])
    while p >= 0:
        above.append(p)
        p = int(skeleton.parents[p])
    return above


def forward_axis(skeleton: Skeleton, parts: Parts) -> np.ndarray:
    """(3,) unit vector to the front at rest: feet point forward; without a clear foot, right hip to left hip turned by a right angle."""
    places = skeleton.rest_positions()
    left = places[parts.first["thigh.L"]] - places[parts.first["thigh.R"]]
    across = np.cross(np.array([left[0], left[1], 0.0]), [0.0, 0.0, 1.0])
    return across / max(np.linalg.norm(across), 1e-12)
