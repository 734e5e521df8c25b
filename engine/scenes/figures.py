"""The reference figure: standing, leaning, hanging and falling."""
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..contact.holds import Hold
from ..dynamics.poses import body_poses
from ..model.build import build
from ..model.character import Character, Frame, Shape
from ..model.figure import ANKLE_HEIGHT, HEEL, SOLE_LENGTH, STANDING_HEIGHT, figure
from ..model.model import System
from ..model.state import State
from .props import Scene, quaternion_product, scene, turn

FLOOR = (Shape("plane"),)


def standing_figure(stiffness: float = 800.0, damping: float = 40.0, name: str = "figure") -> Character:
    """The reference figure whose joints hold their pose: N m/rad, N m s/rad."""
    character = figure(name)
    held = (body if body.parent is None else replace(body, joint=replace(body.joint, stiffness=stiffness, damping=damping))
            for body in character.bodies)
    return replace(character, bodies=tuple(held))


def posed(character: Character, turns: dict[str, tuple[float, ...]]) -> Character:
    """The character with another zero pose, towards which its springs pull: joints turned by quaternions in their sockets."""
    bodies = (replace(body, joint=replace(body.joint, socket=replace(body.joint.socket, rotation=turns[body.name])))
              if body.name in turns else body for body in character.bodies)
    return replace(character, bodies=tuple(bodies))


@scene
def stand() -> Scene:
    """The figure stands on two flat feet; its joints hold their pose."""
    system = build(standing_figure(), shapes=(Shape("plane"),))
    state = State.rest(system)
    state.q[2] = STANDING_HEIGHT
    return Scene(system, state)


STIFF = (1e5, 1e3)                                # N m/rad, N m s/rad: joints that hardly give way


def _standing(turns: dict[str, tuple[float, ...]], pitch: float = 0.0, roll: float = 0.0, shapes: Sequence[Shape] = FLOOR) -> Scene:
    """The stiff figure in that pose, its pelvis turned by pitch and roll, its lowest point on the floor."""
    system = build(posed(standing_figure(*STIFF), turns), shapes=shapes)
    state = State.rest(system)
    state.q[3:7] = quaternion_product(turn((0, 1, 0), pitch), turn((1, 0, 0), roll))
    state.q[2] -= lowest_point(system, state.q)
    return Scene(system, state, 1.0)


def lowest_point(system: System, q: np.ndarray) -> float:
    """the height of the lowest point of its boxes and capsules, m"""
    x, R = (pose[0] for pose in body_poses(system, q))
    lowest = np.inf
    for i, body in enumerate(system.bodies):
        for shape in body.shapes:
            middle = x[i] + R[i] @ shape.frame.position
            # half sides of a box; a capsule's radius and half length along z
            reach = np.abs(R[i, 2]) @ shape.size if shape.kind == "box" else shape.size[0] + abs(R[i, 2, 2]) * shape.size[1]
            lowest = min(lowest, middle[2] - reach)
    return float(lowest)


def _balanced(pose: Callable[[float, float], Scene], support: Callable[[Scene], np.ndarray]) -> Scene:
    """The pose(pitch, roll) whose centre of mass stands over its support, by Newton's method."""
    def offset(angles: np.ndarray) -> np.ndarray:
        scene = pose(*angles)
        m = scene.system.model
        x, R = (pose[0] for pose in body_poses(scene.system, scene.state.q))
        middle = (m.mass[:, None] * (x + np.einsum("bij,bj->bi", R, m.com))).sum(0) / m.mass.sum()
        return (middle - support(scene))[:2]
    angles, small = np.zeros(2), 1e-4
    for _ in range(6):
        here = offset(angles)
        slope = np.array([(offset(angles + small * axis) - here) / small for axis in np.eye(2)]).T
        angles = angles - np.linalg.lstsq(slope, here, rcond=1e-6)[0]
    return pose(*angles)


def _on_sole(scene: Scene, along: float, feet: str) -> np.ndarray:
    """the mean place of the feet's soles: along -1 at the heel, 0 in the middle, 1 at the toes"""
    names = [scene.system.names.index(f"foot.{side}") for side in feet]
    x, R = (pose[0] for pose in body_poses(scene.system, scene.state.q))
    place = np.array([SOLE_LENGTH / 2 - HEEL + along * SOLE_LENGTH / 2, 0, -ANKLE_HEIGHT])
    return np.mean([x[i] + R[i] @ place for i in names], axis=0)


