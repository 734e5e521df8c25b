"""Heft's command line: `python -m heft COMMAND`, the same as `blender --command heft COMMAND`.

Errors come as one line on stderr; the exit code says whose they are.
"""
import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import __version__

DONE, BAD_INPUT, CANCELLED, FAILED = 0, 2, 3, 4      # 1 is Blender's own: an unknown command, an exception
EXIT_CODES = "Exit codes: 0 done, 2 bad input, 3 cancelled, 4 failed (the motion left the finite numbers, a file can't be written)."


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="heft", description="Physically consistent character animation.", epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"heft {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    what = "let the reference figure tumble and swing; writes model, trace, plot and .blend"
    demo = commands.add_parser("demo", help=what, description=f"{what.capitalize()}.", epilog=EXIT_CODES)
    demo.add_argument("--output", type=Path, default=Path("build/demo"), metavar="FOLDER", help="where the files go (default: %(default)s)")
    demo.add_argument("--seconds", type=float, default=2.0, help="length of the motion, s (default: %(default)s)")
    demo.add_argument("--step", type=float, default=0.001, help="longest time step, s (default: %(default)s)")
    demo.set_defaults(run=run_demo)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stopped:      # after help, version or a complaint; Blender takes a number only
        return int(stopped.code or DONE)
    if options.command is None:
        parser.print_help()
        return DONE
    from .engine.errors import Diverged, HeftError, Unwritable
    try:
        options.run(options)
    except (Diverged, Unwritable) as error:
        return complain(str(error), FAILED)
    except HeftError as error:
        return complain(str(error), BAD_INPUT)
    except MemoryError as error:
        return complain(f"not enough memory: {error}", FAILED)
    except KeyboardInterrupt:
        return complain("cancelled", CANCELLED)
    return DONE


def complain(text: str, code: int) -> int:
    """one line on stderr"""
    print(f"heft: {text}", file=sys.stderr)
    return code


def run_demo(options: argparse.Namespace) -> None:
    """The demo's files, each named on the screen."""
    from .engine.demo import run_demo as run_engine_demo
    from .engine.kernel import report_compiling

    folder = make_folder(options.output)
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        system, trace = run_engine_demo(options.seconds, options.step)
        for path in write_demo(folder, system, trace):
            print(f"written: {path}", flush=True)


def make_folder(path: Path) -> Path:
    """before the work, so that nothing is lost if it can't be made"""
    from .engine.errors import HeftError, Unwritable
    if path.exists() and not path.is_dir():
        raise HeftError(f"output '{path}' is a file, must be a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unwritable(path, error) from error
    return path


def write_demo(folder: Path, system: Any, trace: Any) -> Iterator[Path]:
    """Write what can be written here; yields each file when it is there."""
    from .engine.export.mjcf import write_mjcf
    from .engine.export.trace import write_trace
    write_mjcf(folder / "demo.xml", system, contacts=False)
    yield folder / "demo.xml"
    write_trace(folder / "demo.npz", trace)
    yield folder / "demo.npz"
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed here")
    else:
        matplotlib.use("Agg")
        from .engine.analysis.plot import plot_balance
        plot_balance(folder / "demo.png", system, trace)
        yield folder / "demo.png"
    try:
        import bpy  # noqa: F401
    except ImportError:
        print("no .blend: Blender's module bpy is not installed here")
    else:
        from .addon.demo import save_demo
        save_demo(folder / "demo.blend", trace, system)
        yield folder / "demo.blend"


if __name__ == "__main__":
    sys.exit(main())
