"""Random systems, and the same systems in MuJoCo and in Pinocchio: peers whose numbers ours must equal."""
import mujoco
import numpy as np
import pinocchio as pin
from heft.engine.export.mjcf import mjcf
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Gear, Joint, Range, Shape, SwingTwist
from heft.engine.model.model import BALL, FIXED, FREE, KINDS, SLIDER, UNIVERSAL, WORLD, Model, System

HELD = ["ball", "universal", "hinge", "slider", "fixed"]


def random_system(rng: np.random.Generator, bodies: int, gears: bool = False, shapes: bool = False) -> System:
    """A forest of `bodies` bodies in up to three characters, every kind of joint, frames anywhere."""
    counts = np.bincount(rng.integers(min(3, bodies), size=bodies))
    characters = [random_character(rng, f"c{number}", int(count), gears, shapes) for number, count in enumerate(counts) if count]
    world = (Shape("plane", friction=0.7), random_shape(rng, "box")) if shapes else ()
    return build(*characters, gravity=rng.normal(0, 6, 3), shapes=world)


def random_character(rng: np.random.Generator, name: str, count: int, gears: bool, shapes: bool) -> Character:
    bodies: list[Body] = []
    for i in range(count):
        # mostly one tree, chains longer than bushes
        parent = None if i == 0 or rng.random() < 0.08 else bodies[max(rng.integers(i), rng.integers(i))].name
        kind = "free" if parent is None and rng.random() < 0.6 else str(rng.choice(HELD))
        if gears and bodies and parent is not None and rng.random() < 0.6:
            kind = str(rng.choice(["hinge", "hinge", "ball", "slider", "universal"]))
        bodies.append(random_body(rng, f"b{i}", parent, kind, shapes))
    order = rng.permutation(count)
    ignored = tuple((bodies[a].name, bodies[b].name) for a, b in rng.integers(count, size=(2, 2)) if a != b)
    return Character(name, tuple(bodies[i] for i in order), random_gears(rng, bodies) if gears else (), ignored)


def random_body(rng: np.random.Generator, name: str, parent: str | None, kind: str, shapes: bool) -> Body:
    # the inertia of a handful of point masses: any of these is one a body can have
    weights, points = rng.uniform(0.1, 1, 6), rng.normal(0, 0.15, (6, 3))
    com = weights @ points / weights.sum()
    arms = points - com
    inertia = sum(w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(weights, arms))
    solid = [random_shape(rng, kind) for kind in ("sphere", "capsule", "box", "hull") if rng.random() < 0.4] if shapes else []
    return Body(name, weights.sum(), inertia, parent, random_joint(rng, kind), com, tuple(solid))


def random_joint(rng: np.random.Generator, kind: str) -> Joint:
    low = -rng.uniform(0.1, 2, 2)
    limits: tuple = {"hinge": (Range(low[0], 1.0),), "slider": (Range(low[0], 1.0),), "ball": (SwingTwist(1.0, 0.5),),
                     "universal": (Range(low[0], 0.7), Range(low[1], 0.8))}.get(kind, ())
    held = kind not in ("free", "fixed")
    return Joint(
        kind, random_frame(rng), random_frame(rng), rng.normal(size=3), rng.normal(size=3),
        stiffness=rng.uniform(0, 5) if held else 0.0, damping=rng.uniform(0, 1) if held else 0.0,
        armature=rng.uniform(0, 0.2) if held and rng.random() < 0.5 else 0.0, limits=limits if rng.random() < 0.5 else ())


def random_frame(rng: np.random.Generator) -> Frame:
    return Frame(rng.normal(0, 0.2, 3), random_quaternion(rng) * rng.uniform(0.5, 2))


def random_quaternion(rng: np.random.Generator) -> np.ndarray:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def random_shape(rng: np.random.Generator, kind: str) -> Shape:
    count = {"sphere": 1, "capsule": 2, "box": 3}.get(kind, 0)
    points = rng.normal(0, 0.1, (9, 3)) if kind == "hull" else np.zeros((0, 3))
    return Shape(kind, rng.uniform(0.02, 0.1, count), random_frame(rng), points, rng.uniform(0.2, 1.2))


def random_gears(rng: np.random.Generator, bodies: list[Body]) -> tuple[Gear, ...]:
    """serial and parallel gears, also several in a row"""
    gears = []
    for follower in bodies:
        axes = KINDS[follower.joint.kind].axes
        drivers = [body.name for body in bodies[:bodies.index(follower)] if KINDS[body.joint.kind].axes == axes and axes in (1, 2, 3)
                   and (follower.parent == body.name or follower.parent == body.parent)]
        if drivers and rng.random() < 0.7:
            gears.append(Gear(str(rng.choice(drivers)), follower.name, rng.choice([-1, 1]) * rng.uniform(0.3, 2)))
    return tuple(gears)