@scene
def one_foot() -> Scene:
    """The figure stands on its left foot, leaning over it; the right knee is lifted. Its joints hardly give way."""
    def pose(pitch: float, roll: float) -> Scene:
        # the foot stays level, the whole body above it leans
        level = quaternion_product(turn((1, 0, 0), -roll), turn((0, 1, 0), -pitch))
        return _standing({"foot.L": level, "thigh.R": turn((0, 1, 0), -0.8), "shin.R": turn((0, 1, 0), 1.2)}, pitch, roll)
    return _balanced(pose, lambda scene: _on_sole(scene, 0.0, "L"))


def on_edges(tilt: float, along: float, shapes: Sequence[Shape] = FLOOR) -> Scene:
    """Both feet turned by `tilt` rad, toes down, standing on the edges at `along`: -1 the heels, 0 the middle, 1 the toes."""
    def pose(pitch: float, roll: float) -> Scene:
        return _standing({f"foot.{side}": turn((0, 1, 0), tilt - pitch) for side in "LR"}, pitch, shapes=shapes)
    return _balanced(pose, lambda scene: _on_sole(scene, along, "LR"))


@scene
def tiptoe() -> Scene:
    """The figure stands on the front edges of its soles, balanced."""
    return on_edges(0.5, 1.0)


@scene
def heels() -> Scene:
    """The figure stands on the back edges of its soles, balanced."""
    return on_edges(-0.4, -1.0)


@scene
def four_limbs() -> Scene:
    """The figure stands on hands and feet, its back level, its legs stretched out behind it."""
    # arms of 0.56 m hang straight down; legs of 0.81 m slant back, so that the level feet reach as far
    slant = float(np.arccos((0.56 - ANKLE_HEIGHT) / 0.81))
    turns: dict[str, tuple[float, ...]] = {}
    for side in "LR":
        turns |= {f"thigh.{side}": turn((0, 1, 0), slant - np.pi / 2), f"foot.{side}": turn((0, 1, 0), -slant),
                  f"upper_arm.{side}": turn((0, 1, 0), -np.pi / 2)}
    return _standing(turns, np.pi / 2)


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


@scene
def fall() -> Scene:
    """The limp figure, thrown, falls on the floor and comes to rest."""
    return thrown(0)


@scene
def stairs() -> Scene:
    """The limp figure falls down a flight of six stairs."""
    return thrown(3, STAIRS, 2.0)


@scene
def rough() -> Scene:
    """The limp figure falls on rough ground, a mesh of 1152 triangles."""
    return thrown(2, (rough_ground(),), 2.0)


STAIRS = (*FLOOR, *(Shape("box", (0.15, 1.0, 0.08 * (6 - i)), Frame((0.3 * i - 0.6, 0, 0.08 * (6 - i)))) for i in range(6)))
"""Steps of 16 cm up and 30 cm along."""


def rough_ground(cells: int = 24, half: float = 3.0) -> Shape:
    """A square of waves up to 13 cm high, `half` m to each side."""
    along = np.linspace(-half, half, cells + 1)
    x, y = (grid.ravel() for grid in np.meshgrid(along, along, indexing="ij"))
    z = 0.08 * np.sin(2.1 * x) * np.cos(1.7 * y) + 0.05 * np.sin(3.3 * x + 1.1 * y)
    first = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    triangles = np.concatenate([np.c_[first, first + cells + 1, first + cells + 2], np.c_[first, first + cells + 2, first + 1]])
    return Shape("mesh", points=np.c_[x, y, z], triangles=triangles)


def thrown(seed: int, shapes: Sequence[Shape] = FLOOR, height: float = 1.2, damping: float = 2.0) -> Scene:
    """The limp figure in a random pose and spin, `height` m up and falling at 3 m/s; its joints are damped by N m s/rad."""
    system = build(standing_figure(0.0, damping), shapes=shapes)
    rng, state = np.random.default_rng(seed), State.rest(system)
    turned = rng.normal(size=4)
    state.q[2] = height
    state.q[3:7] = turned / np.linalg.norm(turned)
    state.v[:] = rng.normal(size=len(state.v))
    state.v[:3] = 1.0, 0.0, -3.0
    return Scene(system, state, 4.0)
