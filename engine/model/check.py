"""Checks a description once, before anything is computed: each error names the body, the value and what was expected."""
from collections.abc import Sequence

import numpy as np

from ..errors import BadCharacter, must_be_one_of
from .actuators import check_actuator
from .character import Body, Character, Gear, Joint, Range, Shape, SwingTwist
from .model import KINDS

SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "box": 3, "hull": 0, "mesh": 0, "heights": 2}
STATIC = {"plane", "mesh", "heights"}


def check(character: Character) -> None:
    """Raise BadCharacter if `character` can't exist."""
    _check_name("a character", character.name)
    if not items(f"bodies of character '{character.name}'", character.bodies, Body):
        raise BadCharacter(f"character '{character.name}' has no bodies, needs at least one")
    by_name: dict[str, Body] = {}
    for body in character.bodies:
        _check_name(f"a body of character '{character.name}'", body.name)
        if body.name in by_name:
            raise BadCharacter("its name is used twice, must be unique", body.name)
        by_name[body.name] = body
    for body in character.bodies:
        if body.parent is not None and body.parent not in by_name:
            raise BadCharacter(f"its parent '{body.parent}' does not exist, {must_be_one_of(body.parent, by_name)}", body.name)
        _check_mass(body)
        _check_joint(body.name, body.parent, body.joint)
        _check_shapes(body, by_name)
    _check_cycles(by_name)
    _check_gears(character, by_name)
    for pair in character.ignored_pairs:
        for name in pair:
            if name not in by_name:
                raise BadCharacter(f"an ignored pair names it, but there is no such body: {must_be_one_of(name, by_name)}", name)


def items(what: str, value, *kinds: type, body: str | None = None) -> Sequence:
    """`value`, if it is a tuple or list of things of these kinds"""
    names = " or ".join(kind.__name__ for kind in kinds)
    if not isinstance(value, (tuple, list)):
        raise BadCharacter(f"{what} must be a tuple of {names}, not {_shown(value)}", body)
    for item in value:
        if not isinstance(item, kinds):
            raise BadCharacter(f"{what} must be {names}, but one is {_shown(item)}", body)
    return value


def _shown(value) -> str:
    """short: a whole body would fill the screen"""
    named = f"{type(value).__name__} '{value.name}'" if hasattr(value, "name") else repr(value)
    return named if len(named) < 80 else f"a {type(value).__name__}"


def _check_name(what: str, name) -> None:
    if not isinstance(name, str) or not name:
        raise BadCharacter(f"the name of {what} is {name!r}, must be a text and not empty")


def finite(name: str, what: str, value, shape: tuple[int, ...]) -> np.ndarray:
    """`value` as an array of that shape, all finite"""
    try:
        array = np.array(value)
        if array.dtype.kind not in "biuf":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise BadCharacter(f"{what} is {value!r}, must be {'numbers' if shape else 'a number'}", name) from None
    if array.shape != shape:
        raise BadCharacter(f"{what} has shape {array.shape}, must be {shape}", name)
    if not np.isfinite(array).all():
        raise BadCharacter(f"{what} is {array.tolist()}, must be finite", name)
    return array


def inertia_tensor(body: Body) -> np.ndarray:
    """the body's inertia as a symmetric 3 x 3 tensor"""
    if np.shape(body.inertia) == (3,):
        return np.diag(finite(body.name, "inertia", body.inertia, (3,)))
    if np.ndim(body.inertia) != 2 or np.shape(body.inertia) != (3, 3):
        raise BadCharacter(f"inertia has shape {np.shape(body.inertia)}, must be 3 or 3 x 3 numbers", body.name)
    tensor = finite(body.name, "inertia", body.inertia, (3, 3))
    if np.abs(tensor - tensor.T).max() > 1e-9 * max(np.abs(tensor).max(), 1e-300):
        raise BadCharacter(f"inertia is {tensor.tolist()}, must be symmetric", body.name)
    return (tensor + tensor.T) / 2


def _check_mass(body: Body) -> None:
    mass = float(finite(body.name, "mass", body.mass, ()))
    if mass <= 0:
        raise BadCharacter(f"mass is {mass:g} kg, must be positive", body.name)
    finite(body.name, "centre of mass", body.com, (3,))
    moments = np.linalg.eigvalsh(inertia_tensor(body))
    shown = ", ".join(f"{x:g}" for x in moments)
    if moments[0] <= 0:
        raise BadCharacter(f"principal moments of inertia are {shown} kg m^2, must be positive", body.name)
    if moments[0] + moments[1] < moments[2] * (1 - 1e-9):
        raise BadCharacter(f"principal moments of inertia are {shown} kg m^2: the two small ones must sum to at least the "
                           "large one (no solid body has these)", body.name)


