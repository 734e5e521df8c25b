"""Who may touch whom: joints, ignored pairs, groups and masks."""
import numpy as np

from ..model.character import Shape
from ..model.model import FIXED, WORLD, System


def static_bodies(system: System) -> list[bool]:
    """which bodies are fixed to the world, directly or by others"""
    static: list[bool] = []
    for kind, p in zip(system.model.kind, system.model.parent):
        static.append(bool(kind == FIXED and (p == WORLD or static[p])))
    return static


def welds(system: System) -> list[int]:
    """for each body the topmost one it is fixed to, itself if none"""
    weld: list[int] = []
    for i, (kind, p) in enumerate(zip(system.model.kind, system.model.parent)):
        weld.append(weld[p] if kind == FIXED and p != WORLD else i)
    return weld


def never_touching(system: System) -> set[tuple[int, int]]:
    """pairs of different bodies (the lower first) that pass through each other: fixed together, parent and child, ignored.
    What is fixed to a body counts as that body."""
    m, weld = system.model, welds(system)
    members: dict[int, list[int]] = {}
    for i, top in enumerate(weld):
        members.setdefault(top, []).append(i)
    index = {(owner, body.name): i for i, (owner, body) in enumerate(zip(system.character, system.bodies))}
    pairs = {(index[owner, a], index[owner, b]) for owner, character in enumerate(system.characters) for a, b in character.ignored_pairs}
    for top, parts in members.items():
        pairs |= {(i, j) for i in parts for j in parts}
        if m.parent[top] != WORLD:
            pairs |= {(i, j) for i in parts for j in members[weld[m.parent[top]]]}
    return {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}


def groups_allow(a: Shape, b: Shape) -> bool:
    """each one's mask must have a bit of the other's group"""
    return bool(a.mask & b.group) and bool(b.mask & a.group)


def allowed(system: System, shapes: list[Shape], carriers: list[int], moving: int) -> np.ndarray:
    """(ns, ns) 1 where two shapes may touch: `carriers` are their bodies (negative: none), the first `moving` can move"""
    static = static_bodies(system)
    table = np.zeros((len(shapes), len(shapes)), np.uint8)
    # of those with the same group and mask one answers for all
    alike = {(shape.group, shape.mask): shape for shape in shapes}
    number = np.array([list(alike).index((shape.group, shape.mask)) for shape in shapes], int)
    met = np.array([[groups_allow(a, b) for b in alike.values()] for a in alike.values()])
    if shapes:
        table[:] = met[number][:, number]
    table[moving:, moving:] = 0
    on = np.array(carriers, int)
    for i in range(len(static)):
        table[np.ix_(on == i, on == i)] = 0
    for i, j in never_touching(system):
        table[np.ix_(on == i, on == j)] = 0
        table[np.ix_(on == j, on == i)] = 0
    return table
