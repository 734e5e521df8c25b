"""Checks a description once, before anything is computed: each error names the body, the value and what was expected."""
import numpy as np

from ..errors import BadCharacter
from .character import Body, Character, Joint, Range, SwingTwist

AXES = {"free": 6, "ball": 3, "universal": 2, "hinge": 1, "slider": 1, "fixed": 0}
SIZES = {"plane": 0, "sphere": 1, "capsule": 2, "box": 3, "hull": 0}


def check(character: Character) -> None:
    """Raise BadCharacter if `character` can't exist."""
    if not character.bodies:
        raise BadCharacter(f"character '{character.name}' has no bodies, needs at least one")
    by_name: dict[str, Body] = {}
    for body in character.bodies:
        if body.name in by_name:
            raise BadCharacter("its name is used twice, must be unique", body.name)
        by_name[body.name] = body
    for body in character.bodies:
        if body.parent is not None and body.parent not in by_name:
            raise BadCharacter(f"its parent '{body.parent}' does not exist", body.name)
        _check_mass(body)
        _check_joint(body.name, body.parent, body.joint)
        _check_shapes(body)
    _check_cycles(by_name)
    _check_gears(character, by_name)
    for pair in character.ignored_pairs:
        for name in pair:
            if name not in by_name:
                raise BadCharacter(f"ignored pair names body '{name}', which does not exist")


def finite(name: str, what: str, value, shape: tuple[int, ...]) -> np.ndarray:
    """`value` as an array of that shape, all finite"""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise BadCharacter(f"{what} is {value!r}, must be numbers", name) from None
    if array.shape != shape:
        raise BadCharacter(f"{what} has shape {array.shape}, must be {shape}", name)
    if not np.isfinite(array).all():
        raise BadCharacter(f"{what} is {array.tolist()}, must be finite", name)
    return array


def inertia_tensor(body: Body) -> np.ndarray:
    """the body's inertia as a symmetric 3 x 3 tensor"""
    if np.shape(body.inertia) == (3,):
        return np.diag(finite(body.name, "inertia", body.inertia, (3,)))
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
    if joint.kind not in AXES:
        raise BadCharacter(f"joint kind is '{joint.kind}', must be one of {', '.join(AXES)}", name)
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
        value = float(finite(name, what, getattr(joint, what), ()))
        if value < 0:
            raise BadCharacter(f"joint {what} is {value:g}, must not be negative", name)
    if joint.kind == "free" and (joint.stiffness or joint.damping or joint.armature):
        raise BadCharacter("a free joint has no spring, damper or armature: nothing holds it", name)
    _check_limits(name, joint)


def _check_length(name: str, what: str, vector: np.ndarray) -> None:
    if np.linalg.norm(vector) < 1e-6:
        raise BadCharacter(f"{what} is {vector.tolist()}, must not be zero", name)


def _check_limits(name: str, joint: Joint) -> None:
    if not joint.limits:
        return
    kinds: dict[str, list[type]] = {"hinge": [Range], "slider": [Range], "universal": [Range, Range], "ball": [SwingTwist]}
    wanted = kinds.get(joint.kind)
    if wanted is None:
        raise BadCharacter(f"a {joint.kind} joint has no limits, but {len(joint.limits)} are given", name)
    if [type(limit) for limit in joint.limits] != wanted:
        raise BadCharacter(f"limits of a {joint.kind} joint are {' and '.join(kind.__name__ for kind in wanted)}, not "
                           f"{' and '.join(type(limit).__name__ for limit in joint.limits)}", name)
    for limit in joint.limits:
        span = limit if isinstance(limit, Range) else limit.twist
        finite(name, "limit", (span.low, span.high), (2,))
        if span.low > span.high:
            raise BadCharacter(f"limit runs from {span.low:g} to {span.high:g}, must rise", name)
        if isinstance(limit, SwingTwist):
            for half in finite(name, "swing limit", (limit.swing_x, limit.swing_y), (2,)):
                if not 0 < half <= np.pi:
                    raise BadCharacter(f"swing limit is {half:g} rad, must be over 0 and at most pi", name)


def _check_shapes(body: Body) -> None:
    for shape in body.shapes:
        if shape.kind not in SIZES:
            raise BadCharacter(f"shape kind is '{shape.kind}', must be one of {', '.join(SIZES)}", body.name)
        size = finite(body.name, f"size of its {shape.kind}", shape.size, (SIZES[shape.kind],))
        if (size <= 0).any():
            raise BadCharacter(f"size of its {shape.kind} is {size.tolist()} m, must be positive", body.name)
        if shape.kind == "hull":
            points = finite(body.name, "points of its hull", shape.points, np.shape(shape.points))
            if points.ndim != 2 or points.shape[1:] != (3,) or np.linalg.matrix_rank(points - points.mean(0), 1e-9) < 3:
                raise BadCharacter(f"points of its hull have shape {points.shape}, must be 4 or more points not in one plane", body.name)
        finite(body.name, "shape position", shape.frame.position, (3,))
        _check_length(body.name, "shape rotation", finite(body.name, "shape rotation", shape.frame.rotation, (4,)))
        if not 0 <= finite(body.name, "friction", shape.friction, ()):
            raise BadCharacter(f"friction is {shape.friction:g}, must not be negative", body.name)


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
    for gear in character.gears:
        for name in (gear.driver, gear.follower):
            if name not in by_name:
                raise BadCharacter(f"gear names body '{name}', which does not exist")
        driver, follower = by_name[gear.driver], by_name[gear.follower]
        ratio = float(finite(follower.name, "gear ratio", gear.ratio, ()))
        if ratio == 0:
            raise BadCharacter("gear ratio is 0: make its joint fixed instead", follower.name)
        if AXES[driver.joint.kind] != AXES[follower.joint.kind] or AXES[driver.joint.kind] not in (1, 2, 3):
            raise BadCharacter(f"gear couples its {follower.joint.kind} joint to the {driver.joint.kind} joint of "
                               f"'{driver.name}', must have the same number of axes, one to three", follower.name)
        if follower.name in followed:
            raise BadCharacter("two gears drive it, only one may", follower.name)
        followed.add(follower.name)
        adjacent = follower.parent == driver.name or driver.parent == follower.name or follower.parent == driver.parent
        if follower.name == driver.name or not adjacent:
            raise BadCharacter(f"gear to '{driver.name}': the two must be parent and child or children of one parent", follower.name)