def random_state(rng: np.random.Generator, m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities; with gears the velocities agree with them, coordinates need not."""
    q, v = rng.normal(size=m.nq), rng.normal(size=m.nv)
    for i in range(m.nb):
        if m.kind[i] in (FREE, BALL):
            end = m.q_start[i + 1]
            q[end - 4:end] = random_quaternion(rng)
    return q, v


def mujoco_model(system: System) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The exported system, with every force but inertia and gravity switched off."""
    model = mujoco.MjModel.from_xml_string(mjcf(system))
    bits = mujoco.mjtDisableBit
    for bit in (bits.mjDSBL_CONTACT, bits.mjDSBL_LIMIT, bits.mjDSBL_EQUALITY):
        model.opt.disableflags |= int(bit)
    model.dof_damping[:] = 0
    model.jnt_stiffness[:] = 0
    return model, mujoco.MjData(model)


class Pinocchio:
    """A system in Pinocchio, its numbers in our conventions. Pinocchio's joint frames have the body's axes and stand at the plug."""

    def __init__(self, system: System):
        m = system.model
        self.m, self.model = m, pin.Model()
        self.model.gravity = pin.Motion(np.array(m.gravity), np.zeros(3))
        self.joint: list[int] = []               # the joint that carries each body
        self.place: list[pin.SE3] = []           # the body's frame in that joint's
        for i in range(m.nb):
            self._add(i)
        self.data = self.model.createData()
        # 2.7 has no armature: it is added to the diagonal here
        self.armature = np.zeros(m.na)
        np.add.at(self.armature, np.arange(m.na), np.repeat([body.joint.armature for body in system.bodies], np.diff(m.axis_start)))

    def _add(self, i: int) -> None:
        m, p, k, kind = self.m, self.m.parent[i], self.m.axis_start[i], self.m.kind[i]
        joint, carried = (0, pin.SE3.Identity()) if p == WORLD else (self.joint[p], self.place[p])
        socket = carried * pin.SE3(m.rotation[i], m.socket[i])
        plug = pin.SE3(np.eye(3), -m.plug[i])
        add = lambda above, joint_model, place, tail="": self.model.addJoint(above, joint_model, place, f"{i}{tail}")
        if kind == FIXED:
            place = socket * plug
        else:
            place = plug
            if kind == FREE:
                joint = add(joint, pin.JointModelFreeFlyer(), socket)
            elif kind == BALL:
                joint = add(joint, pin.JointModelSpherical(), socket)
            elif kind == SLIDER:
                joint = add(joint, pin.JointModelPrismaticUnaligned(m.axis[k]), socket)
            else:
                joint = add(joint, pin.JointModelRevoluteUnaligned(m.axis[k]), socket)
                if kind == UNIVERSAL:
                    joint = add(joint, pin.JointModelRevoluteUnaligned(m.axis[k + 1]), pin.SE3.Identity(), " second")
        xx, yy, zz, xy, xz, yz = m.inertia[i]
        inertia = pin.Inertia(m.mass[i], m.com[i], np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        self.model.appendBodyToJoint(joint, inertia, place)
        self.joint.append(joint)
        self.place.append(place)

    def q(self, q: np.ndarray) -> np.ndarray:
        """quaternions x y z w"""
        out = q.copy()
        for i in range(self.m.nb):
            if self.m.kind[i] in (FREE, BALL):
                end = self.m.q_start[i + 1]
                out[end - 4:end] = np.roll(q[end - 4:end], -1)
        return out

    def rates(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """T and T' v with v_pin = T v: a free joint's linear velocity in body axes"""
        T, rate = np.eye(self.m.na), np.zeros(self.m.na)
        for i in np.flatnonzero(self.m.kind == FREE):
            k, iq = self.m.axis_start[i], self.m.q_start[i]
            R = pin.Quaternion(np.roll(q[iq + 3:iq + 7], -1)).toRotationMatrix()
            T[k:k + 3, k:k + 3] = R.T
            rate[k:k + 3] = -np.cross(v[k + 3:k + 6], R.T @ v[k:k + 3])
        return T, rate

    def mass_matrix(self, q, v):
        T, _ = self.rates(q, v)
        upper = np.triu(pin.crba(self.model, self.data, self.q(q)))
        return T.T @ (upper + np.triu(upper, 1).T) @ T + np.diag(self.armature)

    def inverse(self, q, v, a):
        T, rate = self.rates(q, v)
        return T.T @ pin.rnea(self.model, self.data, self.q(q), T @ v, T @ a + rate) + self.armature * a

    def forward(self, q, v, tau):
        """by the articulated-body algorithm; only without armature"""
        T, rate = self.rates(q, v)
        return T.T @ (pin.aba(self.model, self.data, self.q(q), T @ v, T @ tau) - rate)

    def momentum(self, q, v):
        """linear, and angular about the world's origin"""
        T, _ = self.rates(q, v)
        h = pin.computeCentroidalMomentum(self.model, self.data, self.q(q), T @ v)
        com = pin.centerOfMass(self.model, self.data, self.q(q))
        return np.concatenate([h.linear, h.angular + np.cross(com, h.linear)])

    def jacobian(self, q, v, i: int, point: np.ndarray):
        """of the point of body i that is now at `point`, world axes, linear then angular"""
        T, _ = self.rates(q, v)
        if self.joint[i] == 0:
            return np.zeros((6, self.m.na))
        J = pin.computeJointJacobian(self.model, self.data, self.q(q), self.joint[i]).reshape(6, -1)      # in the joint's frame
        pin.forwardKinematics(self.model, self.data, self.q(q))
        here = self.data.oMi[self.joint[i]]
        angular = here.rotation @ J[3:]
        linear = here.rotation @ J[:3] - np.cross(point - here.translation, angular, axisb=0, axisc=0)
        return np.vstack([linear, angular]) @ T
