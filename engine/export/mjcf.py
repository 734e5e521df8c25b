"""A system as MJCF, MuJoCo's file format: the same bodies, joints, masses and collision shapes for another engine.

MuJoCo's body i + 1 is our body i, its coordinates are our q, its dofs are our axes (see expand). What MJCF cannot express
(the swing cone of a ball joint, a gear of several axes) is left out and named in a comment at the top of the file.
"""
import os
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np

from ..model.character import Gear, Range, Shape, SwingTwist
from ..model.model import BALL, FIXED, FREE, HINGE, KINDS, SLIDER, WORLD, System

GEOMS = {"plane": "plane", "sphere": "sphere", "capsule": "capsule", "box": "box", "hull": "mesh"}
KIND_NAMES = {number: name for name, number in KINDS.items()}


def mjcf(system: System, contacts: bool = True) -> str:
    """The text of the file. Angles in radians, numbers so precise that they read back the same.
    Without `contacts` no shape touches another: for a motion that was made without them."""
    names = body_names(system)
    meshes: list[str] = []
    world = [_geom("world", number, shape, True, meshes) for number, shape in enumerate(system.shapes)]
    lines = [*(line for geom in world for line in geom), *_bodies(system, names, meshes)]
    equality = [_equality(names, follower, driver, gear) for follower, driver, gear in _gears(system) if _expressible(system, follower)]
    contact = [f"<exclude{_attributes(body1=names[i], body2=names[j])}/>" for i, j in _excluded(system)]
    left_out = [f"  left out: {line}" for line in _left_out(system)]
    return "\n".join([
        "<mujoco>",
        *_comment(left_out),
        '  <compiler angle="radian" autolimits="true" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false"/>',
        f"  <option{_attributes(gravity=system.model.gravity)}/>",
        *([] if contacts else ['  <default><geom contype="0" conaffinity="0"/></default>']),
        *_section("asset", meshes), *_section("worldbody", lines), *_section("contact", contact), *_section("equality", equality),
        "</mujoco>", ""])


def write_mjcf(path: str | os.PathLike, system: System, contacts: bool = True) -> None:
    """Write the system to `path`."""
    Path(path).write_text(mjcf(system, contacts), encoding="utf-8")


def body_names(system: System) -> list[str]:
    """The bodies' names in the file: as in the system, save that 'world' and the empty name are MuJoCo's own."""
    names: list[str] = []
    taken = set(system.names)
    for name in system.names:
        if name in ("", "world"):
            name += "_"
            while name in taken:
                name += "_"
            taken.add(name)
        names.append(name)
    return names


def _bodies(system: System, names: list[str], meshes: list[str]) -> Iterator[str]:
    m = system.model
    static = _static(system)
    levels: list[int] = []
    open_bodies = 0
    for i, body in enumerate(system.bodies):
        levels.append(0 if m.parent[i] == WORLD else levels[m.parent[i]] + 1)
        while open_bodies > levels[i]:
            open_bodies -= 1
            yield "  " * open_bodies + "</body>"
        indent = "  " * open_bodies
        # at q = 0 the plug sits in the socket
        place = m.socket[i] - m.rotation[i] @ m.plug[i]
        yield f"{indent}<body{_attributes(name=names[i], pos=place, quat=_quaternion(m.rotation[i]))}>"
        open_bodies += 1
        yield f"{indent}  <inertial{_attributes(pos=m.com[i], mass=m.mass[i], fullinertia=m.inertia[i])}/>"
        for line in _joint(system, names[i], i):
            yield f"{indent}  {line}"
        for number, shape in enumerate(body.shapes):
            for line in _geom(names[i], number, shape, static[i], meshes):
                yield f"{indent}  {line}"
    while open_bodies:
        open_bodies -= 1
        yield "  " * open_bodies + "</body>"


def _joint(system: System, name: str, i: int) -> Iterator[str]:
    m, joint = system.model, system.bodies[i].joint
    kind, k = m.kind[i], m.axis_start[i]
    if kind == FIXED:
        return
    if kind == FREE:
        yield f"<freejoint{_attributes(name=name)}/>"
        return
    passive = {"stiffness": float(joint.stiffness), "damping": float(joint.damping), "armature": float(joint.armature)}
    if kind == BALL:
        yield f'<joint{_attributes(name=name, type="ball", pos=m.plug[i], **passive)}/>'
        return
    for number in range(m.axis_start[i + 1] - k):
        limit = joint.limits[number] if joint.limits else None
        span = {"range": (limit.low, limit.high)} if limit and limit.low < limit.high else {}
        yield "<joint" + _attributes(
            name=joint_name(name, number), type="slide" if kind == SLIDER else "hinge", pos=m.plug[i], axis=m.axis[k + number],
            springref=0.0, limited="true" if span else "false", **span, **passive) + "/>"


