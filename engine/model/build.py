"""From descriptions to constant arrays: checks, order, joints, gears and limits."""
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.quaternions import matrix, unit
from ..errors import BadCharacter
from .actuators import rotor_inertia
from .character import Body, Character, Range, Shape
from .check import check, check_shapes_of, finite, inertia_tensor, items
from .model import KINDS, WORLD, Model, System, index_bodies
from .sparsity import sparsity
from .stops import fill_default_stops

GRAVITY = (0.0, 0.0, -9.81)


def build(*characters: Character, gravity=GRAVITY, shapes: Sequence[Shape] = ()) -> System:
    """Check the characters and put them into one system, with `shapes` as the world around them."""
    items("characters", characters, Character)
    if not characters:
        raise BadCharacter("a system needs at least one character")
    if len({character.name for character in characters}) < len(characters):
        raise BadCharacter(f"characters {', '.join(c.name for c in characters)} must have different names")
    for character in characters:
        check(character)
    check_shapes_of("the world", shapes)
    bodies, parents, owners, names = _order(characters)
    nb = len(bodies)
    starts = np.cumsum([0, *(KINDS[body.joint.kind].axes for body in bodies)])
    ratio, groups = _gears(characters, bodies, owners)

    # one set of dofs a group, numbered by its lowest member: a dof comes after all those above it
    dof = np.zeros(starts[-1], int)
    nv = 0
    for members in groups:
        count = starts[members[0] + 1] - starts[members[0]]
        for i in members:
            dof[starts[i]:starts[i + 1]] = np.arange(nv, nv + count)
        nv += count
    axis_ratio = np.repeat(ratio, np.diff(starts))
    armature = np.zeros(nv)
    per_axis = np.repeat([rotor_inertia(body.joint) for body in bodies], np.diff(starts))
    np.add.at(armature, dof, axis_ratio ** 2 * per_axis)

    roots = [i for i in range(nb) if parents[i] == WORLD]
    model = Model(
        gravity=finite("", "gravity", gravity, (3,)),
        parent=np.array(parents), tree=np.cumsum(np.array(parents) == WORLD) - 1, tree_start=np.array([*roots, nb]),
        mass=np.array([float(body.mass) for body in bodies]),
        com=np.array([np.array(body.com, float) for body in bodies]),
        inertia=np.array([inertia_tensor(body)[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] for body in bodies]),
        q_start=np.cumsum([0, *(KINDS[body.joint.kind].coordinates for body in bodies)]), axis_start=starts,
        dof=dof, ratio=axis_ratio, armature=armature,
        stiffness=np.repeat([float(body.joint.stiffness) for body in bodies], np.diff(starts)),
        damping=np.repeat([float(body.joint.damping) for body in bodies], np.diff(starts)),
        **_joints(bodies), **sparsity(parents, starts, dof, nv), **_groups(parents, groups), **_limits(bodies))
    fill_default_stops(model)
    return System(characters, tuple(bodies), tuple(names), np.array(owners), tuple(shapes), model)


