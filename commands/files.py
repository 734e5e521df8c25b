"""Files and folders are looked at before the work, so that nothing is lost if they can't be written; results, written after it."""
import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def make_folder(path: Path) -> Path:
    """`path`, made if it is not there; raises where nothing can be written into it"""
    from ..engine.errors import HeftError, Unwritable
    try:
        if path.exists() and not path.is_dir():
            raise HeftError(f"output '{path}' is a file, must be a folder")
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise Unwritable(path, error) from error
    return path


def prepare_file(path: Path) -> None:
    """Make its folder; raises where the file can't be written there."""
    from ..engine.errors import HeftError, Unwritable
    from ..engine.export.files import part_of
    make_folder(path.parent)
    if path.exists() and not path.is_file():
        raise HeftError(f"output '{path}' is {'a folder' if path.is_dir() else 'a device'}, must be a file")
    part = part_of(path)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise Unwritable(path, error) from error


def prepare_files(options: dict[str, Path | None]) -> None:
    """The same for all files asked for, by the name of their option; no two may be one."""
    from ..engine.errors import HeftError
    named: dict[Path, str] = {}
    for option, path in options.items():
        if path is not None:
            other = named.setdefault(path.resolve(), option)
            if other != option:
                raise HeftError(f"{other} and {option} both name '{path}', must be different files")
    for path in options.values():
        if path is not None:
            prepare_file(path)


def write_results(options: argparse.Namespace, system: Any, trace: Any, report: dict[str, Any]) -> Iterator[Path]:
    """Write what was asked for of --model, --trace and --report; yields each file when it is there."""
    from ..engine.export.files import replacing
    from ..engine.export.mjcf import write_mjcf
    from ..engine.export.trace import write_trace
    if options.model:
        write_mjcf(options.model, system)
        yield options.model
    if options.trace:
        write_trace(options.trace, trace)
        yield options.trace
    if options.report:
        with replacing(options.report) as part:
            part.write_text(json.dumps(report, indent=1) + "\n")
        yield options.report
