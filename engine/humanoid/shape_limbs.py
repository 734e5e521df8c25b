"""Limbs by shape alone: for skeletons whose names say nothing.

A chain is a line of bones from a fork to an end. Legs are the mirrored pair of chains that reach lowest, arms the
longest pair of the others. Feet point forward and up is z, so that left is known.
"""
from itertools import combinations

import numpy as np

from .skeleton import Skeleton

SHORT = 0.03                                     # m; a bone not longer than this joins the next


def limbs_by_shape(skeleton: Skeleton) -> dict[str, int]:
    """The bones of legs and arms that two mirrored pairs of chains show; empty where none do."""
    places, children = skeleton.rest_positions(), skeleton.children()
    chains = _chains(skeleton, children)
    size = max(np.ptp(places, axis=0).max(), 1e-9)
    pairs = [(a, b) for a, b in combinations(chains, 2) if _mirrored(places, a, b, size)]
    legs = [pair for pair in pairs if all(len(_long(skeleton, chain, size)) >= 3 for chain in pair)]
    if not legs:
        return {}
    leg = min(legs, key=lambda pair: min(places[chain].min(axis=0)[2] for chain in pair))
    left, right = _sides(skeleton, places, leg, size)
    legs_bones = [_from_longest(skeleton, _long(skeleton, chain, size)) for chain in (left, right)]
    limbs = _named(legs_bones[0], legs_bones[1], ("thigh", "shin", "foot", "toe"))
    length = lambda pair: sum(np.linalg.norm(skeleton.offsets[i]) for i in pair[0][1:])
    arms = [pair for pair in pairs if not set(pair[0] + pair[1]) & set(left + right)
            and all(len(_long(skeleton, chain, size)) >= 2 for chain in pair)]
    if arms:
        arm = max(arms, key=length)
        sideways = places[legs_bones[0][0]] - places[legs_bones[1][0]]
        arm = arm if (places[arm[0][-1]] - places[arm[1][-1]]) @ sideways > 0 else arm[::-1]
        count = min(len(_long(skeleton, chain, size)) for chain in arm)
        longs = [_long(skeleton, chain, size) for chain in arm]
        limbs.update(_named(longs[0], longs[1], ("clavicle", "upper_arm", "forearm", "hand")[0 if count >= 4 else 1:]))
    return limbs


def _chains(skeleton: Skeleton, children: list[list[int]]) -> list[list[int]]:
    """from below a fork to an end; where a chain forks again (fingers) it ends"""
    chains = []
    for i, p in enumerate(skeleton.parents):
        if p < 0 or len(children[p]) < 2:
            continue
        chain = [i]
        while len(children[chain[-1]]) == 1:
            chain.append(children[chain[-1]][0])
        chains.append(chain)
    return chains


def _long(skeleton: Skeleton, chain: list[int], size: float) -> list[int]:
    """its bones without those whose next begins where they do"""
    return [i for i, after in zip(chain, [*chain[1:], None])
            if after is None or np.linalg.norm(skeleton.offsets[after]) > SHORT * size / 1.7]


def _mirrored(places: np.ndarray, a: list[int], b: list[int], size: float) -> bool:
    """as many bones, and as high and as far from each other's middle"""
    if len(a) != len(b):
        return False
    gap = places[a] - places[b]
    return bool((np.abs(gap[:, 2]) < 0.05 * size).all() and np.linalg.norm(gap[-1, :2]) > 0.05 * size)


def _sides(skeleton: Skeleton, places: np.ndarray, leg: tuple[list[int], list[int]], size: float) -> tuple[list[int], list[int]]:
    """left and right: feet point forward, and up is z"""
    a, b = leg
    longs = [_from_longest(skeleton, _long(skeleton, chain, size)) for chain in leg]
    ends = {int(bone): offset for bone, offset in zip(skeleton.end_bone, skeleton.end_offset)}
    forward = np.zeros(3)
    for chain in longs:
        foot = chain[2]
        beyond = places[chain[3]] - places[foot] if len(chain) > 3 else ends.get(chain[-1], np.zeros(3))
        forward += [beyond[0], beyond[1], 0.0]
    across = places[longs[0][0]] - places[longs[1][0]]
    return (a, b) if np.cross(forward, across)[2] >= 0 else (b, a)


def _from_longest(skeleton: Skeleton, chain: list[int]) -> list[int]:
    """the chain from its two longest neighbours on: thigh and shin"""
    length = [np.linalg.norm(skeleton.offsets[after]) for after in chain[1:]]
    best = max(range(len(chain) - 2), key=lambda k: length[k] + length[k + 1])
    return chain[best:]


def _named(left: list[int], right: list[int], parts: tuple[str, ...]) -> dict[str, int]:
    return {f"{part}.{side}": bone for side, chain in (("L", left), ("R", right)) for part, bone in zip(parts, chain)}
