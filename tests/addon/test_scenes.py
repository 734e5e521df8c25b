"""The scenes with contact, by the operator and in the file of the command line."""
import json
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from heft.__main__ import main
from heft.addon import operators, panel, scenes
from heft.engine import cache
from heft.engine.scenes import SCENES
from heft.engine.simulate import simulate

from .test_demo import assert_bones_follow_bodies


def everything() -> dict:
    """all that is in the file, and the scene's range"""
    kinds = [name for name in dir(bpy.data) if isinstance(getattr(bpy.data, name), bpy.types.bpy_prop_collection)]
    return {kind: getattr(bpy.data, kind).keys() for kind in kinds} | {"frame_end": bpy.context.scene.frame_end}


def test_the_menu_has_every_scene():
    assert {name: about for name, _, about in scenes.list_scenes()} == {name: make.__doc__.rstrip(".") for name, make in SCENES.items()}
    assert len({label for _, label, _ in operators.SCENES}) == len(SCENES)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("seconds", [0.0, 0.9], ids=["its own length", "0.9 s"])
def test_the_operator_adds_the_engines_motion_and_world(seconds):
    bpy.context.scene.render.fps = 25
    bpy.context.scene.frame_start = 5
    assert bpy.ops.heft.add_scene("INVOKE_DEFAULT", scene="slope", seconds=seconds, step=0.005) == {"FINISHED"}
    scene = SCENES["slope"]()
    trace = simulate(scene.system, scene.state, seconds or scene.seconds, 0.005, fps=25, contact="rigid")
    assert_bones_follow_bodies([bpy.data.objects["box"]], scene.system, trace, 1e-4, first_frame=5)
    assert tuple(bpy.data.objects["box"].animation_data.action.frame_range) == (5, 4 + len(trace.frame_step))
    assert {"box", "box shapes", "world plane"} == set(bpy.context.scene.objects.keys())
    slope = bpy.data.objects["world plane"].matrix_world.to_3x3().col[2]
    np.testing.assert_allclose(slope, (0.5, 0, np.sqrt(0.75)), atol=1e-6)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("contact", ["compliant", "smooth"])
def test_the_operator_takes_the_model_of_contact(contact):
    assert bpy.ops.heft.add_scene("INVOKE_DEFAULT", scene="slope", seconds=0.2, step=0.005, contact=contact) == {"FINISHED"}
    scene = SCENES["slope"]()
    trace = simulate(scene.system, scene.state, 0.2, 0.005, fps=bpy.context.scene.render.fps, contact=contact)
    assert_bones_follow_bodies([bpy.data.objects["box"]], scene.system, trace, 1e-4, first_frame=1)


@pytest.mark.usefixtures("registered")
def test_it_is_undone():
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.heft.add_scene(scene="slope", seconds=0.1)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert not bpy.data.objects and not bpy.data.meshes


def test_nothing_is_added_before_the_end_and_cancelling_leaves_nothing():
    before = everything()
    work = scenes.adding_scene(bpy.context.scene, "slope", 0.0, 0.001)
    parts = []
    for part in work:
        parts.append(part)
        assert everything() == before
        if part == "measuring contacts and effort":
            break
    work.close()
    assert everything() == before
    first, *shares, _ = parts
    assert first in ("compiling the engine, once", "loading the engine") and shares == sorted(shares) and shares[-1] == 1.0


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("wrong", [{"seconds": -1.0}, {"seconds": float("nan")}, {"step": 0.0}, {"step": -0.001}], ids=str)
def test_bad_numbers_are_refused(wrong):
    before = everything()
    with pytest.raises(RuntimeError, match=f"{next(iter(wrong))} is .*, must be positive and finite"):
        bpy.ops.heft.add_scene(scene="slope", **wrong)
    assert everything() == before


def test_a_demo_run_before_does_not_hide_that_contact_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("HEFT_CACHE_DIR", str(tmp_path))
    (cache.folder() / "run.run-heft.nbi").touch()
    assert next(scenes.adding_scene(bpy.context.scene, "slope", 0.0, 0.001)) == "compiling the engine, once"
    (cache.folder() / "record.run_contact-heft.nbi").touch()
    assert next(scenes.adding_scene(bpy.context.scene, "slope", 0.0, 0.001)) == "loading the engine"


def test_the_report_is_one_line():
    report = {"seconds": 2.0, "steps": 2041, "contacts": 12246, "impacts": 3, "deepest_mm": 0.0123, "rests": True,
              "last_speed_m_s": 0.0, "last_turning_rad_s": 0.0, "verdict": "yes"}
    assert scenes.in_one_line("elbow", report) == (
        "Added elbow: 2 s, 12,246 contacts in 2,041 steps, 3 impacts, 0.012 mm deep at most, in the end at rest; "
        "all contact laws hold: yes")
    assert "at most, motors worked 12.3 J, in" in scenes.in_one_line("elbow", report | {"motor_work_absolute_J": 12.34})
    moving = report | {"rests": False, "last_speed_m_s": 1.234, "last_turning_rad_s": 3.0, "verdict": "no: penetration 3.1 mm (limit 2 mm)"}
    assert scenes.in_one_line("elbow", moving).endswith(
        "still moving at 1.2 m/s, 3 rad/s; all contact laws hold: no: penetration 3.1 mm (limit 2 mm)")


class Layout(SimpleNamespace):
    """takes whatever a panel draws; operators become namespaces that can be looked at"""
    def __getattr__(self, name):
        return lambda *arguments, **options: self

    def operator(self, name, **options):
        self.buttons[name] = SimpleNamespace()
        return self.buttons[name]


@pytest.mark.usefixtures("registered")
def test_the_panel_hands_its_settings_to_the_operator():
    settings = bpy.context.window_manager.heft_scene
    settings.scene, settings.seconds, settings.contact = "one_foot", 0.5, "compliant"
    layout = Layout(buttons={})
    panel.HEFT_PT_sidebar.draw(SimpleNamespace(layout=layout), bpy.context)
    assert list(layout.buttons) == ["heft.demo", "heft.add_scene"]
    assert vars(layout.buttons["heft.add_scene"]) == {
        "scene": "one_foot", "contact": "compliant", "seconds": 0.5, "step": pytest.approx(0.001)}


def test_the_command_writes_table_and_chair(tmp_path):
    blend, report = tmp_path / "elbow.blend", tmp_path / "elbow.json"
    assert main(["simulate", "elbow", "--seconds", "0.2", "--blend", str(blend), "--report", str(report)]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    assert {"figure", "figure shapes", "world plane", "world box", "world box.001"} == set(bpy.context.scene.objects.keys())
    chair, table = (bpy.data.objects[name] for name in ("world box", "world box.001"))
    np.testing.assert_allclose(chair.dimensions, (0.6, 0.8, 0.42), atol=1e-6)
    np.testing.assert_allclose(table.dimensions, (0.5, 1.0, 0.04), atol=1e-6)
    assert table.location.x == pytest.approx(0.4) and json.loads(report.read_text())["impacts"] == 0
