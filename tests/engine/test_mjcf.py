"""The exported file is the system: MuJoCo reads back the same bodies, joints, shapes and poses; and the trace beside it."""
import mujoco
import numpy as np
import pytest
from heft.engine.collision.find_contacts import find_contacts
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_pose
from heft.engine.errors import HeftError
from heft.engine.export.expand import expand_dofs
from heft.engine.export.mjcf import mjcf, write_mjcf
from heft.engine.export.trace import Trace, read_trace, write_trace
from heft.engine.kernel import COMPILED
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Gear, Joint, Range, Shape, SwingTwist
from heft.engine.model.model import BALL, FREE, HINGE, SLIDER, UNIVERSAL
from heft.tests.engine.random_systems import random_state, random_system
from heft.tests.engine.touching import grid_mesh

TYPES = {FREE: ["FREE"], BALL: ["BALL"], UNIVERSAL: ["HINGE", "HINGE"], HINGE: ["HINGE"], SLIDER: ["SLIDE"]}
SEEDS = range(40 if COMPILED else 8)


def load(system) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(mjcf(system))


def some_system(seed: int):
    rng = np.random.default_rng(seed)
    return rng, random_system(rng, 1 + seed % 30, gears=seed % 2 == 1, shapes=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_bodies_and_joints(seed):
    _, system = some_system(seed)
    m, peer = system.model, load(system)
    assert peer.nbody == m.nb + 1 and peer.nq == m.nq and peer.nv == m.na
    np.testing.assert_array_equal(peer.opt.gravity, m.gravity)
    for i, body in enumerate(system.bodies):
        assert peer.body(i + 1).name == system.names[i]
        assert peer.body_parentid[i + 1] == m.parent[i] + 1
        assert peer.body_mass[i + 1] == m.mass[i]
        np.testing.assert_array_equal(peer.body_ipos[i + 1], m.com[i])
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, peer.body_iquat[i + 1])
        R = R.reshape(3, 3)
        np.testing.assert_allclose(R @ np.diag(peer.body_inertia[i + 1]) @ R.T, np.array(body.inertia), rtol=0, atol=1e-10)
        joints = np.flatnonzero(peer.jnt_bodyid == i + 1)
        assert [mujoco.mjtJoint(peer.jnt_type[j]).name for j in joints] == [f"mjJNT_{kind}" for kind in TYPES.get(m.kind[i], [])]
        for number, j in enumerate(joints):
            assert peer.jnt_qposadr[j] == m.q_start[i] + number and peer.jnt_dofadr[j] == m.axis_start[i] + number
            assert peer.dof_armature[peer.jnt_dofadr[j]] == body.joint.armature
            assert peer.dof_damping[peer.jnt_dofadr[j]] == body.joint.damping
            assert np.ravel(peer.jnt_stiffness[j])[0] == body.joint.stiffness
            ranges = [limit for limit in body.joint.limits if isinstance(limit, Range)]
            assert peer.jnt_limited[j] == bool(ranges)
            if ranges:
                assert tuple(peer.jnt_range[j]) == (ranges[number].low, ranges[number].high)


@pytest.mark.parametrize("seed", SEEDS)
def test_poses(seed):
    rng, system = some_system(seed)
    m, peer = system.model, load(system)
    state, d = mujoco.MjData(peer), allocate(m)
    q, _ = random_state(rng, m)
    state.qpos[:] = q
    mujoco.mj_kinematics(peer, state)
    update_pose(d, m, q)
    np.testing.assert_allclose(d.origin[m.tree] + d.x, state.xpos[1:], rtol=0, atol=1e-12)
    np.testing.assert_allclose(d.R.reshape(-1, 9), state.xmat[1:], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_shapes(seed):
    _, system = some_system(seed)
    peer = load(system)
    wanted = [(0, shape) for shape in system.shapes] + [(i + 1, shape) for i, body in enumerate(system.bodies) for shape in body.shapes]
    assert peer.ngeom == len(wanted)
    for g, (body, shape) in enumerate(wanted):
        kind = {"hull": "MESH"}.get(shape.kind, shape.kind.upper())
        assert peer.geom_bodyid[g] == body and mujoco.mjtGeom(peer.geom_type[g]).name == f"mjGEOM_{kind}"
        assert peer.geom_friction[g, 0] == shape.friction
        if shape.kind in ("sphere", "capsule", "box"):
            np.testing.assert_array_equal(peer.geom_size[g, :len(shape.size)], shape.size)
            np.testing.assert_allclose(peer.geom_pos[g], shape.frame.position, atol=1e-15)
        if shape.kind == "hull":
            # MuJoCo moves a mesh to its own centre: its corners stay where they were
            mesh = peer.geom_dataid[g]
            vertices = peer.mesh_vert[peer.mesh_vertadr[mesh]:][:peer.mesh_vertnum[mesh]]
            corners = vertices @ matrix(peer.geom_quat[g]).T + peer.geom_pos[g]
            place = shape.points @ matrix(shape.frame.rotation).T + shape.frame.position
            distance = np.linalg.norm(corners[:, None] - place, axis=2)
            assert distance.min(axis=1).max() < 1e-6             # MuJoCo keeps corners in single precision


def matrix(quaternion) -> np.ndarray:
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, np.array(quaternion) / np.linalg.norm(quaternion))
    return R.reshape(3, 3)


