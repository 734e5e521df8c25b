"""The physics of Heft: numpy and numba, no Blender.

Names are imported when first used: `import heft.engine` is instant, numba is loaded with the first kernel.
"""
import importlib

_HOME = {
    "Body": "model.character", "Character": "model.character", "Frame": "model.character", "Gear": "model.character",
    "Joint": "model.character", "Range": "model.character", "Shape": "model.character", "SwingTwist": "model.character",
    "build": "model.build", "figure": "model.figure", "System": "model.model",
    "HeftError": "errors", "BadCharacter": "errors", "Diverged": "errors", "Unwritable": "errors",
    "State": "model.state", "Hold": "contact.holds", "Coupling": "contact.holds", "Path": "collision.paths",
    "Obstacle": "collision.build_shapes", "write_mjcf": "export.mjcf", "read_trace": "export.trace",
    "write_trace": "export.trace", "Trace": "export.trace",
    "Skeleton": "humanoid.skeleton", "Clip": "humanoid.skeleton", "Humanoid": "humanoid.humanoid", "make_humanoid": "humanoid.humanoid",
    "read_bvh": "motion.read_bvh", "fit_motion": "motion.fit_motion", "Motion": "motion.motion", "find_contacts": "motion.contacts",
    "Contact": "motion.contacts", "Source": "motion.source", "make_source": "motion.source", "read_source": "motion.source",
}

__all__ = sorted(_HOME)


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"heft.engine has no '{name}'")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
