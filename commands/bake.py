"""heft bake: a clip made physically consistent."""
import argparse
import time
from pathlib import Path
from typing import Any

from .clip import add_clip_options, read_clip
from .files import prepare_files, write_results

SUMMARY = "make a clip obey the laws of motion; writes what is asked for: trace, model, report"
MODES = ("correct",)


def add_options(parser: argparse.ArgumentParser) -> None:
    add_clip_options(parser)
    parser.add_argument("--mode", choices=MODES, default="correct", help="correct: the closest motion that obeys (default)")
    parser.add_argument("--friction", type=float, default=0.8, help="between soles and floor (default: %(default)s)")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="every step with its contacts, .npz, for verify-trace")
    parser.add_argument("--model", type=Path, metavar="FILE", help="the character and its floor as MJCF, .xml")
    parser.add_argument("--report", type=Path, metavar="FILE", help="the figures on the screen and more, .json")


def run(options: argparse.Namespace) -> None:
    """Correct, say how it went, write the files."""
    prepare_files({f"--{name}": getattr(options, name) for name in ("trace", "model", "report")})
    from ..engine.correct import correct
    from ..engine.kernel import report_compiling
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        source = read_clip(options)
        started = time.perf_counter()
        made = correct(source, options.friction)
    report: dict[str, Any] = {"clip": str(options.clip), **made.report, "notes": list(made.notes), "wall_s": time.perf_counter() - started}
    print_figures(report)
    for path in write_results(options, made.system, made.trace, report):
        print(f"written: {path}", flush=True)


def print_figures(report: dict[str, Any]) -> None:
    """before and after side by side, then the rest"""
    before, after = report["before"], report["after"]
    print(f"{'':24} {'before':>12} {'after':>12}")
    for name in after:
        print(f"{name:24} {f'{before[name]:.4g}' if name in before else '':>12} {after[name]:>12.4g}")
    for name, value in report["tracking"].items():
        print(f"{name:24} {value:>25.4g}" if isinstance(value, float) else f"{name:24} {value:>25}")
    for note in report["notes"]:
        print(note)
    print(f"corrected: {report['seconds']:.6g} s in {report['wall_s']:.2f} s")
