"""What Blender shows: bones in the world as the dependency graph evaluates them, frame by frame."""
import bpy
import numpy as np


def bone_poses(armature, names, frames) -> np.ndarray:
    """(T, nb, 4, 4) in the world"""
    out = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        out.append([np.array(shown.matrix_world @ shown.pose.bones[name].matrix) for name in names])
    return np.array(out)


def rest_poses(armature, names) -> np.ndarray:
    """(nb, 4, 4) of the bones at rest, in the world"""
    bpy.context.view_layer.update()
    return np.array([np.array(armature.matrix_world @ armature.data.bones[name].matrix_local) for name in names])


def matrices(positions, rotations) -> np.ndarray:
    out = np.zeros((*positions.shape[:-1], 4, 4))
    out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = rotations, positions, 1.0
    return out
