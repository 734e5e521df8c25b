"""What the engine says when something is wrong: the thing, its value and what was expected.

The engine knows bodies; `body` lets the add-on say the bone's name instead.
"""
import difflib
import os
from collections.abc import Iterable


class HeftError(Exception):
    """Bad input or a failed run. `body` is the name of the body it is about, or None."""

    def __init__(self, message: str, body: str | None = None):
        super().__init__(f"body '{body}': {message}" if body else message)
        self.body = body
        self.reason = message


class BadCharacter(HeftError):
    """A character that can't exist: a mass of zero, a parent that is not there, a cycle."""


class Diverged(HeftError):
    """A simulation that left the finite numbers. `time` is where, in seconds."""

    def __init__(self, body: str, time: float):
        super().__init__(f"its motion stopped being finite at {time:.6g} s: take a smaller step or weaker forces", body)
        self.time = time


class Unwritable(HeftError):
    """A file that can't be written. `path` is its name."""

    def __init__(self, path: str | os.PathLike, error: OSError):
        reason = error.strerror or str(error)
        reason = reason[:1].lower() + reason[1:]
        super().__init__(f"'{path}' can't be written ({reason}): choose a folder that exists, has room and is yours")
        self.path = path


def must_be_one_of(name: object, known: Iterable[str]) -> str:
    """How an error about an unknown name ends: the names there are and, if one is near, which was most likely meant. Of a name like
    'figure/head' the part behind the stroke is enough."""
    names = list(known)
    by_tail = {name.rpartition("/")[2].lower(): name for name in reversed(names)} | {name.lower(): name for name in reversed(names)}
    near = difflib.get_close_matches(str(name).lower(), by_tail, 1)
    return f"must be one of {', '.join(names)}" + (f": did you mean '{by_tail[near[0]]}'?" if near else "")
