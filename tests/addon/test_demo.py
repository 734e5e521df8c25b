"""The demo in Blender: what it says, what it adds and when, how it is undone."""
import sys

import bpy
import pytest
from heft.addon import demo, panel
from heft.addon.add_trace import add_trace
from heft.engine import cache, kernel
from heft.engine.errors import Diverged

from .test_add_trace import assert_bones_follow_bodies, two_characters, two_second_trace


def two_parts(system, trace):
    """as adding_demo, without the simulation"""
    yield "compiling the engine, once"
    yield 1.0
    return add_trace(1, trace, system)


def test_the_operator_is_undone(monkeypatch, registered):
    system = two_characters()
    trace = two_second_trace(system)
    monkeypatch.setattr(demo, "adding_demo", lambda scene, seconds: two_parts(system, trace))
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.heft.demo("INVOKE_DEFAULT", seconds=2.0) == {"FINISHED"}
    assert {armature.name for armature in bpy.data.objects} == {"Figure", "Piston"}
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert not bpy.data.objects and not bpy.data.actions
    bpy.ops.ed.redo()
    assert_bones_follow_bodies([bpy.data.objects["Figure"], bpy.data.objects["Piston"]], system, trace, 1e-4)


def test_the_panel_says_how_the_engine_runs(monkeypatch):
    assert panel.engine_state() == (("compiled", "") if kernel.COMPILED else ("slow", kernel.WHY_SLOW))
    monkeypatch.setattr(kernel, "WHY_SLOW", "NUMBA_DISABLE_JIT is set")
    assert panel.engine_state() == ("slow", "NUMBA_DISABLE_JIT is set")
    monkeypatch.delitem(sys.modules, panel.KERNEL)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert panel.engine_state() == ("slow", "numba is not installed")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: "found")
    assert panel.engine_state() == ("not loaded yet", "")


@pytest.mark.parametrize("error", [Diverged("shin.L", 0.5), ValueError("bone 'shin.L': its length is 0 m")], ids=["engine", "add-on"])
def test_the_operator_reports_what_went_wrong(error, monkeypatch, registered):
    def failing(scene, seconds):
        yield 0.5
        raise error
    monkeypatch.setattr(demo, "adding_demo", failing)
    with pytest.raises(RuntimeError, match=r"'shin\.L': its"):              # Blender's way to hand a report to a script
        bpy.ops.heft.demo()
    assert not bpy.data.objects


def test_nothing_is_added_before_the_simulation_ends():
    parts = []
    for part in demo.adding_demo(bpy.context.scene, 1.0):
        parts.append(part)
        assert not bpy.data.objects and not bpy.data.actions
    first, *shares = parts
    assert first in ("compiling the engine, once", "loading the engine")
    assert shares[-1] == 1.0 and shares == sorted(shares) and len(shares) > 3
    assert {"tumbler", "swinger"} <= set(bpy.data.objects.keys())


@pytest.mark.parametrize("folder_has, told", [([], "compiling the engine, once"), (["run_runge_kutta.nbi"], "loading the engine")])
def test_it_says_beforehand_whether_it_has_to_compile(folder_has, told, tmp_path, monkeypatch):
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path))
    folder = cache.folder()
    for name in folder_has:
        (folder / name).touch()
    assert next(demo.adding_demo(bpy.context.scene, 1.0)) == told


@pytest.mark.parametrize("end, last", [(20, 34), (250, 250)], ids=["too short", "long enough"])
def test_the_scene_keeps_its_rate_and_its_range(end, last):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 24, 1.0
    scene.frame_start, scene.frame_end = 10, end
    for _ in demo.adding_demo(scene, 1.0):
        pass
    assert (scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end) == (24, 1.0, 10, last)
    assert tuple(bpy.data.objects["tumbler"].animation_data.action.frame_range) == (10, 34)
