"""`blender --command heft …` does what `python -m heft …` does."""
from typing import Any

import bpy

_handle: Any = None


def run(arguments: list[str]) -> int:
    """Forward to the package's own command line; the number is Blender's exit code."""
    from ..__main__ import main
    return main(arguments)


def register() -> None:
    """Add the command."""
    global _handle
    _handle = bpy.utils.register_cli_command("heft", run)


def unregister() -> None:
    """Take the command away."""
    global _handle
    bpy.utils.unregister_cli_command(_handle)
    _handle = None
