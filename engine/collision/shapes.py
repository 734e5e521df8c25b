"""The constant arrays of everything that can collide, as the kernels read them.

A shape is made of *pieces*, each convex: a sphere (one corner), a capsule (two corners and an edge) and a box or hull have one,
a mesh has one a triangle. Round shapes are their core, a point or a segment, and a radius around it. Corners and
normals stand in the shape's own frame, whose origin is the middle of its bounding box.

Shapes that can move come first, tree by tree; then those of the world, of bodies fixed to it, and of obstacles.
"""
from typing import NamedTuple

import numpy as np

SPHERE, CAPSULE, BOX, HULL, PLANE, MESH = range(6)
KINDS = {"sphere": SPHERE, "capsule": CAPSULE, "box": BOX, "hull": HULL, "plane": PLANE, "mesh": MESH, "heights": MESH}

SEAM, BLUNT, SHARP, BORDER = range(4)
"""Edges of a mesh: inside a plane, or hollow, so that nothing touches it alone; one that a thing can rest on; one without a neighbour.
Edges of hulls are SHARP."""


class Pieces(NamedTuple):
    """The convex pieces of all shapes. A plane is a piece without corners, its face without end."""
    vertex_start: np.ndarray        # (np + 1,) corners of each piece
    vertex: np.ndarray              # (·, 3) m
    corner_start: np.ndarray        # (· + 1,) faces around each corner
    corner_face: np.ndarray         # (·,) counted in the piece
    face_start: np.ndarray          # (np + 1,) faces of each piece
    face_normal: np.ndarray         # (·, 3) outwards
    face_offset: np.ndarray         # (·,) normal times any point of the face, m
    loop_start: np.ndarray          # (· + 1,) corners around each face
    loop: np.ndarray                # (·,) counted in the piece, counter-clockwise from outside
    edge_start: np.ndarray          # (np + 1,) edges of each piece
    edge_vertex: np.ndarray         # (·, 2) counted in the piece
    edge_normal: np.ndarray         # (·, 2, 3) of the faces on either side; zero for a capsule's core
    edge_direction: np.ndarray      # (·, 3) along second normal x first normal, unit
    edge_kind: np.ndarray           # (·,) SEAM ... BORDER
    flat: np.ndarray                # (np,) 1 where only its face can be touched: a plane, a triangle amid others in its plane

    # triangles of a mesh
    group: np.ndarray               # (np,) triangles in one plane that hang together
    ring: np.ndarray                # (·,) for each corner which ring of triangles it has around it
    ring_start: np.ndarray          # (· + 1,)
    ring_direction: np.ndarray      # (·, 3) along the edges to its neighbours, unit
    ring_normal: np.ndarray         # (·, 3) of the triangles around it


class Shapes(NamedTuple):
    """Constant arrays. Sizes: ns shapes, nt trees, np pieces; the rest counts itself."""
    kind: np.ndarray                # (ns,) SPHERE ... MESH
    body: np.ndarray                # (ns,) the body that carries it; -1 the world, -2 - o obstacle o
    tree: np.ndarray                # (ns,) the body's tree, -1 without a body
    x: np.ndarray                   # (ns, 3) its place on what carries it, m
    R: np.ndarray                   # (ns, 3, 3) its axes there
    turned: np.ndarray              # (ns,) 0 where R is the identity
    half: np.ndarray                # (ns, 3) half sides of the core's bounding box, m
    radius: np.ndarray              # (ns,) around the core, m
    size: np.ndarray                # (ns,) of its bounding sphere, radius in m; infinite for planes and meshes
    friction: np.ndarray            # (ns,) static
    dynamic_friction: np.ndarray    # (ns,)
    restitution: np.ndarray         # (ns,)

    # who may touch whom
    tree_start: np.ndarray          # (nt + 1,) first shape of each tree; the last entry is where shapes that stay begin
    pair_start: np.ndarray          # (nt + 1,) pairs inside each tree
    pair: np.ndarray                # (·, 2) those pairs, the lower shape first
    may_touch: np.ndarray           # (ns, ns) 1 where groups, masks and joints allow it, uint8

    # pieces
    piece_start: np.ndarray         # (ns + 1,) pieces of each shape
    pieces: Pieces

    # meshes
    group_count: np.ndarray         # (ns,)
    grid: np.ndarray                # (ns, 2) rows and columns of cells of a height field, two triangles a cell; 0 for others
    spacing: np.ndarray             # (ns, 2) of its columns and rows, m
    node_start: np.ndarray          # (ns + 1,) boxes around the triangles of each mesh, depth first
    node_box: np.ndarray            # (·, 6) lower and upper corner
    node_next: np.ndarray           # (·,) where to go on when this box is missed
    node_piece: np.ndarray          # (·, 2) the pieces of a leaf: first and end; 0, 0 where it is none

    # what work arrays must hold
    largest_face: np.ndarray        # (1,) most corners of a face
    obstacle_count: np.ndarray      # (1,)