def joint_name(body: str, number: int) -> str:
    """A body's joint has the body's name; the second hinge of a universal joint has a name of its own."""
    return body if number == 0 else f"{body} second axis"


def _geom(body: str, number: int, shape: Shape, static: bool, meshes: list[str]) -> Iterator[str]:
    if shape.kind == "plane" and not static:
        return
    name = f"{body} {shape.kind} {number}"
    what: dict[str, object] = {"size": tuple(shape.size)}
    if shape.kind == "plane":
        what = {"size": (0.0, 0.0, 1.0)}             # without end
    elif shape.kind == "hull":
        what = {"mesh": name}
        meshes.append(f'<mesh{_attributes(name=name, inertia="convex", vertex=np.ravel(shape.points))}/>')
    yield "<geom" + _attributes(
        name=name, type=GEOMS[shape.kind], **what, pos=shape.frame.position, quat=_unit(shape.frame.rotation),
        friction=(float(shape.friction), 0.005, 0.0001), mass=0.0) + "/>"


def _gears(system: System) -> Iterator[tuple[int, int, Gear]]:
    index = {(owner, body.name): i for i, (owner, body) in enumerate(zip(system.character, system.bodies))}
    for owner, character in enumerate(system.characters):
        for gear in character.gears:
            yield index[owner, gear.follower], index[owner, gear.driver], gear


def _expressible(system: System, follower: int) -> bool:
    return system.model.kind[follower] in (HINGE, SLIDER)


def _equality(names: list[str], follower: int, driver: int, gear: Gear) -> str:
    return f"<joint{_attributes(joint1=names[follower], joint2=names[driver], polycoef=(0.0, float(gear.ratio), 0.0, 0.0, 0.0))}/>"


def _excluded(system: System) -> list[tuple[int, int]]:
    """pairs that pass through each other; MuJoCo knows parent and child itself, unless the parent does not move"""
    index = {(owner, body.name): i for i, (owner, body) in enumerate(zip(system.character, system.bodies))}
    pairs = {(index[owner, a], index[owner, b]) for owner, character in enumerate(system.characters) for a, b in character.ignored_pairs}
    static = _static(system)
    pairs |= {(int(p), i) for i, p in enumerate(system.model.parent) if p != WORLD and static[p]}
    return sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})


def _static(system: System) -> list[bool]:
    """bodies that are fixed to the world, directly or by others"""
    static: list[bool] = []
    for kind, p in zip(system.model.kind, system.model.parent):
        static.append(bool(kind == FIXED and (p == WORLD or static[p])))
    return static


def _left_out(system: System) -> Iterator[str]:
    static = _static(system)
    for i, (name, body) in enumerate(zip(system.names, system.bodies)):
        for limit in body.joint.limits:
            if isinstance(limit, SwingTwist):
                yield (f"body '{name}': swing cone {limit.swing_x:g} by {limit.swing_y:g} rad, "
                       f"twist {limit.twist.low:g} to {limit.twist.high:g} rad")
            elif isinstance(limit, Range) and limit.low == limit.high:
                yield f"body '{name}': limit at {limit.low:g} on both sides"
        if not static[i]:
            for shape in body.shapes:
                if shape.kind == "plane":
                    yield f"body '{name}': a plane, which in MuJoCo may not move"
    for follower, driver, gear in _gears(system):
        if not _expressible(system, follower):
            kind = KIND_NAMES[int(system.model.kind[follower])]
            yield f"gear of {kind} joints: '{system.names[follower]}' turns {gear.ratio:g} times as fast as '{system.names[driver]}'"


def _comment(lines: list[str]) -> list[str]:
    # two hyphens would end an XML comment
    return ["  <!--", *("  " + line.replace("--", "- -").replace("\0", "") for line in lines), "  -->"] if lines else []


def _section(tag: str, lines: list[str]) -> list[str]:
    return [f"  <{tag}>", *("    " + line for line in lines), f"  </{tag}>"] if lines else []


def _attributes(**values) -> str:
    return "".join(f" {name}={quoteattr(value if isinstance(value, str) else _numbers(value))}" for name, value in values.items())


def _numbers(values) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(values))


def _unit(quaternion) -> np.ndarray:
    return np.array(quaternion, float) / np.linalg.norm(quaternion)


def _quaternion(R: np.ndarray) -> np.ndarray:
    """w x y z of a rotation matrix, by its largest component (Shepperd 1978)"""
    trace = np.trace(R)
    squares = np.array([1 + trace, *(1 + 2 * np.diag(R) - trace)])      # 4 w^2, 4 x^2, 4 y^2, 4 z^2
    wx, wy, wz = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    products = np.array([[squares[0], wx, wy, wz], [wx, squares[1], xy, xz], [wy, xy, squares[2], yz], [wz, xz, yz, squares[3]]])
    return _unit(products[np.argmax(squares)])


