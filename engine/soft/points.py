"""Contact points of soft contact: the corners of the regions that detection found, their springs, and what they remember.

Detection knows nothing of the last step. A corner is the same as one of the last step where both belong to the same region (its
key) and each is the other's nearest, measured on the body; then it keeps how far its grip is stretched.
"""
import math
from typing import NamedTuple

import numpy as np

from ..collision.contacts import AREA, Contacts
from ..kernel import kernel
from .materials import ALPHA, STANDING

GRIP_DAMPING = 0.7                                # zeta of the springs along the surface, against the lighter body


class Points(NamedTuple):
    """Points 0 to count[0] - 1. World axes; vectors along the surface have three numbers too."""
    count: np.ndarray   # type: ignore[assignment]   # (1,)
    region: np.ndarray              # (n,)
    body: np.ndarray                # (n,)
    other: np.ndarray               # (n,) -1 the world, -2 - o obstacle o
    place: np.ndarray               # (n, 3) from Contacts.origin, m
    normal: np.ndarray              # (n, 3) into the body
    gap: np.ndarray                 # (n,) m, negative inside
    key: np.ndarray                 # (n,) of its region
    local: np.ndarray               # (n, 3) its place on the body
    local_other: np.ndarray         # (n, 3) and on the other body
    static_friction: np.ndarray     # (n,)
    dynamic_friction: np.ndarray    # (n,)
    K: np.ndarray                   # (n,) stiffness, N/m, the same along the surface and across it
    damper: np.ndarray              # (n,) N s/m, across the surface
    beta: np.ndarray                # (n,) s, of smooth contact (002, eq 14)
    alpha: np.ndarray               # (n,) s
    grip_beta: np.ndarray           # (n,) s, along the surface (002, eq 8): damper over stiffness

    # state
    stretch: np.ndarray             # (n, 3) of the grip, m (002's a)
    e: np.ndarray                   # (n,) of smooth contact, m
    slides: np.ndarray              # (n,) 1 where friction is at its limit
    pushes: np.ndarray              # (n,) 1 where it carries a force
    share: np.ndarray               # (n,) of the grip's force that friction allows
    force: np.ndarray               # (n, 3) on the body, N
    pulled: np.ndarray              # (n, 3) how far the grip is pulled by that force, damper included, m
    u: np.ndarray                   # (n, 3) velocity of the body against the other there, as the step begins

    # memory of the last step
    last_count: np.ndarray          # (1,)
    last_key: np.ndarray            # (n,)
    last_local: np.ndarray          # (n, 3)
    last_stretch: np.ndarray        # (n, 3)
    last_e: np.ndarray              # (n,)
    last_slides: np.ndarray         # (n,)
    last_pushes: np.ndarray         # (n,)
    last_share: np.ndarray          # (n,)


def allocate_points(found: Contacts) -> Points:
    """Room for every corner that detection can find."""
    n = len(found.gap)
    vectors = {"place", "normal", "local", "local_other", "stretch", "force", "pulled", "u", "last_local", "last_stretch"}
    whole = {"region", "body", "other", "key", "slides", "pushes", "last_key", "last_slides", "last_pushes"}
    return Points(**{name: np.zeros(1, int) if name.endswith("count") else np.zeros(n, int) if name in whole
                     else np.zeros((n, 3) if name in vectors else n) for name in Points._fields})


@kernel
def write_points(p, found, materials, d, m):
    """Fill the points from the regions found; stretch, e and the rest of the state from the last step."""
    n = 0
    for f in range(found.count[0]):
        a, b = found.shape_a[f], found.shape_b[f]
        i, other = found.body[f], found.other[f]
        first, end = found.vertex_start[f], found.vertex_start[f + 1]
        mass, lighter = materials.mass[m.tree[i]], m.mass[i]
        if other >= 0:
            lighter = min(lighter, m.mass[other])
            if m.tree[other] != m.tree[i]:
                mass = mass * materials.mass[m.tree[other]] / (mass + materials.mass[m.tree[other]])
        # a point has a quarter of a flat region's stiffness, a line half of it
        whole = 1.0 if found.kind[f] == AREA else 0.25 * (end - first)
        K = STANDING / (2.0 * max(materials.sinkage[a], materials.sinkage[b]))
        period = math.sqrt(mass / (whole * K))
        damper = 2.0 * min(materials.zeta[a], materials.zeta[b]) * K * period
        around = 0.0
        if found.kind[f] == AREA:
            for k in range(first, end):
                around += distance(found.vertex[k], found.vertex[k + 1 if k + 1 < end else first])
        for k in range(first, end):
            share = 0.25
            if found.kind[f] == AREA:
                # half of the two edges at the corner: cutting a corner off changes nothing at once
                after, before = found.vertex[k + 1 if k + 1 < end else first], found.vertex[k - 1 if k > first else end - 1]
                share = 0.5 * (distance(found.vertex[k], before) + distance(found.vertex[k], after)) / around
            p.region[n], p.body[n], p.other[n], p.key[n] = f, i, other, found.key[f]
            p.gap[n] = found.gap[k]
            p.static_friction[n], p.dynamic_friction[n] = found.friction[f], found.dynamic_friction[f]
            p.K[n], p.damper[n] = share * K, share * damper
            p.beta[n] = min(materials.smooth[a], materials.smooth[b]) * period
            p.alpha[n] = ALPHA * p.beta[n]
            p.grip_beta[n] = 2.0 * GRIP_DAMPING * math.sqrt(lighter / (whole * K))
            for j in range(3):
                # on the other's surface, which is flat more often than not: so the points of a region lie in a plane
                p.place[n, j] = found.vertex[k, j] - 0.5 * found.gap[k] * found.normal[f, j]
                p.normal[n, j] = found.normal[f, j]
            write_local(p.local[n], d, m, i, p.place[n], found.origin)
            if other >= 0:
                write_local(p.local_other[n], d, m, other, p.place[n], found.origin)
            n += 1
    p.count[0] = n
    for k in range(n):
        recall(p, k)
        write_velocity(p.u[k], p, k, d.V, d, m, found)


