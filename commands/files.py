"""Files and folders are looked at before the work, so that nothing is lost if they can't be written."""
from pathlib import Path


def make_folder(path: Path) -> Path:
    """`path`, made if it is not there"""
    from ..engine.errors import HeftError, Unwritable
    if path.exists() and not path.is_dir():
        raise HeftError(f"output '{path}' is a file, must be a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unwritable(path, error) from error
    return path
