"""Everything that knows Blender."""


def register() -> None:
    """Add Heft to Blender."""


def unregister() -> None:
    """Take it away again."""
