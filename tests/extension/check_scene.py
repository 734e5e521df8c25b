"""Runs inside a Blender that has the extension: the file that `heft simulate elbow --blend` wrote, and the operator.

    blender --background elbow.blend --python check_scene.py

Prints one line of JSON after "HEFT "; an exception is a failure.
"""
import json

import bpy

scene = bpy.context.scene
written = set(scene.objects.keys())
scene.render.fps = 50
assert bpy.ops.heft.add_scene("INVOKE_DEFAULT", scene="slope") == {"FINISHED"}
box = scene.objects["box"]
heights = []
for frame in (scene.frame_start, scene.frame_start + 50):
    scene.frame_set(frame)
    heights.append((box.matrix_world @ box.pose.bones["box"].matrix).translation.z)
print("HEFT " + json.dumps({"written": sorted(written), "added": sorted(set(scene.objects.keys()) - written),
                            "fall": heights[0] - heights[1]}), flush=True)
