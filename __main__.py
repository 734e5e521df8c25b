"""Heft's command line: `python -m heft COMMAND`, the same as `blender --command heft COMMAND`.

Errors come as one line on stderr; the exit code says whose they are.
"""
import argparse
import sys

from . import __version__
from .commands import analyse, bake, demo, effort, simulate

DONE, BAD_INPUT, CANCELLED, FAILED = 0, 2, 3, 4      # 1 is Blender's own: an unknown command, an exception
EXIT_CODES = "Exit codes: 0 done, 2 bad input, 3 cancelled, 4 failed (the motion left the finite numbers, a file can't be written)."


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="heft", description="Physically consistent character animation.", epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"heft {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in (("demo", demo), ("simulate", simulate), ("effort", effort), ("analyse", analyse), ("bake", bake)):
        one = commands.add_parser(name, help=command.SUMMARY, description=f"{command.SUMMARY.capitalize()}.", epilog=EXIT_CODES)
        command.add_options(one)
        one.set_defaults(run=command.run)
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


if __name__ == "__main__":
    sys.exit(main())
