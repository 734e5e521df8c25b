"""Where compiled kernels are kept between runs.

numba's own cache looks at one file at a time: it misses an edit in a file that a kernel calls, and it mixes up the
same file imported under two package names. So the folder is named by the package and by the text of the whole engine.
"""
import hashlib
import os
import sys
import tempfile
from pathlib import Path

_root: Path | None = None


def set_root(path: str | os.PathLike) -> None:
    """Keep compiled kernels under `path` (the add-on: Blender's folder for the extension's own files)."""
    global _root
    _root = Path(path)


def root() -> Path:
    """HEFT_CACHE_DIR, else the folder set, else the user's cache folder."""
    if os.environ.get("HEFT_CACHE_DIR"):
        return Path(os.environ["HEFT_CACHE_DIR"])
    if _root is not None:
        return _root
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "heft"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/heft"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "heft"


def engine_hash() -> str:
    """Changes when the package is imported under another name or any source of the engine changes."""
    engine = Path(__file__).parent
    digest = hashlib.sha256(__package__.encode())
    for source in sorted(engine.rglob("*.py")):
        digest.update(source.relative_to(engine).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def folder() -> Path:
    """The folder for this version of the engine; a temporary one where the cache can't be written."""
    path = root() / f"kernels-{engine_hash()}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError:
        return Path(tempfile.gettempdir()) / f"heft-{os.getuid() if hasattr(os, 'getuid') else 0}" / path.name
