"""The options that tell how a clip is read, the same for every command that takes one."""
import argparse
from pathlib import Path
from typing import Any


def add_clip_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("clip", type=Path, metavar="CLIP.bvh", help="the motion")
    parser.add_argument("--unit", type=float, required=True, metavar="METRES",
                        help="metres a unit of the file: CMU 0.056444, centimetres 0.01")
    parser.add_argument("--up", choices=("Y", "Z"), default="Y", help="the file's axis that points up (default: %(default)s)")
    parser.add_argument("--mass", type=float, metavar="KG", help="of the character (default: usual at its height)")
    parser.add_argument("--floor", type=float, metavar="METRES", help="height of a level floor (default: height and tilt are fitted)")
    parser.add_argument("--detail", choices=("all", "few"), default="all", help="bones: all, or few (34 coordinates); default: %(default)s")
    parser.add_argument("--low-pass", type=float, default=10.0, metavar="HZ",
                        help="leave out what is faster, 0: nothing; accelerations of raw captures are mostly noise (default: %(default)s)")
    parser.add_argument("--fps", type=float, help="resample to this rate first")


def read_clip(options: argparse.Namespace) -> Any:
    """The Source of a command's clip."""
    from ..engine.errors import HeftError
    from ..engine.motion.source import read_source
    if options.low_pass < 0:
        raise HeftError(f"--low-pass is {options.low_pass:g} Hz, must be positive, or 0 for none")
    return read_source(options.clip, options.unit, options.up, mass=options.mass, detail=options.detail, fps=options.fps,
                       floor_height=options.floor, low_pass_frequency=options.low_pass or None)
