"""Files are written whole or not at all."""
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ..errors import Unwritable


def part_of(path: Path) -> Path:
    """the file beside `path` that is written first"""
    return path.with_name(f"{path.stem}.{os.getpid()}.part{path.suffix}")


@contextlib.contextmanager
def replacing(path: str | os.PathLike) -> Iterator[Path]:
    """A file beside `path` to write to; it takes the place of `path` when the block ends well, and is gone otherwise."""
    path = Path(path).resolve()                  # where a link leads to
    part = part_of(path)
    try:
        yield part
        os.replace(part, path)
    except OSError as error:
        raise Unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)
