"""How strong a joint's stops are where the description does not say: as suits the limb.

A stop is a spring and a damper. What a blow against it moves at once is not all that hangs on the joint, since further joints
give way, and the body that carries the stop recoils too. So its inertia I is the inverse of the joint's entry in M^-1, at rest;
the articulated-body recursion (see dynamics/articulated_body, response) gives that in one pass inward and one outward. With
w = 2 pi 20 Hz the stop has the stiffness I w^2 and the damping 1.4 I w: it stops a limb softly within 25 ms, and steps of up
to 5 ms stay stable. Gears are not looked at: with them more moves, and the stop is a little softer than it could be.
"""
import numpy as np

from ..algebra.quaternions import matrix
from .model import BALL, FREE, SLIDER, WORLD, Model

FREQUENCY = 2 * np.pi * 20                       # rad/s
DAMPING = 1.4                                    # over I w: 0.7 of what stops without a swing back
TWIST, SWING = 2, 3                              # values of Model.limit_axis


def fill_default_stops(m: Model) -> None:
    """Replace NaN in m.limit_stiffness and m.limit_damping."""
    if not np.isnan([m.limit_stiffness, m.limit_damping]).any():
        return
    inertia = limit_inertias(m)
    missing = np.isnan(m.limit_stiffness)
    m.limit_stiffness[missing] = inertia[missing] * FREQUENCY ** 2
    missing = np.isnan(m.limit_damping)
    m.limit_damping[missing] = DAMPING * np.sqrt(inertia * m.limit_stiffness)[missing]


def limit_inertias(m: Model) -> np.ndarray:
    """(nl,) kg m^2 or kg: what each limit stops."""
    mobilities = joint_mobilities(m)
    out = np.zeros(len(m.limit_body))
    for l, (i, axis, span) in enumerate(zip(m.limit_body, m.limit_axis, m.limit_range)):
        mobility = mobilities[i]
        if axis == SWING:
            # in the direction that gives way most; a long ellipse's excess grows faster than the angle across it
            steepness = (span.max() / span.min() - span.min() / span.max()) / 2
            out[l] = 1 / (np.linalg.eigvalsh(mobility[:2, :2])[-1] * (1 + steepness ** 2))
        else:
            out[l] = 1 / mobility[axis, axis]
    return out


def joint_mobilities(m: Model) -> list[np.ndarray]:
    """For each body the block of M^-1 that belongs to its joint, at rest and without gears; a ball's in the axes of its plug."""
    axes, articulated = _rest(m)
    inverses: list[np.ndarray] = []              # D^-1
    pushes: list[np.ndarray] = []                # U = I S
    for i in range(m.nb - 1, -1, -1):
        S, I, p = axes[i], articulated[i], m.parent[i]
        k = np.arange(m.axis_start[i], m.axis_start[i + 1])
        U = I @ S
        inverse = np.linalg.inv(S.T @ U + np.diag(m.armature[m.dof[k]] / m.ratio[k] ** 2))
        if p != WORLD:
            articulated[p] += I - U @ inverse @ U.T
        inverses.insert(0, inverse)
        pushes.insert(0, U)
    out: list[np.ndarray] = []
    answers: list[np.ndarray] = []               # the acceleration of each body to a force on it
    for i, (S, U, inverse) in enumerate(zip(axes, pushes, inverses)):
        above = np.zeros((6, 6)) if m.parent[i] == WORLD else answers[m.parent[i]]
        out.append(inverse + inverse @ U.T @ above @ U @ inverse)
        passed = np.eye(6) - S @ inverse @ U.T
        answers.append(passed @ above @ passed.T + S @ inverse @ S.T)
    return out


def _rest(m: Model) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """joint axes (6, n) and inertias (6, 6) of the bodies in the zero pose, about the root of each tree"""
    places: list[np.ndarray] = []
    rotations: list[np.ndarray] = []
    axes: list[np.ndarray] = []
    inertias: list[np.ndarray] = []
    for i, p in enumerate(m.parent):
        R = m.rotation[i] if p == WORLD else rotations[p] @ m.rotation[i]
        joint = np.zeros(3) if p == WORLD else places[p] + rotations[p] @ m.socket[i]
        place = joint - R @ m.plug[i]
        lines = R @ (matrix(m.plug_rotation[i]) if m.kind[i] == BALL else m.axis[m.axis_start[i]:m.axis_start[i + 1]].T)
        turns = np.vstack([np.cross(joint, lines, axisb=0, axisc=0), lines])
        if m.kind[i] == FREE:
            turns = np.eye(6)
        elif m.kind[i] == SLIDER:
            turns = np.vstack([lines, np.zeros((3, 1))])
        xx, yy, zz, xy, xz, yz = m.inertia[i]
        c = _cross_matrix(place + R @ m.com[i])
        tensor = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        inertias.append(np.block([[m.mass[i] * np.eye(3), -m.mass[i] * c], [m.mass[i] * c, tensor - m.mass[i] * c @ c]]))
        places.append(place)
        rotations.append(R)
        axes.append(turns)
    return axes, inertias


def _cross_matrix(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
