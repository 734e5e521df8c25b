"""heft demo: the reference figure tumbles and swings."""
import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .files import make_folder, prepare_file

SUMMARY = "let the reference figure tumble and swing; writes model, trace, plot and .blend"

FILES = ("demo.xml", "demo.npz", "demo.png", "demo.blend")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("build/demo"), metavar="FOLDER",
                        help="where the files go (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of the motion, s (default: %(default)s)")
    parser.add_argument("--step", type=float, default=0.001, help="longest time step, s (default: %(default)s)")


def run(options: argparse.Namespace) -> None:
    """The demo's files, each named on the screen."""
    from ..engine.demo import run_demo
    from ..engine.kernel import report_compiling

    folder = make_folder(options.output)
    for name in FILES:
        prepare_file(folder / name)
    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)", flush=True)):
        system, trace = run_demo(options.seconds, options.step)
        for path in write_demo(folder, system, trace):
            print(f"written: {path}", flush=True)


def write_demo(folder: Path, system: Any, trace: Any) -> Iterator[Path]:
    """Write what can be written here; yields each file when it is there."""
    from ..engine.export.mjcf import write_mjcf
    from ..engine.export.trace import write_trace
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
        from ..engine.analysis.plot import plot_balance
        plot_balance(folder / "demo.png", system, trace)
        yield folder / "demo.png"
    try:
        import bpy  # noqa: F401
    except ImportError:
        print("no .blend: Blender's module bpy is not installed here")
    else:
        from ..addon.add_trace import save_trace
        save_trace(folder / "demo.blend", trace, system)
        yield folder / "demo.blend"
