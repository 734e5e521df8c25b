"""The engine's scenes with contact: which there are, and one of them as armatures that move."""
import ast
from collections.abc import Generator
from pathlib import Path
from typing import Any

import bpy

from ..engine import cache
from .add_trace import add_to_scene, shares


def list_scenes() -> list[tuple[str, str, str]]:
    """Name, label and description of every scene, for a menu. They are read from the text of the sources: importing them would load
    the engine, and a menu must be there at once."""
    found = []
    for source in sorted((Path(cache.__file__).parent / "scenes").glob("*.py")):
        for made in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(made, ast.FunctionDef) and any(isinstance(by, ast.Name) and by.id == "scene" for by in made.decorator_list):
                # Blender puts the full stop itself
                about = (ast.get_docstring(made) or "").rstrip(".")
                found.append((made.name, made.name.replace("_", " ").capitalize(), about))
    return found


KERNELS = {"rigid": "run_contact", "compliant": "run_implicit", "smooth": "run_explicit"}


def adding_scene(scene: bpy.types.Scene, name: str, seconds: float, step: float,
                 contact: str = "rigid") -> Generator[float | str, None, dict[str, Any]]:
    """Simulate a scene with contact, as adding_demo does; returns the report of its contacts. `seconds` 0 is as long as it takes."""
    yield "loading the engine" if cache.has_kernels(KERNELS[contact]) else "compiling the engine, once"
    from ..engine.analysis.contact_report import contact_report
    from ..engine.analysis.effort import effort
    from ..engine.analysis.effort_report import effort_report
    from ..engine.scenes import SCENES
    from ..engine.simulate import simulating
    made = SCENES[name]()
    trace = yield from shares(simulating(made.system, made.state, seconds or made.seconds, step, contact=contact, holds=made.holds,
                                         commands=made.commands, fps=scene.render.fps / scene.render.fps_base))
    yield "measuring contacts and effort"
    accounts = effort(made.system, trace)
    report = contact_report(made.system, trace, accounts) | effort_report(made.system, trace, accounts)
    add_to_scene(scene, trace, made.system)
    return report


def in_one_line(name: str, report: dict[str, Any]) -> str:
    """What the status bar says."""
    worked = report.get("motor_work_absolute_J", 0.0)
    motors = f", motors worked {worked:.3g} J" if worked else ""
    end = "at rest" if report["rests"] else f"still moving at {report['last_speed_m_s']:.2g} m/s, {report['last_turning_rad_s']:.2g} rad/s"
    return (f"Added {name}: {report['seconds']:.3g} s, {report['contacts']:,} contacts in {report['steps']:,} steps, "
            f"{report['impacts']:,} impacts, {report['deepest_mm']:.2g} mm deep at most{motors}, in the end {end}; "
            f"all contact laws hold: {report['verdict']}")
