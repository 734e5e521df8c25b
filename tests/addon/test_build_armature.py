"""An armature stands where the bodies are."""
import bpy
import numpy as np
import pytest
from heft.addon.build_armature import build_armature

from .tree import NAMES, PARENTS, Tree


def build(tree: Tree):
    return build_armature("Tree", NAMES, PARENTS, tree.rest_positions, tree.rest_rotations, tree.tips)


def test_bones_have_the_given_ends_and_parents():
    tree = Tree()
    bones = build(tree).data.bones
    assert [bone.name for bone in bones] and {bone.name for bone in bones} == set(NAMES)
    for i, name in enumerate(NAMES):
        np.testing.assert_allclose(bones[name].head_local, tree.rest_positions[i], atol=1e-5)
        np.testing.assert_allclose(bones[name].tail_local, tree.tips[i], atol=1e-5)
        assert (bones[name].parent.name if bones[name].parent else None) == (NAMES[PARENTS[i]] if PARENTS[i] >= 0 else None)
        assert not bones[name].use_connect


def test_built_while_another_armature_is_in_edit_mode():
    first = build(Tree())
    bpy.ops.object.mode_set(mode="EDIT")
    second = build(Tree(seed=1))
    assert (first.mode, second.mode, bpy.context.mode) == ("OBJECT", "OBJECT", "OBJECT")
    assert bpy.context.view_layer.objects.active == second
    assert [o for o in bpy.context.view_layer.objects if o.select_get()] == [second]
    assert len(first.data.bones) == len(second.data.bones) == len(NAMES)


def test_built_when_the_active_collection_is_excluded():
    collection = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(collection)
    layer = bpy.context.view_layer.layer_collection.children["Hidden"]
    bpy.context.view_layer.active_layer_collection = layer
    layer.exclude = True
    assert len(build(Tree()).data.bones) == len(NAMES)


@pytest.mark.parametrize(("names", "tip", "message"), [
    (["a", "a"], 1.0, "different names"), (["a", "b" * 64], 1.0, "64 bytes"), (["a", "b"], 0.0, "bone 'a': its length is 0 m")])
def test_bones_blender_would_change_are_refused(names, tip, message):
    with pytest.raises(ValueError, match=message):
        build_armature("Bad", names, [-1, 0], np.zeros((2, 3)), np.tile(np.eye(3), (2, 1, 1)), np.full((2, 3), tip))
    assert not bpy.data.objects
