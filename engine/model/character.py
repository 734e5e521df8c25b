"""A character as a person describes it: bodies, their joints, shapes, limits and gears, by name and in SI units.

`model.build` checks a description once and turns it into the constant arrays that the kernels read.
Frames follow source 001 (2.1): a joint's socket is fixed to the parent, its plug to the child.
"""
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

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
    limit_stiffness: float = 2000.0              # beyond a limit, N m/rad or N/m
    limit_damping: float = 20.0                  # beyond a limit, N m s/rad or N s/m


@dataclass(frozen=True)
class Shape:
    """What collides, fixed to a body or to the world."""
    kind: str                                    # plane, sphere, capsule, box, hull
    size: Vector = ()                            # m; sphere: radius; capsule: radius, half length along z; box: half sides
    frame: Frame = Frame()                       # on the body; a plane's normal is z
    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # hull: its corners, m
    friction: float = 0.8                        # static coefficient


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
