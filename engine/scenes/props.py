"""What scenes are made of: boxes and balls, poses, and the list of all scenes."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..contact.holds import Coupling, Hold
from ..effort.commands import Command
from ..model.character import Body, Character, Joint, Shape
from ..model.model import System
from ..model.state import State

SCENES: dict[str, Callable[[], "Scene"]] = {}


@dataclass(frozen=True)
class Scene:
    """What to simulate."""
    system: System
    state: State
    seconds: float = 2.0
    holds: Sequence[Hold | Coupling] = ()
    commands: Sequence[Command] = ()


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


def quaternion_product(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """First b, then a."""
    (w, x, y, z), (e, f, g, h) = a, b
    return (w * e - x * f - y * g - z * h, w * f + x * e + y * h - z * g, w * g - x * h + y * e + z * f, w * h + x * g - y * f + z * e)


def placed(system: System, *poses: tuple) -> State:
    """Free bodies at (place, quaternion) or (place, quaternion, velocity), one after the other."""
    state = State.rest(system)
    for i, (place, quaternion, *velocity) in enumerate(poses):
        state.q[7 * i:7 * i + 7] = *place, *quaternion
        if velocity:
            state.v[6 * i:6 * i + 6] = velocity[0]
    return state
