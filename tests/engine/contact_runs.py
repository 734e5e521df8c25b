"""What the tests of rigid contact share: how they run, and the check by another engine."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from heft.engine.export.mjcf import write_mjcf
from heft.engine.export.trace import write_trace
from heft.engine.kernel import COMPILED
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.scenes.props import placed
from heft.engine.simulate import simulate

G = 9.81                                          # m/s^2
UPRIGHT = (1, 0, 0, 0)
FLOOR = Shape("plane")
VERIFY = Path(__file__).resolve().parents[3] / "shared/tools/verify-trace"
compiled = pytest.mark.skipif(not COMPILED, reason="takes minutes uncompiled")
verified = pytest.mark.skipif(not VERIFY.exists(), reason="needs the tool verify-trace in ../shared")


def run(scene, seconds=None, step=0.001, **options):
    return simulate(scene.system, scene.state, seconds or scene.seconds, step, "euler", contact="rigid", holds=scene.holds,
                    commands=scene.commands, **options)


def on_floor(*characters, poses, floor=FLOOR, seconds=1.0, step=0.001, **options):
    system = build(*characters, shapes=(floor,))
    return simulate(system, placed(system, *poses), seconds, step, "euler", contact="rigid", **options)


def kinetic_energy(system, trace):
    m = system.model
    return 0.5 * sum(m.mass[i] * np.sum(trace.qvel[:, 6 * i:6 * i + 3] ** 2, 1)
                     + np.sum(m.inertia[i, :3] * trace.qvel[:, 6 * i + 3:6 * i + 6] ** 2, 1)
                     for i in range(m.nb))


def verify(folder, system, trace, *options):
    """another engine, which shares no code with this one, finds the trace to obey the laws"""
    write_mjcf(folder / "model.xml", system)
    write_trace(folder / "trace.npz", trace)
    done = subprocess.run([sys.executable, VERIFY, folder / "model.xml", folder / "trace.npz", *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
