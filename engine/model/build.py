"""From descriptions to constant arrays: checks, order, gears, and the sparsity of the mass matrix."""
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.rotations import quaternion_matrix
from ..errors import BadCharacter
from .character import Body, Character, Range, Shape
from .check import AXES, check, finite, inertia_tensor
from .model import KINDS, WORLD, Model, System

GRAVITY = (0.0, 0.0, -9.81)
MOST_TILE_PRODUCTS = 20                          # a body, for the mass matrix to be cheaper; measured on chains and figures
COORDINATES = {"free": 7, "ball": 4, "universal": 2, "hinge": 1, "slider": 1, "fixed": 0}


def build(*characters: Character, gravity=GRAVITY, shapes: Sequence[Shape] = ()) -> System:
    """Check the characters and put them into one system, with `shapes` as the world around them."""
    if not characters:
        raise BadCharacter("a system needs at least one character")
    if len({character.name for character in characters}) < len(characters):
        raise BadCharacter(f"characters {', '.join(c.name for c in characters)} must have different names")
    for character in characters:
        check(character)
    bodies, parents, owners, names = _order(characters)
    nb = len(bodies)
    starts = np.cumsum([0, *(AXES[body.joint.kind] for body in bodies)])
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
    per_axis = np.repeat([body.joint.armature for body in bodies], np.diff(starts))
    np.add.at(armature, dof, axis_ratio ** 2 * per_axis)

    roots = [i for i in range(nb) if parents[i] == WORLD]
    model = Model(
        gravity=finite("", "gravity", gravity, (3,)),
        parent=np.array(parents), tree=np.cumsum(np.array(parents) == WORLD) - 1, tree_start=np.array([*roots, nb]),
        mass=np.array([float(body.mass) for body in bodies]),
        com=np.array([np.array(body.com, float) for body in bodies]),
        inertia=np.array([inertia_tensor(body)[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] for body in bodies]),
        q_start=np.cumsum([0, *(COORDINATES[body.joint.kind] for body in bodies)]), axis_start=starts,
        dof=dof, ratio=axis_ratio, armature=armature,
        stiffness=np.repeat([float(body.joint.stiffness) for body in bodies], np.diff(starts)),
        damping=np.repeat([float(body.joint.damping) for body in bodies], np.diff(starts)),
        **_joints(bodies), **_sparsity(parents, starts, dof, nv), **_groups(parents, groups), **_limits(bodies))
    owner_array = np.array(owners)
    return System(characters, tuple(bodies), tuple(names), owner_array, tuple(shapes), model)


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
    return bodies, parents, owners, names


def _gears(characters, bodies, owners) -> tuple[list[float], list[list[int]]]:
    """how fast each joint moves against its driver's (1 without a gear), and the groups that move together"""
    index = {(owner, body.name): i for i, (owner, body) in enumerate(zip(owners, bodies))}
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
        socket, plug = _matrix(joint.socket.rotation), _matrix(joint.plug.rotation)
        rotation.append(np.eye(3) if joint.kind == "free" else socket @ plug.T)
        plug_rotation.append(np.array(joint.plug.rotation, float) / np.linalg.norm(joint.plug.rotation))
        if joint.kind in ("hinge", "slider", "universal"):
            first = plug @ _unit(joint.axis)
            axes.append(first)
            turns.append(rotation[-1] @ _turn(first))
            if joint.kind == "universal":
                second = plug @ _unit(joint.second_axis)
                axes.append(second)
                turns.append(_turn(second))
        else:
            count = AXES[joint.kind]
            axes += list(np.tile(np.eye(3), (2, 1))[:count])
            turns += [np.zeros((3, 3, 3))] * count
    return {
        "kind": np.array([KINDS[body.joint.kind] for body in bodies]),
        "socket": np.array([np.zeros(3) if body.joint.kind == "free" else np.array(body.joint.socket.position, float) for body in bodies]),
        "plug": np.array([np.zeros(3) if body.joint.kind == "free" else np.array(body.joint.plug.position, float) for body in bodies]),
        "rotation": np.array(rotation), "plug_rotation": np.array(plug_rotation),
        "axis": np.array(axes).reshape(-1, 3), "turn": np.array(turns).reshape(-1, 3, 3, 3)}


def _turn(axis: np.ndarray) -> np.ndarray:
    """Rodrigues' formula: a turn by q about `axis` is turn[0] + sin q turn[1] + cos q turn[2]"""
    outer = np.outer(axis, axis)
    return np.array([outer, np.cross(np.eye(3), axis), np.eye(3) - outer])


def _unit(vector) -> np.ndarray:
    return np.array(vector, float) / np.linalg.norm(vector)


def _matrix(quaternion) -> np.ndarray:
    out = np.zeros((3, 3))
    quaternion_matrix(out, np.array(quaternion, float))
    return out


def _flat(lists: list[list[int]]) -> list[int]:
    return [x for row in lists for x in row]


