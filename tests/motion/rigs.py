"""Skeletons by hand, one for each way of naming bones: every bone with its parent, its place and the part that it must be taken for.

Z up, facing -Y, left is +X, as Blender's figures stand.
"""
import numpy as np
from heft.engine.algebra.quaternions import exponentials, products
from heft.engine.humanoid.skeleton import Clip, Skeleton

PLACES = {
    "floor": (0, 0, 0), "pelvis": (0, 0, 0.95), "spine": (0, 0, 1.05), "spine2": (0, 0, 1.17), "chest": (0, 0, 1.28), "neck": (0, 0, 1.46),
    "neck2": (0, 0, 1.52), "head": (0, 0, 1.58), "clavicle": (0.03, 0, 1.42), "upper_arm": (0.18, 0, 1.42), "forearm": (0.46, 0.01, 1.42),
    "twist": (0.58, 0, 1.42), "hand": (0.71, 0, 1.42), "finger": (0.79, 0, 1.42), "thumb": (0.74, -0.03, 1.42), "thigh": (0.09, 0, 0.92),
    "thigh2": (0.09, 0, 0.72), "shin": (0.09, -0.01, 0.52), "foot": (0.09, 0.02, 0.09), "toe": (0.09, -0.11, 0.025),
    "toe_end": (0.09, -0.18, 0.02),
    "heel": (0.09, 0.06, 0.0),
    "eye": (0.03, -0.08, 1.66), "hair": (0, 0.05, 1.74)}
ENDS = {"head": (0, 0, 0.17), "finger": (0.08, 0, 0), "toe": (0, -0.07, 0)}

