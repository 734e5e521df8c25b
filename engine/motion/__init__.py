"""Motions: clips read, fitted to a character, smoothed, resampled, put on the floor, and what they touch."""
