"""Contact regions and the work arrays of their detection, allocated once."""
from typing import NamedTuple

import numpy as np

from .shapes import MESH, Shapes

POINT, LINE, AREA = range(3)
KIND_NAMES = ("point", "line", "area")

MOST_VERTICES = 8
"""Of a region; larger ones keep those that span most of the area."""

CANDIDATES, PATCHES, REGIONS = range(3)
"""What can run out of room: the entries of Contacts.dropped."""


class Work(NamedTuple):
    """Scratch of the narrow phase. Everything in the frame of the second shape of a pair."""
    t: np.ndarray                   # (3,) place of the first shape
    Q: np.ndarray                   # (3, 3) its axes
    n: np.ndarray                   # (3,) the normal, from the second to the first
    feature: np.ndarray             # (3,) face; corner of the first; corner of the second
    segment: np.ndarray             # (4, 3) two ends on either shape
    simplex: np.ndarray             # (4, 3) differences of corners
    simplex_corner: np.ndarray      # (4, 2) those corners
    weight: np.ndarray              # (4,) where the nearest point of the simplex stands
    polygon: np.ndarray             # (2, ·, 3) before and after a cut
    mark: np.ndarray                # (2, ·) what its corners are
    point: np.ndarray               # (·, 3) the result
    gap: np.ndarray                 # (·,)


class Contacts(NamedTuple):
    """Regions 0 to count[0] - 1, each where one pair of shapes (or one shape and one plane of a mesh) touches or comes within the
    margin. World axes; positions are taken from `origin`, the root of the first tree, so that they stay precise anywhere:
    a place in the world is origin + vertex, and d.x of tree t stands at d.origin[t] - origin + d.x.

    Vertices lie halfway between the two surfaces: the body's own point is vertex + normal gap / 2, the other's vertex - normal gap / 2.
    They stand in order around the region, counter-clockwise about the normal; a line has two, a point one."""
    # given from outside
    obstacle_x: np.ndarray          # (no, 3) place of each obstacle's frame in the world, m
    obstacle_R: np.ndarray          # (no, 3, 3) its axes
    obstacle_V: np.ndarray          # (no, 6) velocity of its frame's origin and angular velocity; detection does not read it

    # computed by detect
    origin: np.ndarray              # (3,) where positions are taken from, world
    count: np.ndarray               # type: ignore[assignment] # (1,) regions found
    dropped: np.ndarray             # (3,) candidates, patches, regions that found no room, summed until the caller sets it to zero
    shape_a: np.ndarray             # (nc,) the shape of `body`
    shape_b: np.ndarray             # (nc,) the shape of `other`
    body: np.ndarray                # (nc,) the moving body that the normal points into
    other: np.ndarray               # (nc,) the other body, -1 the world, -2 - o obstacle o
    key: np.ndarray                 # (nc,) the same from step to step for the same pair and the same plane of a mesh
    kind: np.ndarray                # (nc,) POINT, LINE, AREA
    normal: np.ndarray              # (nc, 3) unit
    friction: np.ndarray            # (nc,) static, of the pair
    dynamic_friction: np.ndarray    # (nc,)
    restitution: np.ndarray         # (nc,)
    vertex_start: np.ndarray        # (nc + 1,)
    vertex: np.ndarray              # (8 nc, 3) m
    gap: np.ndarray                 # (8 nc,) distance at each vertex along the normal, negative inside, m

    # computed by placement.update_places
    x: np.ndarray                   # (ns, 3) shapes' frames
    R: np.ndarray                   # (ns, 3, 3) shapes' axes
    lower: np.ndarray               # (ns, 3) boxes around them along the world's axes, larger by half the margin
    upper: np.ndarray               # (ns, 3)
    tree_lower: np.ndarray          # (nt, 3)
    tree_upper: np.ndarray          # (nt, 3)

    # computed by broad_phase.find_candidates
    tree_order: np.ndarray          # (nt,) trees by their lower x
    candidate_count: np.ndarray     # (1,)
    candidate: np.ndarray           # (·, 3) two shapes, and the piece of the second or -1

    # computed by narrow_phase.find_patches: what one piece contributes to a region
    patch_count: np.ndarray         # (1,)
    patch: np.ndarray               # (·, 4) two shapes, the group or feature of the second (-1: no more), its piece
    patch_normal: np.ndarray        # (·, 3)
    patch_start: np.ndarray         # (· + 1,)
    patch_vertex: np.ndarray        # (·, 3)
    patch_gap: np.ndarray           # (·,)

    work: Work

    # scratch of the regions
    gathered: np.ndarray            # (·,) vertices of patches that make one region
    flat: np.ndarray                # (·, 2) those in the plane
    order: np.ndarray               # (64,) corners of their hull


def allocate_contacts(s: Shapes, regions: int | None = None, candidates: int | None = None) -> Contacts:
    """Room for `regions` regions and `candidates` pairs (of shapes, or of a shape and a triangle); by default plenty."""
    ns, nt, moving, no = len(s.kind), len(s.tree_start) - 1, int(s.tree_start[-1]), int(s.obstacle_count[0])
    meshes = bool((s.kind == MESH).any())
    nc = regions or 16 + 6 * moving
    room = candidates or 64 + 16 * moving + (256 * moving if meshes else 0)
    patches = nc + room if meshes else nc
    points = 2 * int(s.largest_face[0]) + 4
    vertices = MOST_VERTICES * patches + points
    shapes = {
        "obstacle_x": (no, 3), "obstacle_R": (no, 3, 3), "obstacle_V": (no, 6), "origin": (3,), "normal": (nc, 3), "friction": (nc,),
        "dynamic_friction": (nc,), "restitution": (nc,), "vertex": (MOST_VERTICES * nc, 3), "gap": (MOST_VERTICES * nc,), "x": (ns, 3),
        "R": (ns, 3, 3), "lower": (ns, 3), "upper": (ns, 3), "tree_lower": (nt, 3), "tree_upper": (nt, 3),
        "patch_normal": (patches, 3), "patch_vertex": (vertices, 3), "patch_gap": (vertices,),
        "flat": (vertices, 2)}
    whole = {
        "count": (1,), "dropped": (3,), "shape_a": (nc,), "shape_b": (nc,), "body": (nc,), "other": (nc,), "key": (nc,), "kind": (nc,),
        "vertex_start": (nc + 1,), "candidate_count": (1,), "candidate": (room, 3), "patch_count": (1,), "patch": (patches, 4),
        "patch_start": (patches + 1,), "order": (max(64, points),), "gathered": (vertices,)}
    scratch = {"t": (3,), "Q": (3, 3), "n": (3,), "segment": (4, 3), "simplex": (4, 3), "weight": (4,), "polygon": (2, points, 3),
               "point": (points, 3), "gap": (points,)}
    marks = {"feature": (3,), "simplex_corner": (4, 2), "mark": (2, points)}
    work = Work(**_zeros(scratch, float), **_zeros(marks, int))
    c = Contacts(**_zeros(shapes, float), **_zeros(whole, int), tree_order=np.arange(nt), work=work)
    c.obstacle_R[:] = np.eye(3)
    # what belongs to the world itself never turns
    c.R[s.body == -1] = s.R[s.body == -1]
    return c


def _zeros(shapes: dict[str, tuple[int, ...]], kind: type) -> dict:
    return {name: np.zeros(shape, kind) for name, shape in shapes.items()}