def ball(name: str, parent: str | None = None, kind: str = "hinge", **joint) -> Body:
    return Body(name, 1.0, (0.1, 0.1, 0.1), parent, Joint(kind, **joint), shapes=(Shape("sphere", (0.1,)),))


@pytest.mark.parametrize("name", ["Ärm<L>", 'a "b" & \'c\'', "tab\there", "world", "--", "骨.001", " "])
def test_names_of_any_kind(name, tmp_path):
    limits = (SwingTwist(0.5, 0.5),)
    bodies = (ball("root", kind="free"), ball(name, "root", "ball", limits=limits), ball("x", "root"), ball("y", name))
    system = build(Character("c", bodies, ignored_pairs=((name, "x"),)))
    write_mjcf(tmp_path / "model.xml", system)
    peer = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    assert peer.body(2).name == ("world_" if name == "world" else name)
    assert peer.nexclude == 1


def test_gears_and_what_is_left_out():
    system = build(Character("c", (
        ball("root", kind="free"), ball("a", "root"), ball("b", "a"), ball("s", "a", "ball", limits=(SwingTwist(0.5, 0.4),)),
        ball("t", "s", "ball")), gears=(Gear("a", "b", -1.5), Gear("s", "t", 2.0))))
    text, peer = mjcf(system), load(system)
    assert peer.neq == 1 and tuple(peer.eq_data[0, :5]) == (0, -1.5, 0, 0, 0)
    assert (peer.joint(peer.eq_obj1id[0]).name, peer.joint(peer.eq_obj2id[0]).name) == ("b", "a")
    assert "gear of ball joints: 't' turns 2 times as fast as 's'" in text and "body 's': swing cone 0.5 by 0.4 rad" in text
    v = expand_dofs(system, np.arange(1.0, 1 + system.model.nv)[None])
    assert v.shape == (1, system.model.na)
    np.testing.assert_array_equal(v[0], [1, 2, 3, 4, 5, 6, 7, -10.5, 8, 9, 10, 16, 18, 20])


def test_children_of_fixed_bodies_do_not_collide_with_them():
    system = build(Character("c", (ball("post", kind="fixed"), ball("door", "post"), ball("knob", "door"))))
    peer = load(system)
    state = mujoco.MjData(peer)
    mujoco.mj_forward(peer, state)
    assert {tuple(sorted(pair)) for pair in peer.geom_bodyid[state.contact.geom]} == {(1, 3)}


def test_trace_reads_back(tmp_path):
    steps = np.arange(5)
    trace = Trace(time=steps / 100, qpos=np.ones((5, 7)), qvel=np.ones((5, 6)), qacc=np.zeros((5, 6)), tau=np.zeros((5, 6)),
                  frame_step=steps[::2])
    write_trace(tmp_path / "trace.npz", trace)
    with np.load(tmp_path / "trace.npz") as file:
        assert file["version"] == 1 and file["contact_point"].shape == (0, 3) and file["polygon_start"].tolist() == [0]
        assert file["contact_body"].dtype == np.int64 and "fps" not in file and "impact_step" not in file
    back = read_trace(tmp_path / "trace.npz")
    np.testing.assert_array_equal(back.qpos, trace.qpos)
    assert back.fps == pytest.approx(50) and [path.name for path in tmp_path.iterdir()] == ["trace.npz"]


def test_trace_of_uneven_arrays_is_refused(tmp_path):
    trace = Trace(time=np.zeros(5), qpos=np.ones((5, 7)), qvel=np.ones((4, 6)), qacc=np.zeros((5, 6)), tau=np.zeros((5, 6)))
    with pytest.raises(HeftError, match=r"qvel has shape \(4, 6\), expected 5 for S"):
        write_trace(tmp_path / "trace.npz", trace)
    assert not list(tmp_path.iterdir())