def _sparsity(parents, starts, dof, nv) -> dict[str, Any]:
    """the mass matrix couples a dof with the dofs above it and with no other: only those tiles are stored"""
    na = starts[-1]
    axis_above: list[list[int]] = [[]] * na      # the axes from the root to each one, itself last
    dof_above: list[list[int]] = [[]] * nv       # the same for dofs
    body_axes: list[list[int]] = []
    body_dofs: list[list[int]] = []
    for i, p in enumerate(parents):
        axes, dofs = (list(body_axes[p]), list(body_dofs[p])) if p != WORLD else ([], [])
        for k in range(starts[i], starts[i + 1]):
            axes.append(k)
            axis_above[k] = list(axes)
            if dof[k] not in dofs:
                dofs.append(int(dof[k]))
                dof_above[dof[k]] = list(dofs)
        body_axes.append(axes)
        body_dofs.append(dofs)
    blocks, row_start, row_block, entry = _tiles(dof_above)
    axis_blocks, axis_row_start, axis_row_block, axis_entry = _tiles(axis_above)
    folds: list[tuple[int, int, float]] = []
    if na > nv:
        for k in range(na):
            for l in axis_above[k]:
                # in the lower triangle, whichever of the two dofs is the lower one
                low, high = (dof[k], dof[l]) if dof[l] in dof_above[dof[k]] else (dof[l], dof[k])
                folds.append((axis_entry(k, l), entry(low, high), 2.0 if low == high and k != l else 1.0))
    depth = np.diff(row_start)
    dof_block = np.repeat(np.arange(len(blocks) - 1), np.diff(blocks))
    return {
        "shallow": bool((depth * (depth + 1)).sum() < MOST_TILE_PRODUCTS * len(parents)),
        "dof_block": dof_block, "body_block": np.array([dof_block[dofs[-1]] if dofs else -1 for dofs in body_dofs], int),
        "block": blocks, "row_start": row_start, "row_block": row_block,
        "axis_body": np.repeat(np.arange(len(parents)), np.diff(starts)), "axis_block": axis_blocks,
        "axis_row_start": axis_row_start, "axis_row_block": axis_row_block,
        "fold_from": np.array([fold[0] for fold in folds], int), "fold_to": np.array([fold[1] for fold in folds], int),
        "fold_weight": np.array([fold[2] for fold in folds])}


def _tiles(above: list[list[int]]):
    """blocks of up to four dofs in a line, and rows of tiles: (first dof of each block, first tile of
    each row, block of each tile, function from two coupled dofs to their place in the flat tiles)"""
    n = len(above)
    children = np.zeros(n + 1, int)
    for row in above:
        children[row[-2] if len(row) > 1 else n] += 1
    starts: list[int] = []
    for k, row in enumerate(above):
        in_line = len(row) > 1 and row[-2] == k - 1 and children[k - 1] == 1
        if not in_line or k - starts[-1] == 4:
            starts.append(k)
    home = np.repeat(np.arange(len(starts)), np.diff([*starts, n]))
    rows = [list(dict.fromkeys(int(home[k]) for k in above[start])) for start in starts]
    row_start = np.cumsum([0, *(len(row) for row in rows)])

    def entry(low: int, high: int) -> int:
        b = home[low]
        return 16 * int(row_start[b] + rows[b].index(home[high])) + 4 * int(low - starts[b]) + int(high - starts[home[high]])

    return np.array([*starts, n], int), row_start, np.array(_flat(rows), int), entry


def _groups(parents, groups) -> dict[str, Any]:
    group_of = {i: number for number, members in enumerate(groups) for i in members}
    inner = [int(p != WORLD and group_of[p] == group_of[i]) for i, p in enumerate(parents)]
    depth: list[int] = []
    for i in range(len(parents)):
        carrier = parents[groups[group_of[i]][0]]
        depth.append(0 if carrier == WORLD else depth[carrier] + 1)
    return {"group": np.array([group_of[i] for i in range(len(parents))]), "group_depth": np.array(depth),
            "group_start": np.cumsum([0, *(len(members) for members in groups)]), "group_body": np.array(_flat(groups), int),
            "group_parent": np.array([parents[members[0]] for members in groups]), "group_inner": np.array(inner)}


def _limits(bodies: Sequence[Body]) -> dict[str, Any]:
    rows: list[tuple] = []
    for i, body in enumerate(bodies):
        joint = body.joint
        for number, limit in enumerate(joint.limits):
            strength = (float(joint.limit_stiffness), float(joint.limit_damping))
            if isinstance(limit, Range):
                rows.append((i, number, (limit.low, limit.high), *strength))
            else:
                if limit.twist.low > -np.pi or limit.twist.high < np.pi:
                    rows.append((i, 2, (limit.twist.low, limit.twist.high), *strength))
                rows.append((i, 3, (limit.swing_x, limit.swing_y), *strength))
    column = lambda j, kind: np.array([row[j] for row in rows], kind)
    return {"limit_body": column(0, int), "limit_axis": column(1, int), "limit_range": column(2, float).reshape(-1, 2),
            "limit_stiffness": column(3, float), "limit_damping": column(4, float)}