SIDED = {
    "cmu": [("{s}HipJoint", "Hips", "pelvis", "pelvis"), ("{S}UpLeg", "{s}HipJoint", "thigh", "thigh"),
                    ("{S}Leg", "{S}UpLeg", "shin", "shin"),
                    ("{S}Foot", "{S}Leg", "foot", "foot"), ("{S}ToeBase", "{S}Foot", "toe", "toe"),
                    ("{S}Shoulder", "Spine1", "clavicle", "clavicle"),
                    ("{S}Arm", "{S}Shoulder", "upper_arm", "upper_arm"), ("{S}ForeArm", "{S}Arm", "forearm", "forearm"),
                    ("{S}Hand", "{S}ForeArm", "hand", "hand"), ("{S}FingerBase", "{S}Hand", "hand", "hand"),
                    ("{S}HandIndex1", "{S}FingerBase", "finger", "hand"), ("{s}Thumb", "{S}Hand", "thumb", "hand")],
    "mixamo": [("mixamorig:{S}UpLeg", "mixamorig:Hips", "thigh", "thigh"),
                       ("mixamorig:{S}Leg", "mixamorig:{S}UpLeg", "shin", "shin"),
                       ("mixamorig:{S}Foot", "mixamorig:{S}Leg", "foot", "foot"),
                       ("mixamorig:{S}ToeBase", "mixamorig:{S}Foot", "toe", "toe"),
                       ("mixamorig:{S}Toe_End", "mixamorig:{S}ToeBase", "toe_end", "toe"),
                       ("mixamorig:{S}Shoulder", "mixamorig:Spine2", "clavicle", "clavicle"),
                       ("mixamorig:{S}Arm", "mixamorig:{S}Shoulder", "upper_arm", "upper_arm"),
                       ("mixamorig:{S}ForeArm", "mixamorig:{S}Arm", "forearm", "forearm"),
                       ("mixamorig:{S}Hand", "mixamorig:{S}ForeArm", "hand", "hand"),
                       ("mixamorig:{S}HandThumb1", "mixamorig:{S}Hand", "thumb", "hand"),
                       ("mixamorig:{S}HandIndex1", "mixamorig:{S}Hand", "finger", "hand")],
    "rigify": [("pelvis.{s}", "spine", "pelvis", "pelvis"), ("thigh.{s}", "spine", "thigh", "thigh"),
                        ("shin.{s}", "thigh.{s}", "shin", "shin"),
                        ("foot.{s}", "shin.{s}", "foot", "foot"), ("toe.{s}", "foot.{s}", "toe", "toe"),
                        ("heel.02.{s}", "foot.{s}", "heel", "foot"),
                        ("breast.{s}", "spine.003", "chest", "chest"), ("shoulder.{s}", "spine.003", "clavicle", "clavicle"),
                        ("upper_arm.{s}", "shoulder.{s}", "upper_arm", "upper_arm"),
                        ("forearm.{s}", "upper_arm.{s}", "forearm", "forearm"),
                        ("hand.{s}", "forearm.{s}", "hand", "hand"), ("palm.01.{s}", "hand.{s}", "hand", "hand"),
                        ("f_index.01.{s}", "palm.01.{s}", "finger", "hand"), ("thumb.01.{s}", "palm.01.{s}", "thumb", "hand")],
    "rigify deform": [("DEF-thigh.{s}", "DEF-spine", "thigh", "thigh"), ("DEF-thigh.{s}.001", "DEF-thigh.{s}", "thigh2", "thigh"),
                           ("DEF-shin.{s}", "DEF-thigh.{s}.001", "shin", "shin"), ("DEF-foot.{s}", "DEF-shin.{s}", "foot", "foot"),
                           ("DEF-toe.{s}", "DEF-foot.{s}", "toe", "toe"), ("DEF-shoulder.{s}", "DEF-spine.003", "clavicle", "clavicle"),
                           ("DEF-upper_arm.{s}", "DEF-shoulder.{s}", "upper_arm", "upper_arm"),
                           ("DEF-forearm.{s}", "DEF-upper_arm.{s}", "forearm", "forearm"),
                           ("DEF-forearm.{s}.001", "DEF-forearm.{s}", "twist", "forearm"),
                           ("DEF-hand.{s}", "DEF-forearm.{s}.001", "hand", "hand")],
    "unreal": [("thigh_{l}", "pelvis", "thigh", "thigh"), ("thigh_twist_01_{l}", "thigh_{l}", "thigh2", "thigh"),
                    ("calf_{l}", "thigh_{l}", "shin", "shin"),
                    ("foot_{l}", "calf_{l}", "foot", "foot"), ("ball_{l}", "foot_{l}", "toe", "toe"),
                    ("clavicle_{l}", "spine_03", "clavicle", "clavicle"),
                    ("upperarm_{l}", "clavicle_{l}", "upper_arm", "upper_arm"), ("lowerarm_{l}", "upperarm_{l}", "forearm", "forearm"),
                    ("lowerarm_twist_01_{l}", "lowerarm_{l}", "twist", "forearm"), ("hand_{l}", "lowerarm_{l}", "hand", "hand"),
                    ("index_01_{l}", "hand_{l}", "finger", "hand"), ("ik_foot_{l}", "root", "floor", "")],
    "vrm": [("J_Bip_{s}_UpperLeg", "J_Bip_C_Hips", "thigh", "thigh"), ("J_Bip_{s}_LowerLeg", "J_Bip_{s}_UpperLeg", "shin", "shin"),
                 ("J_Bip_{s}_Foot", "J_Bip_{s}_LowerLeg", "foot", "foot"), ("J_Bip_{s}_ToeBase", "J_Bip_{s}_Foot", "toe", "toe"),
                 ("J_Bip_{s}_Shoulder", "J_Bip_C_UpperChest", "clavicle", "clavicle"),
                 ("J_Bip_{s}_UpperArm", "J_Bip_{s}_Shoulder", "upper_arm", "upper_arm"),
                 ("J_Bip_{s}_LowerArm", "J_Bip_{s}_UpperArm", "forearm", "forearm"),
                 ("J_Bip_{s}_Hand", "J_Bip_{s}_LowerArm", "hand", "hand"),
                 ("J_Bip_{s}_Index1", "J_Bip_{s}_Hand", "finger", "hand"), ("J_Adj_{s}_FaceEye", "J_Bip_C_Head", "eye", "head")],
    "vrm humanoid": [("{S}UpperLeg", "hips", "thigh", "thigh"), ("{S}LowerLeg", "{S}UpperLeg", "shin", "shin"),
                          ("{S}Foot", "{S}LowerLeg", "foot", "foot"),
                          ("{S}Toes", "{S}Foot", "toe", "toe"), ("{S}Shoulder", "upperChest", "clavicle", "clavicle"),
                          ("{S}UpperArm", "{S}Shoulder", "upper_arm", "upper_arm"), ("{S}LowerArm", "{S}UpperArm", "forearm", "forearm"),
                          ("{S}Hand", "{S}LowerArm", "hand", "hand"), ("{S}ThumbProximal", "{S}Hand", "thumb", "hand")],
    "deepmimic": [("{w}_hip", "root", "thigh", "thigh"), ("{w}_knee", "{w}_hip", "shin", "shin"),
                       ("{w}_ankle", "{w}_knee", "foot", "foot"),
                       ("{w}_shoulder", "chest", "upper_arm", "upper_arm"), ("{w}_elbow", "{w}_shoulder", "forearm", "forearm")],
}
MIDDLE = {
    "cmu": [("Hips", None, "pelvis", "pelvis"), ("LowerBack", "Hips", "pelvis", "spine"), ("Spine", "LowerBack", "spine", "spine.001"),
            ("Spine1", "Spine", "chest", "chest"), ("Neck", "Spine1", "neck", "neck"), ("Neck1", "Neck", "neck2", "neck.001"),
            ("Head", "Neck1", "head", "head")],
    "mixamo": [("mixamorig:Hips", None, "pelvis", "pelvis"), ("mixamorig:Spine", "mixamorig:Hips", "spine", "spine"),
               ("mixamorig:Spine1", "mixamorig:Spine", "spine2", "spine.001"), ("mixamorig:Spine2", "mixamorig:Spine1", "chest", "chest"),
               ("mixamorig:Neck", "mixamorig:Spine2", "neck", "neck"), ("mixamorig:Head", "mixamorig:Neck", "head", "head")],
    "rigify": [("spine", None, "pelvis", "pelvis"), ("spine.001", "spine", "spine", "spine"),
               ("spine.002", "spine.001", "spine2", "spine.001"),
               ("spine.003", "spine.002", "chest", "chest"), ("spine.004", "spine.003", "neck", "neck"),
               ("spine.005", "spine.004", "neck2", "neck.001"),
               ("spine.006", "spine.005", "head", "head")],
    "rigify deform": [("DEF-spine", None, "pelvis", "pelvis"), ("DEF-spine.001", "DEF-spine", "spine", "spine"),
                      ("DEF-spine.002", "DEF-spine.001", "spine2", "spine.001"), ("DEF-spine.003", "DEF-spine.002", "chest", "chest"),
                      ("DEF-spine.004", "DEF-spine.003", "neck", "neck"), ("DEF-spine.005", "DEF-spine.004", "neck2", "neck.001"),
                      ("DEF-spine.006", "DEF-spine.005", "head", "head")],
    "unreal": [("root", None, "floor", ""), ("pelvis", "root", "pelvis", "pelvis"), ("spine_01", "pelvis", "spine", "spine"),
               ("spine_02", "spine_01", "spine2", "spine.001"), ("spine_03", "spine_02", "chest", "chest"),
               ("neck_01", "spine_03", "neck", "neck"),
               ("head", "neck_01", "head", "head")],
    "vrm": [("J_Bip_C_Hips", None, "pelvis", "pelvis"), ("J_Bip_C_Spine", "J_Bip_C_Hips", "spine", "spine"),
            ("J_Bip_C_Chest", "J_Bip_C_Spine", "spine2", "spine.001"), ("J_Bip_C_UpperChest", "J_Bip_C_Chest", "chest", "chest"),
            ("J_Bip_C_Neck", "J_Bip_C_UpperChest", "neck", "neck"), ("J_Bip_C_Head", "J_Bip_C_Neck", "head", "head"),
            ("J_Sec_Hair1_01", "J_Bip_C_Head", "hair", "head")],
    "vrm humanoid": [("hips", None, "pelvis", "pelvis"), ("spine", "hips", "spine", "spine"), ("chest", "spine", "spine2", "spine.001"),
                     ("upperChest", "chest", "chest", "chest"), ("neck", "upperChest", "neck", "neck"), ("head", "neck", "head", "head")],
    "deepmimic": [("root", None, "pelvis", "pelvis"), ("chest", "root", "spine", "chest"), ("neck", "chest", "neck", "head")],
}
FAMILIES = tuple(MIDDLE)


