"""The code of the README does what it says."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKS = re.findall(r"```python\n(.*?)```", (Path(__file__).resolve().parents[1] / "README.md").read_text(), re.DOTALL)


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
