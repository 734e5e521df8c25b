"""The clips of ../shared/data, where that folder is, and DeepMimic's as Clips."""
import json
from pathlib import Path

import numpy as np
import pytest
from heft.engine.algebra.quaternions import continuous, exponentials
from heft.engine.humanoid.skeleton import Clip, Skeleton
from heft.engine.motion.read_bvh import read_bvh

DATA = Path(__file__).resolve().parents[3] / "shared/data"
CMU = 2.54 / 45                                  # m a unit
CMU_CLIPS = ("02_01", "05_11", "09_01", "13_01", "13_35", "13_39", "22_18", "69_20", "70_03", "74_03", "82_05", "90_02")
DEEPMIMIC_CLIPS = ("backflip", "getup_facedown", "kick", "walk")
needs_data = pytest.mark.skipif(not DATA.exists(), reason="needs the clips in ../shared/data")

LIMB = 0.25                                      # the figure's file is four times too large
OFFSETS = {"root": (None, (0, 0, 0)), "chest": ("root", (0, .944604, 0)), "neck": ("chest", (0, .895576, 0))}
for word, s in (("right", 1), ("left", -1)):
    OFFSETS |= {f"{word}_hip": ("root", (0, 0, s * .339548)), f"{word}_knee": (f"{word}_hip", (0, -1.686184, 0)),
                f"{word}_ankle": (f"{word}_knee", (0, -1.63948, 0)), f"{word}_shoulder": ("chest", (-.0962, .974, s * .7324)),
                f"{word}_elbow": (f"{word}_shoulder", (0, -1.099152, 0))}
ENDS = {"neck": (0, 1.4, 0), **{f"{word}_{joint}": end for word in ("right", "left") for joint, end in
                                (("ankle", (.53, -.2, 0)), ("elbow", (0, -1.035788, 0)))}}
ORDER = ["chest", "neck", *(f"{word}_{joint}" for word in ("right", "left") for joint in ("hip", "knee", "ankle", "shoulder", "elbow"))]


def cmu(name: str) -> Clip:
    return read_bvh(DATA / f"cmu/{name}.bvh", CMU)


def deepmimic(name: str) -> Clip:
    """balls are quaternions w x y z, knees and elbows angles about z; Y up"""
    frames = np.array(json.loads((DATA / f"deepmimic/humanoid3d_{name}.txt").read_text())["Frames"], float)
    z_up = lambda x: np.asarray(x, float)[..., [0, 2, 1]] * [1, -1, 1]
    names = tuple(OFFSETS)
    rotations = np.zeros((len(frames), len(names), 4))
    rotations[:, 0] = frames[:, 4:8]
    k = 8
    for joint in ORDER:
        i = names.index(joint)
        if joint.endswith(("knee", "elbow")):
            rotations[:, i] = exponentials(frames[:, k, None] * [0, 0, 1.0])
            k += 1
        else:
            rotations[:, i] = frames[:, k:k + 4]
            k += 4
    rotations /= np.linalg.norm(rotations, axis=2, keepdims=True)
    rotations[..., 1:] = z_up(rotations[..., 1:])
    skeleton = Skeleton(names, np.array([names.index(parent) if parent else -1 for parent, _ in OFFSETS.values()]),
                        LIMB * z_up([offset for _, offset in OFFSETS.values()]), np.array([names.index(name) for name in ENDS]),
                        LIMB * z_up(list(ENDS.values())))
    return Clip(skeleton, float(np.median(frames[:-1, 0])), z_up(frames[:, 1:4]), continuous(rotations), name)
