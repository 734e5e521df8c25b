"""Heft's command line: `python -m heft COMMAND`, the same as `blender --command heft COMMAND`."""
import argparse
import sys
from pathlib import Path

DONE, BAD_INPUT, FAILED = 0, 2, 4


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="heft", description="Physically consistent character animation.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    demo = commands.add_parser("demo", help="let the reference figure tumble and swing; writes model, trace, plot and .blend")
    demo.add_argument("--output", type=Path, default=Path("build/demo"), metavar="FOLDER", help="where the files go (default: %(default)s)")
    demo.add_argument("--seconds", type=float, default=2.0, help="length of the motion, s (default: %(default)s)")
    demo.add_argument("--step", type=float, default=0.001, help="longest time step, s (default: %(default)s)")
    demo.set_defaults(run=run_demo)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return DONE
    from .engine.errors import HeftError
    try:
        return options.run(options)
    except HeftError as error:
        print(f"heft: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"heft: {error}", file=sys.stderr)
        return FAILED


def run_demo(options: argparse.Namespace) -> int:
    """The demo's files, each named on the screen."""
    from .engine.demo import run_demo as run_engine_demo
    from .engine.export.mjcf import write_mjcf
    from .engine.export.trace import write_trace
    from .engine.kernel import report_compiling

    with report_compiling(lambda name, seconds: print(f"compiled {name} ({seconds:.1f} s)") if seconds > 0.5 else None):
        system, trace = run_engine_demo(options.seconds, options.step)
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    write_mjcf(folder / "demo.xml", system, contacts=False)
    write_trace(folder / "demo.npz", trace)
    written = [folder / "demo.xml", folder / "demo.npz"]
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed here")
    else:
        matplotlib.use("Agg")
        from .engine.analysis.plot import plot_balance
        plot_balance(folder / "demo.png", system, trace)
        written.append(folder / "demo.png")
    try:
        import bpy
    except ImportError:
        print("no .blend: Blender's module bpy is not installed here")
    else:
        from .addon.demo import add_trace
        bpy.ops.wm.read_homefile(use_empty=True)
        add_trace(bpy.context.scene, trace, system)
        bpy.ops.wm.save_as_mainfile(filepath=str((folder / "demo.blend").resolve()))
        written.append(folder / "demo.blend")
    print("written:", *(f"  {path}" for path in written), sep="\n")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
