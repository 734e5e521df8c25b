"""heft analyse: what a motion of a file would need to be real."""
import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from .files import prepare_files

SUMMARY = "measure a motion against physics: the forces that fit it best, and what no force can explain; the motion stays as it is"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clip", type=Path, metavar="CLIP.bvh", help="the motion")
    parser.add_argument("--unit", type=float, required=True, metavar="METRES",
                        help="metres a unit of the file: CMU 0.056444, centimetres 0.01")
    parser.add_argument("--up", choices=("Y", "Z"), default="Y", help="the file's axis that points up (default: %(default)s)")
    parser.add_argument("--mass", type=float, metavar="KG", help="of the character (default: usual at its height)")
    parser.add_argument("--floor", type=float, metavar="METRES", help="height of a level floor (default: height and tilt are fitted)")
    parser.add_argument("--friction", type=float, default=0.8, help="of all contacts (default: %(default)s)")
    parser.add_argument("--low-pass", type=float, default=10.0, metavar="HZ",
                        help="leave out what is faster, 0: nothing; accelerations of raw captures are mostly noise (default: %(default)s)")
    parser.add_argument("--fps", type=float, help="resample to this rate first")
    parser.add_argument("--extend", action="store_true", help="let contacts begin earlier and end later where that explains the motion")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="every frame with its contacts, .npz, for verify-trace")
    parser.add_argument("--model", type=Path, metavar="FILE", help="the character on its floor as MJCF, .xml")
    parser.add_argument("--report", type=Path, metavar="FILE", help="the figures on the screen and those of every joint, .json")


def run(options: argparse.Namespace) -> None:
    """Read, analyse, say what was found, write the files."""
    prepare_files({f"--{name}": getattr(options, name) for name in ("trace", "model", "report")})
    from ..engine.analyse import analyse
    from ..engine.errors import HeftError
    from ..engine.kernel import report_compiling
    from ..engine.motion.source import read_source
    if options.low_pass < 0:
        raise HeftError(f"--low-pass is {options.low_pass:g} Hz, must be positive, or 0 for none")
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        source = read_source(options.clip, options.unit, options.up, mass=options.mass, fps=options.fps, floor_height=options.floor,
                             low_pass_frequency=options.low_pass or None)
        if options.extend:
            from ..engine.forces.extend_contacts import extend_contacts
            source = source._replace(contacts=extend_contacts(source, options.friction))
        started = time.perf_counter()
        found = analyse(source, options.friction)
    report = {"clip": str(options.clip), "low_pass_Hz": options.low_pass, "extended_contacts": options.extend, **found.report,
              "wall_s": time.perf_counter() - started, "notes": list(source.notes)}
    print_report(report)
    for path in write_files(options, source.system, found.trace, report):
        print(f"written: {path}", flush=True)


def print_report(report: dict[str, Any]) -> None:
    """the figures, their units in their names, then what was noticed and which laws are broken"""
    for name, value in report.items():
        if isinstance(value, (int, float, str)):
            print(f"{name:28} {value:.6g}" if isinstance(value, float) else f"{name:28} {value}")
    for note in report["notes"]:
        print(f"note: {note}")
    for law in report["broken_laws"]:
        print(f"broken: {law}")
    print(f"all laws hold: {'yes' if report['all_laws_hold'] else 'no'}")


def write_files(options: argparse.Namespace, system: Any, trace: Any, report: dict[str, Any]):
    """Write what was asked for; yields each file when it is there."""
    from ..engine.export.files import replacing
    from ..engine.export.mjcf import write_mjcf
    from ..engine.export.trace import write_trace
    if options.model:
        # floor and obstacles as rough as the forces were allowed
        write_mjcf(options.model, system._replace(shapes=tuple(replace(shape, friction=options.friction) for shape in system.shapes)))
        yield options.model
    if options.trace:
        write_trace(options.trace, trace)
        yield options.trace
    if options.report:
        with replacing(options.report) as part:
            part.write_text(json.dumps(report, indent=1) + "\n")
        yield options.report