def table(family: str) -> list[tuple[str, str | None, tuple, str]]:
    """name, parent, place, part of every bone"""
    rows = [(name, parent, PLACES[place], part) for name, parent, place, part in MIDDLE[family]]
    for number, word in enumerate(("left", "right")):
        says = {"s": word[0].upper(), "l": word[0], "S": word if family == "vrm humanoid" else word.capitalize(), "w": word}
        for name, parent, place, part in SIDED[family]:
            x, y, z = PLACES[place]
            sided = part in ("thigh", "shin", "foot", "toe", "clavicle", "upper_arm", "forearm", "hand")
            rows.append((name.format(**says), parent.format(**says),
                         (x * (1 - 2 * number), y, z), f"{part}.{says['s']}" if sided else part))
    return rows


def skeleton(family: str) -> Skeleton:
    rows = table(family)
    names = [row[0] for row in rows]
    parents = [names.index(row[1]) if row[1] else -1 for row in rows]
    places = np.array([row[2] for row in rows], float)
    offsets = np.array([places[i] - (places[p] if p >= 0 else 0) for i, p in enumerate(parents)])
    ends = []
    for i, row in enumerate(rows):
        x, y, z = row[2]
        place = next((key for key in ENDS if PLACES[key] == (abs(x), y, z)), None)
        if place and i not in parents:
            ends.append((i, np.array(ENDS[place]) * [np.sign(x) or 1, 1, 1]))
    return Skeleton(tuple(names), np.array(parents), offsets, np.array([i for i, _ in ends], int),
                    np.array([end for _, end in ends]).reshape(-1, 3))


def still_clip(s: Skeleton, frames: int, fps: float = 120.0) -> Clip:
    """in the rest pose"""
    rotations = np.zeros((frames, len(s.names), 4))
    rotations[..., 0] = 1
    return Clip(s, 1 / fps, np.tile(s.offsets[0], (frames, 1)), rotations)


def turned(clip: Clip, bone: str, axis, angles) -> Clip:
    """with a bone turned by these angles about an axis, after what it does already"""
    i = clip.skeleton.names.index(bone)
    rotations = clip.rotations.copy()
    rotations[:, i] = products(rotations[:, i], exponentials(np.asarray(angles, float)[:, None] * np.asarray(axis, float)))
    return clip._replace(rotations=rotations)
