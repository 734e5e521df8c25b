"""heft analyse: what a motion of a file would need to be real."""
import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from .clip import add_clip_options, read_clip
from .files import prepare_files, write_results

SUMMARY = "measure a motion against physics: the forces that fit it best, and what no force can explain; the motion stays as it is"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_clip_options(parser)
    parser.add_argument("--friction", type=float, default=0.8, help="of all contacts (default: %(default)s)")
    parser.add_argument("--extend", action="store_true", help="let contacts begin earlier and end later where that explains the motion")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="every frame with its contacts, .npz, for verify-trace")
    parser.add_argument("--model", type=Path, metavar="FILE", help="the character on its floor as MJCF, .xml")
    parser.add_argument("--report", type=Path, metavar="FILE", help="the figures on the screen and those of every joint, .json")


def run(options: argparse.Namespace) -> None:
    """Read, analyse, say what was found, write the files."""
    prepare_files({f"--{name}": getattr(options, name) for name in ("trace", "model", "report")})
    from ..engine.analyse import analyse
    from ..engine.kernel import report_compiling
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        source = read_clip(options)
        if options.extend:
            from ..engine.forces.extend_contacts import extend_contacts
            source = source._replace(contacts=extend_contacts(source, options.friction))
        started = time.perf_counter()
        found = analyse(source, options.friction)
    report = {"clip": str(options.clip), "low_pass_Hz": options.low_pass, "extended_contacts": options.extend, **found.report,
              "wall_s": time.perf_counter() - started, "notes": list(source.notes)}
    print_report(report)
    # floor and obstacles as rough as the forces were allowed
    rough = source.system._replace(shapes=tuple(replace(shape, friction=options.friction) for shape in source.system.shapes))
    for path in write_results(options, rough, found.trace, report):
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
