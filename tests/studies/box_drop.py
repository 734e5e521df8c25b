"""The experiment of source 003, our own numbers: a box dropped on the floor with explicit Euler, Runge-Kutta and implicit steps.

    python tests/studies/box_drop.py        prints the table and writes it into docs/soft-contact.md
"""
import re
import time
from pathlib import Path

import numpy as np
from heft.engine.analysis.balance import balance
from heft.engine.errors import Diverged, HeftError
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.scenes.props import Scene, box, placed, turn
from heft.engine.simulate import simulate

METHODS = {"euler": "explicit Euler", "rk4": "Runge-Kutta 4", "implicit": "implicit"}
STEPS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)         # ms
FPS = 20.0                                                 # every one of the steps divides a frame of 50 ms
RIGHT, UNNATURAL, FAILED = "right", "unnatural", "diverged"
DOCS = Path(__file__).resolve().parents[2] / "docs/soft-contact.md"


def tilted_box(sinkage: float = 0.0005, restitution: float = 0.0) -> Scene:
    """A box of 1 kg and 20 cm, tilted about two axes, its middle 0.4 m up."""
    system = build(box("box", restitution=restitution), shapes=(Shape("plane", sinkage=sinkage),))
    return Scene(system, placed(system, ((0, 0, 0.4), turn((1, 0.6, 0), 0.4))), 2.0)


def outcome(scene: Scene, method: str, step: float) -> tuple[str, float]:
    """How it went, and microseconds a step. Natural is: energy never rises by over 1 % of what the fall has, it sinks no
    deeper than 2 cm, and it ends at rest on a face."""
    start = time.perf_counter()
    try:
        trace = simulate(scene.system, scene.state, scene.seconds, step, method, fps=FPS, contact="compliant")
    except (Diverged, HeftError):
        return FAILED, np.nan
    spent = (time.perf_counter() - start) / len(trace.time) * 1e6
    if np.abs(trace.qpos[:, :3]).max() > 10:
        return FAILED, spent
    energy = balance(scene.system, trace).energy.sum(1) + trace.contact_energy
    rise = (energy - np.minimum.accumulate(energy)).max() / (9.81 * 0.3)
    rests = np.abs(trace.qvel[-1]).max() < 0.01 and abs(trace.qpos[-1, 2] - 0.1) < 1e-3
    natural = rise < 0.01 and trace.contact_depth.max() < 0.02 and rests
    return (RIGHT if natural else UNNATURAL), spent


def table(scene: Scene | None = None) -> dict[str, list[tuple[str, float]]]:
    scene = scene or tilted_box()
    for method in METHODS:
        outcome(scene, method, 0.0001)             # compile
    return {method: [outcome(scene, method, step / 1000) for step in STEPS] for method in METHODS}


def markdown(rows: dict[str, list[tuple[str, float]]]) -> str:
    lines = ["| step, ms | " + " | ".join(f"{step:g}" for step in STEPS) + " | µs a step |", "|---" * (len(STEPS) + 2) + "|"]
    for method, results in rows.items():
        typical = np.median([spent for how, spent in results if how == RIGHT])
        lines.append(f"| {METHODS[method]} | " + " | ".join(how for how, _ in results) + f" | {typical:.1f} |")
    return "\n".join(lines)


def main() -> None:
    text = markdown(table())
    print(text)
    page = DOCS.read_text()
    DOCS.write_text(re.sub(r"(<!-- box drop -->\n).*?(\n<!-- end -->)", lambda found: found[1] + text + found[2], page, flags=re.S))


if __name__ == "__main__":
    main()
