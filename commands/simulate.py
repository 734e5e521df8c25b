"""heft simulate: one of the built-in scenes with contact."""
import argparse
import sys
import time
from pathlib import Path
from typing import Any

from .files import prepare_files, write_results

CONTACTS = ("rigid", "compliant", "smooth")
SUMMARY = "let a built-in scene with contact run; writes what is asked for: trace, model, report, .blend"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", nargs="?", metavar="SCENE", help="its name; --list shows them all")
    parser.add_argument("--list", action="store_true", help="list the scenes and stop")
    parser.add_argument("--seconds", type=float, help="length of the motion, s (default: the scene's own)")
    parser.add_argument("--step", type=float, default=0.001, help="longest time step, s (default: %(default)s)")
    parser.add_argument("--contact", choices=CONTACTS, default="rigid", help="model of contact (default: %(default)s)")
    parser.add_argument("--fps", type=float, default=30.0, help="frames a second (default: %(default)s)")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="every step with its contacts, .npz, for verify-trace")
    parser.add_argument("--model", type=Path, metavar="FILE", help="the scene as MJCF, .xml")
    parser.add_argument("--report", type=Path, metavar="FILE", help="the figures on the screen and more, .json")
    parser.add_argument("--blend", type=Path, metavar="FILE", help="the motion on armatures, .blend; needs Blender or its module bpy")


def run(options: argparse.Namespace) -> None:
    """Simulate, say how it went, write the files."""
    from ..engine.errors import HeftError, must_be_one_of
    from ..engine.scenes import SCENES
    if options.list:
        for name, make in SCENES.items():
            print(f"{name:12} {make.__doc__}")
        return
    if options.scene not in SCENES:
        given = f"scene is '{options.scene}'" if options.scene else "no scene is named"
        raise HeftError(f"{given}, {must_be_one_of(options.scene or '', SCENES)}")
    prepare_files({f"--{name}": getattr(options, name) for name in ("trace", "model", "report", "blend")})
    if options.blend:
        _need_blender()
    from ..engine.analysis.contact_report import contact_report
    from ..engine.analysis.effort import effort
    from ..engine.analysis.effort_report import effort_report
    from ..engine.kernel import report_compiling
    from ..engine.simulate import simulate
    scene = SCENES[options.scene]()
    started = time.perf_counter()
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        seconds = scene.seconds if options.seconds is None else options.seconds
        trace = simulate(scene.system, scene.state, seconds, options.step, fps=options.fps, contact=options.contact, holds=scene.holds,
                         progress=show_progress, commands=scene.commands)
        accounts = effort(scene.system, trace)
        report = {"scene": options.scene, "contact": options.contact, "step_s": options.step,
                  **contact_report(scene.system, trace, accounts), **effort_report(scene.system, trace, accounts),
                  "wall_s": time.perf_counter() - started}
    print_report(report)
    print(f"all contact laws hold: {report['verdict']}")
    print(f"simulated: {report['seconds']:.6g} s in {report['frames']} frames at {options.fps:g} a second"
          + (f" ({seconds:g} s were asked for; whole frames are simulated)" if abs(seconds - report["seconds"]) > 1e-6 else ""))
    for path in write_results(options, scene.system, trace, report):
        print(f"written: {path}", flush=True)
    if options.blend:
        from ..addon.add_trace import save_trace
        save_trace(options.blend, trace, scene.system)
        print(f"written: {options.blend}", flush=True)


def _need_blender() -> None:
    from ..engine.errors import HeftError
    try:
        import bpy  # noqa: F401
    except ImportError:
        raise HeftError("--blend needs Blender: run `blender --command heft simulate ...`, or install its module bpy") from None


def show_progress(share: float) -> None:
    """on a terminal in one line that renews itself; in a log nothing"""
    if sys.stdout.isatty():
        print(f"\rsimulating {100 * share:3.0f} %", end="\n" if share >= 1 else "", flush=True)


def print_report(report: dict[str, Any]) -> None:
    """the figures, their units in their names"""
    for name, value in report.items():
        # a joint's figures are for the file
        if name != "verdict" and not isinstance(value, dict):
            print(f"{name:24} {value:.6g}" if isinstance(value, float) else f"{name:24} {value}")
