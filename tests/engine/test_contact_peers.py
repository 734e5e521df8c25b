"""Where things stop, by another engine: MuJoCo with short steps, stiff contacts, an elliptic cone and our dynamic friction.

Its friction is one number and acts at corners, so that scenes that spin on an area, or stick at more than they slide at, are left
to the closed forms."""
import mujoco
import numpy as np
import pytest
from heft.engine.dynamics.poses import body_poses
from heft.engine.export.mjcf import mjcf
from heft.engine.kernel import COMPILED
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="slow without numba")


# tolerance in m of places and of the entries of axes. A fall tells small differences apart: on stairs it is compared until it tumbles,
# on the plane, where it stops, within a forearm's length and without its limbs' turns
@pytest.mark.parametrize("name, seconds, places, axes", [
    ("slope", 1.0, 3e-3, 5e-3), ("ladder", 0.5, 3e-3, 1e-3), ("stack", 1.0, 1e-4, 1e-4), ("stand", 2.0, 2e-4, 2e-4),
    ("one_foot", 0.5, 1e-4, 1e-4), ("four_limbs", 1.0, 1e-4, 1e-4), ("bounce", 3.0, 1e-4, 1e-4), ("elbow", 3.0, 1e-4, 1e-4),
    ("stairs", 0.4, 0.1, 0.3), ("fall", 12.0, 0.3, np.inf)])
def test_all_bodies_stop_where_mujoco_stops_them(name, seconds, places, axes):
    scene = SCENES[name]()
    trace = simulate(scene.system, scene.state, seconds, contact="rigid", holds=scene.holds)
    data = mujoco_end(scene, seconds)
    x, R = (pose[0] for pose in body_poses(scene.system, trace.qpos[-1:]))
    assert np.linalg.norm(x - data.xpos[1:], axis=1).max() < places
    assert np.abs(R - data.xmat[1:].reshape(-1, 3, 3)).max() < axes


def mujoco_end(scene, seconds):
    model = mujoco.MjModel.from_xml_string(mjcf(scene.system))
    model.opt.timestep, model.opt.integrator = 0.0005, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 100
    shapes = [shape for body in scene.system.bodies for shape in body.shapes] + list(scene.system.shapes)
    model.geom_friction[:, 0] = max(shape.material[1] for shape in shapes)
    model.geom_solref[:] = 0.002, 1
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = scene.state.q, scene.state.v
    mujoco.mj_step(model, data, nstep=round(seconds / model.opt.timestep))
    mujoco.mj_kinematics(model, data)
    return data
