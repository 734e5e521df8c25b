"""The one door to compiled code: `@kernel` compiles a function when it is first called and keeps the result on disk.

Where numba is missing, switched off or unusable the same functions run uncompiled: right, but some hundred times slower.
"""
import contextlib
import logging
from collections.abc import Callable, Iterator

try:
    from .compiled import kernel, product, report_compiling
except Exception as error:     # whatever a numba that does not fit may raise: slow is better than not at all
    missing = isinstance(error, ModuleNotFoundError) and error.name == "numba"
    WHY_SLOW: str = "numba is not installed" if missing else str(error) or type(error).__name__
    logging.getLogger("heft").warning("Heft runs uncompiled and some hundred times slower: %s", WHY_SLOW)

    def kernel(function: Callable) -> Callable:
        """Hand the function back as it is."""
        return function

    def product(rows: int, count: int, width: int, sign: int, transposed: bool = False) -> Callable:
        """A function (out, X, Y): out (rows, width) gets X (rows, count) Y (count, width)."""
        def multiply(out, x, y):
            first = lambda array, *shape: array.reshape(-1)[:shape[0] * shape[1]].reshape(shape)
            result = (first(x, count, rows).T if transposed else first(x, rows, count)) @ first(y, count, width)
            out = first(out, rows, width)
            out[:] = out + sign * result if sign else result
        return multiply

    @contextlib.contextmanager
    def report_compiling(report: Callable[[str, float], None], inner: bool = False) -> Iterator[None]:
        """Nothing compiles, so nothing is reported."""
        yield
else:
    WHY_SLOW = ""
    """Why kernels run uncompiled; empty where they are compiled."""

COMPILED = not WHY_SLOW
"""True where kernels run as machine code."""
