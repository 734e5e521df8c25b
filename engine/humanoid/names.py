"""What a bone's name says: a side, and words that may stand for a part of the body.

Names differ by who made the rig: LeftUpLeg (CMU, Mixamo), thigh.L (Rigify), thigh_l (Unreal), J_Bip_L_UpperLeg (VRM), left_hip
(DeepMimic and others that name a bone after the joint at its head). All come apart into lower-case words.
"""
import re
from itertools import pairwise
from typing import NamedTuple

PREFIXES = ("mixamorig", "valvebiped", "bip01", "bip001", "bip", "def", "org", "j", "cc", "base", "jnt", "bn", "b", "c", "skel")
SIDES = {"l": "L", "left": "L", "lft": "L", "r": "R", "right": "R", "rgt": "R"}
FINGERS = ("thumb", "index", "middle", "ring", "pinky", "pinkie", "little", "finger", "fingers", "palm", "metacarpal", "prop", "fingerbase")
ALONG = ("twist", "roll", "ik", "fk", "pole", "target", "mch", "ctrl", "helper", "end", "nub", "tweak", "adj", "corrective", "heel",
         "breast", "hair", "sec", "skirt", "eye", "jaw", "tongue", "teeth", "ear", "lid", "brow", "lip", "nose", "cheek", "face", "chin",
         "bust", "weapon", "attach", "socket", "butt", "muscle", "hipjoint", "site", "forehead", "temple")
"""Bones that ride along with the part they hang on."""

WORDS = {
    "thigh": ("upleg", "upperleg", "thigh", "femur", "legupper"),
    "shin": ("leg", "lowleg", "lowerleg", "calf", "shin", "shank", "knee", "tibia", "leglower"),
    "foot": ("foot", "ankle"), "toe": ("toe", "toes", "toebase", "ball"),
    "clavicle": ("clavicle", "collar", "collarbone", "shoulder"), "upper_arm": ("arm", "uparm", "upperarm", "humerus", "armupper"),
    "forearm": ("forearm", "lowarm", "lowerarm", "elbow", "armlower", "radius"), "hand": ("hand", "wrist"),
    "hip": ("hip",), "pelvis": ("hips", "pelvis", "root"), "spine": ("spine", "lowerback", "abdomen", "waist", "back", "torso"),
    "chest": ("chest", "upperchest", "thorax"), "neck": ("neck",), "head": ("head",)}
MEANING = {word: part for part, words in WORDS.items() for word in words}


class Reading(NamedTuple):
    side: str                       # L, R or empty
    part: str                       # a key of WORDS, "finger", "along" (a helper) or empty


def read_name(name: str) -> Reading:
    """What the name of a bone says about it."""
    words = _words(name)
    side = next((SIDES[word] for word in words if word in SIDES), "")
    words = [word for word in words if word not in SIDES]
    while len(words) > 1 and words[0] in PREFIXES:
        words = words[1:]
    joined = "".join(words)
    if any(word in ALONG for word in (*words, joined)):
        return Reading(side, "along")
    if any(word in FINGERS for word in (*words, joined)):
        return Reading(side, "finger")
    # two words first: upper arm, fore arm, toe base
    for text in (joined, *(a + b for a, b in pairwise(words)), *reversed(words)):
        if text in MEANING:
            part = MEANING[text]
            return Reading(side, "hip" if part == "pelvis" and side and text != "root" else part)
    return Reading(side, "")


def _words(name: str) -> list[str]:
    """LeftUpLeg -> left up leg; thigh.L.001 -> thigh l; DEF-upper_arm.L -> def upper arm l; LHipJoint -> l hip joint"""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [word.lower() for word in re.findall(r"[A-Za-z]+", re.sub(r"[0-9_]+", " ", apart))]
