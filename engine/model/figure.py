"""The reference figure: 28 dofs and a free root, 13 links, 69 kg (source 000, Fig 5 and Table 3).

Table 3 gives y along the trunk and x along the limbs; here z is up and x forward, and a limb hangs along z, so its small
moment (I_xx of the table) is I_zz and a trunk's (I_yy) is I_zz too. Some moments of Table 3 are larger than a link of that
length can have (2 kg with 0.2 kg m^2, where a forearm's rod has 0.012); they are kept as printed. The lengths, not printed, are
those of a person of 1.71 m. The soles are 19 x 12 cm.
"""
from .character import Body, Character, Frame, Joint, Shape

SOLE_LENGTH, SOLE_WIDTH = 0.19, 0.12             # m
ANKLE_HEIGHT, HEEL = 0.08, 0.05                  # m; the ankle stands 5 cm before the heel
STANDING_HEIGHT = 0.93                           # m, of the pelvis above the soles


def figure(name: str = "figure", root: Joint | None = None) -> Character:
    """The figure, standing in its zero pose with the root at the pelvis; `root` replaces its free joint."""
    bodies = [
        _trunk("pelvis", None, root or Joint("free"), 15.0, (0.4, 0.4, 0.2), 0.05, (0.10, 0.15, 0.08)),
        _trunk("chest", "pelvis", _ball(0, 0, 0.15), 16.0, (0.8, 0.8, 0.4), 0.17, (0.11, 0.155, 0.17)),
        _trunk("head", "chest", _ball(0, 0, 0.38), 4.0, (0.1, 0.1, 0.1), 0.12, (0.09, 0.08, 0.12)),
    ]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        bodies += [
            _limb(f"upper_arm.{side}", "chest", _ball(0, sign * 0.20, 0.32), 4.0, (0.2, 0.2, 0.1), 0.29, 0.045),
            _limb(f"forearm.{side}", f"upper_arm.{side}", _hinge(-0.29), 2.0, (0.2, 0.2, 0.1), 0.27, 0.035),
        ]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        bodies += [
            _limb(f"thigh.{side}", "pelvis", _ball(0, sign * 0.09, -0.04), 5.0, (0.2, 0.2, 0.1), 0.41, 0.06),
            _limb(f"shin.{side}", f"thigh.{side}", _hinge(-0.41), 4.0, (0.2, 0.2, 0.1), 0.40, 0.045),
            Body(f"foot.{side}", 2.0, (0.02, 0.02, 0.02), f"shin.{side}", _ball(0, 0, -0.40), com=(SOLE_LENGTH / 2 - HEEL, 0, -0.04),
                 shapes=(Shape("box", (SOLE_LENGTH / 2, SOLE_WIDTH / 2, 0.02),
                               Frame((SOLE_LENGTH / 2 - HEEL, 0, 0.02 - ANKLE_HEIGHT))),)),
        ]
    return Character(name, tuple(bodies))


def _ball(x: float, y: float, z: float) -> Joint:
    return Joint("ball", socket=Frame((x, y, z)))


def _hinge(z: float) -> Joint:
    """knees and elbows turn about y"""
    return Joint("hinge", socket=Frame((0, 0, z)), axis=(0, 1, 0))


def _trunk(name, parent, joint, mass, inertia, middle, half_sides) -> Body:
    return Body(name, mass, inertia, parent, joint, com=(0, 0, middle), shapes=(Shape("box", half_sides, Frame((0, 0, middle))),))


def _limb(name, parent, joint, mass, inertia, length, radius) -> Body:
    """a capsule hanging from its joint"""
    return Body(name, mass, inertia, parent, joint, com=(0, 0, -length / 2),
                shapes=(Shape("capsule", (radius, length / 2 - radius), Frame((0, 0, -length / 2))),))
