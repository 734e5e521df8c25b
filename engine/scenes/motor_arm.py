"""The experiment of source 004: a redundant arm with DC motors moves its hand, its elbow free or on a table.

Four links in a vertical plane, a motor at each joint. The first two carry the elbow, the last two move the hand round a circle. Both
runs get the same commands: targets of the joints, followed by springs and dampers without any knowledge of gravity, so that the arm
sags. The table stands where the elbow is meant to be. Arm, motors and path are our own choice: the source does not print its own.
"""
import numpy as np

from ..effort.commands import Follow
from ..model.actuators import DCMotor
from ..model.build import build
from ..model.character import Body, Character, Frame, Joint, Shape
from ..model.state import State
from .props import Scene, scene

LENGTHS = (0.30, 0.30, 0.25, 0.25)               # m
MASSES = (2.0, 1.5, 1.0, 1.0)                    # kg; the last with a tool
RADIUS = 0.03                                    # m, of the elbow
SHOULDER, ELBOW = np.array([0.0, 0.50]), np.array([0.46, 0.25])      # m, x and z
MIDDLE, CIRCLE = np.array([0.78, 0.47]), 0.08    # m: of the hand's path
STILL, ROUND, SECONDS = 1.0, 4.0, 6.0            # s: holds, moves round, holds
MOTOR = DCMotor(resistance=1.0, inductance=0.5e-3, torque_constant=0.05, gear=100.0, rotor_inertia=1e-5, viscous=1e-5, supply=48.0)
FREQUENCY, INERTIA = 6.0, 1.0                    # Hz, kg m^2: 1420 N m/rad


@scene
def arm_free() -> Scene:
    """An arm with four DC motors moves its hand round a circle; its elbow is in the air."""
    return _arm(())


@scene
def arm_elbow() -> Scene:
    """The same arm, its elbow on a table: less energy, and the hand is nearer to its path."""
    top = ELBOW[1] - RADIUS
    return _arm((Shape("box", (0.1, 0.2, 0.02), Frame((ELBOW[0], 0, top - 0.02))),))


def _arm(world: tuple[Shape, ...]) -> Scene:
    bodies = []
    for n, (length, mass) in enumerate(zip(LENGTHS, MASSES)):
        socket = Frame((SHOULDER[0], 0, SHOULDER[1])) if n == 0 else Frame((LENGTHS[n - 1], 0, 0))
        small = mass / 12 * length ** 2
        shapes = (Shape("sphere", (RADIUS,), Frame((length, 0, 0))),) if n == 1 else ()
        bodies.append(Body(NAMES[n], mass, (0.05 * small, small, small), NAMES[n - 1] if n else None,
                           Joint("hinge", socket, axis=(0, -1, 0), actuator=MOTOR), com=(length / 2, 0, 0), shapes=shapes))
    system = build(Character("arm", tuple(bodies)), shapes=world)
    times = np.linspace(0, SECONDS, 121)
    angles = joint_path(times)
    commands = [Follow(name, times, angles[:, n], FREQUENCY, inertia=INERTIA) for n, name in enumerate(NAMES)]
    return Scene(system, State(angles[0], np.zeros(4)), SECONDS, commands=commands)


NAMES = ("upper arm", "lower upper arm", "forearm", "hand")


def hand_path(times: np.ndarray) -> np.ndarray:
    """(T, 2) x and z where the hand shall be, m"""
    u = np.clip((times - STILL) / ROUND, 0, 1)
    phase = 2 * np.pi * (u - np.sin(2 * np.pi * u) / (2 * np.pi)) - np.pi / 2
    return MIDDLE + CIRCLE * np.stack([np.cos(phase), np.sin(phase)], axis=1)


def joint_path(times: np.ndarray) -> np.ndarray:
    """(T, 4) angles that put the elbow where it shall be and the hand on its path, rad"""
    upper = two_links(ELBOW - SHOULDER, LENGTHS[0], LENGTHS[1], 1.0)
    lower = np.array([two_links(hand - ELBOW, LENGTHS[2], LENGTHS[3], 1.0) for hand in hand_path(times)])
    # from angles against the horizontal to those between links
    return np.column_stack([np.full(len(times), upper[0]), np.full(len(times), upper[1] - upper[0]), lower[:, 0] - upper[1],
                            lower[:, 1] - lower[:, 0]])


def two_links(reach: np.ndarray, first: float, second: float, bend: float) -> tuple[float, float]:
    """the angles against the horizontal of two links that reach there, bent up (1) or down (-1)"""
    far, along = np.hypot(*reach), np.arctan2(reach[1], reach[0])
    inner = np.arccos((first ** 2 + far ** 2 - second ** 2) / (2 * first * far))
    knee = first * np.array([np.cos(along + bend * inner), np.sin(along + bend * inner)])
    rest = reach - knee
    return float(along + bend * inner), float(np.arctan2(rest[1], rest[0]))
