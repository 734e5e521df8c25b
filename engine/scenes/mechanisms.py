"""Boxes, balls, rods and ladders: scenes with a closed form."""
import numpy as np

from ..model.build import build
from ..model.character import Body, Character, Frame, Joint, Shape
from ..model.state import State
from .props import Scene, ball, box, placed, scene, turn


def on_slope(angle: float, friction: float, dynamic_friction: float) -> Scene:
    """A box on a slope, at rest."""
    normal = np.array([np.sin(angle), 0.0, np.cos(angle)])
    slope = Shape("plane", frame=Frame(rotation=turn((0, 1, 0), angle)), friction=friction, dynamic_friction=dynamic_friction)
    system = build(box("box", friction=0.0, dynamic_friction=0.0), shapes=(slope,))
    return Scene(system, placed(system, (0.1 * normal, turn((0, 1, 0), angle))), 1.0)


@scene
def slope() -> Scene:
    """A box slides down a slope of 30 degrees; friction 0.5 at rest, 0.3 sliding."""
    return on_slope(np.radians(30), 0.5, 0.3)


def dropped(restitution: float) -> Scene:
    """A ball falls 0.5 m and bounces."""
    system = build(ball("ball", restitution=restitution), shapes=(Shape("plane", restitution=restitution),))
    return Scene(system, placed(system, ((0, 0, 0.6), (1, 0, 0, 0))), 1.5)


@scene
def bounce() -> Scene:
    """A ball that returns to a quarter of the height it fell from, again and again."""
    return dropped(0.5)


@scene
def stack() -> Scene:
    """Five boxes on each other, each turned a little."""
    system = build(*(box(f"box{i}") for i in range(5)), shapes=(Shape("plane"),))
    return Scene(system, placed(system, *(((0.003 * i, 0.002 * (-1) ** i, 0.1 + 0.2 * i), turn((0, 0, 1), 0.1 * i)) for i in range(5))))


@scene
def cradle() -> Scene:
    """Newton's cradle: five balls on rods, 0.1 mm apart, the first one lifted."""
    radius, gap, length = 0.05, 1e-4, 0.5
    rods = []
    for i in range(5):
        joint = Joint("hinge", socket=Frame((i * (2 * radius + gap), 0, 1)), plug=Frame((0, 0, length)), axis=(0, 1, 0))
        rods.append(Character(f"ball{i}", (Body(f"ball{i}", 1.0, (0.001,) * 3, joint=joint,
                                                shapes=(Shape("sphere", (radius,), restitution=1.0, friction=0.0),)),)))
    system = build(*rods)
    state = State.rest(system)
    state.q[0] = 0.5
    return Scene(system, state, 1.2)


@scene
def ladder() -> Scene:
    """A ladder of 4 m leans on a wall at 50 degrees and slips: friction 0.35 on both needs 64 degrees."""
    return leaning(np.radians(50), 0.35)


def leaning(angle: float, friction: float, length: float = 4.0) -> Scene:
    """A thin ladder from the floor to a wall, `angle` from the floor."""
    half = length / 2
    rod = Body("ladder", 10.0, (10 / 12 * length ** 2, 10 / 12 * length ** 2, 0.01), joint=Joint("free"),
               shapes=(Shape("box", (0.02, 0.2, half), friction=0.0),))
    wall = Shape("plane", frame=Frame(rotation=turn((0, 1, 0), -np.pi / 2)), friction=friction, dynamic_friction=friction)
    floor = Shape("plane", friction=friction, dynamic_friction=friction)
    system = build(Character("ladder", (rod,)), shapes=(floor, wall))
    # z along the ladder, from the foot at (-x, 0) up to the wall at x = 0
    tilt = np.pi / 2 - angle
    along, across = np.array([np.sin(tilt), 0, np.cos(tilt)]), np.array([np.cos(tilt), 0, -np.sin(tilt)])
    middle = half * along + 0.02 * np.array([0, 0, np.sin(tilt)])
    top = middle + half * along
    middle = middle - np.array([top[0] + 0.02 * across[0], 0, 0])
    return Scene(system, placed(system, (middle, turn((0, 1, 0), tilt))), 1.0)


@scene
def spin() -> Scene:
    """A box that slides and spins on the floor until it stops."""
    system = build(box("box", (0.2, 0.1, 0.05)), shapes=(Shape("plane"),))
    return Scene(system, placed(system, ((0, 0, 0.05), (1, 0, 0, 0), (1.0, 0.5, 0, 0, 0, 8.0))), 1.5)


@scene
def painleve() -> Scene:
    """A rod slides on its tip with friction 2: beyond 4/3 no steady force exists, and an impulse stops it."""
    half = 0.5
    rod = Body("rod", 1.0, (1 / 3 * half ** 2, 1 / 3 * half ** 2, 1e-4), joint=Joint("free"),
               shapes=(Shape("capsule", (0.01, half - 0.01), friction=2.0, dynamic_friction=2.0),))
    system = build(Character("rod", (rod,)), shapes=(Shape("plane", friction=2.0, dynamic_friction=2.0),))
    tilt = np.arctan(0.5)
    # the tip is ahead: it digs in
    height = 0.01 + (half - 0.01) * np.cos(tilt)
    return Scene(system, placed(system, ((0, 0, height), turn((0, 1, 0), -tilt), (2.0, 0, 0, 0, 0, 0))), 0.6)
