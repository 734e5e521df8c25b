"""Real clips and real force plates."""
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from clips import CMU, CMU_CLIPS, DATA, cmu, deepmimic, needs_data
from force_plates import TRIALS, judge
from heft.engine import write_mjcf, write_trace
from heft.engine.analyse import analyse
from heft.engine.analysis.contact_report import contact_report
from heft.engine.kernel import COMPILED
from heft.engine.motion.source import make_source

VERIFY = Path(__file__).resolve().parents[3] / "shared/tools/verify-trace"


@needs_data
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_forces_from_kinematics_alone_are_those_of_the_plates(trial):
    """vertical force within 8 % of the weight walking and 5 % else; the centre of pressure as good as without cones, or better"""
    found = judge(trial)
    assert found.frames > 60 and found.vertical < (0.08 if "walk" in trial.name else 0.05)
    assert found.plain_vertical == pytest.approx(found.opensim_vertical, abs=0.003)       # OpenSim's inverse dynamics, by our own
    if "walk" in trial.name:
        assert found.single > 40 and found.pressure <= found.plain_pressure + 1e-3 and found.pressure < 0.036
    assert found.feet < 0.06


@needs_data
@pytest.mark.parametrize("name, most", [("69_20", 0.02), ("02_01", 0.04), ("70_03", 0.01), ("82_05", 0.01)])
def test_good_clips_leave_little_open(name, most):
    """at 6 Hz; measured 0.013, 0.029, 0.003, 0.0003"""
    assert analyse(make_source(cmu(name), low_pass_frequency=6)).report["residual_force_rms_BW"] < most


@needs_data
@pytest.mark.parametrize("name", [*CMU_CLIPS, "getup_facedown", "backflip"])
def test_forces_stay_inside_cones_and_regions(name):
    source = make_source(cmu(name), low_pass_frequency=10) if name in CMU_CLIPS else make_source(deepmimic(name), fps=120)
    found = analyse(source)
    report = found.report
    assert report["pull_share"] == report["outside_friction_share"] == report["outside_region_share"] == 0
    assert all(np.isfinite(getattr(found, array)).all() for array in ("needed", "residual", "torque", "power", "kinetic"))
    other = contact_report(source.system, found.trace)
    assert other["pull_share"] == other["outside_friction_share"] == other["outside_region_share"] == 0
    assert other["zmp_outside_share"] == pytest.approx(report["zmp_outside_share"], abs=0.02)


@needs_data
@pytest.mark.skipif(not VERIFY.exists(), reason=f"{VERIFY} is absent")
def test_another_engine_finds_the_same_residual(tmp_path):
    source = make_source(cmu("69_20").frames(0, 200), low_pass_frequency=10)
    found = analyse(source)
    write_mjcf(tmp_path / "a.xml", source.system)
    write_trace(tmp_path / "a.npz", found.trace)
    done = subprocess.run([sys.executable, VERIFY, tmp_path / "a.xml", tmp_path / "a.npz", "--json"], capture_output=True, text=True)
    figures = json.loads(done.stdout)["figures"]
    assert figures["root_force_rms"] == pytest.approx(found.report["residual_force_rms_BW"], rel=1e-6)
    assert figures["joint_rms"] < 1e-12 and figures["pull"] == figures["friction_excess"] == figures["centre_outside"] == 0
    assert figures["twist_excess"] == figures["root_actuation"] == 0
    assert 1000 * figures["skate"] == pytest.approx(found.report["skate_mean_mm_s"], rel=0.02)


@needs_data
@pytest.mark.skipif(not COMPILED, reason="uncompiled it is slow")
def test_time_grows_with_the_clip_and_no_faster():
    """four times the frames, at most six times the time"""
    clip = cmu("70_03")
    seconds = []
    for frames in (400, 1600):
        source = make_source(clip.frames(1, 1 + frames), low_pass_frequency=10)
        runs = []
        for _ in range(5):
            started = time.perf_counter()
            analyse(source)
            runs.append(time.perf_counter() - started)
        seconds.append(min(runs))
    assert seconds[1] < 6 * seconds[0]


@needs_data
def test_from_the_command_line(tmp_path, capsys):
    from heft.__main__ import main
    files = {name: tmp_path / f"a.{end}" for name, end in (("trace", "npz"), ("model", "xml"), ("report", "json"))}
    asked = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    assert main(["analyse", str(DATA / "cmu/09_01.bvh"), "--unit", str(CMU), "--mass", "70", "--extend", "--friction", "1.2", *asked]) == 0
    shown = capsys.readouterr().out
    report = json.loads(files["report"].read_text())
    assert report["mass_kg"] == pytest.approx(70) and report["extended_contacts"] and report["low_pass_Hz"] == 10
    assert "broken: residual force" in shown and "all laws hold: no" in shown and all(path.exists() for path in files.values())
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(files["model"]))
    assert model.geom_friction[model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE, 0] == pytest.approx(1.2) == report["friction"]
    assert main(["analyse", str(DATA / "cmu/09_01.bvh"), "--unit", str(CMU), "--low-pass", "-1"]) == 2
    assert main(["analyse", str(tmp_path / "none.bvh"), "--unit", "1"]) == 2
    assert main(["analyse", str(DATA / "cmu/09_01.bvh")]) == 2
    twice = [part for name in ("trace", "model") for part in (f"--{name}", str(files["model"]))]
    assert main(["analyse", str(DATA / "cmu/09_01.bvh"), "--unit", str(CMU), *twice]) == 2


@needs_data
def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    page = (Path(__file__).resolve().parents[2] / "docs/analyse.md").read_text()
    (tmp_path / "build").mkdir()
    (tmp_path / "02_01.bvh").write_bytes((DATA / "cmu/02_01.bvh").read_bytes())
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, names)
    assert (tmp_path / "build/walk.npz").exists() and names["found"].report["broken_laws"]
