"""Scenes with contact whose outcome is known: by closed form, by their symmetry, or by what must never happen."""
from . import figures, mats, mechanisms, motor_arm, standing_up
from .props import SCENES, Scene

__all__ = ["SCENES", "Scene", "figures", "mats", "mechanisms", "motor_arm", "standing_up"]
