"""Every error of a description names the body, the value and what was expected."""
import math
import re

import numpy as np
import pytest
from heft.engine.errors import BadCharacter
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Gear, Joint, Range, Shape, SwingTwist


def body(name: str = "arm", parent: str | None = None, mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0, 0, 0), shapes=(), **joint) -> Body:
    return Body(name, mass, inertia, parent, Joint(**{"kind": "hinge", **joint}), com, shapes)


def shaped(kind="sphere", size=(0.1,), **more) -> Body:
    return body(shapes=(Shape(kind, size, **more),))


BODIES = {
    "mass is -2 kg, must be positive": body(mass=-2),
    "mass is 0 kg, must be positive": body(mass=0),
    "mass is nan, must be finite": body(mass=math.nan),
    "mass is 'heavy', must be a number": body(mass="heavy"),
    "mass is '2', must be a number": body(mass="2"),
    "mass is None, must be a number": body(mass=None),
    "centre of mass is ('a', 0, 0), must be numbers": body(com=("a", 0, 0)),
    "centre of mass has shape (2,), must be (3,)": body(com=(0, 0)),
    "centre of mass is [0.0, inf, 0.0], must be finite": body(com=(0, math.inf, 0)),
    "inertia has shape (2,), must be 3 or 3 x 3 numbers": body(inertia=(1, 1)),
    "inertia has shape (3, 2), must be 3 or 3 x 3 numbers": body(inertia=np.ones((3, 2))),
    "inertia has shape (), must be 3 or 3 x 3 numbers": body(inertia=0.1),
    "inertia is [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], must be symmetric": body(inertia=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]),
    "principal moments of inertia are -1, 1, 1 kg m^2, must be positive": body(inertia=(1, -1, 1)),
    "principal moments of inertia are 1, 1, 3 kg m^2: the two small ones must sum to at least the large one": body(inertia=(3, 1, 1)),
    "joint kind is 'screw', must be one of free, ball, universal, hinge, slider, fixed": body(kind="screw"),
    "socket position has shape (2,), must be (3,)": body(socket=Frame((0, 0))),
    "plug position is [0.0, 0.0, nan], must be finite": body(plug=Frame((0, 0, math.nan))),
    "socket rotation is [0.0, 0.0, 0.0, 0.0], must not be zero": body(socket=Frame(rotation=(0, 0, 0, 0))),
    "plug rotation has shape (3,), must be (4,)": body(plug=Frame(rotation=(1, 0, 0))),
    "joint axis is [0.0, 0.0, 0.0], must not be zero": body(axis=(0, 0, 0)),
    "second joint axis is [0.0, 0.0, 0.0], must not be zero": body(second_axis=(0, 0, 0)),
    "its two axes [1.0, 0.0, 0.0] and [-2.0, 0.0, 0.0] are parallel": body(kind="universal", axis=(1, 0, 0), second_axis=(-2, 0, 0)),
    **{f"joint {what} is -1, must not be negative": body(**{what: -1})
       for what in ("stiffness", "damping", "armature", "limit_stiffness", "limit_damping")},
    "a free joint has no spring, damper or armature": body(kind="free", damping=1),
    "a fixed joint has no limits, but 1 are given": body(kind="fixed", limits=(Range(0, 1),)),
    "limits of a hinge joint are Range, not SwingTwist": body(limits=(SwingTwist(1, 1),)),
    "limits of a universal joint are Range and Range, not Range": body(kind="universal", limits=(Range(0, 1),)),
    "limits must be a tuple of Range or SwingTwist, not Range(low=0, high=1)": body(limits=Range(0, 1)),
    "limits must be Range or SwingTwist, but one is (0, 1)": body(limits=((0, 1),)),
    "twist limit runs from -4 to 1 rad, must lie within -pi to pi": body(kind="ball", limits=(SwingTwist(1, 1, Range(-4, 1)),)),
    "twist limit runs from 0 to 3.5 rad, must lie within -pi to pi": body(kind="ball", limits=(SwingTwist(1, 1, Range(0, 3.5)),)),
    "limit is [0.0, nan], must be finite": body(limits=(Range(0, math.nan),)),
    "limit runs from 1 to -1, must rise": body(limits=(Range(1, -1),)),
    "limit runs from 2 to 1, must rise": body(kind="ball", limits=(SwingTwist(1, 1, Range(2, 1)),)),
    "swing limit is 4 rad, must be over 0 and at most pi": body(kind="ball", limits=(SwingTwist(1, 4),)),
    "swing limit is 0 rad, must be over 0 and at most pi": body(kind="ball", limits=(SwingTwist(0, 1),)),
    "shape kind is 'torus', must be one of plane, sphere, capsule, box, hull, mesh, heights": shaped("torus"),
    "size of its box has shape (1,), must be (3,)": shaped("box"),
    "size of its sphere is [-0.1] m, must be positive": shaped(size=(-0.1,)),
    "points of its hull have shape (3, 3), must be 4 or more points not in one plane": shaped("hull", (), points=np.eye(3)),
    "points of its hull is [[nan, nan, nan], [nan, nan, nan]": shaped("hull", (), points=np.full((4, 3), math.nan)),
    "shape position has shape (1,), must be (3,)": shaped(frame=Frame((0,))),
    "shape rotation is [0.0, 0.0, 0.0, 0.0], must not be zero": shaped(frame=Frame(rotation=(0, 0, 0, 0))),
    "friction is -0.5, must not be negative": shaped(friction=-0.5),
    "friction is nan, must be finite": shaped(friction=math.nan),
    "dynamic friction is 0.9, must be at most 0.8": shaped(dynamic_friction=0.9),
    "dynamic friction is -0.1, must not be negative": shaped(dynamic_friction=-0.1),
    "restitution is 1.5, must be at most 1": shaped(restitution=1.5),
    "collision group is 'all', must be a whole number of 64 bits": shaped(group="all"),
    "collision mask is 1.5, must be a whole number of 64 bits": shaped(mask=1.5),
    "its plane would move: planes, meshes and heights belong to what does not": shaped("plane", ()),
    "its heights would move": shaped("heights", (0.1, 0.1), heights=np.zeros((2, 2))),
    "heights have shape (1, 4), must be 2 or more rows and columns": shaped("heights", (0.1, 0.1), heights=np.zeros((1, 4))),
    "size of its heights has shape (1,), must be (2,)": shaped("heights", (0.1,), heights=np.zeros((2, 2))),
    "points of its mesh have shape (3,), must be (any, 3)": shaped("mesh", (), points=np.zeros(3)),
    "triangles of its mesh have shape (0, 3) of int64, must be (any, 3) whole numbers": shaped("mesh", (), points=np.eye(3)),
    "triangles of its mesh name point 3, must be 0 to 2": shaped("mesh", (), points=np.eye(3), triangles=np.array([[0, 1, 3]])),
    "triangles of its mesh name point -1, must be 0 to 2": shaped("mesh", (), points=np.eye(3), triangles=np.array([[0, 1, -1]])),
}


