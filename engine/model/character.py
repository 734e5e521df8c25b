"""A character as a person describes it: bodies, their joints, shapes, limits and gears, by name and in SI units.

`model.build` checks a description once and turns it into the constant arrays that the kernels read.
Frames follow source 001 (2.1): a joint's socket is fixed to the parent, its plug to the child.
"""
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .actuators import Actuator, DCMotor

Vector = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class Frame:
    """A place and an orientation on a body."""
    position: Vector = (0.0, 0.0, 0.0)          # m
    rotation: Vector = (1.0, 0.0, 0.0, 0.0)     # quaternion w x y z


@dataclass(frozen=True)
class Range:
    """How far one axis of a joint may go: radians, or metres for a slider."""
    low: float
    high: float


@dataclass(frozen=True)
class SwingTwist:
    """How far a ball joint may go: the plug's z axis stays inside an elliptical cone about the socket's z axis, and turns
    about itself within a range. Radians."""
    swing_x: float                               # half-angle of the cone for swings about x
    swing_y: float                               # half-angle of the cone for swings about y
    twist: Range = Range(-np.pi, np.pi)


@dataclass(frozen=True)
class Joint:
    """How a body moves against its parent, or against the world if it has none.

    Coordinates by kind: free - position and quaternion in the world; ball - quaternion; universal - an angle about an
    axis fixed in the socket, then one about an axis fixed in the plug; hinge - angle; slider - distance; fixed - none.
    """
    kind: str = "fixed"                          # free, ball, universal, hinge, slider, fixed
    socket: Frame = Frame()                      # on the parent; not used by a free joint
    plug: Frame = Frame()                        # on the child
    axis: Vector = (0.0, 0.0, 1.0)               # hinge, slider: in the plug's frame; universal: the first axis
    second_axis: Vector = (0.0, 1.0, 0.0)        # universal only
    stiffness: float = 0.0                       # spring towards the zero pose, N m/rad or N/m
    damping: float = 0.0                         # N m s/rad or N s/m
    armature: float = 0.0                        # rotor inertia felt at the joint, kg m^2 or kg
    limits: tuple[Range | SwingTwist, ...] = ()  # one Range an axis, or one SwingTwist
    limit_stiffness: float | None = None         # beyond a limit, N m/rad or N/m; None: as suits what the joint carries (stops.py)
    limit_damping: float | None = None           # beyond a limit, N m s/rad or N s/m; None: the same
    actuator: Actuator | DCMotor | None = None   # what moves it; None: whatever it is told, without limit


class Material(NamedTuple):
    """How a surface rubs and bounces.

    A touching pair takes the larger of its two surfaces' values, each by itself: so does MuJoCo with friction, and a rubber
    sole grips on any floor. Between surfaces that slide no faster than they stick the pair's dynamic friction is never over
    its static one."""
    friction: float                              # static coefficient
    dynamic_friction: float                      # while sliding
    restitution: float                           # 0: stays, 1: returns as fast as it came

    def against(self, other: "Material") -> "Material":
        """The values of a pair."""
        return Material(*(max(pair) for pair in zip(self, other)))


DYNAMIC_SHARE = 0.875
"""Dynamic over static friction where only the static one is given: 0.7 for 0.8, a rubber sole on a wooden floor."""


@dataclass(frozen=True)
class Shape:
    """What collides, fixed to a body or to the world. Planes, meshes and heights have an inside but no thickness: they belong
    to the world, to a body fixed to it, or to an obstacle.

    Two shapes may touch when each one's mask has a bit of the other's group."""
    kind: str                                    # plane, sphere, capsule, box, hull, mesh, heights
    size: Vector = ()                            # m; sphere: radius; capsule: radius, half length along z; box: half sides;
                                                 # heights: distance of columns (along x) and of rows (along y)
    frame: Frame = Frame()                       # on the body; a plane's normal is z; heights rise along z around its middle
    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # hull, mesh: the corners, m
    friction: float = 0.8                        # static coefficient
    dynamic_friction: float | None = None        # while sliding; None: DYNAMIC_SHARE of the static one
    restitution: float = 0.0                     # 0 to 1
    group: int = 1                               # bits
    mask: int = -1                               # bits of the groups it may touch; -1: all
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), int))  # mesh: rows of points, counter-clockwise from outside
    heights: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # heights: rows along y, columns along x, m
    sinkage: float = 0.0005                      # m, soft contact: how far a person of 70 kg on two flat feet sinks in

    @property
    def material(self) -> Material:
        dynamic = DYNAMIC_SHARE * self.friction if self.dynamic_friction is None else self.dynamic_friction
        return Material(float(self.friction), float(dynamic), float(self.restitution))


@dataclass(frozen=True)
class Body:
    """A rigid part."""
    name: str
    mass: float                                  # kg
    inertia: Vector                              # about the centre of mass, body axes, kg m^2: 3 x 3, or its diagonal
    parent: str | None = None                    # None: the world
    joint: Joint = Joint()
    com: Vector = (0.0, 0.0, 0.0)                # centre of mass, m
    shapes: tuple[Shape, ...] = ()

    def __repr__(self) -> str:
        kind = getattr(self.joint, "kind", self.joint)
        return f"Body({self.name!r}: {self.mass} kg, {kind} on {self.parent or 'the world'})"


@dataclass(frozen=True)
class Gear:
    """The follower's joint turns `ratio` times as fast as the driver's (source 001, 2.6 and 2.7).

    Both have the same number of axes and are parent and child, or children of one parent. Ball joints are coupled axis
    by axis, each in its own child's frame."""
    driver: str
    follower: str
    ratio: float


@dataclass(frozen=True)
class Character:
    """One figure, prop or mechanism."""
    name: str
    bodies: tuple[Body, ...]
    gears: tuple[Gear, ...] = ()
    ignored_pairs: tuple[tuple[str, str], ...] = ()   # bodies that pass through each other, besides parent and child

    def __repr__(self) -> str:
        return f"Character({self.name!r}: {len(self.bodies)} bodies, {len(self.gears)} gears)"