def touching(system, q) -> tuple[set, set]:
    """pairs of bodies (0 the world) that overlap by over 0.1 mm, by our detection and by MuJoCo's"""
    number = {name: i + 1 for i, name in enumerate(system.names)} | {"world": 0}
    ours = {tuple(sorted((number[region.body], number[region.other]))) for region in find_contacts(system, q) if region.gaps.min() < -1e-4}
    peer = load(system)
    state = mujoco.MjData(peer)
    state.qpos[:] = q
    mujoco.mj_forward(peer, state)
    theirs = {tuple(sorted(map(int, peer.geom_bodyid[contact.geom]))) for contact in state.contact if contact.dist < -1e-4}
    return ours, theirs


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_bodies_touch(seed):
    """filters and shapes: MuJoCo finds the same pairs, up to overlaps of a tenth of a millimetre"""
    rng, system = some_system(seed)
    q, _ = random_state(rng, system.model)
    q *= 0.5                                         # near each other
    ours, theirs = touching(system, q)
    assert ours == theirs


def test_groups_meet_in_mujoco_as_here():
    kinds = [(1, -1), (1, 2), (2, 1), (2, 2), (4, 3), (3, 4), (1, 0), (6, 5)]
    bodies = tuple(Body(f"b{k}", 1.0, (0.1, 0.1, 0.1), joint=Joint("free"), shapes=(Shape("sphere", (0.1,), group=group, mask=mask),))
                   for k, (group, mask) in enumerate(kinds))
    system = build(Character("c", bodies), shapes=(Shape("plane", group=8, mask=7),))
    q = np.tile([0.0, 0, 0, 1, 0, 0, 0], len(kinds)) + np.kron(np.arange(len(kinds)), [0.001, 0, 0, 0, 0, 0, 0])
    ours, theirs = touching(system, q)
    assert ours == theirs and 5 < len(ours) < 36
    silent = mujoco.MjModel.from_xml_string(mjcf(system, contacts=False))
    assert not silent.geom_contype.any() and not silent.geom_conaffinity.any()


def ground(kind: str) -> Shape:
    """hills of triangles, turned and moved"""
    mesh = grid_mesh(1.0, 8, lambda x, y: 0.1 * np.sin(2 * x) * np.cos(3 * y))
    frame = Frame((0.3, -0.2, 0.5), (0.98, 0.1, -0.1, 0.1))
    if kind == "mesh":
        return Shape("mesh", (), frame, mesh.points, 0.6, triangles=mesh.triangles)
    return Shape("heights", (0.25, 0.25), frame, friction=0.6, heights=mesh.points[:, 2].reshape(9, 9))


@pytest.mark.parametrize("kind", ["mesh", "heights"])
@pytest.mark.parametrize("shape", [Shape("sphere", (0.1,)), Shape("capsule", (0.05, 0.1)), Shape("box", (0.1, 0.1, 0.05))],
                         ids=lambda shape: shape.kind)
def test_ground_is_where_mujoco_finds_it(kind, shape):
    """a thing let down on hills: MuJoCo's deepest contact is ours, and it has the ground's friction. A box that MuJoCo pushes out of one
    column of the hills sideways it finds less deep than it is."""
    rng = np.random.default_rng(1)
    ground_shape = ground(kind)
    system = build(Character("c", (Body("thing", 1.0, (0.1, 0.1, 0.1), joint=Joint("free"), shapes=(shape,)),)), shapes=(ground_shape,))
    peer = load(system)
    state = mujoco.MjData(peer)
    assert (peer.geom_friction[:-1, 0] == 0.6).all() and peer.geom_friction[-1, 0] == 0.8
    R = matrix(ground_shape.frame.rotation)
    for _ in range(20 if COMPILED else 4):
        quaternion = rng.normal(size=4)
        q = np.concatenate([R @ [*rng.uniform(-0.6, 0.6, 2), 0.5] + ground_shape.frame.position, quaternion / np.linalg.norm(quaternion)])
        # let it down along the ground's z until it is a millimetre deep
        for _ in range(8):
            found = find_contacts(system, q, margin=1.0)
            q[:3] -= R[:, 2] * (min(region.gaps.min() for region in found) + 0.001)
        state.qpos[:] = q
        mujoco.mj_forward(peer, state)
        ours = min(region.gaps.min() for region in find_contacts(system, q))
        assert state.ncon and min(state.contact.dist) > ours - 3e-4
        assert shape.kind == "box" or min(state.contact.dist) < ours + 3e-4


def test_children_of_parts_fixed_to_a_post_do_not_collide_with_any_of_it():
    system = build(Character("c", (ball("post", kind="fixed"), ball("sign", "post", "fixed"), ball("door", "post"), ball("knob", "door"))))
    ours, theirs = touching(system, np.zeros(2))
    assert ours == theirs == {(1, 4), (2, 4)}