def _check_joint(name: str, parent: str | None, joint: Joint) -> None:
    if not isinstance(joint, Joint):
        raise BadCharacter(f"joint is {_shown(joint)}, must be a Joint", name)
    if joint.kind not in KINDS:
        raise BadCharacter(f"joint kind is '{joint.kind}', {must_be_one_of(joint.kind, KINDS)}", name)
    if joint.kind == "free" and parent is not None:
        raise BadCharacter(f"a free joint connects to the world, but its parent is '{parent}'", name)
    for what, frame in (("socket", joint.socket), ("plug", joint.plug)):
        finite(name, f"{what} position", frame.position, (3,))
        _check_length(name, f"{what} rotation", finite(name, f"{what} rotation", frame.rotation, (4,)))
    first = finite(name, "joint axis", joint.axis, (3,))
    second = finite(name, "second joint axis", joint.second_axis, (3,))
    _check_length(name, "joint axis", first)
    _check_length(name, "second joint axis", second)
    if joint.kind == "universal" and np.linalg.norm(np.cross(first, second)) < 1e-3 * np.linalg.norm(first) * np.linalg.norm(second):
        raise BadCharacter(f"its two axes {first.tolist()} and {second.tolist()} are parallel, must differ", name)
    for what in ("stiffness", "damping", "armature", "limit_stiffness", "limit_damping"):
        if getattr(joint, what) is None and what.startswith("limit_"):
            continue
        value = float(finite(name, what, getattr(joint, what), ()))
        if value < 0:
            raise BadCharacter(f"joint {what} is {value:g}, must not be negative", name)
    if joint.kind == "free" and (joint.stiffness or joint.damping or joint.armature):
        raise BadCharacter("a free joint has no spring, damper or armature: nothing holds it", name)
    _check_limits(name, joint)
    check_actuator(name, joint, KINDS[joint.kind].axes)


def _check_length(name: str, what: str, vector: np.ndarray) -> None:
    if np.linalg.norm(vector) < 1e-6:
        raise BadCharacter(f"{what} is {vector.tolist()}, must not be zero", name)


def _check_limits(name: str, joint: Joint) -> None:
    if not items("limits", joint.limits, Range, SwingTwist, body=name):
        return
    wanted = KINDS[joint.kind].limits
    if not wanted:
        raise BadCharacter(f"a {joint.kind} joint has no limits, but {len(joint.limits)} are given", name)
    if tuple(type(limit) for limit in joint.limits) != wanted:
        raise BadCharacter(f"limits of a {joint.kind} joint are {' and '.join(kind.__name__ for kind in wanted)}, not "
                           f"{' and '.join(type(limit).__name__ for limit in joint.limits)}", name)
    for limit in joint.limits:
        span = limit if isinstance(limit, Range) else limit.twist
        finite(name, "limit", (span.low, span.high), (2,))
        if span.low > span.high:
            raise BadCharacter(f"limit runs from {span.low:g} to {span.high:g}, must rise", name)
        if isinstance(limit, SwingTwist):
            if span.low < -np.pi - 1e-9 or span.high > np.pi + 1e-9:
                raise BadCharacter(f"twist limit runs from {span.low:g} to {span.high:g} rad, must lie within -pi to pi", name)
            for half in finite(name, "swing limit", (limit.swing_x, limit.swing_y), (2,)):
                if not 0 < half <= np.pi:
                    raise BadCharacter(f"swing limit is {half:g} rad, must be over 0 and at most pi", name)


def _check_shapes(body: Body, by_name: dict[str, Body]) -> None:
    for shape in body.shapes:
        check_shape(body.name, shape)
        if shape.kind in STATIC and not _is_static(body, by_name):
            raise BadCharacter(f"its {shape.kind} would move: planes, meshes and heights belong to what does not", body.name)


def _is_static(body: Body, by_name: dict[str, Body]) -> bool:
    """fixed to the world, directly or by others"""
    for _ in by_name:
        if body.joint.kind != "fixed":
            return False
        if body.parent not in by_name:
            return True
        body = by_name[body.parent]
    return False


def check_shapes_of(what: str, shapes: Sequence[Shape]) -> None:
    """Raise BadCharacter if a shape that no body carries can't exist; `what` is the world or an obstacle, as the message says it."""
    for shape in items(f"shapes of {what}", shapes, Shape):
        try:
            check_shape("", shape)
        except BadCharacter as error:
            raise BadCharacter(f"{what}: {error.reason}") from None


