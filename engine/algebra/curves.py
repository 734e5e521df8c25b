"""Smooth curves through values given at some times."""
import numpy as np


def curve(times: np.ndarray, known: np.ndarray, values: np.ndarray) -> np.ndarray:
    """values (n, ·) at times, by cubics whose slope at each known time is that between its neighbours, 0 at a turning point and at most
    three times the flatter side's (Fritsch and Carlson 1980), so that nothing shoots over; outside the known times they stand still"""
    if len(known) == 1:
        return np.repeat(values, len(times), axis=0)
    rates = np.diff(values, axis=0) / np.diff(known)[:, None]
    between = (values[2:] - values[:-2]) / (known[2:] - known[:-2])[:, None]
    most = 3 * np.minimum(np.abs(rates[1:]), np.abs(rates[:-1]))
    slopes = np.concatenate([rates[:1], np.where(rates[1:] * rates[:-1] > 0, np.clip(between, -most, most), 0.0), rates[-1:]])
    clipped = np.clip(times, known[0], known[-1])
    n = np.clip(np.searchsorted(known, clipped, side="right") - 1, 0, len(known) - 2)
    width = (known[n + 1] - known[n])[:, None]
    u = (clipped[:, None] - known[n][:, None]) / width
    return ((2 * u ** 3 - 3 * u ** 2 + 1) * values[n] + (u ** 3 - 2 * u ** 2 + u) * width * slopes[n]
            + (3 * u ** 2 - 2 * u ** 3) * values[n + 1] + (u ** 3 - u ** 2) * width * slopes[n + 1])
