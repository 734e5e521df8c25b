"""Where compiled kernels are kept between runs.

numba's own cache looks at one file at a time: it misses an edit in a file that a kernel calls, and it mixes up the
same file imported under two package names. So the folder is named by the package and by the text of the whole engine.
"""
import contextlib
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

KEPT = 8                                         # versions of the engine besides the one in use
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


def folder() -> Path | None:
    """The folder for this version of the engine, in the temporary folder where the cache can't be written. None where that can't
    be trusted either: compiled code is loaded as it stands, so nobody else may have put it there."""
    name = f"kernels-{engine_hash()}"
    try:
        path = root() / name
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
        os.utime(path)
    except OSError:
        return _temporary(name)
    _delete_old(path)
    return path


def _temporary(name: str) -> Path | None:
    own = os.getuid() if hasattr(os, "getuid") else None      # Windows: the temporary folder is the user's own
    parent = Path(tempfile.gettempdir()) / ("heft" if own is None else f"heft-{own}")
    try:
        parent.mkdir(mode=0o700, exist_ok=True)
        found = parent.lstat()
        if own is not None and (not stat.S_ISDIR(found.st_mode) or found.st_uid != own or found.st_mode & 0o077):
            return None
        (parent / name).mkdir(exist_ok=True)
    except OSError:
        return None
    _delete_old(parent / name)
    return parent / name


def _delete_old(path: Path) -> None:
    """keep the versions of the engine that were used last"""
    others = [other for other in path.parent.glob("kernels-*") if other != path]
    with contextlib.suppress(OSError):                        # another process may do the same
        for old in sorted(others, key=lambda other: other.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)


def has_kernels(name: str) -> bool:
    """Whether a run of this version has left the compiled kernel of that name: if not, the next one takes longer."""
    return any((root() / f"kernels-{engine_hash()}").glob(f"*{name}*.nbi"))
