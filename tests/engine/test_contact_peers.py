"""Where things stop, by another engine: MuJoCo with short steps, stiff contacts, an elliptic cone and our dynamic friction.

Its friction is one number and acts at corners, so that scenes that spin on an area, or stick at more than they slide at, are left
to the closed forms."""
import mujoco
import numpy as np
import pytest
from heft.engine.export.mjcf import mjcf
from heft.engine.kernel import COMPILED
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate

pytestmark = pytest.mark.skipif(not COMPILED, reason="slow without numba")


# tolerance in m and of quaternions; a fall tells small differences apart for seconds and lands within a hand's breadth
@pytest.mark.parametrize("name, seconds, tolerance", [
    ("slope", 1.0, 3e-3), ("ladder", 0.5, 3e-3), ("stack", 1.0, 1e-3), ("stand", 2.0, 1e-3), ("bounce", 3.0, 1e-3), ("elbow", 3.0, 1e-3),
    ("fall", 12.0, 0.1)])
def test_things_stop_where_mujoco_stops_them(name, seconds, tolerance):
    scene = SCENES[name]()
    trace = simulate(scene.system, scene.state, seconds, contact="rigid", holds=scene.holds)
    model = mujoco.MjModel.from_xml_string(mjcf(scene.system))
    model.opt.timestep, model.opt.integrator = 0.0005, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 100
    shapes = [shape for body in scene.system.bodies for shape in body.shapes] + list(scene.system.shapes)
    model.geom_friction[:, 0] = max(shape.material[1] for shape in shapes)
    model.geom_solref[:] = 0.002, 1
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = scene.state.q, scene.state.v
    mujoco.mj_step(model, data, nstep=round(seconds / model.opt.timestep))
    assert np.abs(trace.qpos[-1] - data.qpos)[:7].max() < tolerance
