"""Kernels as machine code: the only file that imports numba. `kernel.py` is the door, and the fallback where this import fails.

Kernels are compiled without numba's reference counting (`_nrt=False`): it made the inner loops up to ten times slower, and
without it an allocation inside a kernel is an error of the compiler, as it should be. They are also compiled with the promise
that no array a kernel writes is reached by another of its arguments too, which lets loops over rows run in vectors.
"""
import contextlib
import functools
import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
from llvmlite import ir
from numba.core import caching, cgutils, compiler, event, types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from . import cache

if numba.config.DISABLE_JIT:   # type: ignore[attr-defined]
    raise ImportError("NUMBA_DISABLE_JIT is set")

ENGINE = Path(__file__).resolve().parent
FOLDER = cache.folder()
OPTIONS = {"nopython": True, "boundscheck": None, "error_model": "numpy", "fastmath": {"contract", "nsz"}, "nogil": True,
           "_nrt": False, "no_cfunc_wrapper": True}


class InnerLibrary(JITCodeLibrary):
    """The code of a kernel that others call: it is copied into them, so it is neither optimised nor made executable itself.
    Optimising it at each level again took four times as long as doing it once, at the end."""

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        return self

    def set_env(self, name, environment):
        """nothing to set: kernels raise no exceptions"""


class Kernel(CPUDispatcher):
    """A compiled function. Called by another kernel it costs nothing; called from Python it is compiled once more,
    with the wrapper that takes Python's arguments apart: for a struct of arrays that takes longer than the rest."""

    def __init__(self, function: Callable, **options):
        super().__init__(function, targetoptions=OPTIONS | options | {"no_cpython_wrapper": True})
        self._compiler._customize_flags = _without_aliases   # type: ignore[attr-defined]

    def compile(self, signature):
        codegen = self.targetdescr.target_context.codegen()
        before = codegen._library_class
        codegen._library_class = InnerLibrary
        try:
            return super().compile(signature)
        finally:
            codegen._library_class = before

    @functools.cached_property
    def entry(self) -> Callable:
        dispatcher = CPUDispatcher(self.py_func, targetoptions=OPTIONS)
        if FOLDER is not None and _stamp(self.py_func) is not None:
            dispatcher._cache = Cache(self.py_func)   # type: ignore[attr-defined]
        dispatcher._compiler._customize_flags = _without_aliases   # type: ignore[attr-defined]
        return dispatcher

    def __call__(self, *arguments):
        return self.entry(*arguments)


class Flags(compiler.Flags):
    """numba's flags with a quick comparison: typing compares them half a million times."""
    HASH = hash(compiler.Flags())

    def __hash__(self):
        return self.HASH

    def __eq__(self, other):
        return self._values == other._values if isinstance(other, compiler.Flags) else NotImplemented


def _without_aliases(flags):
    flags = Flags(flags)
    flags.noalias = True
    return flags


class Locator(caching._CacheLocator):
    """Where a kernel is kept: in one folder, whose name holds a hash of the whole engine."""

    def __init__(self, function: Callable):
        self.function, self.stamp = function, _stamp(function)

    @classmethod
    def from_function(cls, function, source):
        return cls(function)

    def ensure_cache_path(self):
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self):
        return str(FOLDER)

    def get_source_stamp(self):
        return self.stamp

    def get_disambiguator(self):
        place = f"-{_hash(bytes(_file(self.function)))}" if self.stamp else ""
        return f"{self.function.__module__}-{self.function.__code__.co_firstlineno}{place}"


class CacheFiles(caching.CompileResultCacheImpl):
    _locator_classes = [Locator]   # type: ignore[list-item]


class Cache(caching.FunctionCache):
    _impl_class = CacheFiles


def _stamp(function: Callable) -> str | None:
    """A hash of the files outside the engine that a kernel comes from, its own and those of the kernels it calls by name: empty
    for the engine's own. None where there is no file to look at, as in a console: such a kernel is not kept."""
    files, seen, waiting = set(), set(), [function]
    while waiting:
        one = waiting.pop()
        file = _file(one)
        if one in seen or file.is_relative_to(ENGINE):
            continue
        seen.add(one)
        if not file.is_file():
            return None
        files.add(file)
        called = (one.__globals__.get(name) for name in one.__code__.co_names)
        waiting += [other.py_func for other in called if isinstance(other, Kernel)]
    return _hash(b"".join(bytes(file) + file.read_bytes() for file in sorted(files))) if files else ""


def _file(function: Callable) -> Path:
    return Path(function.__code__.co_filename).resolve()


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def kernel(function: Callable) -> Callable:
    """Compile `function`: outputs first, float64 and int64 C-contiguous arrays, no allocation inside.

    A kernel is copied into the kernels that call it: handing on structs of arrays takes longer than many of them run."""
    return Kernel(function, forceinline=True)


def product(rows: int, count: int, width: int, sign: int, transposed: bool = False) -> Callable:
    """A function (out, X, Y) for the innermost loops, written as vectors because the compiler does not find them:
    out (rows, width) gets X (rows, count) Y (count, width), added where sign is 1, taken off where it is -1, written
    where it is 0; `transposed` takes X as (count, rows). Of each array the first numbers are taken, C-contiguous."""
    @intrinsic
    def multiply(_context, out, x, y):
        def write(context, builder, signature, arguments):
            vector = ir.VectorType(ir.DoubleType(), width)
            multiply_add = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{width}f64")
            place, numbers, first = (context.make_array(kind)(context, builder, value=value).data
                                     for kind, value in zip(signature.args, arguments))
            row = lambda start, j: builder.bitcast(cgutils.gep_inbounds(builder, start, j * width), vector.as_pointer())
            columns = [builder.load(row(first, j), align=8) for j in range(count)]
            lanes = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
            totals = []
            for r in range(rows):
                total = builder.load(row(place, r), align=8) if sign else ir.Constant(vector, [0.0] * width)
                for j in range(count):
                    number = builder.load(cgutils.gep_inbounds(builder, numbers, j * rows + r if transposed else r * count + j))
                    number = builder.fneg(number) if sign < 0 else number
                    spread = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
                    total = builder.call(multiply_add, [builder.shuffle_vector(spread, spread, lanes), columns[j], total])
                totals.append(total)
            for r, total in enumerate(totals):
                builder.store(total, row(place, r), align=8)
            return context.get_dummy_value()
        return types.void(out, x, y), write
    return multiply


@kernel
def set_one(out):
    """the least that numba must be able to do"""
    out[0] = 1.0


def _try() -> None:
    """Raise ImportError where numba can be imported but does not compile. The second time the kernel comes from the cache."""
    out = np.zeros(1)
    try:
        set_one(out)
    except Exception as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ImportError(f"numba {numba.__version__} can't compile here: {why}") from error
    if out[0] != 1.0:
        raise ImportError(f"numba {numba.__version__} compiles wrong code here")


_try()


@contextlib.contextmanager
def report_compiling(report: Callable[[str, float], None], inner: bool = False) -> Iterator[None]:
    """While the block runs, call `report(kernel's name, seconds)` after each kernel that had to be compiled: those that Python calls,
    and where `inner` is set also those copied into them."""

    class Listener(event.Listener):
        def __init__(self):
            self.started: list[float] = []

        def on_start(self, _event):
            self.started.append(time.perf_counter())

        def on_end(self, ended):
            seconds = time.perf_counter() - self.started.pop()
            if inner or not self.started:
                report(ended.data["dispatcher"].py_func.__name__, seconds)

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
