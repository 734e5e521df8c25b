"""The code of the README does what it says."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKS = re.findall(r"```python\n(.*?)```", (Path(__file__).resolve().parents[1] / "README.md").read_text(), re.DOTALL)


EFFORT = re.findall(r"```python\n(.*?)```", (Path(__file__).resolve().parents[1] / "docs/effort.md").read_text(), re.DOTALL)


def test_the_page_of_effort_runs(tmp_path):
    (tmp_path / "blocks.py").write_text("\n".join(EFFORT))
    done = subprocess.run([sys.executable, "blocks.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    work, current, speed = re.match(r"(\S+)\n\[(\S+?)\] \[(\S+?)\]\n", done.stdout).groups()
    assert float(work) < 4 * 9.81 * 0.3 + 1 and 11.5 < float(speed) < 12 and abs(float(current)) < 0.1


def test_the_tour_runs_and_mujoco_agrees(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "build").mkdir()
    output = ""
    for block in BLOCKS:
        (tmp_path / "build/block.py").write_text(block)
        done = subprocess.run([sys.executable, "build/block.py"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        output += done.stdout
    found = re.fullmatch(r"MuJoCo needs other forces by at most (\S+) N m\n", output)
    assert found and float(found[1]) < 1e-12
    assert {path.name for path in (tmp_path / "build").iterdir()} == {"block.py", "arm.xml", "arm.npz"}
