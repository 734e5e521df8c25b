"""A system as MJCF, MuJoCo's file format: the same bodies, joints, masses and collision shapes for another engine.

MuJoCo's body i + 1 is our body i, its coordinates are our q, its dofs are our axes (see expand). What MJCF cannot express
(the swing cone of a ball joint, a gear of several axes) is left out and named in a comment at the top of the file.

MuJoCo takes a mesh for its convex hull, so a mesh becomes one geom a triangle: the triangle and its copy a centimetre deeper, along
the mean normals of its corners. A height field stays one. Of a surface's values the file carries the static friction.
"""
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import quoteattr

import numpy as np

from ..algebra.quaternions import matrix, quaternions, unit
from ..collision.build_shapes import Obstacle, obstacle_name
from ..collision.filter import groups_allow, never_touching, static_bodies, welds
from ..collision.paths import path_poses, stands_still
from ..collision.triangles import mesh_triangles
from ..model.actuators import rotor_inertia
from ..model.character import Frame, Gear, Range, Shape, SwingTwist
from ..model.model import BALL, FIXED, FREE, HINGE, KIND_NAMES, SLIDER, WORLD, System
from .files import replacing

GEOMS = {"plane": "plane", "sphere": "sphere", "capsule": "capsule", "box": "box", "hull": "mesh", "mesh": "mesh", "heights": "hfield"}
DEPTH = 0.01                                         # m, of a mesh's triangles and below a height field
MOST_GROUPS = 31                                     # bits of contype


def mjcf(system: System, contacts: bool = True, obstacles: Sequence[Obstacle] = ()) -> str:
    """The text of the file. Angles in radians, numbers so precise that they read back the same.
    Without `contacts` no shape touches another: for a motion that was made without them. Obstacles that stand still are part of the
    world, as in the trace; those that move are left out, since a trace has no place for their motion."""
    names = body_names(system)
    assets: list[str] = []
    still = still_shapes(obstacles)
    groups = _groups(system, still) if contacts else {}
    world = [_geom("world", number, shape, groups, assets) for number, shape in enumerate((*system.shapes, *still))]
    lines = [*(line for geom in world for line in geom), *_bodies(system, names, groups, assets)]
    equality = [_equality(names, follower, driver, gear) for follower, driver, gear in _gears(system) if _expressible(system, follower)]
    contact = [f"<exclude{_attributes(body1=names[i], body2=names[j])}/>" for i, j in _excluded(system)]
    left_out = [f"  left out: {line}" for line in (*_left_out(system, still), *_moving(obstacles))]
    return "\n".join([
        "<mujoco>",
        *_comment(left_out),
        '  <compiler angle="radian" autolimits="true" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false"/>',
        f"  <option{_attributes(gravity=system.model.gravity)}/>",
        *([] if contacts else ['  <default><geom contype="0" conaffinity="0"/></default>']),
        *_section("asset", assets), *_section("worldbody", lines), *_section("contact", contact), *_section("equality", equality),
        "</mujoco>", ""])


def write_mjcf(path: str | os.PathLike, system: System, contacts: bool = True, obstacles: Sequence[Obstacle] = ()) -> None:
    """Write the system to `path`, and the obstacles that stand still."""
    text = mjcf(system, contacts, obstacles)
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


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


def _bodies(system: System, names: list[str], groups: dict, assets: list[str]) -> Iterator[str]:
    m = system.model
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
        yield f"{indent}<body{_attributes(name=names[i], pos=place, quat=quaternions(m.rotation[i][None])[0])}>"
        open_bodies += 1
        yield f"{indent}  <inertial{_attributes(pos=m.com[i], mass=m.mass[i], fullinertia=m.inertia[i])}/>"
        for line in _joint(system, names[i], i):
            yield f"{indent}  {line}"
        for number, shape in enumerate(body.shapes):
            for line in _geom(names[i], number, shape, groups, assets):
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
    passive = {"stiffness": float(joint.stiffness), "damping": float(joint.damping), "armature": rotor_inertia(joint)}
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


def _geom(body: str, number: int, shape: Shape, groups: dict, assets: list[str]) -> Iterator[str]:
    name = f"{body} {shape.kind} {number}"
    place, turn = np.array(shape.frame.position, float), unit(shape.frame.rotation)
    more = groups.get((shape.group, shape.mask), {}) | {"friction": (float(shape.friction), 0.005, 0.0001), "mass": 0.0}
    geom = lambda place, **what: "<geom" + _attributes(type=GEOMS[shape.kind], **what, pos=place, quat=turn, **more) + "/>"
    if shape.kind == "mesh":
        for k, (middle, corners) in enumerate(_prisms(shape)):
            assets.append(f'<mesh{_attributes(name=f"{name} {k}", inertia="convex", vertex=corners.ravel())}/>')
            yield geom(place + matrix(turn) @ middle, name=f"{name} {k}", mesh=f"{name} {k}")
    elif shape.kind == "heights":
        heights = np.asarray(shape.heights, float)
        low, rise = heights.min(), np.ptp(heights)
        half = (np.array(heights.shape[::-1]) - 1) * np.array(shape.size, float) / 2
        assets.append(f"<hfield{_attributes(name=name, nrow=str(heights.shape[0]), ncol=str(heights.shape[1]))}"
                      f"{_attributes(size=(*half, rise or 1.0, DEPTH), elevation=heights[::-1].ravel())}/>")
        yield geom(place + matrix(turn) @ [0.0, 0.0, low], name=name, hfield=name)
    elif shape.kind == "hull":
        assets.append(f'<mesh{_attributes(name=name, inertia="convex", vertex=np.ravel(shape.points))}/>')
        yield geom(place, name=name, mesh=name)
    else:
        yield geom(place, name=name, size=(0.0, 0.0, 1.0) if shape.kind == "plane" else tuple(shape.size))     # a plane has no end


