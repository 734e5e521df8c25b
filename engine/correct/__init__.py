"""Correct: the closest motion to a source that obeys the laws of motion everywhere, over the whole clip at once."""
