"""The coordinates of a character that follow a clip of its skeleton.

Body by body from the root: a ball takes the bone's rotation against its fitted parent, a hinge the nearest turn about its axis. What
a hinge can't follow is in the next ball again, so that errors of orientation don't add up along a limb.
"""
import numpy as np

from ..algebra.quaternions import continuous, exponentials, inverses, products, rotated
from ..errors import HeftError
from ..humanoid.hinges import hinge_angles
from ..humanoid.humanoid import Humanoid
from ..humanoid.skeleton import Clip, world_poses
from ..model.model import BALL, FREE, HINGE, System
from .motion import Motion


def fit_motion(humanoid: Humanoid, system: System, clip: Clip) -> Motion:
    """`system`: built from `humanoid.character` alone; `clip`: of the same skeleton."""
    if clip.skeleton.names != humanoid.skeleton.names:
        raise HeftError(f"the clip's bones are not those of '{humanoid.character.name}': read both from one file, or map them first")
    m, T = system.model, len(clip.rotations)
    sources, turned = world_poses(clip)
    q = np.zeros((T, m.nq))
    places, rotations = np.zeros((T, m.nb, 3)), np.zeros((T, m.nb, 4))
    off_hinge = np.zeros((T, m.nb))
    for i, name in enumerate(system.names):
        own, p, start = turned[:, humanoid.bone[name]], m.parent[i], m.q_start[i]
        if m.kind[i] == FREE:
            places[:, i] = sources[:, humanoid.joint_bone[name]]
            rotations[:, i] = q[:, start + 3:start + 7] = continuous(own)
            q[:, start:start + 3] = places[:, i]
            continue
        places[:, i] = places[:, p] + rotated(rotations[:, p], m.socket[i][None])
        if m.kind[i] == BALL:
            q[:, start:start + 4] = continuous(products(inverses(rotations[:, p]), own))
            rotations[:, i] = own
        elif m.kind[i] == HINGE:
            zero, axis = np.asarray(system.bodies[i].joint.socket.rotation, float), m.axis[m.axis_start[i]]
            q[:, start], off_hinge[:, i] = hinge_angles(products(inverses(rotations[:, p]), own), zero, axis)
            rotations[:, i] = products(rotations[:, p], products(zero[None], exponentials(q[:, start, None] * axis)))
    joints = sources[:, [humanoid.joint_bone[name] for name in system.names]]
    return Motion(clip.frame_time * np.arange(T), q, system.names, joints, np.linalg.norm(places - joints, axis=2), off_hinge)