def _prisms(shape: Shape) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """for each triangle its middle, and from there its corners and those of its copy below"""
    points, triangles = mesh_triangles(shape)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normals = np.zeros_like(points)
    areas = np.cross(b - a, c - a)
    for k in range(3):
        np.add.at(normals, triangles[:, k], areas)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    for triangle in triangles:
        top = points[triangle]
        yield top.mean(0), np.concatenate([top, top - DEPTH * normals[triangle]]) - top.mean(0)


def still_shapes(obstacles: Sequence[Obstacle]) -> list[Shape]:
    """the shapes of obstacles that do not move, placed in the world"""
    found = []
    for number, obstacle in enumerate(obstacles):
        owner = obstacle_name(number, obstacle)
        if stands_still(owner, obstacle.path):
            place, turn = (pose[0] for pose in path_poses(owner, obstacle.path, np.zeros(1)))
            R = matrix(turn)
            for shape in obstacle.shapes:
                rotation = quaternions((R @ matrix(unit(shape.frame.rotation)))[None])[0]
                found.append(replace(shape, frame=Frame(tuple(place + R @ np.array(shape.frame.position, float)), tuple(rotation))))
    return found


def _moving(obstacles: Sequence[Obstacle]) -> Iterator[str]:
    for number, obstacle in enumerate(obstacles):
        owner = obstacle_name(number, obstacle)
        if not stands_still(owner, obstacle.path):
            yield f"moving {owner}: its contacts are in the trace, as contacts with the world"


def _groups(system: System, still: Sequence[Shape]) -> dict[tuple[int, int], dict[str, str]]:
    """contype and conaffinity for each group and mask, empty where all meet all: a bit for each, and the bits of those it meets"""
    shapes = {(shape.group, shape.mask): shape for shape in _all_shapes(system, still)}
    kinds = sorted(shapes)
    if len(kinds) > MOST_GROUPS or all(groups_allow(shapes[a], shapes[b]) for a in kinds for b in kinds):
        return {}
    return {a: {"contype": str(1 << k), "conaffinity": str(sum(1 << l for l, b in enumerate(kinds) if groups_allow(shapes[a], shapes[b])))}
            for k, a in enumerate(kinds)}


def _all_shapes(system: System, still: Sequence[Shape]) -> list[Shape]:
    return [*system.shapes, *still, *(shape for body in system.bodies for shape in body.shapes)]


def _gears(system: System) -> Iterator[tuple[int, int, Gear]]:
    index = system.body_index()
    for owner, character in enumerate(system.characters):
        for gear in character.gears:
            yield index[owner, gear.follower], index[owner, gear.driver], gear


def _expressible(system: System, follower: int) -> bool:
    return system.model.kind[follower] in (HINGE, SLIDER)


def _equality(names: list[str], follower: int, driver: int, gear: Gear) -> str:
    return f"<joint{_attributes(joint1=names[follower], joint2=names[driver], polycoef=(0.0, float(gear.ratio), 0.0, 0.0, 0.0))}/>"


def _excluded(system: System) -> list[tuple[int, int]]:
    """pairs that pass through each other; MuJoCo itself knows bodies fixed together, and parent and child unless the parent stays"""
    static, weld, parent = static_bodies(system), welds(system), system.model.parent
    above = [weld[parent[top]] if parent[top] != WORLD and not static[parent[top]] else None for top in weld]
    return sorted((i, j) for i, j in never_touching(system) if not (static[i] and static[j]) and weld[i] != weld[j]
                  and above[i] != weld[j] and above[j] != weld[i])


def _left_out(system: System, still: Sequence[Shape]) -> Iterator[str]:
    groups = len({(shape.group, shape.mask) for shape in _all_shapes(system, still)})
    if groups > MOST_GROUPS:
        yield f"collision groups and masks: {groups} kinds, MuJoCo has room for {MOST_GROUPS}"
    for name, body in zip(system.names, system.bodies):
        for limit in body.joint.limits:
            if isinstance(limit, SwingTwist):
                yield (f"body '{name}': swing cone {limit.swing_x:g} by {limit.swing_y:g} rad, "
                       f"twist {limit.twist.low:g} to {limit.twist.high:g} rad")
            elif isinstance(limit, Range) and limit.low == limit.high:
                yield f"body '{name}': limit at {limit.low:g} on both sides"
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
