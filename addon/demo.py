"""The demo, added to the animator's scene."""
from collections.abc import Generator

import bpy

from ..engine import cache
from .add_trace import add_to_scene, shares


def adding_demo(scene: bpy.types.Scene, seconds: float) -> Generator[float | str, None, list[bpy.types.Object]]:
    """Simulate the demo, yielding what comes next or the share done, and in the last part add its moving characters to the scene:
    at the scene's own rate, from its first frame on. Its range grows where the motion is longer."""
    yield "loading the engine" if cache.has_kernels("run_runge_kutta") else "compiling the engine, once"
    from ..engine.demo import simulating_demo
    system, parts = simulating_demo(seconds, fps=scene.render.fps / scene.render.fps_base)
    trace = yield from shares(parts)
    return add_to_scene(scene, trace, system)