def check_shape(name: str, shape: Shape) -> None:
    """Raise BadCharacter if a shape of body `name` can't exist."""
    if shape.kind not in SIZES:
        raise BadCharacter(f"shape kind is '{shape.kind}', {must_be_one_of(shape.kind, SIZES)}", name)
    size = finite(name, f"size of its {shape.kind}", shape.size, (SIZES[shape.kind],))
    if (size <= 0).any():
        raise BadCharacter(f"size of its {shape.kind} is {size.tolist()} m, must be positive", name)
    if shape.kind == "hull":
        points = finite(name, "points of its hull", shape.points, np.shape(shape.points))
        if points.ndim != 2 or points.shape[1:] != (3,) or np.linalg.matrix_rank(points - points.mean(0), 1e-9) < 3:
            raise BadCharacter(f"points of its hull have shape {points.shape}, must be 4 or more points not in one plane", name)
    elif shape.kind == "mesh":
        _check_mesh(name, shape)
    elif shape.kind == "heights":
        heights = finite(name, "heights", shape.heights, np.shape(shape.heights))
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise BadCharacter(f"heights have shape {heights.shape}, must be 2 or more rows and columns", name)
    finite(name, "shape position", shape.frame.position, (3,))
    _check_length(name, "shape rotation", finite(name, "shape rotation", shape.frame.rotation, (4,)))
    for what, value, most in zip(("friction", "dynamic friction", "restitution"), shape.material, (np.inf, shape.friction, 1.0)):
        if not 0 <= finite(name, what, value, ()):
            raise BadCharacter(f"{what} is {value:g}, must not be negative", name)
        if value > most:
            raise BadCharacter(f"{what} is {value:g}, must be at most {most:g}", name)
    if not finite(name, "sinkage", shape.sinkage, ()) > 0:
        raise BadCharacter(f"sinkage is {shape.sinkage:g} m, must be positive", name)
    for what in ("group", "mask"):
        if not isinstance(getattr(shape, what), (int, np.integer)) or not -2 ** 63 <= getattr(shape, what) < 2 ** 63:
            raise BadCharacter(f"collision {what} is {getattr(shape, what)!r}, must be a whole number of 64 bits", name)


def _check_mesh(name: str, shape: Shape) -> None:
    points = finite(name, "points of its mesh", shape.points, np.shape(shape.points))
    triangles = np.asarray(shape.triangles)
    if points.ndim != 2 or points.shape[1:] != (3,):
        raise BadCharacter(f"points of its mesh have shape {points.shape}, must be (any, 3)", name)
    if triangles.ndim != 2 or triangles.shape[1:] != (3,) or not len(triangles) or triangles.dtype.kind not in "iu":
        raise BadCharacter(f"triangles of its mesh have shape {triangles.shape} of {triangles.dtype}, must be (any, 3) whole numbers", name)
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise BadCharacter(f"triangles of its mesh name point {triangles.max() if triangles.min() >= 0 else triangles.min()}, "
                           f"must be 0 to {len(points) - 1}", name)


def _check_cycles(by_name: dict[str, Body]) -> None:
    for body in by_name.values():
        above, name = [body.name], body.parent
        while name is not None:
            above.append(name)
            if name == body.name:
                raise BadCharacter(f"it is its own ancestor: {' < '.join(above)}", body.name)
            if len(above) > len(by_name) + 1:
                break                            # a cycle further up: reported for a body in it
            name = by_name[name].parent


def _check_gears(character: Character, by_name: dict[str, Body]) -> None:
    followed: set[str] = set()
    for gear in items(f"gears of character '{character.name}'", character.gears, Gear):
        for name in (gear.driver, gear.follower):
            if name not in by_name:
                raise BadCharacter(f"a gear names it, but there is no such body: {must_be_one_of(name, by_name)}", name)
        driver, follower = by_name[gear.driver], by_name[gear.follower]
        ratio = float(finite(follower.name, "gear ratio", gear.ratio, ()))
        if ratio == 0:
            raise BadCharacter("gear ratio is 0: make its joint fixed instead", follower.name)
        if KINDS[driver.joint.kind].axes != KINDS[follower.joint.kind].axes or KINDS[driver.joint.kind].axes not in (1, 2, 3):
            raise BadCharacter(f"gear couples its {follower.joint.kind} joint to the {driver.joint.kind} joint of "
                               f"'{driver.name}', must have the same number of axes, one to three", follower.name)
        if follower.name in followed:
            raise BadCharacter("two gears drive it, only one may", follower.name)
        followed.add(follower.name)
        adjacent = follower.parent == driver.name or driver.parent == follower.name or follower.parent == driver.parent
        if follower.name == driver.name or not adjacent:
            raise BadCharacter(f"gear to '{driver.name}': the two must be parent and child or children of one parent", follower.name)
