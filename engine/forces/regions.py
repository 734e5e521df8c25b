"""Contacts as the trace has them: all points of one body on one face of one surface are a region, with one force and one p_v."""
from typing import NamedTuple

import numpy as np

from ..kernel import kernel
from ..motion.centre import runs
from .fit_forces import Fit
from .polygons import convex_polygon
from .touching import Touching


class Regions(NamedTuple):
    """K regions, by frame."""
    frame: np.ndarray               # (K,)
    body: np.ndarray                # (K,)
    surface: np.ndarray             # (K,) 0 the floor, then the obstacles
    normal: np.ndarray              # (K, 3)
    centre: np.ndarray              # (K, 3) mean of the points, m
    force: np.ndarray               # (K, 3) on the body, N
    moment: np.ndarray              # (K, 3) about the centre, N m
    push: np.ndarray                # (K,) force along the normal, N
    pressure: np.ndarray            # (K, 3) p_v, m; the centre where nothing pushes
    slip: np.ndarray                # (K, 3) velocity of the body at p_v along the surface, m/s
    sliding: np.ndarray             # (K,) where most of the force is on parts that slide
    depth: np.ndarray               # (K,) the deepest point, m; 0 or more
    corner_start: np.ndarray        # (K + 1,)
    corner: np.ndarray              # (P, 3) of the convex regions, counter-clockwise about the normal, m


def regions(touching: Touching, fit: Fit) -> Regions:
    """The fitted forces, region by region."""
    order, start = _grouped(touching)
    size = np.diff(start)
    at = order[start[:-1]]
    total = lambda x: np.add.reduceat(x[order], start[:-1], axis=0) if len(order) else np.zeros((0, *x.shape[1:]))
    spread = np.zeros(len(order), int)
    spread[order] = np.repeat(np.arange(len(size)), size)
    normal = touching.normal[at]
    centre = total(touching.point) / np.maximum(size, 1)[:, None]
    load = np.einsum("pi,pi->p", fit.force, touching.normal)
    push = total(load)
    pushes = push > 0
    # p_v is the mean of the points weighted with what pushes there; so is the velocity, which is linear in the place
    share = np.where(pushes[spread], load / np.where(pushes, push, 1.0)[spread], 1 / np.maximum(size, 1)[spread])
    velocity = total(share[:, None] * fit.velocity)
    slides = np.array([contact.kind == "sliding" for contact in touching.contacts], bool)[touching.contact]
    corner_start, corner = _corners(touching, order, start, normal)
    return Regions(
        touching.frame[at], touching.body[at], touching.surface[at], normal, centre, total(fit.force),
        total(np.cross(touching.point - centre[spread], fit.force)), push, total(share[:, None] * touching.point),
        velocity - np.einsum("ki,ki->k", velocity, normal)[:, None] * normal, total(share * slides) > 0.5,
        np.maximum(0.0, np.maximum.reduceat(touching.depth[order], start[:-1]) if len(order) else np.zeros(0)), corner_start, corner)


def _grouped(touching: Touching) -> tuple[np.ndarray, np.ndarray]:
    """the points in an order in which those of a region follow each other, and where regions start"""
    turned = np.round(touching.normal, 6)
    keys = (touching.frame, touching.body, touching.surface, *turned.T)
    order = np.lexsort(keys[::-1])
    changed = np.zeros(len(order), bool)
    for key in keys:
        changed[1:] |= np.diff(key[order]) != 0
    return order, np.concatenate([[0], np.flatnonzero(changed), [len(order)]]) if len(order) else np.zeros(1, int)


def _corners(touching: Touching, order: np.ndarray, start: np.ndarray, normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    corners, counts = np.zeros(len(order), int), np.zeros(len(normal), int)
    most = int(np.diff(start).max(initial=0))
    # two directions along each surface
    other = np.where(np.abs(normal[:, :1]) < 0.9, [1.0, 0, 0], [0, 1.0, 0])
    u = np.cross(other, normal)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    w = np.cross(normal, u)
    write_corners(corners, counts, np.zeros(most, int), np.zeros(most), np.zeros(most), order, start, touching.point, u, w)
    kept = np.arange(most)[None] < counts[:, None]
    places = (start[:-1, None] + np.arange(most)[None])[kept]
    return np.concatenate([[0], np.cumsum(counts)]), touching.point[corners[places]]


@kernel
def write_corners(corners, counts, picked, x, y, order, start, point, u, w):
    """corners[start[k]:start[k] + counts[k]] = the points at the corners of region k"""
    for k in range(counts.shape[0]):
        n = start[k + 1] - start[k]
        for i in range(n):
            p = point[order[start[k] + i]]
            x[i] = p[0] * u[k, 0] + p[1] * u[k, 1] + p[2] * u[k, 2]
            y[i] = p[0] * w[k, 0] + p[1] * w[k, 1] + p[2] * w[k, 2]
        counts[k] = convex_polygon(picked, x, y, n)
        for i in range(counts[k]):
            corners[start[k] + i] = order[start[k] + picked[i]]


def stance_slips(found: Regions, fps: float) -> np.ndarray:
    """(n,) m that each stance of a body on a surface slips in all, where it is not sliding."""
    if not len(found.frame):
        return np.zeros(0)
    way = np.where(found.sliding, 0.0, np.linalg.norm(found.slip, axis=1) / fps) * (found.push > 0)
    out = []
    for body, surface in np.unique(np.stack([found.body, found.surface], 1), axis=0):
        own = (found.body == body) & (found.surface == surface)
        ways = np.bincount(found.frame[own], way[own])
        for first, last in runs(np.bincount(found.frame[own]) > 0):
            out.append(ways[first:last].sum())
    return np.array(out)
