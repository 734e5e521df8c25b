"""Files and folders are looked at before the work, so that nothing is lost if they can't be written."""
import tempfile
from pathlib import Path


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
