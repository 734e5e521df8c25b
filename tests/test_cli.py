"""The command line: what it says, what it writes, and how it refuses."""
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from heft.__main__ import main
from heft.engine.errors import BadCharacter, Diverged, Unwritable
from heft.engine.export.trace import read_trace

VERIFY = Path(__file__).resolve().parents[2] / "shared/tools/verify-trace"
FILES = ["demo.xml", "demo.npz", "demo.png", "demo.blend"]


def heft(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "heft", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """the folder of one run of the demo, and what it said"""
    pytest.importorskip("bpy", reason="the demo's .blend needs Blender as a module: pip install heft[blender]")
    folder = tmp_path_factory.mktemp("demo") / "made by the demo"
    done = heft("demo", "--output", folder, "--seconds", 1)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_without_a_command_it_lists_them():
    done = heft()
    assert done.returncode == 0
    assert "demo" in done.stdout and "tumble" in done.stdout


def test_help_of_the_demo_names_its_options():
    done = heft("demo", "--help")
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--output FOLDER", "--seconds", "--step", "Exit codes: 0 done, 2 bad input"))


def test_it_knows_its_version():
    done = heft("--version")
    assert (done.returncode, done.stdout) == (0, f"heft {metadata.version('heft')}\n")


def test_the_demo_writes_its_files_and_names_them(demo):
    folder, said = demo
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert [line for line in said.splitlines() if line.startswith("written")] == [f"written: {folder / name}" for name in FILES]
    assert (folder / "demo.png").read_bytes().startswith(b"\x89PNG")
    assert read_trace(folder / "demo.npz").time[-1] == pytest.approx(1.0)


def test_the_blend_file_opens_on_the_moving_figures(demo):
    import bpy
    bpy.ops.wm.open_mainfile(filepath=str(demo[0] / "demo.blend"))
    scene = bpy.context.scene
    assert {"tumbler", "swinger", "tumbler shapes", "swinger shapes"} == set(scene.objects.keys())
    heights = []
    for frame in (scene.frame_start, scene.frame_end // 2):
        scene.frame_set(frame)
        heights.append(scene.objects["tumbler"].pose.bones["pelvis"].head.z)
    assert heights == pytest.approx([1.0, 1.0 + 9.81 / 8], abs=0.1)      # thrown up for half a second


@pytest.mark.skipif(not VERIFY.exists(), reason=f"{VERIFY} is absent")
def test_another_engine_finds_the_demo_lawful(demo):
    command = [sys.executable, VERIFY, demo[0] / "demo.xml", demo[0] / "demo.npz", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["failed"] == [] and found["steps"] > 1000
    assert found["figures"]["root_force_rms"] < 1e-9


@pytest.mark.skipif(not VERIFY.exists(), reason=f"{VERIFY} is absent")
def test_another_engine_sees_a_false_demo(demo, tmp_path):
    with np.load(demo[0] / "demo.npz") as file:
        arrays = dict(file)
    arrays["qacc"][:, 2] += 0.1                                           # a hand from nowhere: 1 % of the weight
    np.savez(tmp_path / "false.npz", **arrays)
    done = subprocess.run([sys.executable, VERIFY, demo[0] / "demo.xml", tmp_path / "false.npz"], capture_output=True, text=True)
    assert done.returncode != 0, done.stdout


@pytest.mark.parametrize("arguments, code, complaint", [
    (["--seconds", "-1"], 2, "seconds is -1.0, must be positive"),
    (["--seconds", "nan"], 2, "seconds is nan, must be positive"),
    (["--step", "0"], 2, "step is 0.0, must be positive"),
    (["--seconds", "1e12"], 2, "steps, must be at most 10,000,000"),
    (["--output", __file__], 2, "test_cli.py' is a file, must be a folder"),
    (["--output", f"{__file__}/inside"], 4, "test_cli.py/inside' can't be written (not a directory): choose a folder"),
], ids=["negative", "not a number", "no step", "too long", "a file", "inside a file"])
def test_bad_input_is_refused_in_one_line(arguments, code, complaint, tmp_path):
    done = heft("demo", "--output", tmp_path, *arguments)
    assert done.returncode == code
    assert done.stderr.startswith("heft: ") and len(done.stderr.splitlines()) == 1 and complaint in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error, code, complaint", [
    (Diverged("swinger/head", 0.5), 4, "heft: body 'swinger/head': its motion stopped being finite at 0.5 s"),
    (BadCharacter("mass is 0 kg, must be positive", "head"), 2, "heft: body 'head': mass is 0 kg"),
    (KeyboardInterrupt(), 3, "heft: cancelled")], ids=["diverged", "bad character", "Ctrl C"])
def test_what_stops_a_run_is_said_in_one_line(error, code, complaint, tmp_path, monkeypatch, capsys):
    def stopped(*_):
        raise error
    monkeypatch.setattr("heft.engine.demo.run_demo", stopped)
    assert main(["demo", "--output", str(tmp_path)]) == code
    said = capsys.readouterr().err
    assert said.startswith(complaint) and said.count("\n") == 1


def test_files_are_named_as_soon_as_they_are_there(tmp_path, monkeypatch, capsys):
    def no_disk(*_):
        raise Unwritable(tmp_path / "demo.npz", OSError(28, "No space left on device"))
    monkeypatch.setattr("heft.engine.export.trace.write_trace", no_disk)
    assert main(["demo", "--output", str(tmp_path), "--seconds", "0.1"]) == 4
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == f"written: {tmp_path / 'demo.xml'}" and "no space left" in said.err


@pytest.mark.parametrize("arguments, complaint", [
    (["dance"], "invalid choice: 'dance'"),
    (["demo", "--seconds", "two"], "--seconds: invalid float value: 'two'")], ids=["command", "number"])
def test_what_it_does_not_understand_is_refused(arguments, complaint):
    done = heft(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr


def test_scenes_are_listed_with_what_they_show(capsys):
    assert main(["simulate", "--list"]) == 0
    said = capsys.readouterr().out
    for name in ("stand", "hang", "fall", "slope", "elbow"):
        assert f"\n{name} " in "\n" + said


@pytest.mark.parametrize("arguments", [["simulate"], ["simulate", "stnd"]])
def test_an_unknown_scene_is_refused_with_the_list(arguments, capsys):
    assert main(arguments) == 2
    assert "must be one of stand" in capsys.readouterr().err


def test_simulate_writes_what_was_asked_for(tmp_path):
    files = [tmp_path / "made" / name for name in ("slope.npz", "slope.xml", "slope.json")]
    done = heft("simulate", "slope", "--seconds", 0.5, "--trace", files[0], "--model", files[1], "--report", files[2])
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("written: ")] == [f"written: {files[i]}" for i in (1, 0, 2)]
    report = json.loads(files[2].read_text())
    # friction work: mu_d m g cos times the way down
    way = 0.5 * 9.81 * (np.sin(np.pi / 6) - 0.3 * np.cos(np.pi / 6)) * 0.5 ** 2
    assert report["energy_lost_J"] == pytest.approx(0.3 * 9.81 * np.cos(np.pi / 6) * way, rel=0.02)
    assert report["sliding_share"] > 0.9 and report["pull_share"] == 0
    assert report["all_contact_laws_hold"] and "\nall contact laws hold: yes\n" in done.stdout
    assert "simulated: 0.5 s in 16 frames" in done.stdout
    trace = read_trace(files[0])
    assert set(trace.contact_mu[trace.contact_slip == 1]) == {0.3}
    if VERIFY.exists():
        checked = subprocess.run([sys.executable, VERIFY, files[1], files[0]], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("contact", ["compliant", "smooth"])
def test_the_model_of_contact_is_one_option(contact, tmp_path, capsys):
    file = tmp_path / "slope.json"
    assert main(["simulate", "slope", "--seconds", "0.3", "--contact", contact, "--report", str(file)]) == 0
    report = json.loads(file.read_text())
    assert report["contact"] == contact and report["impacts"] == 0 and 0.001 < report["deepest_mm"] < 0.1


@pytest.mark.parametrize("arguments, code, complaint", [
    (["slpe"], 2, "did you mean 'slope'?"),
    (["slope", "--trace", "a.npz", "--model", "./a.npz"], 2, "--trace and --model both name 'a.npz', must be different files"),
    (["slope", "--trace", "/dev/null"], 2, "output '/dev/null' is a device, must be a file"),
    (["slope", "--report", "."], 2, "output '.' is a folder, must be a file"),
    (["slope", "--report", "a" * 250], 4, "can't be written (file name too long)"),
    (["slope", "--step", "1e-9"], 2, "steps, must be at most 10,000,000: take a longer step"),
    (["slope", "--seconds", "0.01"], 2, "less than one video frame, which lasts 1/fps = 0.03333 s: simulate 0.0334 s or more")],
    ids=["scene", "twice", "device", "folder", "long", "many steps", "no frame"])
def test_simulate_refuses_before_it_runs(arguments, code, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("heft.engine.simulate._with_contact", lambda *_: pytest.fail("it ran"))
    assert main(["simulate", *arguments]) == code
    assert complaint in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_the_demo_refuses_a_folder_in_place_of_a_file_before_it_runs(tmp_path, monkeypatch, capsys):
    (tmp_path / "demo.npz").mkdir()
    monkeypatch.setattr("heft.engine.demo.run_demo", lambda *_: pytest.fail("it ran"))
    assert main(["demo", "--output", str(tmp_path)]) == 2
    assert "demo.npz' is a folder" in capsys.readouterr().err


def test_simulate_refuses_a_folder_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["simulate", "slope", "--trace", str(tmp_path / "file" / "a.npz")]) in (2, 4)
    assert "file" in capsys.readouterr().err


def test_effort_writes_numbers_and_a_plot(tmp_path, capsys):
    assert main(["effort", "--output", str(tmp_path / "made"), "--step", "0.004"]) == 0
    said = capsys.readouterr().out
    results = json.loads((tmp_path / "made/effort.json").read_text())
    assert set(results) == {"arm", "chair"} and set(results["chair"]) == {"no hands", "hands on arm rests", "hands on thighs"}
    assert "knee_peak_Nm" in said and (tmp_path / "made/arm.png").read_bytes().startswith(b"\x89PNG")
