"""Heft: physically consistent character animation for Blender.

Importing this package imports neither Blender nor the engine: `register` brings in the add-on, `heft.engine` the physics.
"""

__version__ = "0.1.0"


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from . import addon
    addon.register()


def unregister() -> None:
    """Called by Blender when the extension is disabled."""
    from . import addon
    addon.unregister()
