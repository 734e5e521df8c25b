"""A figure that stands, sways and swings its arms as no body could: feet slide along, the weight leaves the soles."""
import numpy as np
from heft.engine.algebra.quaternions import exponentials, products, rotated
from heft.engine.motion.source import Source, make_source
from rigs import skeleton, still_clip, turned


def swaying(seconds: float = 1.5, fps: float = 60.0) -> Source:
    t = np.arange(round(seconds * fps)) / fps
    clip = still_clip(skeleton("mixamo"), len(t), fps)
    for side, sign in (("Left", 1), ("Right", -1)):
        clip = turned(clip, f"mixamorig:{side}Arm", (0, sign, 0), 0.9 + 0.5 * np.sin(5 * t))
        clip = turned(clip, f"mixamorig:{side}UpLeg", (1, 0, 0), 0.3 + 0.05 * np.sin(4 * t))
        clip = turned(clip, f"mixamorig:{side}Leg", (1, 0, 0), np.full(len(t), -0.6))
        clip = turned(clip, f"mixamorig:{side}Foot", (1, 0, 0), np.full(len(t), 0.3))
    places = clip.root_positions + 0.04 * np.stack([np.sin(7 * t), np.cos(3 * t), 0.3 * np.sin(6 * t)], axis=1)
    return make_source(clip._replace(root_positions=places))


def placed(source: Source, angle: float, shift) -> Source:
    """the same clip somewhere else on the floor"""
    turn = exponentials(np.array([0, 0, angle]))
    q = source.motion.q.copy()
    q[:, :3] = rotated(turn, q[:, :3]) + shift
    q[:, 3:7] = products(turn[None], q[:, 3:7])
    return source._replace(motion=source.motion._replace(q=q, joints=rotated(turn, source.motion.joints) + shift))
