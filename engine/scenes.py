"""Scenes with contact whose outcome is known: by closed form, by their symmetry, or by what must never happen."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .contact.holds import Hold
from .model.build import build
from .model.character import Body, Character, Frame, Joint, Shape
from .model.figure import STANDING_HEIGHT, figure
from .model.model import System
from .simulate import State

SCENES: dict[str, Callable[[], "Scene"]] = {}


@dataclass(frozen=True)
class Scene:
    """What to simulate."""
    system: System
    state: State
    seconds: float = 2.0
    holds: Sequence[Hold] = ()


def scene(function: Callable[[], Scene]) -> Callable[[], Scene]:
    """Put the scene on the list, by its function's name."""
    SCENES[function.__name__] = function
    return function


def box(name: str, half: Sequence[float] = (0.1, 0.1, 0.1), mass: float = 1.0, **material) -> Character:
    """A free solid box; half sides in m."""
    a, b, c = np.square(half)
    return Character(name, (Body(name, mass, mass / 3 * np.array([b + c, a + c, a + b]), joint=Joint("free"),
                                 shapes=(Shape("box", tuple(half), **material),)),))


def ball(name: str, radius: float = 0.1, mass: float = 1.0, **material) -> Character:
    """A free solid ball."""
    shape = Shape("sphere", (radius,), **material)
    return Character(name, (Body(name, mass, (0.4 * mass * radius ** 2,) * 3, joint=Joint("free"), shapes=(shape,)),))


def turn(axis: Sequence[float], angle: float) -> tuple[float, ...]:
    """The quaternion of a turn."""
    x, y, z = np.sin(angle / 2) * np.array(axis, float) / np.linalg.norm(axis)
    return (float(np.cos(angle / 2)), float(x), float(y), float(z))


def placed(system: System, *poses: tuple) -> State:
    """Free bodies at (place, quaternion) or (place, quaternion, velocity), one after the other."""
    state = State.rest(system)
    for i, (place, quaternion, *velocity) in enumerate(poses):
        state.q[7 * i:7 * i + 7] = *place, *quaternion
        if velocity:
            state.v[6 * i:6 * i + 6] = velocity[0]
    return state


def standing_figure(stiffness: float = 800.0, damping: float = 40.0) -> Character:
    """The reference figure whose joints hold their pose: N m/rad, N m s/rad."""
    character = figure()
    held = (body if body.parent is None else replace(body, joint=replace(body.joint, stiffness=stiffness, damping=damping))
            for body in character.bodies)
    return replace(character, bodies=tuple(held))


@scene
def stand() -> Scene:
    """The figure stands on two flat feet; its joints hold their pose."""
    system = build(standing_figure(), shapes=(Shape("plane"),))
    state = State.rest(system)
    state.q[2] = STANDING_HEIGHT
    return Scene(system, state)


@scene
def fall() -> Scene:
    """The limp figure, thrown, falls on the floor and comes to rest."""
    return thrown(0)


def thrown(seed: int, shapes: Sequence[Shape] = (Shape("plane"),), damping: float = 2.0) -> Scene:
    """The limp figure in a random pose and spin, 1.2 m up and falling at 3 m/s; its joints are damped by N m s/rad."""
    system = build(standing_figure(0.0, damping), shapes=shapes)
    rng, state = np.random.default_rng(seed), State.rest(system)
    turned = rng.normal(size=4)
    state.q[2] = 1.2
    state.q[3:7] = turned / np.linalg.norm(turned)
    state.v[:] = rng.normal(size=len(state.v))
    state.v[:3] = 1.0, 0.0, -3.0
    return Scene(system, state, 4.0)


@scene
def hang() -> Scene:
    """The figure hangs from a bar by both hands; its joints are damped."""
    system = build(standing_figure(0.0, 20.0))
    state = State.rest(system)
    state.q[2] = 1.0
    hand = Frame((0, 0, -0.27))
    grips = []
    for side, y in (("L", 0.2), ("R", -0.2)):
        k = system.model.q_start[system.names.index(f"upper_arm.{side}")]
        state.q[k:k + 4] = turn((1, 0, 0), np.pi)
        grips.append(Hold(f"forearm.{side}", hand, to=Frame((0, y, 1.0 + 0.15 + 0.32 + 0.29 + 0.27))))
    return Scene(system, state, 4.0, grips)


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


def posed(character: Character, turns: dict[str, tuple[float, ...]]) -> Character:
    """The character with another zero pose, towards which its springs pull: joints turned by quaternions in their sockets."""
    bodies = (replace(body, joint=replace(body.joint, socket=replace(body.joint.socket, rotation=turns[body.name])))
              if body.name in turns else body for body in character.bodies)
    return replace(character, bodies=tuple(bodies))


@scene
def elbow() -> Scene:
    """The figure sits on a box, feet on the floor, and leans on a table with both elbows; its joints hold their pose."""
    arm, pelvis = np.radians(50), 0.52
    turns: dict[str, tuple[float, ...]] = {}
    for side in "LR":
        turns |= {f"thigh.{side}": turn((0, 1, 0), -np.pi / 2), f"shin.{side}": turn((0, 1, 0), np.pi / 2),
                  f"upper_arm.{side}": turn((0, 1, 0), -arm), f"forearm.{side}": turn((0, 1, 0), -np.radians(100))}
    table = pelvis + 0.47 - 0.245 * np.cos(arm) - 0.045
    shapes = (Shape("plane"), Shape("box", (0.3, 0.4, 0.21), Frame((-0.15, 0, 0.21))),
              Shape("box", (0.25, 0.5, 0.02), Frame((0.4, 0, table - 0.02))))
    system = build(posed(standing_figure(1500.0, 60.0), turns), shapes=shapes)
    state = State.rest(system)
    state.q[2] = pelvis
    return Scene(system, state)
