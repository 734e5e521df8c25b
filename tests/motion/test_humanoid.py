"""Characters from skeletons: mass, balance, hinges where the bones bend, soles on the ground, mirrored sides."""
import numpy as np
import pytest
from heft.engine import HeftError, State, build
from heft.engine.dynamics.poses import body_poses
from heft.engine.humanoid.humanoid import make_humanoid
from heft.engine.humanoid.proportions import FEMALE, MALE
from heft.engine.motion.centre import centre_of_mass
from rigs import FAMILIES, skeleton, still_clip, turned


@pytest.mark.parametrize("segments", [MALE.segments, FEMALE.segments], ids=["male", "female"])
def test_the_table_is_a_whole_body(segments):
    twice = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
    assert sum(segment.mass * (2 if name in twice else 1) for name, segment in segments.items()) == pytest.approx(1, abs=2e-4)


@pytest.mark.parametrize("detail", ["all", "few"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_builds(family, detail):
    humanoid = make_humanoid(skeleton(family), mass=70.0, detail=detail)
    system = build(humanoid.character)
    assert system.model.mass.sum() == pytest.approx(70)
    assert 1.55 < humanoid.stature < 1.85
    # at rest joints are where the bones are
    rest = State.rest(system).q
    rest[:3] = humanoid.skeleton.rest_positions()[humanoid.joint_bone["pelvis"]]
    places = body_poses(system, rest)[0][0]
    assert places == pytest.approx(humanoid.skeleton.rest_positions()[[humanoid.joint_bone[name] for name in system.names]], abs=1e-12)
    # the centre of mass is in the middle, at 53 to 62 % of the height (arms are raised at rest)
    com = centre_of_mass(system, rest[None])[0]
    assert abs(com[0]) < 1e-3 and 0.53 < com[2] / humanoid.stature < 0.62
    assert {system.names[i] for i in range(system.model.nb) if system.bodies[i].joint.kind == "hinge"} == set(humanoid.hinges)


def test_sides_mirror():
    system = build(make_humanoid(skeleton("mixamo"), mass=70.0).character)
    mirror = np.array([-1, 1, 1])
    bodies = dict(zip(system.names, system.bodies))
    for name, body in bodies.items():
        if name.endswith(".L"):
            other = bodies[name[:-1] + "R"]
            assert body.mass == pytest.approx(other.mass)
            assert np.asarray(body.com) == pytest.approx(np.asarray(other.com) * mirror, abs=1e-9)
            assert np.asarray(body.inertia) == pytest.approx(np.asarray(other.inertia) * np.outer(mirror, mirror), abs=1e-9)


def test_few_has_34_dofs():
    assert build(make_humanoid(skeleton("cmu"), detail="few").character).model.nv == 34


def test_larger_figures_scale():
    small, s = make_humanoid(skeleton("cmu")), skeleton("cmu")
    large = make_humanoid(s._replace(offsets=2 * s.offsets, end_offset=2 * s.end_offset))
    masses = [sum(body.mass for body in made.character.bodies) for made in (small, large)]
    assert large.stature == pytest.approx(2 * small.stature)
    # the mass of people goes with the square of their height
    assert masses[1] == pytest.approx(4 * masses[0])
    assert large.soles[0].heel == pytest.approx(2 * small.soles[0].heel)


AXIS = np.array([0.96, 0.28, 0.0])               # a knee that looks outwards


def bent(bend, noise=0.0):
    clip = still_clip(skeleton("cmu"), len(bend))
    clip = turned(clip, "LeftLeg", AXIS, bend)
    rng = np.random.default_rng(1)
    return turned(clip, "LeftLeg", (0, 0, 1), noise * rng.standard_normal(len(bend)))


@pytest.mark.parametrize("bend, origin, off", [
    (np.linspace(0.1, 1.2, 50), "motion", 1e-6), (np.full(50, 0.7), "bend of the motion", 1e-6)])
def test_hinge_axis_from_the_motion(bend, origin, off):
    hinge = make_humanoid(skeleton("cmu"), bent(bend)).hinges["shin.L"]
    assert hinge.origin == origin and hinge.off_axis < off
    assert np.abs(hinge.axis) == pytest.approx(np.abs(AXIS), abs=1e-6)


def test_hinge_axis_of_a_motion_with_noise():
    hinge = make_humanoid(skeleton("cmu"), bent(np.linspace(0.1, 1.2, 400), 0.02)).hinges["shin.L"]
    assert np.degrees(np.arccos(abs(hinge.axis @ AXIS))) < 1.5 and hinge.off_axis == pytest.approx(0.02, rel=0.2)


def test_a_leg_that_never_bends_bends_as_people_do():
    s = skeleton("cmu")
    # straight legs: nothing in the rest pose tells either
    offsets = s.offsets.copy()
    for side in ("Left", "Right"):
        offsets[s.names.index(f"{side}Leg"), 1] = offsets[s.names.index(f"{side}Foot"), 1] = 0.0
    made = make_humanoid(s._replace(offsets=offsets), still_clip(s._replace(offsets=offsets), 30))
    hinge = made.hinges["shin.L"]
    assert hinge.origin == "anatomy" and any("LeftLeg" in note for note in made.notes)
    # facing -Y, bending takes the foot back to +Y
    assert np.cross(hinge.axis, [0, 0, -1]) == pytest.approx([0, 1, 0], abs=1e-6)


def test_the_rest_pose_tells_where_knees_bend():
    s = skeleton("cmu")
    offsets = s.offsets.copy()
    offsets[s.names.index("LeftLeg"), 1] -= 0.1
    hinge = make_humanoid(s._replace(offsets=offsets)).hinges["shin.L"]
    assert hinge.origin == "rest pose" and np.isnan(hinge.off_axis)


def test_soles_at_rest():
    made = make_humanoid(skeleton("mixamo"))
    for sole in made.soles:
        ankle = made.skeleton.rest_positions()[made.bone[sole.foot]]
        toe = made.skeleton.rest_positions()[made.bone[sole.toe]]
        places = np.array([*(ankle + sole.heel), *(toe + sole.ball), *(toe + sole.tip)])
        assert np.ptp(places[:, 2]) < 1e-9 and abs(places[0, 2]) < 0.01
        assert (np.diff(places[::2, 1]) < -0.04).all()            # heel, ball, tip from back to front
        assert places[0, 0] > places[1, 0]                          # left first
        assert ankle + sole.foot_ball == pytest.approx(toe + sole.ball, abs=0.01)


def test_wrong_words_are_refused():
    with pytest.raises(HeftError, match="must be one of male, female, mean"):
        make_humanoid(skeleton("cmu"), sex="x")
    with pytest.raises(HeftError, match="all or few"):
        make_humanoid(skeleton("cmu"), detail="x")
