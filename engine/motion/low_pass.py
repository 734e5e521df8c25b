"""A low-pass without lag: a second-order Butterworth filter run forwards and backwards, so of fourth order, -3 dB at its frequency.

Rotations are filtered as the four numbers of a sign-continuous quaternion, then brought back to length 1. That is linear before the last
step, so it commutes with turning the world and with turning the body's axes; a filter of Euler angles or of logarithms about a fixed pose
does neither. It differs from a filter along the manifold by third order in the angle turned within the filter's window.
"""
import numpy as np

from ..algebra.quaternions import continuous
from ..errors import HeftError
from ..model.model import Model
from .manifold import columns


def low_pass(m: Model, q: np.ndarray, fps: float, frequency: float) -> np.ndarray:
    """(T, nq) without what is faster than `frequency` Hz."""
    c = columns(m)
    flat = np.array(q, float)
    flat[:, c.turn] = continuous(flat[:, c.turn])
    out = filter_columns(flat, fps, frequency)
    turns = out[:, c.turn]
    out[:, c.turn] = turns / np.linalg.norm(turns, axis=2, keepdims=True)
    return out


def filter_columns(x: np.ndarray, fps: float, frequency: float) -> np.ndarray:
    """The filter on columns of plain numbers (T, n). Both ends go on as their point reflection."""
    if not 0 < frequency:
        raise HeftError(f"the low-pass is at {frequency:g} Hz, must be more than 0")
    # two passes: each has -1.5 dB there
    corner = frequency / (np.sqrt(2) - 1) ** 0.25
    if corner >= 0.49 * fps or len(x) < 4:
        return np.array(x, float)
    k = np.tan(np.pi * corner / fps)
    norm = 1 / (1 + np.sqrt(2) * k + k * k)
    b, a1, a2 = k * k * norm, 2 * (k * k - 1) * norm, (1 - np.sqrt(2) * k + k * k) * norm
    pad = min(len(x) - 1, int(np.ceil(3 * fps / corner)))
    y = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2:-pad - 2:-1]])
    for _ in range(2):
        y = _pass(y, b, a1, a2)[::-1]
    return y[pad:len(y) - pad]


def _pass(x: np.ndarray, b: float, a1: float, a2: float) -> np.ndarray:
    """y_t = b (x_t + 2 x_(t-1) + x_(t-2)) - a1 y_(t-1) - a2 y_(t-2), from rest at the first value"""
    before = np.concatenate([x[:1], x[:1], x])
    forced = b * (before[2:] + 2 * before[1:-1] + before[:-2])
    y = np.empty_like(x)
    last = second = x[0]
    for t in range(len(x)):
        y[t] = forced[t] - a1 * last - a2 * second
        last, second = y[t], last
    return y
