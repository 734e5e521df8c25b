"""Runs in a Blender with a window: the operators show how far they are, stop at Esc, and are undone as one step.

    blender --enable-event-simulate --python heft_from_source.py --python in_window.py

Prints "HEFT {}" when all went well; an exception is a failure.
"""
import os
import sys
import time
import traceback
from collections.abc import Iterator

import bpy
import heft
from bl_ui.space_statusbar import STATUSBAR_HT_header
from heft.addon import demo, scenes, working
from heft.addon.add_trace import add_trace
from heft.engine import Body, Character, Joint, build
from heft.engine.simulate import State, simulate


def slow_demo(scene, seconds):
    """a pendulum in ten parts: a real simulation would take long where numba is missing"""
    system = build(Character("Pendulum", (Body("rod", 1.0, (0.1, 0.1, 0.1), joint=Joint("hinge", axis=(0, 1, 0)), com=(0, 0, -1)),)))
    yield "compiling the engine, once"
    for part in range(10):
        yield part / 10
    return add_trace(1, simulate(system, State.rest(system), 0.2, 0.02), system)


def slow_scene(scene, name, seconds, step, contact):
    """the same in place of a scene"""
    yield from slow_demo(scene, seconds)
    return {"seconds": 0.2, "steps": 10, "contacts": 0, "impacts": 0, "deepest_mm": 0.0, "rests": True, "last_speed_m_s": 0.0,
            "last_turning_rad_s": 0.0, "verdict": "yes"}


def press(key: str) -> None:
    bpy.context.window_manager.windows[0].event_simulate(type=key, value="PRESS", x=500, y=500)
    bpy.context.window_manager.windows[0].event_simulate(type=key, value="RELEASE", x=500, y=500)


def start(operator) -> None:
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(window=window, area=area, region=next(r for r in area.regions if r.type == "WINDOW")):
        assert operator("INVOKE_DEFAULT") == {"RUNNING_MODAL"}


def status_is_ours() -> bool:
    return "Working" in getattr(STATUSBAR_HT_header.draw, "__qualname__", "")


def names() -> set[str]:
    return set(bpy.data.objects.keys())


def story() -> Iterator[float]:
    """what happens, with the seconds to wait in between"""
    for operator in (bpy.ops.heft.demo, bpy.ops.heft.add_scene):
        yield from story_of(operator)


def story_of(operator) -> Iterator[float]:
    before = names()
    yield 0.5
    start(operator)
    yield 0.35
    assert status_is_ours() and names() == before
    press("ESC")
    yield 1.5
    assert not status_is_ours() and names() == before, "Esc leaves the file as it was"

    start(operator)
    deadline = time.time() + 20
    while "Pendulum" not in names():
        assert time.time() < deadline
        yield 0.2
    yield 0.2
    assert not status_is_ours()
    assert bpy.data.objects["Pendulum"].animation_data.action
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        bpy.ops.ed.undo()
    yield 0.5
    assert names() == before, "the operator is one step of undo"


def advance() -> float | None:
    """a raising timer would only be dropped"""
    try:
        return next(STORY)
    except StopIteration:
        print("HEFT {}", flush=True)
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    os._exit(code)


bpy.context.preferences.view.show_splash = False
working.PAUSE = 0.1
demo.adding_demo = slow_demo
scenes.adding_scene = slow_scene
heft.register()
STORY = story()
bpy.app.timers.register(advance, first_interval=1.0)
