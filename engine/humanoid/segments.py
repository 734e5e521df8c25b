"""Mass, centre, inertia and shape of every part, from the table and the lengths of the bones.

Limbs are the table's segments between their joints. The trunk is a stack: each of its bodies gets the slice between its joint and the
next, with the table's mass per length there, so that any number of spine bones shares the same trunk. Shapes have the radii of gyration
of the table: an elliptic cylinder's become a box's or a capsule's.
"""
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import quaternions, unit
from ..model.character import Frame, Shape
from .feet import TOE_HEIGHT, WIDTH, Sole
from .measures import Measures
from .proportions import TRUNK, Table, cross_section

CLAVICLE = 0.08                                  # of the upper trunk's mass, each
NECK_DENSITY = 0.6                               # mass per length of the neck over that of the head
NECK_RADIUS, HAND_RADIUS, HAND_LENGTH = 0.055, 0.028, 0.16     # m, of the table's subjects
BOX = np.sqrt(3) / 2                             # half side of a box over the half axis of an ellipse with the same radius of gyration


class Mass(NamedTuple):
    mass: float                     # kg
    com: np.ndarray                 # (3,) m, at rest in the world
    inertia: np.ndarray             # (3, 3) kg m^2, about the centre of mass, rest axes
    shapes: tuple[Shape, ...]       # frames at rest in the world


def rod(table: Table, name: str, mass: float, start: np.ndarray, end: np.ndarray, share: float = 1.0) -> Mass:
    """A limb's segment between two joints; `share` of its mass."""
    segment, length = table.segments[name], float(np.linalg.norm(end - start))
    axis = (end - start) / length
    across = (segment.sagittal ** 2 + segment.transverse ** 2) / 2
    m = share * mass * segment.mass
    radius = min(np.sqrt(2) * segment.long, 0.35) * length
    inertia = _round(m, length, axis, across, segment.long ** 2)
    return Mass(m, start + segment.centre * (end - start), inertia, (capsule(start, end, radius),))


def _round(mass: float, length: float, axis: np.ndarray, across: float, along: float) -> np.ndarray:
    """inertia of a round body with these squared radii of gyration, of its length"""
    outer = np.outer(axis, axis)
    return mass * length ** 2 * (across * (np.eye(3) - outer) + along * outer)


def capsule(start: np.ndarray, end: np.ndarray, radius: float) -> Shape:
    length = float(np.linalg.norm(end - start))
    return Shape("capsule", (radius, max(length / 2 - radius, 0.1 * radius)), Frame((start + end) / 2, along(end - start)))


def along(direction: np.ndarray, forward: np.ndarray | None = None) -> np.ndarray:
    """quaternion whose z axis is `direction` and whose x axis is as near to `forward` as that allows"""
    z = unit(direction)
    x = np.array([1.0, 0.0, 0.0]) if forward is None else forward
    x = x - z * (z @ x)
    if np.linalg.norm(x) < 1e-3:
        x = np.array([0.0, 1.0, 0.0]) - z * z[1]
    x = unit(x)
    return quaternions(np.array([x, np.cross(z, x), z]).T[None])[0]


def trunk_slices(table: Table, mass: float, measures: Measures, cuts: list[float]) -> list[Mass]:
    """One for each interval of `cuts`, heights from the hips (0) to the neck (1)."""
    lengths = np.array([table.segments[name].length for name in TRUNK])
    bounds = np.concatenate([[0.0], np.cumsum(lengths) / lengths.sum()])
    total = float(np.linalg.norm(measures.neck - measures.hips))
    axes = np.array([measures.forward - measures.up * (measures.up @ measures.forward), measures.left, measures.up])
    axes[0] = unit(axes[0])
    axes[1] = np.cross(axes[2], axes[0])
    slices = []
    for low, high in pairwise(cuts):
        # what of each of the table's three is in this slice
        start, end = np.maximum(bounds[:-1], low), np.minimum(bounds[1:], high)
        inside = np.maximum(end - start, 0.0)
        weights = mass * inside / np.diff(bounds) * [table.segments[name].mass for name in TRUNK]
        m = float(weights.sum())
        middle = float(weights @ (start + end) / 2 / m)
        sections = measures.scale * lengths[:, None] * [cross_section(table.segments[name]) for name in TRUNK]
        wide, deep = weights @ sections / m
        length = total * (high - low)
        # front to back, side to side, up
        moments = m * np.array([wide ** 2 / 4 + length ** 2 / 12, deep ** 2 / 4 + length ** 2 / 12, (wide ** 2 + deep ** 2) / 4])
        place = lambda s: measures.hips + s * total * measures.up
        box = Shape("box", (BOX * deep, BOX * wide, length / 2), Frame(place((low + high) / 2), quaternions(axes.T[None])[0]))
        slices.append(Mass(m, place(middle), axes.T @ np.diag(moments) @ axes, (box,)))
    return slices


