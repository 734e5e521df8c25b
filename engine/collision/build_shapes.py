"""From described shapes to the constant arrays of collision detection."""
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..algebra.rotations import quaternion_matrix
from ..model.character import Shape
from ..model.check import check_shapes_of
from ..model.model import WORLD, System
from .filter import allowed, static_bodies
from .paths import Path
from .pieces import Parts, box_pieces, hull_pieces, make_parts, plane_pieces, round_pieces
from .shapes import KINDS, Pieces, Shapes
from .triangles import height_pieces, mesh_pieces

MAKERS = {"sphere": round_pieces, "capsule": round_pieces, "box": box_pieces, "hull": hull_pieces, "plane": plane_pieces,
          "mesh": mesh_pieces, "heights": height_pieces}
RADII = {"sphere", "capsule"}
STILL = Path((0.0,), ((0.0, 0.0, 0.0),))


@dataclass(frozen=True)
class Obstacle:
    """A thing moved from outside along its path: it pushes, and nothing pushes it back."""
    name: str
    shapes: tuple[Shape, ...]
    path: Path = STILL


def obstacle_name(number: int, obstacle: Obstacle) -> str:
    """how errors call it"""
    return f"obstacle '{obstacle.name}'" if isinstance(obstacle.name, str) and obstacle.name else f"obstacle {number}"


def build_shapes(system: System, obstacles: Sequence[Obstacle] = ()) -> Shapes:
    """Check the shapes of `obstacles`, and put all shapes into one set of arrays."""
    for number, obstacle in enumerate(obstacles):
        check_shapes_of(obstacle_name(number, obstacle), obstacle.shapes)
    listed = list_shapes(system, obstacles)
    shapes, carriers = [shape for shape, _ in listed], [carrier for _, carrier in listed]
    static = static_bodies(system)
    moving = sum(carrier >= 0 and not static[carrier] for carrier in carriers)
    parts = [MAKERS[shape.kind](shape) for shape in shapes]
    table = allowed(system, shapes, carriers, moving)
    trees = [int(system.model.tree[carrier]) if carrier >= 0 else -1 for carrier in carriers]
    tree_start = np.searchsorted(trees[:moving], np.arange(len(system.model.tree_start)))
    pairs = [[(a, b) for a in range(start, end) for b in range(a + 1, end) if table[a, b]]
             for start, end in pairwise(tree_start)]
    rotations = [_matrix(shape.frame.rotation) for shape in shapes]
    radii = [float(shape.size[0]) if shape.kind in RADII else 0.0 for shape in shapes]
    endless = [shape.kind in ("plane", "mesh", "heights") for shape in shapes]
    materials = np.array([shape.material for shape in shapes]).reshape(-1, 3)
    halves = np.array([p.half for p in parts]).reshape(-1, 3)
    return Shapes(
        kind=np.array([KINDS[shape.kind] for shape in shapes], int), body=np.array(carriers, int), tree=np.array(trees, int),
        x=np.array([np.array(shape.frame.position, float) + R @ p.middle for shape, R, p in zip(shapes, rotations, parts)]).reshape(-1, 3),
        R=np.array(rotations).reshape(-1, 3, 3), turned=np.array([int((R != np.eye(3)).any()) for R in rotations], int),
        half=halves, radius=np.array(radii, float),
        size=np.where(endless, np.inf, np.linalg.norm(halves, axis=1) + np.array(radii, float)),
        friction=materials[:, 0].copy(), dynamic_friction=materials[:, 1].copy(), restitution=materials[:, 2].copy(),
        tree_start=tree_start, pair_start=_starts([len(row) for row in pairs]),
        pair=np.array([pair for row in pairs for pair in row], int).reshape(-1, 2), may_touch=table,
        group_count=np.array([p.group.max() + 1 if len(p.group) else 1 for p in parts], int),
        grid=np.array([p.grid for p in parts], int).reshape(-1, 2),
        spacing=np.array([shape.size if shape.kind == "heights" else (0, 0) for shape in shapes], float).reshape(-1, 2),
        obstacle_count=np.array([len(obstacles)]), **_joined(parts))


def list_shapes(system: System, obstacles: Sequence[Obstacle] = ()) -> list[tuple[Shape, int]]:
    """every shape in the order of the arrays, with the body that carries it (-1: the world, -2 - o: obstacle o)"""
    static = static_bodies(system)
    on_bodies = [(shape, i) for i, body in enumerate(system.bodies) for shape in body.shapes]
    return [*(row for row in on_bodies if not static[row[1]]), *((shape, WORLD) for shape in system.shapes),
            *(row for row in on_bodies if static[row[1]]),
            *((shape, -2 - number) for number, obstacle in enumerate(obstacles) for shape in obstacle.shapes)]


def carrier_name(system: System, obstacles: Sequence[Obstacle], carrier: int) -> str:
    """the name of a body, the world or an obstacle"""
    return system.names[carrier] if carrier >= 0 else "world" if carrier == WORLD else obstacles[-2 - carrier].name


def _joined(parts: list[Parts]) -> dict:
    join = lambda name: np.ascontiguousarray(np.concatenate([getattr(p, name) for p in parts]) if parts else getattr(make_parts(), name))
    piece_start = _starts([len(p.vertex_count) for p in parts])
    node_start = _starts([len(p.node_next) for p in parts])
    # rings are counted in the whole, too; corners of other shapes have none
    rings = _starts([len(p.ring_count) for p in parts])
    ring = [np.zeros(0, int), *(p.ring + first if len(p.ring) else np.zeros(len(p.vertex), int) for p, first in zip(parts, rings))]
    pieces = Pieces(ring=np.concatenate(ring), **{
        name: _starts(join(name.replace("start", "count"))) if name.endswith("start") else join(name)
        for name in Pieces._fields if name != "ring"})
    return {
        "piece_start": piece_start, "pieces": pieces, "node_start": node_start, "node_box": join("node_box"),
        # nodes and their pieces are counted in the whole
        "node_next": join("node_next") + np.repeat(node_start[:-1], np.diff(node_start)),
        "node_piece": join("node_piece") + np.repeat(piece_start[:-1], np.diff(node_start))[:, None],
        "largest_face": np.array([max([2, *np.diff(pieces.loop_start)])])}


def _starts(counts) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.asarray(counts, int))]).astype(int)


def _matrix(quaternion) -> np.ndarray:
    out = np.zeros((3, 3))
    quaternion_matrix(out, np.array(quaternion, float))
    return out
