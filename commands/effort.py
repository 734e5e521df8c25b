"""heft effort: what leaning on something saves, as numbers and a picture."""
import argparse
import json
from pathlib import Path
from typing import Any

from .files import make_folder

SUMMARY = "compare effort: an arm with its elbow on the table or not, standing up with hands or without; writes numbers and a plot"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("build/effort"), metavar="FOLDER",
                        help="where the files go (default: %(default)s)")
    parser.add_argument("--step", type=float, default=0.001, help="longest time step, s (default: %(default)s)")


def run(options: argparse.Namespace) -> None:
    """Both comparisons, each as a table on the screen; the files named when they are there."""
    from ..engine.export.files import replacing
    from ..engine.kernel import report_compiling
    from ..engine.scenes import studies
    folder = make_folder(options.output)
    curves: dict[str, dict[str, Any]] = {"hand off its path, mm": {}, "electrical energy, J": {}}
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        arm = studies.arm_study(options.step, lambda *run: _add_curves(curves, *run))
        results = {"arm": arm, "chair": studies.chair_study(options.step)}
    for title, study in results.items():
        print(title)
        print("\n".join(studies.in_rows(study)), flush=True)
    with replacing(folder / "effort.json") as part:
        part.write_text(json.dumps(results, indent=1) + "\n")
    print(f"written: {folder / 'effort.json'}", flush=True)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return
    from ..engine.analysis.plot_effort import plot_curves
    plot_curves(folder / "arm.png", curves)
    print(f"written: {folder / 'arm.png'}", flush=True)


def _add_curves(curves: dict[str, dict[str, Any]], name: str, system: Any, trace: Any) -> None:
    from ..engine.analysis.plot_effort import accumulated
    from ..engine.scenes.studies import electrical_power, hand_errors
    error, energy = curves.values()
    error[name] = trace.time, 1000 * hand_errors(system, trace)
    energy[name] = trace.time, accumulated(trace.time, electrical_power(system, trace))