def head_and_neck(table: Table, mass: float, measures: Measures, joints: list[np.ndarray]) -> list[Mass]:
    """Neck bones and last the head, from their joints up to the vertex."""
    segment = table.segments["head"]
    ends = [*joints[1:], measures.vertex]
    lengths = np.maximum([np.linalg.norm(end - start) for start, end in zip(joints, ends)], 0.01 * measures.scale)
    shares = lengths * np.where(np.arange(len(joints)) < len(joints) - 1, NECK_DENSITY, 1.0)
    shares /= shares.sum()
    masses = []
    for number, (start, end, share, length) in enumerate(zip(joints, ends, shares, lengths)):
        head = number == len(joints) - 1
        wide, deep = segment.length * measures.scale * np.array(cross_section(segment))
        radius = (wide + deep) / 2 if head else NECK_RADIUS * measures.scale
        axis = unit(end - start) if np.linalg.norm(end - start) > 1e-6 else measures.up
        m = share * mass * segment.mass
        shape = capsule(end - max(length, 1.4 * 2 * radius) * axis, end, radius) if head else capsule(start, start + length * axis, radius)
        masses.append(Mass(m, start + 0.5 * length * axis,
                           _round(m, 1.0, axis, radius ** 2 / 4 + length ** 2 / 12, radius ** 2 / 2), (shape,)))
    return masses


def hand(table: Table, mass: float, measures: Measures, start: np.ndarray, direction: np.ndarray) -> Mass:
    """A hand along `direction`, from the wrist."""
    segment, axis = table.segments["hand"], unit(direction)
    length = segment.length * measures.scale
    m = mass * segment.mass
    across = (segment.sagittal ** 2 + segment.transverse ** 2) / 2
    shape = capsule(start, start + HAND_LENGTH * measures.scale * axis, HAND_RADIUS * measures.scale)
    return Mass(m, start + segment.centre * length * axis, _round(m, length, axis, across, segment.long ** 2), (shape,))


def sole_box(back: np.ndarray, front: np.ndarray, down: np.ndarray, scale: float) -> Shape:
    """The box above a sole between two edges (2, 3), as thick as the toe joint is high."""
    half = TOE_HEIGHT * scale / 2
    length, width = (front - back).mean(axis=0), back[0] - back[1]
    frame = Frame((back.mean(axis=0) + front.mean(axis=0)) / 2 - half * down, along(-down, length))
    return Shape("box", (float(np.linalg.norm(length)) / 2, float(np.linalg.norm(width)) / 2, half), frame)


def foot_masses(table: Table, mass: float, sole: Sole, scale: float) -> tuple[Mass, Mass | None]:
    """Foot and toe, each in its own body's axes; the toe's share is that of its length, half as thick."""
    segment = table.segments["foot"]
    foot_length = float(np.linalg.norm((sole.foot_ball if sole.toe != sole.foot else sole.tip).mean(axis=0) - sole.heel.mean(axis=0)))
    toe_length = float(np.linalg.norm((sole.tip - sole.ball).mean(axis=0))) if sole.toe != sole.foot else 0.0
    toe_share = 0.5 * toe_length / (foot_length + 0.5 * toe_length)
    m, depth = mass * segment.mass, float(sole.heel.mean(axis=0) @ sole.down)
    front = sole.foot_ball if sole.toe != sole.foot else sole.tip
    foot = _block(m * (1 - toe_share), sole.heel, front, sole.down, 0.6 * depth, scale)
    toe = None if sole.toe == sole.foot else _block(m * toe_share, sole.ball, sole.tip, sole.toe_down, TOE_HEIGHT * scale, scale)
    return foot, toe


def _block(m: float, back: np.ndarray, front: np.ndarray, down: np.ndarray, height: float, scale: float) -> Mass:
    length = (front - back).mean(axis=0)
    x, z = unit(length), -down
    axes = np.array([x, np.cross(z, x), z])
    sizes = np.array([np.linalg.norm(length), WIDTH * scale, height])
    moments = m / 12 * (sizes @ sizes - sizes ** 2)
    com = (back.mean(axis=0) + front.mean(axis=0)) / 2 - down * height / 2
    return Mass(m, com, axes.T @ np.diag(moments) @ axes, (sole_box(back, front, down, scale),))
