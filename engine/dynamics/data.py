"""Work arrays of one system, allocated once. Each group names the function that fills it."""
from typing import NamedTuple

import numpy as np

from ..model.model import Model


class Data(NamedTuple):
    """Everything here is in world axes. Spatial vectors are [linear; angular] about the origin of their tree."""
    # computed by kinematics.update_pose
    origin: np.ndarray              # (nt, 3) where each tree's vectors are taken: at its root, world
    x: np.ndarray                   # (nb, 3) body frames, from the tree's origin: precise at any distance from the world's
    R: np.ndarray                   # (nb, 3, 3) body axes
    c: np.ndarray                   # (nb, 3) centres of mass, from the tree's origin
    S: np.ndarray                   # (na, 6) the motion of the body for a unit velocity of the axis's dof
    I: np.ndarray                   # (nb, 10) inertia of each body about the tree's origin

    # computed by kinematics.update_velocity
    V: np.ndarray                   # (nb, 6) velocity
    C: np.ndarray                   # (nb, 6) S' v: acceleration of the body over its parent's when a = 0

    # given from outside
    external: np.ndarray            # (nb, 6) forces on each body besides gravity and its joint
    diagonal: np.ndarray            # (nv,) added to the mass matrix's diagonal: armature, and what an implicit step adds
    loaded: np.ndarray              # (nb,) int, 1 where a contact is stepped implicitly: then `added` counts
    added: np.ndarray               # (nb, 6, 6) what that adds to the body's inertia

    # computed by inverse_dynamics.rnea
    A: np.ndarray                   # (nb, 6) acceleration, less gravity
    F: np.ndarray                   # (nb, 6) force through each joint

    # computed by mass_matrix.update_mass_matrix and factor
    Ic: np.ndarray                  # (nb, 10) inertia of each body with all that hangs on it
    Kc: np.ndarray                  # (nb, 6, 6) `added` of each body with all that hangs on it, where one of them is loaded
    below: np.ndarray               # (nb,) int, 1 there
    columns: np.ndarray             # (nj, 6, 4) S of the axes of each block, side by side
    forces: np.ndarray              # (4, 6) Ic S of the axes of one block
    axis_M: np.ndarray              # (nn, 4, 4) mass matrix of the axes, used with gears only
    M: np.ndarray                   # (nm, 4, 4) mass matrix, rows of tiles; after factor L, with M = L^T D L
    inverse_D: np.ndarray           # (nk, 4)
    ratio: np.ndarray               # (1,) work array of factor
    scaled: np.ndarray              # (4, 4) work array of factor
    blocked: np.ndarray             # (nk, 4) work array of solve

    # computed by articulated_body.aba
    IA: np.ndarray                  # (nb, 6, 6) articulated inertia
    ZA: np.ndarray                  # (nb, 6) articulated bias force
    SG: np.ndarray                  # (na, 6) S of the axis with those of its gear group above it
    CG: np.ndarray                  # (nb, 6) C likewise
    U: np.ndarray                   # (nv, 6) articulated inertia times S
    D: np.ndarray                   # (nv, 6) factor of S^T U, a block a group: L below, D on the diagonal
    u: np.ndarray                   # (nv,)

    # computed by response.update_response
    W: np.ndarray                   # (na, 6) S L^-T
    Theta: np.ndarray               # (nb, 6, 6) how each body's acceleration answers a change of -Z on itself

    # scratch, meaningless between calls
    anchor: np.ndarray              # (3,)
    axis: np.ndarray                # (3,)
    scratch: np.ndarray             # (3,)
    joint_R: np.ndarray             # (3, 3)
    scratch_R: np.ndarray           # (3, 3)
    scratch_motion: np.ndarray      # (2, 6)
    scratch_tree: np.ndarray        # (2, 6)
    quaternion: np.ndarray          # (2, 4)
    limit_row: np.ndarray           # (3,)
    swing: np.ndarray               # (3,)
    shares: np.ndarray              # (6,)
    climbed: np.ndarray             # (nb,) int

    # work arrays of the integrators
    q: np.ndarray                   # (nq,) coordinates of a stage
    v: np.ndarray                   # (nv,) velocities of a stage
    a: np.ndarray                   # (nv,)
    tau: np.ndarray                 # (nv,) all generalised forces of a stage
    passive: np.ndarray             # (nv,) springs, dampers and limits
    bias: np.ndarray                # (nv,) what tau must be for a = 0
    stage_rate: np.ndarray          # (7, na) rates of the turn since the step began
    stage_a: np.ndarray             # (7, nv)
    turned: np.ndarray              # (na,) turn since the step began
    first_tau: np.ndarray           # (nv,) tau of the first stage

    def __repr__(self) -> str:
        return f"Data({len(self.x)} bodies, nq {len(self.q)}, nv {len(self.v)})"


def allocate(m: Model) -> Data:
    """Work arrays for `m`, zero."""
    nb, na, nv, nt = m.nb, m.na, m.nv, len(m.tree_start) - 1
    nk, nj, nm, nn = len(m.block) - 1, len(m.axis_block) - 1, len(m.row_block), len(m.axis_row_block)
    shapes = {
        "origin": (nt, 3), "x": (nb, 3), "R": (nb, 3, 3), "c": (nb, 3), "S": (na, 6), "I": (nb, 10),
        "V": (nb, 6), "C": (nb, 6), "external": (nb, 6), "diagonal": (nv,), "added": (nb, 6, 6), "A": (nb, 6), "F": (nb, 6),
        "Ic": (nb, 10), "Kc": (nb, 6, 6), "columns": (nj, 6, 4), "axis_M": (nn, 4, 4), "M": (nm, 4, 4), "forces": (4, 6), "scaled": (4, 4),
        "inverse_D": (nk, 4), "ratio": (1,), "blocked": (nk, 4),
        "IA": (nb, 6, 6), "ZA": (nb, 6), "SG": (na, 6), "CG": (nb, 6), "U": (nv, 6), "D": (nv, 6), "u": (nv,),
        "W": (na, 6), "Theta": (nb, 6, 6),
        "anchor": (3,), "axis": (3,), "scratch": (3,), "joint_R": (3, 3), "scratch_R": (3, 3), "scratch_motion": (2, 6),
        "scratch_tree": (2, 6), "quaternion": (2, 4), "limit_row": (3,), "swing": (3,), "shares": (6,),
        "q": (m.nq,), "v": (nv,), "a": (nv,), "tau": (nv,), "passive": (nv,), "bias": (nv,),
        "stage_rate": (7, na), "stage_a": (7, nv), "turned": (na,), "first_tau": (nv,)}
    data = Data(**{name: np.zeros(shape) for name, shape in shapes.items()}, climbed=np.zeros(nb, int),
                loaded=np.zeros(nb, int), below=np.zeros(nb, int))
    data.diagonal[:] = m.armature
    return data
