"""Seeing contacts come: how far to look ahead, how far to go at once, and when the first corner arrives."""
import math

import numpy as np

from ..collision.shapes import PLANE, Shapes
from ..dynamics.kinematics import update_velocity
from ..kernel import kernel
from ..model.model import Model
from .touching import TOUCH

NEAREST_LOOK, FURTHEST_LOOK = 50.0 * TOUCH, 0.1   # m
ARRIVED = 0.01 * TOUCH                            # m; no step is cut for less


def reaches(m: Model, s: Shapes) -> tuple[np.ndarray, np.ndarray]:
    """How far shapes reach, m: from the centre of mass of each body (-1 without any), from the origin of each obstacle."""
    bodies, obstacles = np.full(m.nb, -1.0), np.zeros(int(s.obstacle_count[0]))
    for k in range(len(s.kind)):
        size = np.linalg.norm(s.half[k]) + s.radius[k] if s.kind[k] != PLANE else 1.0
        i = int(s.body[k])
        if i >= 0:
            bodies[i] = max(bodies[i], np.linalg.norm(s.x[k] - m.com[i]) + size)
        elif i < -1:
            obstacles[-2 - i] = max(obstacles[-2 - i], np.linalg.norm(s.x[k]) + size)
    return bodies, obstacles


@kernel
def fastest_approach(d, body_reach, obstacle_V, obstacle_reach):
    """m/s, of the fastest point of any body and of any obstacle together"""
    fastest, obstacle = 0.0, 0.0
    for i in range(body_reach.shape[0]):
        if body_reach[i] >= 0.0:
            V, c = d.V[i], d.c[i]
            vx, vy, vz = V[0] + V[4] * c[2] - V[5] * c[1], V[1] + V[5] * c[0] - V[3] * c[2], V[2] + V[3] * c[1] - V[4] * c[0]
            turning = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
            fastest = max(fastest, math.sqrt(vx * vx + vy * vy + vz * vz) + body_reach[i] * turning)
    for o in range(obstacle_V.shape[0]):
        V = obstacle_V[o]
        turning = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
        obstacle = max(obstacle, math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]) + obstacle_reach[o] * turning)
    return fastest + obstacle


@kernel
def look_ahead(fastest, step):
    """margin of detection, m: twice what can arrive within a step"""
    return min(NEAREST_LOOK + 2.0 * step * fastest, FURTHEST_LOOK)


@kernel
def longest_step(fastest):
    """s; what moves for longer may pass what it did not see"""
    return (FURTHEST_LOOK - NEAREST_LOOK) / (2.0 * fastest) if fastest > 0.0 else math.inf


@kernel
def first_arrival(speed, d, m, found, v_new, v, step):
    """When the first corner that does not touch yet arrives, s, or the whole step. speed (·,) is a work array, one entry a corner.

    A step of length t ends with velocity v + (v_new - v) t / step and moves the pose by t times that: a corner that starts at
    speed a and would end at b arrives when gap + a t + (b - a) t^2 / step = 0."""
    update_velocity(d, m, v_new)
    comes = False
    for f in range(found.count[0]):
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            if found.gap[k] > TOUCH:
                speed[k] = corner_speed(d, m, found, f, k)
                comes = comes or found.gap[k] + step * speed[k] < -ARRIVED
    update_velocity(d, m, v)
    first = step
    if comes:
        for f in range(found.count[0]):
            for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
                gap = found.gap[k]
                if gap > TOUCH and gap + step * speed[k] < -ARRIVED:
                    a = corner_speed(d, m, found, f, k)
                    first = min(first, 2.0 * gap / (math.sqrt(a * a - 4.0 * gap * (speed[k] - a) / step) - a))
    return first


@kernel
def corner_speed(d, m, found, f, k):
    """at which corner k of region f opens, m/s"""
    speed = 0.0
    for side in range(2):
        i = found.body[f] if side == 0 else found.other[f]
        sign = 1.0 if side == 0 else -1.0
        if i >= 0:
            speed += sign * point_speed(d.V[i], d.origin[m.tree[i]], found.vertex[k], found.origin, found.normal[f])
        elif i < -1:
            speed += sign * point_speed(found.obstacle_V[-2 - i], found.obstacle_x[-2 - i], found.vertex[k], found.origin, found.normal[f])
    return speed


@kernel
def point_speed(V, origin, place, place_origin, n):
    """velocity along n of the point at `place` of a body that moves with V about `origin`"""
    x, y, z = place[0] + (place_origin[0] - origin[0]), place[1] + (place_origin[1] - origin[1]), place[2] + (place_origin[2] - origin[2])
    return n[0] * (V[0] + V[4] * z - V[5] * y) + n[1] * (V[1] + V[5] * x - V[3] * z) + n[2] * (V[2] + V[3] * y - V[4] * x)