@kernel
def distance(a, b):
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@kernel
def write_local(out, d, m, i, place, origin):
    """out = `place` in the axes of body i, from its frame"""
    R, at = d.R[i], d.origin[m.tree[i]]
    x = place[0] + (origin[0] - at[0]) - d.x[i, 0]
    y = place[1] + (origin[1] - at[1]) - d.x[i, 1]
    z = place[2] + (origin[2] - at[2]) - d.x[i, 2]
    for j in range(3):
        out[j] = R[0, j] * x + R[1, j] * y + R[2, j] * z


@kernel
def write_velocity(out, p, k, V, d, m, found):
    """out = velocity of point k on the body against the other side, for velocities V (nb, 6) of the bodies"""
    for side in range(2):
        i = p.body[k] if side == 0 else p.other[k]
        if i == -1:
            continue
        motion, at = (V[i], d.origin[m.tree[i]]) if i >= 0 else (found.obstacle_V[-2 - i], found.obstacle_x[-2 - i])
        x = p.place[k, 0] + (found.origin[0] - at[0])
        y = p.place[k, 1] + (found.origin[1] - at[1])
        z = p.place[k, 2] + (found.origin[2] - at[2])
        vx = motion[0] + motion[4] * z - motion[5] * y
        vy = motion[1] + motion[5] * x - motion[3] * z
        vz = motion[2] + motion[3] * y - motion[4] * x
        if side == 0:
            out[0], out[1], out[2] = vx, vy, vz
        else:
            out[0] -= vx
            out[1] -= vy
            out[2] -= vz


@kernel
def recall(p, k):
    """the state of the same point in the last step; a new one begins without stretch"""
    for j in range(3):
        p.stretch[k, j] = 0.0
    p.e[k], p.slides[k], p.share[k], p.pushes[k] = 0.0, 0, 1.0, -1
    nearest, away = -1, math.inf
    for l in range(p.last_count[0]):
        if p.last_key[l] == p.key[k] and distance(p.last_local[l], p.local[k]) < away:
            nearest, away = l, distance(p.last_local[l], p.local[k])
    if nearest < 0:
        return
    for l in range(p.count[0]):
        if p.key[l] == p.key[k] and distance(p.last_local[nearest], p.local[l]) < away:
            return
    # what was along the surface stays along it
    n, S = p.normal[k], p.last_stretch[nearest]
    out = n[0] * S[0] + n[1] * S[1] + n[2] * S[2]
    for j in range(3):
        p.stretch[k, j] = S[j] - out * n[j]
    p.e[k], p.slides[k], p.share[k] = p.last_e[nearest], p.last_slides[nearest], p.last_share[nearest]
    p.pushes[k] = p.last_pushes[nearest]


@kernel
def remember(p):
    """keep the state for the next step"""
    n = p.count[0]
    p.last_count[0] = n
    for k in range(n):
        p.last_key[k] = p.key[k]
        p.last_e[k], p.last_slides[k], p.last_share[k], p.last_pushes[k] = p.e[k], p.slides[k], p.share[k], p.pushes[k]
        for j in range(3):
            p.last_local[k, j] = p.local[k, j]
            p.last_stretch[k, j] = p.stretch[k, j]


@kernel
def elastic_energy(p):
    """J, in the springs of the points that push"""
    energy = 0.0
    for k in range(p.count[0]):
        if p.pushes[k] == 1:
            S = p.stretch[k]
            energy += 0.5 * p.K[k] * (min(p.gap[k], 0.0) ** 2 + S[0] * S[0] + S[1] * S[1] + S[2] * S[2])
    return energy
