"""The laws of soft contact at one point, as ordinary differential equations (source 002)."""
import math

from ..kernel import kernel

SPRING, SMOOTH = range(2)
"""A spring and a damper (003); 002's contact with a state e."""


@kernel
def smooth_push(gap, e, K, alpha, beta):
    """f = K max(0, e - beta (p + e) / alpha) (eq 15b)"""
    return K * max(0.0, e - beta * (gap + e) / alpha)


@kernel
def smooth_rate(gap, e, alpha, beta):
    """e' = max(-e / beta, -(p + e) / alpha) (eq 15a)"""
    return max(-e / beta, -(gap + e) / alpha)


@kernel
def spring_push(gap, speed, K, damper):
    """A spring and a damper that never pull."""
    return max(0.0, -K * gap - damper * speed) if gap < 0.0 else 0.0


@kernel
def friction(force, rate, stretch, slip, limit, K, beta):
    """force = -K sat(limit / K, a + beta slip) on what slips (eq 9b, and its sign in eq 6), rate = a' (eq 9a), for a = stretch.
    True where it is at its limit."""
    size = 0.0
    for j in range(stretch.shape[0]):
        size += (stretch[j] + beta * slip[j]) ** 2
    size = math.sqrt(size)
    share = limit / (K * size) if K * size > limit else 1.0
    for j in range(stretch.shape[0]):
        pulled = share * (stretch[j] + beta * slip[j])
        force[j] = -K * pulled
        rate[j] = (pulled - stretch[j]) / beta
    return share < 1.0
