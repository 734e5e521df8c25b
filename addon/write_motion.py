"""Body poses to keys on bones.

A bone is fixed to its body: O = B^-1 K, with B the body and K the bone at rest, both in the world. At a frame the bone is at
(body) O, and what Blender keys is its place against the rest pose carried along by its parent.
"""
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from .action_channels import assign_new_action
from .quaternions import continuous_quaternions

STILL = 1e-6   # m; a bone that stays this close to its rest place needs no location keys


def write_motion(armature: bpy.types.Object, bone_names: Sequence[str], positions: np.ndarray, rotations: np.ndarray,
                 rest_positions: np.ndarray, rest_rotations: np.ndarray, fps_frames: np.ndarray, action_name: str) -> bpy.types.Action:
    """Key `armature` so that its bones follow the bodies, in a new action; the old one is kept.

    World, metres: `positions` (T, nb, 3) and `rotations` (T, nb, 3, 3) of the bodies at the frames `fps_frames` (T,), and where
    the bodies are at rest, (nb, 3) and (nb, 3, 3). Bones not named ride along unposed. The armature object stands still.
    """
    bpy.context.view_layer.update()      # matrix_world lags behind a location just set
    _check(armature, bone_names)
    world = _array(armature.matrix_world)
    rest = np.array([_array(armature.data.bones[name].matrix_local) for name in bone_names])
    offset = np.linalg.inv(_poses(rest_positions, rest_rotations)) @ world @ rest
    pose = np.linalg.inv(world) @ _poses(positions, rotations) @ offset
    basis = _basis(pose, rest, [_parent(armature.data.bones[name], bone_names) for name in bone_names])

    action, channels = assign_new_action(armature, action_name)
    for i, name in enumerate(bone_names):
        bone = armature.pose.bones[name]
        _clear(bone)
        group = channels.groups.new(name)
        write_keys(channels, group, bone.path_from_id("rotation_quaternion"), fps_frames, continuous_quaternions(basis[:, i, :3, :3]))
        location = basis[:, i, :3, 3]
        if bone.parent is None or np.abs(location).max() > STILL:
            write_keys(channels, group, bone.path_from_id("location"), fps_frames, location)
    return action


def _check(armature: bpy.types.Object, bone_names: Sequence[str]) -> None:
    """refuse rigs whose bones can't be where the bodies are"""
    scale = np.linalg.norm(_array(armature.matrix_world)[:3, :3], axis=0)
    if not np.allclose(scale, scale[0], rtol=1e-4):
        raise ValueError(f"armature '{armature.name}': its scale is {scale.round(4).tolist()}, must be the same along all axes")
    for name in bone_names:
        bone = armature.data.bones.get(name)
        if bone is None:
            raise ValueError(f"bone '{name}': armature '{armature.name}' has no such bone")
        if bone.parent is not None and (bone.use_connect or not bone.use_inherit_rotation or not bone.use_local_location):
            raise ValueError(f"bone '{name}': must be unconnected, inherit rotation and have a local location")


def _array(matrix: Any) -> np.ndarray:
    return np.array(matrix, float)


def _poses(positions: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """(…, 4, 4) from (…, 3) and (…, 3, 3)"""
    matrices = np.zeros((*np.shape(positions)[:-1], 4, 4))
    matrices[..., :3, :3] = rotations
    matrices[..., :3, 3] = positions
    matrices[..., 3, 3] = 1.0
    return matrices


def _parent(bone: bpy.types.Bone, bone_names: Sequence[str]) -> int:
    """index of the nearest bone above that is written, -1 for none: those between ride along with it"""
    above = next((parent.name for parent in bone.parent_recursive if parent.name in bone_names), None)
    return -1 if above is None else list(bone_names).index(above)


def _basis(pose: np.ndarray, rest: np.ndarray, parents: Sequence[int]) -> np.ndarray:
    """(T, nb, 4, 4): the pose against the rest pose that the parent carries along, pose_p rest_p^-1 rest basis = pose"""
    carried = rest + np.zeros_like(pose)
    for i, p in enumerate(parents):
        if p >= 0:
            carried[:, i] = pose[:, p] @ np.linalg.inv(rest[p]) @ rest[i]
    return np.linalg.inv(carried) @ pose


def _clear(bone: bpy.types.PoseBone) -> None:
    """what an earlier pose left in channels that get no keys would be added to the motion"""
    bone.rotation_mode = "QUATERNION"
    bone.location = (0.0, 0.0, 0.0)
    bone.scale = (1.0, 1.0, 1.0)


def write_keys(channels: Any, group: bpy.types.ActionGroup, path: str, frames: np.ndarray, values: np.ndarray) -> None:
    """one F-curve a column of `values` (T, n), linear between keys as they come from a simulation"""
    keys = np.empty((len(frames), 2), np.float32)
    keys[:, 0] = frames
    for column in range(values.shape[1]):
        curve = channels.fcurves.new(path, index=column)
        curve.group = group
        keys[:, 1] = values[:, column]
        points = curve.keyframe_points
        points.add(len(frames))
        points.foreach_set("co", keys.ravel())
        _set_all(points, "interpolation", "LINEAR")
        # not used while linear, but an animator may switch to Bézier
        _set_all(points, "handle_left_type", "AUTO_CLAMPED")
        _set_all(points, "handle_right_type", "AUTO_CLAMPED")
        curve.update()


def _set_all(points: Any, attribute: str, choice: str) -> None:
    number = bpy.types.Keyframe.bl_rna.properties[attribute].enum_items[choice].value
    points.foreach_set(attribute, np.full(len(points), number, np.int32))
