"""Correct: the closest motion to a source that obeys the laws of motion everywhere, over the whole clip at once."""
from .correct_clip import Corrected, correct, correcting

__all__ = ["Corrected", "correct", "correcting"]
