"""Seeing contacts come: how far to look ahead, and when the first corner arrives."""
import math

from ..dynamics.kinematics import update_velocity
from ..kernel import kernel
from .touching import TOUCH


@kernel
def look_ahead(d, m, obstacle_V, step):
    """margin of detection, m: twice what can arrive within a step"""
    fastest = 0.0
    for i in range(m.parent.shape[0]):
        V, c = d.V[i], d.c[i]
        vx, vy, vz = V[0] + V[4] * c[2] - V[5] * c[1], V[1] + V[5] * c[0] - V[3] * c[2], V[2] + V[3] * c[1] - V[4] * c[0]
        turning = math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
        fastest = max(fastest, math.sqrt(vx * vx + vy * vy + vz * vz) + 0.5 * turning)
    for o in range(obstacle_V.shape[0]):
        V = obstacle_V[o]
        fastest += math.sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]) + math.sqrt(V[3] * V[3] + V[4] * V[4] + V[5] * V[5])
    return min(50.0 * TOUCH + 2.0 * step * fastest, 0.1)


@kernel
def first_arrival(d, m, found, v_new, v, step):
    """When the first corner that does not touch yet arrives, s, or the whole step."""
    update_velocity(d, m, v_new)
    first = step
    for f in range(found.count[0]):
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            gap = found.gap[k]
            if gap > TOUCH:
                speed = 0.0
                for side in range(2):
                    i = found.body[f] if side == 0 else found.other[f]
                    sign = 1.0 if side == 0 else -1.0
                    if i >= 0:
                        speed += sign * point_speed(d.V[i], d.origin[m.tree[i]], found.vertex[k], found.origin, found.normal[f])
                    elif i < -1:
                        speed += sign * point_speed(found.obstacle_V[-2 - i], found.obstacle_x[-2 - i], found.vertex[k], found.origin,
                                                    found.normal[f])
                if gap + step * speed < 0.0:
                    first = min(first, -gap / speed)
    update_velocity(d, m, v)
    return first


@kernel
def point_speed(V, origin, place, place_origin, n):
    """velocity along n of the point at `place` of a body that moves with V about `origin`"""
    x, y, z = place[0] + (place_origin[0] - origin[0]), place[1] + (place_origin[1] - origin[1]), place[2] + (place_origin[2] - origin[2])
    return n[0] * (V[0] + V[4] * z - V[5] * y) + n[1] * (V[1] + V[5] * x - V[3] * z) + n[2] * (V[2] + V[3] * y - V[4] * x)
