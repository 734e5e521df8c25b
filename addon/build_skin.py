"""Collision shapes to a mesh: what a character looks like before it has a skin of its own."""
from collections.abc import Sequence
from typing import TYPE_CHECKING

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

if TYPE_CHECKING:
    from ..engine.model.character import Body, Shape

ROUND = ("sphere", "capsule")
SOLID = (*ROUND, "box", "hull")
AROUND, ALONG = 24, 12      # corners of a ball's rings, and rings from pole to pole


def build_skin(armature: bpy.types.Object, bodies: Sequence["Body"], positions: np.ndarray,
               rotations: np.ndarray) -> bpy.types.Object | None:
    """Add a mesh of the bodies' shapes that moves with the armature's bones; None where no body has a shape.

    `positions` (nb, 3) and `rotations` (nb, 3, 3) are the bodies at rest, in the world, metres. Each vertex follows one bone.
    """
    name = f"{armature.name} shapes"
    work = bmesh.new()
    owner = work.verts.layers.deform.verify()
    for i, body in enumerate(bodies):
        for shape in body.shapes:
            if shape.kind not in SOLID:
                continue                   # the ground
            place = Matrix.LocRotScale(positions[i], Matrix(rotations[i].tolist()), None) @ placed(shape)
            for corner in add_hull(work, [place @ Vector(point) for point in outline(shape)], smooth=shape.kind in ROUND):
                corner[owner][i] = 1.0
    if not work.verts:
        work.free()
        return None
    mesh = bpy.data.meshes.new(name)
    work.to_mesh(mesh)
    work.free()

    skin = bpy.data.objects.new(name, mesh)
    for body in bodies:
        skin.vertex_groups.new(name=body.name)
    skin.modifiers.new("Armature", "ARMATURE").object = armature
    skin.parent = armature
    armature.users_collection[0].objects.link(skin)
    return skin


def outline(shape: "Shape") -> np.ndarray:
    """Points (n, 3) whose convex hull is the shape, in its own frame; round ones are cut to flat pieces."""
    if shape.kind == "hull":
        return np.asarray(shape.points, float)
    if shape.kind == "box":
        return np.array(np.meshgrid(*((-half, half) for half in shape.size))).reshape(3, -1).T
    up, round_ = np.meshgrid(np.linspace(-np.pi / 2, np.pi / 2, ALONG + 1), np.arange(AROUND) * 2 * np.pi / AROUND)
    ball = shape.size[0] * np.stack([np.cos(up) * np.cos(round_), np.cos(up) * np.sin(round_), np.sin(up)], -1).reshape(-1, 3)
    if shape.kind == "sphere":
        return ball
    end = np.array([0.0, 0.0, shape.size[1]])
    return np.concatenate([ball + end, ball - end])


def reached(bodies: Sequence["Body"], positions: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    """Points (n, 3) around everything that moves: the corners of a box about each shape, and the bodies' own places, (T, nb, 3)."""
    found = [positions.reshape(-1, 3)]
    for i, body in enumerate(bodies):
        for shape in (shape for shape in body.shapes if shape.kind in SOLID):
            points, place = outline(shape), np.array(placed(shape))
            corners = np.array(np.meshgrid(*zip(points.min(axis=0), points.max(axis=0)))).reshape(3, -1).T
            on_body = corners @ place[:3, :3].T + place[:3, 3]
            found.append((on_body @ rotations[:, i].transpose(0, 2, 1) + positions[:, i, None]).reshape(-1, 3))
    return np.concatenate(found)


def placed(shape: "Shape") -> Matrix:
    """Where the shape is on its body, or in the world."""
    return Matrix.LocRotScale(shape.frame.position, Quaternion(shape.frame.rotation).normalized(), None)


def add_hull(work: bmesh.types.BMesh, points: Sequence[Vector], smooth: bool) -> list[bmesh.types.BMVert]:
    """Add the convex hull of `points`; returns its corners."""
    corners = [work.verts.new(point) for point in points]
    hull = bmesh.ops.convex_hull(work, input=corners, use_existing_faces=False)
    for face in (part for part in hull["geom"] if isinstance(part, bmesh.types.BMFace)):
        face.smooth = smooth
    inside = {part for part in hull["geom_interior"] if isinstance(part, bmesh.types.BMVert)}
    bmesh.ops.delete(work, geom=list(inside), context="VERTS")
    return [corner for corner in corners if corner.is_valid]