@pytest.mark.parametrize("message", BODIES)
def test_bad_body(message):
    with pytest.raises(BadCharacter, match=re.escape(f"body 'arm': {message}")) as caught:
        build(Character("figure", (BODIES[message],)))
    assert caught.value.body == "arm"


CHARACTERS = {
    "bodies of character 'figure' must be a tuple of Body, not Body 'arm'": (body(), (), ()),
    "bodies of character 'figure' must be Body, but one is 'arm'": (("arm",), (), ()),
    "gears of character 'figure' must be a tuple of Gear, not Gear(driver='arm', follower='hand', ratio=1)":
        ((body(), body("hand", "arm")), Gear("arm", "hand", 1), ()),
    "the name of a body of character 'figure' is '', must be a text and not empty": ((body(""),), (), ()),
    "the name of a body of character 'figure' is 3, must be a text and not empty": ((body(3),), (), ()),
    "body 'arm': joint is 'hinge', must be a Joint": ((Body("arm", 1.0, (1, 1, 1), joint="hinge"),), (), ()),
    "character 'figure' has no bodies, needs at least one": ((), (), ()),
    "body 'arm': its name is used twice, must be unique": ((body(), body()), (), ()),
    "body 'arm': its parent 'chest' does not exist": ((body(parent="chest"),), (), ()),
    "body 'arm': a free joint connects to the world, but its parent is 'chest'":
        ((body("chest"), body(parent="chest", kind="free")), (), ()),
    "body 'arm': it is its own ancestor: arm < hand < arm": ((body(parent="hand"), body("hand", "arm")), (), ()),
    "body 'hand': a gear names it, but there is no such body": ((body(),), (Gear("arm", "hand", 1),), ()),
    "body 'hand': gear ratio is 0: make its joint fixed instead": ((body(), body("hand", "arm")), (Gear("arm", "hand", 0),), ()),
    "body 'hand': gear ratio is inf, must be finite": ((body(), body("hand", "arm")), (Gear("arm", "hand", math.inf),), ()),
    "body 'hand': gear couples its ball joint to the hinge joint of 'arm'":
        ((body(), body("hand", "arm", kind="ball")), (Gear("arm", "hand", 1),), ()),
    "body 'hand': two gears drive it, only one may":
        ((body(), body("hand", "arm")), (Gear("arm", "hand", 1), Gear("arm", "hand", 2)), ()),
    "body 'tip': gear to 'arm': the two must be parent and child or children of one parent":
        ((body(), body("hand", "arm"), body("tip", "hand")), (Gear("arm", "tip", 1),), ()),
    "gears drive each other in a circle": ((body(), body("hand", "arm")), (Gear("arm", "hand", 1), Gear("hand", "arm", 1)), ()),
    "body 'leg': an ignored pair names it, but there is no such body": ((body(),), (), (("arm", "leg"),)),
}


@pytest.mark.parametrize("message", CHARACTERS)
def test_bad_character(message):
    with pytest.raises(BadCharacter, match=re.escape(message)) as caught:
        build(Character("figure", *CHARACTERS[message]))
    named = re.match("body '(.+?)'", message)
    assert not named or caught.value.body == named[1]


def test_bad_system():
    with pytest.raises(BadCharacter, match="a system needs at least one character"):
        build()
    with pytest.raises(BadCharacter, match="characters twin, twin must have different names"):
        build(Character("twin", (body(),)), Character("twin", (body(),)))
    with pytest.raises(BadCharacter, match=r"gravity has shape \(1,\), must be \(3,\)"):
        build(Character("figure", (body(),)), gravity=(9.81,))
    with pytest.raises(BadCharacter, match="characters must be Character, but one is Body 'arm'"):
        build(body())
    with pytest.raises(BadCharacter, match="the name of a character is '', must be a text and not empty"):
        build(Character("", (body(),)))
    with pytest.raises(BadCharacter, match="body 'a/b/c': two characters have a body of this full name"):
        build(Character("a", (body("b/c"),)), Character("a/b", (body("c"),)))


def test_bad_world():
    with pytest.raises(BadCharacter, match=r"^the world: size of its box has shape \(1,\), must be \(3,\)"):
        build(Character("figure", (body(),)), shapes=(Shape("box", (1.0,)),))
    with pytest.raises(BadCharacter, match="shapes of the world must be a tuple of Shape, not a Shape"):
        build(Character("figure", (body(),)), shapes=Shape("plane"))
