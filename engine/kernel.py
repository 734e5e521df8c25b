"""The one door to numba: `@kernel` compiles a function when it is first called and keeps the result on disk.

Where numba is missing, or NUMBA_DISABLE_JIT is set, the same functions run uncompiled: right, but some hundred times slower.

Kernels are compiled without numba's reference counting (`_nrt=False`): it made the inner loops up to ten times slower, and
without it an allocation inside a kernel is an error of the compiler, as it should be.
"""
import contextlib
import functools
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from . import cache

try:
    import numba
    from numba.core import caching, event
    from numba.core.registry import CPUDispatcher
except ImportError:
    numba = None   # type: ignore[assignment]

COMPILED = numba is not None and not numba.config.DISABLE_JIT   # type: ignore[attr-defined]
"""True where kernels run as machine code."""

if not COMPILED:
    logging.getLogger("heft").warning(
        "Heft runs uncompiled and some hundred times slower: %s",
        "numba is not installed" if numba is None else "NUMBA_DISABLE_JIT is set")

if COMPILED:
    FOLDER = cache.folder()
    OPTIONS = {"nopython": True, "boundscheck": None, "error_model": "numpy", "fastmath": {"contract", "nsz"}, "nogil": True,
               "_nrt": False, "no_cfunc_wrapper": True}

    class Kernel(CPUDispatcher):
        """A compiled function. Called by another kernel it costs nothing; called from Python it is compiled once more,
        with the wrapper that takes Python's arguments apart: for a struct of arrays that takes longer than the rest."""

        def __init__(self, function: Callable, **options):
            super().__init__(function, targetoptions=OPTIONS | options | {"no_cpython_wrapper": True})
            self._cache = _cache(function, FOLDER / "inner")

        @functools.cached_property
        def entry(self) -> Callable:
            dispatcher = CPUDispatcher(self.py_func, targetoptions=OPTIONS)
            dispatcher._cache = _cache(self.py_func, FOLDER)   # type: ignore[attr-defined]
            return dispatcher

        def __call__(self, *arguments):
            return self.entry(*arguments)

    def _cache(function: Callable, folder: Path) -> caching.FunctionCache:
        """numba's cache in one folder whose name holds a hash of every source: no file needs a stamp of its own"""

        class Locator(caching._CacheLocator):
            @classmethod
            def from_function(cls, function, source):
                return cls()

            def ensure_cache_path(self):
                folder.mkdir(parents=True, exist_ok=True)

            def get_cache_path(self):
                return str(folder)

            def get_source_stamp(self):
                return 0

            def get_disambiguator(self):
                return f"{function.__module__}-{function.__code__.co_firstlineno}"

        class Implementation(caching.CompileResultCacheImpl):
            _locator_classes = [Locator]   # type: ignore[list-item]

        class Cache(caching.FunctionCache):
            _impl_class = Implementation

        return Cache(function)

    def kernel(function: Callable) -> Callable:
        """Compile `function`: outputs first, float64 and int64 C-contiguous arrays, no allocation inside.

        A kernel is copied into the kernels that call it: handing on structs of arrays takes longer than many of them run."""
        return Kernel(function, forceinline=True)
else:
    def kernel(function: Callable) -> Callable:
        """Hand the function back as it is."""
        return function


@contextlib.contextmanager
def report_compiling(report: Callable[[str, float], None]) -> Iterator[None]:
    """While the block runs, call `report(kernel's name, seconds)` after each kernel that had to be compiled."""
    if not COMPILED:
        yield
        return

    class Listener(event.Listener):
        def __init__(self):
            self.started: list[float] = []

        def on_start(self, _event):
            self.started.append(time.perf_counter())

        def on_end(self, ended):
            report(ended.data["dispatcher"].py_func.__name__, time.perf_counter() - self.started.pop())

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
