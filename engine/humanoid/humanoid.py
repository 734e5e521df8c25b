"""A character from a skeleton: bodies with masses and shapes at their bones, hinges and balls between them.

A body's axes are its bone's: the world's at rest. So a ball's coordinates are the bone's own rotation, and no offset has to be kept.
Fingers, twist bones and helpers belong to the part they hang on and ride along with it.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import inverses, products
from ..errors import HeftError
from ..model.character import Body, Character, Frame, Joint, Range
from .feet import FootShape, Sole, down_at_rest, down_in_motion, make_sole
from .hinges import Hinge, find_hinge, hinge_angles
from .masses import body_masses, moved_shape
from .measures import Measures, far_end, measure
from .proportions import TABLES
from .recognise import Parts, ancestors, recognise
from .segments import Mass
from .skeleton import Clip, Skeleton, world_poses

FEW = ("pelvis", "chest", "head", *(f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "thigh", "shin", "foot")))
HINGES = {"shin": (-0.15, 2.8), "forearm": (-0.15, 2.8), "toe": (-1.0, 1.4)}
"""The parts whose joint is a hinge, and how far it bends, rad."""


class Humanoid(NamedTuple):
    """A character made from a skeleton, and which bone moves which body."""
    character: Character
    skeleton: Skeleton
    parts: Parts
    bone: dict[str, int]            # body -> the bone whose rotation is the body's
    joint_bone: dict[str, int]      # body -> the bone whose joint is the body's
    carrier: tuple[str, ...]        # (n,) bone -> the body it rides on; empty: above the root
    soles: tuple[Sole, ...]         # left, right
    hinges: dict[str, Hinge]        # body -> its hinge
    stature: float                  # standing height, m
    forward: np.ndarray             # (3,) to the front at rest
    notes: tuple[str, ...]          # what had to be assumed

    def __repr__(self) -> str:
        mass = sum(body.mass for body in self.character.bodies)
        return f"Humanoid({self.character.name!r}: {len(self.bone)} bodies, {self.stature:.2f} m, {mass:.1f} kg)"


def make_humanoid(skeleton: Skeleton, clip: Clip | None = None, mass: float | None = None, sex: str = "mean", name: str = "character",
                  detail: str = "all", parts: Parts | None = None) -> Humanoid:
    """The character of a human skeleton. `mass` in kg, or that of the table's subjects at this height; `sex`: male, female or mean;
    `clip` helps to find hinges and soles; `detail`: "all" keeps every bone of the trunk, clavicles, hands and toes, "few" leaves
    pelvis, chest, head, arms, legs and feet."""
    if sex not in TABLES:
        raise HeftError(f"sex is {sex!r}, must be one of {', '.join(TABLES)}")
    if detail not in ("all", "few"):
        raise HeftError(f"detail is {detail!r}, must be all or few")
    table, parts = TABLES[sex], parts or recognise(skeleton)
    measures = measure(skeleton, parts, table)
    mass = table.weight * measures.scale ** 2 if mass is None else float(mass)
    bone, joint_bone = _bodies(parts, detail)
    parents = _parents(skeleton, bone)
    turns, poses = (None, None) if clip is None else (_turns(clip, bone, parents), world_poses(clip))
    soles = tuple(_sole(side, skeleton, parts, measures, bone, poses, clip) for side in "LR")
    masses = body_masses(skeleton, parts, table, mass, measures, bone, joint_bone, soles)
    hinges = {body: _hinge(body, skeleton, parts, measures, soles, turns) for body in bone if body.split(".")[0] in HINGES}
    bodies = tuple(_body(body, parents[body], masses[body], measures.places, joint_bone, hinges.get(body), turns) for body in bone)
    carrier = _carriers(skeleton, parts, bone)
    notes = [f"'{skeleton.names[bone[body]]}': its hinge axis is from the {hinge.origin}, the motion bends it too little to tell"
             for body, hinge in hinges.items() if clip is not None and hinge.origin in ("rest pose", "anatomy")]
    if parts.by_shape:
        notes.append("bones were recognised by shape, their names said too little: check left and right")
    return Humanoid(Character(name, bodies, ignored_pairs=_ignored(parents)), skeleton, parts, bone, joint_bone, carrier, soles, hinges,
                    measures.stature, measures.forward, tuple(notes))


def _bodies(parts: Parts, detail: str) -> tuple[dict[str, int], dict[str, int]]:
    """the bone that turns each body, and the one at its joint"""
    if detail == "all":
        return dict(parts.first), dict(parts.first)
    bone = {part: i for part, i in parts.first.items() if part in FEW}
    joint = {part: parts.first.get({"chest": "spine", "head": "neck"}.get(part, part), i) for part, i in bone.items()}
    return bone, joint


def _parents(skeleton: Skeleton, bone: dict[str, int]) -> dict[str, str | None]:
    of_bone = {i: body for body, i in bone.items()}
    return {body: next((of_bone[a] for a in ancestors(skeleton, i) if a in of_bone), None) for body, i in bone.items()}


def _carriers(skeleton: Skeleton, parts: Parts, bone: dict[str, int]) -> tuple[str, ...]:
    of_bone = {i: body for body, i in bone.items()}
    return tuple(next((of_bone[a] for a in (i, *ancestors(skeleton, i)) if a in of_bone), "") for i in range(len(skeleton.names)))


def _turns(clip: Clip, bone: dict[str, int], parents: dict[str, str | None]) -> dict[str, np.ndarray]:
    """(T, 4) every body against its parent"""
    rotations = world_poses(clip)[1]
    return {body: products(inverses(rotations[:, bone[parent]]), rotations[:, bone[body]]) for body, parent in parents.items() if parent}


def _sole(side: str, skeleton: Skeleton, parts: Parts, measures: Measures, bone, poses, clip: Clip | None) -> Sole:
    foot, toe, places = f"foot.{side}", f"toe.{side}", measures.places
    ankle, toe_bone = parts.first[foot], parts.first.get(toe)
    end = far_end(skeleton, parts, toe if toe_bone is not None else foot, "")
    last = ankle if toe_bone is None else toe_bone
    shape = FootShape(side, foot, toe if toe in bone else None, places[ankle] - places[parts.first[f"shin.{side}"]],
                      None if toe_bone is None else places[toe_bone] - places[ankle], None if end is None else end - places[last])
    if toe_bone is not None and toe not in bone:
        # the toe rides on the foot: its end is the foot's
        shape = shape._replace(toe_offset=None, end=places[toe_bone] - places[ankle] + (shape.end if shape.end is not None else 0.0))
    down = down_at_rest(shape.shin, measures.forward)
    toe_down = down
    if poses is not None and clip is not None and len(clip.rotations) > 10:
        joints = [ankle] if toe_bone is None else [ankle, toe_bone]
        heights = poses[0][:, joints, 2]
        speeds = np.linalg.norm(np.gradient(poses[0][:, joints], clip.frame_time, axis=0), axis=2)
        found = down_in_motion(heights, speeds, poses[1][:, ankle])
        found_toe = down_in_motion(heights[:, -1:], speeds[:, -1:], poses[1][:, last])
        down = down if found is None else found
        toe_down = toe_down if found_toe is None else found_toe
    return make_sole(shape, measures.stature, measures.forward, down, toe_down)


def _hinge(body: str, skeleton: Skeleton, parts: Parts, measures: Measures, soles, turns) -> Hinge:
    part, side = body.split(".")
    places, first = measures.places, parts.first
    turned = None if turns is None else turns[body]
    if part == "toe":
        sole = soles["LR".index(side)]
        return find_hinge(sole.forward, sole.toe_forward, -sole.toe_down, turned)
    above = f"{'thigh' if part == 'shin' else 'upper_arm'}.{side}"
    end = far_end(skeleton, parts, body, f"{'foot' if part == 'shin' else 'hand'}.{side}")
    upper = places[first[body]] - places[first[above]]
    lower = upper if end is None else end - places[first[body]]
    return find_hinge(upper, lower, measures.forward * (-1 if part == "shin" else 1), turned)


def _body(body: str, parent: str | None, mass: Mass, places: np.ndarray, joint_bone, hinge: Hinge | None, turns) -> Body:
    own = places[joint_bone[body]]
    if parent is None:
        joint = Joint("free")
    else:
        socket = own - places[joint_bone[parent]]
        if hinge is None:
            joint = Joint("ball", Frame(socket))
        else:
            low, high = HINGES[body.split(".")[0]]
            if turns is not None:
                angles = hinge_angles(turns[body], hinge.zero, hinge.axis)[0]
                low, high = min(low, float(angles.min()) - 0.1), max(high, float(angles.max()) + 0.1)
            joint = Joint("hinge", Frame(socket, hinge.zero), axis=hinge.axis, limits=(Range(low, high),))
    shapes = tuple(moved_shape(shape, -own) for shape in mass.shapes)
    return Body(body, float(mass.mass), mass.inertia, parent, joint, mass.com - own, shapes)


def _ignored(parents: dict[str, str | None]) -> tuple[tuple[str, str], ...]:
    """bodies that overlap at rest by how people are made: two joints apart, or all of trunk, neck and shoulders"""
    up = lambda body: parents.get(body) if body else None
    middle = [body for body in parents if body.split(".")[0] in ("pelvis", "spine", "chest", "neck", "head", "clavicle")]
    names = list(parents)
    pairs = []
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            if parents[a] == b or parents[b] == a:
                continue
            near = up(up(a)) == b or up(up(b)) == a or (parents[a] is not None and parents[a] == parents[b])
            if near or (a in middle and b in middle):
                pairs.append((a, b))
    return tuple(pairs)
