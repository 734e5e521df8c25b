"""The shapes of the world itself to meshes: the floor, a slope, a table."""
from collections.abc import Sequence
from typing import TYPE_CHECKING

import bmesh
import bpy
import numpy as np
from mathutils import Matrix, Vector

from .build_skin import ROUND, SOLID, add_hull, outline, placed

if TYPE_CHECKING:
    from ..engine.model.character import Shape

SMALLEST_PLANE = 4.0      # m
CELL = 0.5                # m, of a plane's grid
MOST_CELLS = 64           # along a side; larger planes get larger cells
MATERIAL = "world"
COLOUR = (0.25, 0.3, 0.4, 1.0)
UNMOVED = Matrix()


def build_world(shapes: Sequence["Shape"], points: np.ndarray, collection: bpy.types.Collection, owner: str = "world",
                carrier: Matrix = UNMOVED) -> list[bpy.types.Object]:
    """Add a mesh object for each shape, named after its owner and kind, placed on the owner, which is at `carrier` in the world. Planes
    have no end: theirs reach as far as `points` (n, 3), where the bodies get to, in the world, metres."""
    objects = []
    for shape in shapes:
        place = carrier @ placed(shape)
        name = f"{owner} {shape.kind}"
        mesh = bpy.data.meshes.new(name)
        if shape.kind in SOLID:
            _fill_solid(mesh, shape)
        else:
            corners, faces = _surface(shape, points @ np.array(place.inverted().to_3x3()).T + place.inverted().translation)
            mesh.from_pydata(corners.tolist(), [], faces.tolist())
        mesh.materials.append(_material())
        thing = bpy.data.objects.new(name, mesh)
        thing.matrix_basis = place
        # a bare plane looks like nothing
        thing.show_wire = thing.show_all_edges = shape.kind not in SOLID
        collection.objects.link(thing)
        objects.append(thing)
    return objects


def _material() -> bpy.types.Material:
    """in the viewport the world is darker than what moves in it"""
    found = bpy.data.materials.get(MATERIAL)
    if found is None:
        found = bpy.data.materials.new(MATERIAL)
        found.diffuse_color = COLOUR
    return found


def _fill_solid(mesh: bpy.types.Mesh, shape: "Shape") -> None:
    work = bmesh.new()
    add_hull(work, [Vector(point) for point in outline(shape)], smooth=shape.kind in ROUND)
    work.to_mesh(mesh)
    work.free()


def _surface(shape: "Shape", points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """corners and faces in the shape's own frame, as `points` are"""
    if shape.kind == "mesh":
        return np.asarray(shape.points, float), np.asarray(shape.triangles, int)
    if shape.kind == "heights":
        from ..engine.collision.triangles import height_triangles
        return height_triangles(shape)
    x, y = (_ticks(points[:, axis]) for axis in (0, 1))
    corners = np.stack([*np.meshgrid(x, y), np.zeros((len(y), len(x)))], axis=-1).reshape(-1, 3)
    low = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).reshape(-1)
    return corners, np.stack([low, low + 1, low + len(x) + 1, low + len(x)], axis=-1)


def _ticks(values: np.ndarray) -> np.ndarray:
    """where a grid's lines are so that it holds `values`: on whole cells, so that two grids with one origin agree"""
    low, high = float(values.min()), float(values.max())
    grow = max(0.0, SMALLEST_PLANE - (high - low)) / 2
    low, high = low - grow, high + grow
    cell = CELL * 2.0 ** max(0.0, np.ceil(np.log2((high - low) / (CELL * MOST_CELLS))))
    # a contact's depth is no reason for one more cell
    return cell * np.arange(np.floor(low / cell + 0.01), np.ceil(high / cell - 0.01) + 1)
