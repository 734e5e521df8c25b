"""Free bodies of one shape each, placed anywhere: what the tests of collision detection are made of."""
import numpy as np
from heft.engine.collision.find_contacts import Region, find_contacts
from heft.engine.collision.pieces import BOX_FACES
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Joint, Shape
from heft.engine.model.model import System

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
PLANE = (Shape("plane"),)


def free(name: str, *shapes: Shape) -> Character:
    return Character(name, (Body(name, 1.0, (0.1, 0.1, 0.1), joint=Joint("free"), shapes=shapes),))


def turn(axis, angle: float) -> np.ndarray:
    """the quaternion of a turn about an axis"""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])


def product(a, b) -> np.ndarray:
    w, x, y, z = a
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]) @ np.asarray(b)


def matrix(quaternion) -> np.ndarray:
    w, x, y, z = np.array(quaternion, float) / np.linalg.norm(quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def on_world(shape: Shape, place, rotation=UPRIGHT, world: tuple[Shape, ...] = PLANE, margin: float = 0.001) -> list[Region]:
    """what one body of that shape touches"""
    system = build(free("thing", shape), shapes=world)
    return find_contacts(system, np.concatenate([place, rotation]), margin)


def two(first: Shape, second: Shape) -> System:
    return build(free("a", first), free("b", second))


def between(system: System, place_a, rotation_a, place_b, rotation_b, margin: float = 0.001) -> list[Region]:
    return find_contacts(system, np.concatenate([place_a, rotation_a, place_b, rotation_b]), margin)


def only(regions: list[Region]) -> Region:
    assert len(regions) == 1, regions
    return regions[0]


def corners(region: Region) -> list[tuple[float, ...]]:
    """sorted, rounded to micrometres"""
    return sorted(tuple(float(x) for x in np.round(point, 6) + 0.0) for point in region.points)


def grid_mesh(half: float, cells: int, height=lambda x, y: 0.0 * x) -> Shape:
    """a square of triangles"""
    x, y = np.meshgrid(np.linspace(-half, half, cells + 1), np.linspace(-half, half, cells + 1))
    points = np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3)
    low = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    triangles = np.stack([low, low + 1, low + cells + 2, low, low + cells + 2, low + cells + 1], axis=-1).reshape(-1, 3)
    return Shape("mesh", points=points, triangles=triangles)


def box_mesh(half) -> Shape:
    """the surface of a box, two triangles a side"""
    points = np.array([[1 if k & bit else -1 for bit in (1, 2, 4)] for k in range(8)]) * np.array(half, float)
    triangles = [(face[0], face[k], face[k + 1]) for face in BOX_FACES for k in (1, 2)]
    return Shape("mesh", points=points, triangles=np.array(triangles))
