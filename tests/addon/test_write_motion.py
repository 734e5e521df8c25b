"""The keys play back the motion that was written, as Blender evaluates it."""
import bpy
import numpy as np
import pytest
from heft.addon.action_channels import assign_new_action
from heft.addon.build_armature import build_armature
from heft.addon.write_motion import write_motion
from mathutils import Matrix

from .evaluated import bone_poses, matrices, rest_poses
from .tree import NAMES, PARENTS, Tree

MOVED = Matrix.LocRotScale((1.0, -2.0, 0.5), Matrix.Rotation(0.7, 3, (1.0, 2.0, 3.0)), None)
SCALED = MOVED @ Matrix.Scale(0.01, 4)


def build(tree: Tree):
    return build_armature("Tree", NAMES, PARENTS, tree.rest_positions, tree.rest_rotations, tree.tips)


def write(armature, tree: Tree, name: str = "Motion"):
    return write_motion(armature, NAMES, tree.positions, tree.rotations, tree.rest_positions, tree.rest_rotations, tree.frames, name)


def curves(action) -> list:
    if hasattr(action, "slots"):
        return list(action.layers[0].strips[0].channelbag(action.slots[0]).fcurves)
    return list(action.fcurves)


def test_bones_start_where_their_bodies_are():
    tree = Tree()
    armature = build(tree)
    write(armature, tree)
    np.testing.assert_allclose(bone_poses(armature, NAMES, tree.frames)[..., :3, 3], tree.positions, atol=1e-4)


@pytest.mark.parametrize("placed", [Matrix(), MOVED, SCALED], ids=["at the origin", "moved", "scaled"])
def test_bones_stay_fixed_to_their_bodies(placed):
    tree = Tree()
    armature = build(tree)
    armature.matrix_world = placed
    write(armature, tree)
    offset = np.linalg.inv(matrices(tree.rest_positions, tree.rest_rotations)) @ rest_poses(armature, NAMES)
    expected = matrices(tree.positions, tree.rotations) @ offset
    np.testing.assert_allclose(bone_poses(armature, NAMES, tree.frames), expected, atol=1e-4)


def test_an_earlier_pose_does_not_show():
    tree = Tree()
    armature = build(tree)
    for bone in armature.pose.bones:
        bone.rotation_mode = "XYZ"
        bone.location, bone.rotation_euler, bone.scale = (1, 2, 3), (1, 2, 3), (2, 2, 2)
    write(armature, tree)
    np.testing.assert_allclose(bone_poses(armature, NAMES, tree.frames)[..., :3, 3], tree.positions, atol=1e-4)


def test_only_roots_and_sliding_bones_get_location_keys():
    tree = Tree()
    located = {curve.data_path for curve in curves(write(build(tree), tree)) if curve.data_path.endswith("location")}
    assert located == {f'pose.bones["{name}"].location' for name in ("root", "other root", "tail")}


def test_keys_are_linear_and_quaternions_never_flip():
    tree = Tree()
    for curve in curves(write(build(tree), tree)):
        assert {key.interpolation for key in curve.keyframe_points} == {"LINEAR"}
        assert curve.group.name in curve.data_path
        keys = np.array([key.co for key in curve.keyframe_points])
        np.testing.assert_array_equal(keys[:, 0], tree.frames)
        if curve.data_path.endswith("quaternion"):
            assert np.abs(np.diff(keys[:, 1])).max() < 0.5      # a sixth of a turn a frame at most


def test_the_old_action_is_kept_untouched():
    tree = Tree()
    armature = build(tree)
    old, channels = assign_new_action(armature, "By hand")
    curve = channels.fcurves.new('pose.bones["spine"].location', index=1)
    curve.keyframe_points.insert(3.0, 0.25)
    new = write(armature, tree)
    assert armature.animation_data.action == new != old
    assert [(c.data_path, c.array_index, [tuple(k.co) for k in c.keyframe_points]) for c in curves(old)] == [
        ('pose.bones["spine"].location', 1, [(3.0, 0.25)])]
    assert old.use_fake_user, "an action without a user is gone after saving"


def test_uneven_scale_and_missing_bones_are_refused_by_name():
    tree = Tree()
    armature = build(tree)
    armature.scale = (1.0, 2.0, 1.0)
    with pytest.raises(ValueError, match="armature 'Tree': its scale is"):
        write(armature, tree)
    armature.scale = (1.0, 1.0, 1.0)
    armature.data.bones["tail"].name = "queue"
    with pytest.raises(ValueError, match="bone 'tail'"):
        write(armature, tree)
    assert not bpy.data.actions
