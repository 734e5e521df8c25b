"""The constant arrays of a system: any number of characters, props and mechanisms, as the kernels read them.

Words used: a *body* i; a joint's *axes* k, one for each way it can move; the *dofs*, columns of v, a and tau. Without
gears axis and dof are the same. Geared joints share the dofs of their driver: an axis moves `ratio` times as fast as its dof.
Every body carries its own joint, bodies come parents first and depth first (MuJoCo's order), so a tree is a block.
"""
from typing import NamedTuple

import numpy as np

from .character import Range, SwingTwist

FREE, BALL, UNIVERSAL, HINGE, SLIDER, FIXED = range(6)


class JointKind(NamedTuple):
    number: int
    coordinates: int                # numbers in q
    axes: int                       # ways to move
    limits: tuple[type, ...]        # what Joint.limits may hold


KINDS = {"free": JointKind(FREE, 7, 6, ()), "ball": JointKind(BALL, 4, 3, (SwingTwist,)),
         "universal": JointKind(UNIVERSAL, 2, 2, (Range, Range)), "hinge": JointKind(HINGE, 1, 1, (Range,)),
         "slider": JointKind(SLIDER, 1, 1, (Range,)), "fixed": JointKind(FIXED, 0, 0, ())}
KIND_NAMES = {kind.number: name for name, kind in KINDS.items()}

WORLD = -1
"""The parent of a root."""


class Model(NamedTuple):
    """Constant arrays. Sizes: nb bodies, nt trees, na axes, nv dofs, nq coordinates, nl limits."""
    gravity: np.ndarray             # (3,) m/s^2

    # bodies
    parent: np.ndarray              # (nb,) index of the parent, -1 for the world
    tree: np.ndarray                # (nb,) which tree it belongs to
    tree_start: np.ndarray          # (nt + 1,) first body of each tree, its root
    mass: np.ndarray                # (nb,) kg
    com: np.ndarray                 # (nb, 3) centre of mass in body axes, m
    inertia: np.ndarray             # (nb, 6) about the centre of mass in body axes, xx yy zz xy xz yz, kg m^2

    # joints
    kind: np.ndarray                # (nb,) FREE ... FIXED
    socket: np.ndarray              # (nb, 3) the joint's place on the parent, parent axes, m
    plug: np.ndarray                # (nb, 3) the joint's place on the body, body axes, m
    rotation: np.ndarray            # (nb, 3, 3) body axes in the parent's at zero coordinates
    plug_rotation: np.ndarray       # (nb, 4) the plug's frame in body axes, where swing and twist are measured
    q_start: np.ndarray             # (nb + 1,) first coordinate of each body in q
    axis_start: np.ndarray          # (nb + 1,) first axis of each body

    # axes
    axis: np.ndarray                # (na, 3) unit vector in body axes
    turn: np.ndarray                # (na, 3, 3, 3) a hinge by q turns by turn[0] + sin q turn[1] + cos q turn[2]
    dof: np.ndarray                 # (na,) the dof that moves it
    ratio: np.ndarray               # (na,) axis velocity over dof velocity; 1 without a gear
    stiffness: np.ndarray           # (na,) N m/rad or N/m
    damping: np.ndarray             # (na,) N m s/rad or N s/m

    # dofs
    armature: np.ndarray            # (nv,) rotor inertia, kg m^2 or kg

    # blocks: up to four dofs in an unbranched line, each hanging on the one before; rows of the mass matrix in 4 x 4 tiles
    block: np.ndarray               # (nk + 1,) first dof of each block
    dof_block: np.ndarray           # (nv,) the block of each dof
    body_block: np.ndarray          # (nb,) the block of the last dof that moves it, -1 where nothing does
    row_start: np.ndarray           # (nk + 1,) first tile of each block's row
    row_block: np.ndarray           # (nm,) the block of each tile's columns: all blocks above, topmost first, and its own

    shallow: bool                   # the mass matrix is cheaper than the articulated-body algorithm

    # the same for axes; equal to the above without gears
    axis_body: np.ndarray           # (na,)
    axis_block: np.ndarray          # (nj + 1,)
    axis_row_start: np.ndarray      # (nj + 1,)
    axis_row_block: np.ndarray      # (nn,)
    fold_from: np.ndarray           # (nf,) with gears: entry in the tiles of axes ...
    fold_to: np.ndarray             # (nf,) ... that is added to this entry in the tiles of dofs; empty without gears
    fold_weight: np.ndarray         # (nf,) 2 for two axes of one dof: their product stands on either side of the diagonal

    # gear groups: bodies that move by the same dofs; most have one member
    group_start: np.ndarray         # (ng + 1,) by lowest body
    group_body: np.ndarray          # (nb,) members, lowest first
    group_parent: np.ndarray        # (ng,) the body that carries the group, -1 for the world
    group: np.ndarray               # (nb,) the group of each body
    group_depth: np.ndarray         # (nb,) how many groups carry it
    group_inner: np.ndarray         # (nb,) 1 where the body's parent belongs to its group

    # limits
    limit_body: np.ndarray          # (nl,) the body whose joint is limited
    limit_axis: np.ndarray          # (nl,) 0 or 1: that axis of the joint; 2: twist, 3: swing of a ball
    limit_range: np.ndarray         # (nl, 2) low and high; for a swing the half-angles about x and y; rad or m
    limit_stiffness: np.ndarray     # (nl,) N m/rad or N/m
    limit_damping: np.ndarray       # (nl,) N m s/rad or N s/m

    def __repr__(self) -> str:
        return f"Model({self.nb} bodies, nq {self.nq}, nv {self.nv})"

    @property
    def nb(self) -> int:
        return len(self.parent)

    @property
    def nq(self) -> int:
        return int(self.q_start[-1])

    @property
    def nv(self) -> int:
        return len(self.armature)

    @property
    def na(self) -> int:
        return len(self.dof)


class System(NamedTuple):
    """A built system: what was described, in the order of the arrays, and the arrays."""
    characters: tuple               # the descriptions
    bodies: tuple                   # (nb,) the description of each body
    names: tuple                    # (nb,) its name, unique in the system
    character: np.ndarray           # (nb,) which character it belongs to
    shapes: tuple                   # shapes of the world itself
    model: Model

    def __repr__(self) -> str:
        m = self.model
        return f"System({', '.join(repr(c.name) for c in self.characters)}: {m.nb} bodies, nq {m.nq}, nv {m.nv})"

    def body_index(self) -> dict[tuple[int, str], int]:
        """the place of a body, by the number of its character and its name there"""
        return index_bodies(self.character, self.bodies)


def index_bodies(owners, bodies) -> dict[tuple[int, str], int]:
    return {(int(owner), body.name): i for i, (owner, body) in enumerate(zip(owners, bodies))}