def _order(characters: Sequence[Character]) -> tuple[list[Body], list[int], list[int], list[str]]:
    """bodies depth first with the index of their parent, their character and a name unique in the system"""
    bodies: list[Body] = []
    parents: list[int] = []
    owners: list[int] = []
    names: list[str] = []
    for owner, character in enumerate(characters):
        children: dict[str | None, list[Body]] = {}
        for body in character.bodies:
            children.setdefault(body.parent, []).append(body)
        waiting = [(body, WORLD) for body in reversed(children[None])]
        while waiting:
            body, parent = waiting.pop()
            waiting += [(child, len(bodies)) for child in reversed(children.get(body.name, []))]
            bodies.append(body)
            parents.append(parent)
            owners.append(owner)
            names.append(body.name if len(characters) == 1 else f"{character.name}/{body.name}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadCharacter("two characters have a body of this full name, must be unique", twice)
    return bodies, parents, owners, names


def _gears(characters, bodies, owners) -> tuple[list[float], list[list[int]]]:
    """how fast each joint moves against its driver's (1 without a gear), and the groups that move together"""
    index = index_bodies(owners, bodies)
    above: dict[int, tuple[int, float]] = {}
    for owner, character in enumerate(characters):
        for gear in character.gears:
            above[index[owner, gear.follower]] = (index[owner, gear.driver], float(gear.ratio))
    driver, ratio = list(range(len(bodies))), [1.0] * len(bodies)
    for i in range(len(bodies)):
        while driver[i] in above:
            up, factor = above[driver[i]]
            driver[i], ratio[i] = up, ratio[i] * factor
            if up == i:
                raise BadCharacter("gears drive each other in a circle", bodies[i].name)
    members: dict[int, list[int]] = {}
    for i in range(len(bodies)):
        members.setdefault(driver[i], []).append(i)
    return ratio, sorted(members.values())


def _joints(bodies: Sequence[Body]) -> dict[str, Any]:
    rotation, plug_rotation, axes, turns = [], [], [], []
    for body in bodies:
        joint = body.joint
        socket, plug = matrix(joint.socket.rotation), matrix(joint.plug.rotation)
        rotation.append(np.eye(3) if joint.kind == "free" else socket @ plug.T)
        plug_rotation.append(unit(joint.plug.rotation))
        if joint.kind in ("hinge", "slider", "universal"):
            first = plug @ unit(joint.axis)
            axes.append(first)
            turns.append(rotation[-1] @ _turn(first))
            if joint.kind == "universal":
                second = plug @ unit(joint.second_axis)
                axes.append(second)
                turns.append(_turn(second))
        else:
            count = KINDS[joint.kind].axes
            axes += list(np.tile(np.eye(3), (2, 1))[:count])
            turns += [np.zeros((3, 3, 3))] * count
    return {
        "kind": np.array([KINDS[body.joint.kind].number for body in bodies]),
        "socket": np.array([np.zeros(3) if body.joint.kind == "free" else np.array(body.joint.socket.position, float) for body in bodies]),
        "plug": np.array([np.zeros(3) if body.joint.kind == "free" else np.array(body.joint.plug.position, float) for body in bodies]),
        "rotation": np.array(rotation), "plug_rotation": np.array(plug_rotation),
        "axis": np.array(axes).reshape(-1, 3), "turn": np.array(turns).reshape(-1, 3, 3, 3)}


def _turn(axis: np.ndarray) -> np.ndarray:
    """Rodrigues' formula: a turn by q about `axis` is turn[0] + sin q turn[1] + cos q turn[2]"""
    outer = np.outer(axis, axis)
    return np.array([outer, np.cross(np.eye(3), axis), np.eye(3) - outer])


def _groups(parents, groups) -> dict[str, Any]:
    group_of = {i: number for number, members in enumerate(groups) for i in members}
    inner = [int(p != WORLD and group_of[p] == group_of[i]) for i, p in enumerate(parents)]
    depth: list[int] = []
    for i in range(len(parents)):
        carrier = parents[groups[group_of[i]][0]]
        depth.append(0 if carrier == WORLD else depth[carrier] + 1)
    return {"group": np.array([group_of[i] for i in range(len(parents))]), "group_depth": np.array(depth),
            "group_start": np.cumsum([0, *(len(members) for members in groups)]), "group_body": np.concatenate([np.zeros(0, int), *groups]),
            "group_parent": np.array([parents[members[0]] for members in groups]), "group_inner": np.array(inner)}


def _limits(bodies: Sequence[Body]) -> dict[str, Any]:
    rows: list[tuple] = []
    for i, body in enumerate(bodies):
        joint = body.joint
        for number, limit in enumerate(joint.limits):
            strength = tuple(np.nan if given is None else float(given) for given in (joint.limit_stiffness, joint.limit_damping))
            if isinstance(limit, Range):
                rows.append((i, number, (limit.low, limit.high), *strength))
            else:
                if limit.twist.low > -np.pi or limit.twist.high < np.pi:
                    rows.append((i, 2, (limit.twist.low, limit.twist.high), *strength))
                rows.append((i, 3, (limit.swing_x, limit.swing_y), *strength))
    column = lambda j, kind: np.array([row[j] for row in rows], kind)
    return {"limit_body": column(0, int), "limit_axis": column(1, int), "limit_range": column(2, float).reshape(-1, 2),
            "limit_stiffness": column(3, float), "limit_damping": column(4, float)}
