"""BVH: any channel order, units, axes, and errors that name the line."""
import numpy as np
import pytest
from heft.engine.algebra.quaternions import matrix
from heft.engine.humanoid.skeleton import world_poses
from heft.engine.motion.read_bvh import Unreadable, read_bvh

TEXT = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {
    OFFSET 10 -20 5
    CHANNELS 3 %s
    End Site
    {
      OFFSET 0 -40 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 2 3 0 0 0 0 0 0
4 100 6 10 20 30 40 50 60
"""


def turn(axis, degrees):
    half = np.radians(degrees) / 2
    return matrix([np.cos(half), *(np.sin(half) * np.eye(3)["XYZ".index(axis)])])


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_places_in_any_order_of_channels(order, tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_text(TEXT % " ".join(f"{axis}rotation" for axis in order))
    clip = read_bvh(path, unit=0.01)
    assert clip.fps == pytest.approx(25) and clip.skeleton.names == ("Hips", "Leg")
    places, rotations = world_poses(clip)
    # by hand, in the file's own axes
    hips = turn("Z", 10) @ turn("X", 20) @ turn("Y", 30)
    leg = hips @ turn(order[0], 40) @ turn(order[1], 50) @ turn(order[2], 60)
    knee = np.array([4, 100, 6]) + hips @ [10, -20, 5]
    end = knee + leg @ [0, -40, 0]
    z_up = lambda x: 0.01 * np.array([x[0], -x[2], x[1]])
    assert places[1, 1] == pytest.approx(z_up(knee), abs=1e-12)
    assert places[1, 1] + matrix(rotations[1, 1]) @ clip.skeleton.end_offset[0] == pytest.approx(z_up(end), abs=1e-12)


def test_z_up_stays(tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_text(TEXT % "Zrotation Yrotation Xrotation")
    assert read_bvh(path, up="Z").root_positions[0].tolist() == [1, 2, 3]


@pytest.mark.parametrize("old, new, line, message", [
    ("OFFSET 10 -20 5", "OFFSET 10 -20", 8, "3 finite numbers, not 2"), ("JOINT Leg", "JOINT Hips", 6, "second joint 'Hips'"),
    ("Frames: 2", "Frames: 3", 17, "says 3 frames, but there are 2"), ("Frame Time: 0.04", "Frame Time: 0", 18, "more than 0"),
    ("4 100 6 10", "4 100 x 10", 20, "must be 9 numbers"), ("4 100 6 10", "4 100 6", 20, "not 8"), ("4 100 6", "4 nan 6", 20, "finite"),
    ("3 Zrotation", "4 Zrotation", 9, "says 4 channels, but names 3"),
    ("Zrotation Yrotation", "Wrotation Yrotation", 9, "'Wrotation' is none of"),
    ("End Site", "Begin Site", 10, "'Begin' is none of"), ("MOTION", "MOTIONS", 16, "outside of all joints")])
def test_errors_name_file_and_line(old, new, line, message, tmp_path):
    path = tmp_path / "bad.bvh"
    path.write_text((TEXT % "Zrotation Yrotation Xrotation").replace(old, new))
    with pytest.raises(Unreadable, match=message) as error:
        read_bvh(path)
    assert error.value.line == line and "bad.bvh" in str(error.value)


def test_a_missing_file_and_no_bvh(tmp_path):
    with pytest.raises(Unreadable, match="can't be read"):
        read_bvh(tmp_path / "none.bvh")
    (tmp_path / "empty.bvh").write_text("")
    with pytest.raises(Unreadable, match="no MOTION"):
        read_bvh(tmp_path / "empty.bvh")
