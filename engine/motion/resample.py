"""A motion at another rate: cubics between frames, in the local logarithm at each frame.

Slopes are of fourth order from five frames, then limited as Huynh does (Accurate monotone cubic interpolation, SIAM J. Numer. Anal. 30,
1993, M3-A): only where the second differences change sign, which is at a step and not at a smooth extremum. So a step does not shoot
over, and a swing is not flattened at its turning points, as it is by PCHIP, whose zero slopes there make accelerations wrong by their
own size. On the manifold the curve is q_k exp(c(s)), c a cubic from 0 to log(q_k^-1 q_k+1); its end slope is the next frame's velocity
through the inverse right Jacobian, so velocity is continuous.
"""
import numpy as np

from ..algebra.quaternions import continuous, crosses, exponentials, inverses, logarithms, products
from ..errors import HeftError
from ..model.model import Model
from .manifold import columns


def resample(m: Model, q: np.ndarray, times: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """(W, nq) at times `wanted` (W,) of a motion q (T, nq) at equally spaced `times` (T,); outside them it stands still."""
    times, wanted = np.asarray(times, float), np.asarray(wanted, float)
    if len(times) != len(q) or len(q) < 2:
        raise HeftError(f"there are {len(q)} frames and {len(times)} times, must be as many and at least 2")
    step = (times[-1] - times[0]) / (len(times) - 1)
    if step <= 0 or np.abs(np.diff(times) - step).max() > 1e-3 * step:
        raise HeftError("frames must follow each other at equal times")
    c = columns(m)
    place = np.clip((wanted - times[0]) / step, 0, len(q) - 1)
    k = np.minimum(place.astype(int), len(q) - 2)
    s = (place - k)[:, None]
    out = np.zeros((len(wanted), m.nq))
    plain = q[:, c.plain]
    slopes = limited_slopes(np.stack([_shifted(plain, j) - plain for j in (-2, -1, 0, 1, 2)]))
    out[:, c.plain] = plain[k] + _cubic(s, (plain[1:] - plain[:-1])[k], slopes[k], slopes[k + 1])
    turns = q[:, c.turn]
    logs = np.stack([logarithms(products(inverses(turns), _shifted_turns(turns, j))) for j in (-2, -1, 0, 1, 2)])
    slopes = limited_slopes(logs)
    over = logarithms(products(inverses(turns[:-1]), turns[1:]))
    end = _inverse_jacobian(over, slopes[1:])
    out[:, c.turn] = products(turns[k], exponentials(_cubic(s[..., None], over[k], slopes[:-1][k], end[k])))
    out[:, c.turn] = continuous(out[:, c.turn]) if len(out) else out[:, c.turn]
    return out


def limited_slopes(near: np.ndarray) -> np.ndarray:
    """(T, ...) slopes a frame from differences (5, T, ...) to the two frames before, the frame itself and the two after."""
    a, b, _, c, d = near
    fourth = (8 * (c - b) - (d - a)) / 12
    before, after = -b, c                                     # differences to the neighbours
    second, second_before, second_after = after - before, before - (b - a), (d - c) - after
    # slopes at the frame of the parabolas on either side, with the smaller bend of two
    left, right = before + _least(second_before, second) / 2, after - _least(second, second_after) / 2
    t, least = _least(left, right), _least(before, after)
    low, high = np.minimum(0, np.minimum(3 * least, 1.5 * t)), np.maximum(0, np.maximum(3 * least, 1.5 * t))
    return np.clip(fourth, low, high)


def _least(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """the nearer to zero of two with one sign, else 0"""
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def _cubic(s: np.ndarray, rise: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """from 0 to `rise` with these slopes, s in 0 to 1"""
    return s * (first + s * (3 * rise - 2 * first - last + s * (first + last - 2 * rise)))


def _shifted(x: np.ndarray, by: int) -> np.ndarray:
    """x `by` frames later; beyond the ends it goes on as a parabola through the last three frames"""
    if by == 0:
        return x
    if by < 0:
        return _shifted(x[::-1], -by)[::-1]
    first, second = (x[-1] - x[-2], x[-1] - 2 * x[-2] + x[-3]) if len(x) > 2 else (x[-1] - x[-2], 0 * x[-1])
    beyond = [x[-1] + j * first + j * (j + 1) / 2 * second for j in range(1, by + 1)]
    return np.concatenate([x, beyond])[by:by + len(x)]


def _shifted_turns(x: np.ndarray, by: int) -> np.ndarray:
    """the same of quaternions: beyond an end the last turn goes on, with its change"""
    if by == 0:
        return x
    if by < 0:
        return _shifted_turns(x[::-1], -by)[::-1]
    last = logarithms(products(inverses(x[-2]), x[-1]))
    change = last - logarithms(products(inverses(x[-3]), x[-2])) if len(x) > 2 else 0 * last
    beyond = [x[-1]]
    for j in range(1, by + 1):
        beyond.append(products(beyond[-1], exponentials(last + j * change)))
    return np.concatenate([x, beyond[1:]])[by:by + len(x)]


def _inverse_jacobian(r: np.ndarray, w: np.ndarray) -> np.ndarray:
    """the rate of the rotation vector r where the velocity is w: w + r x w / 2 + k r x (r x w)"""
    square = np.einsum("...i,...i->...", r, r)[..., None]
    angle = np.sqrt(np.maximum(square, 1e-4))
    k = np.where(square > 1e-4, 1 / angle ** 2 - 1 / (2 * angle * np.tan(angle / 2)), 1 / 12 + square / 720)
    once = crosses(r, w)
    return w + once / 2 + k * crosses(r, once)
