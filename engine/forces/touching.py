"""The points at which a motion may be pushed: the corners of what touches, on the surface that is touched, frame by frame.

A sole's edge counts with both its ends, another part with those of its points that are nearly as near to the surface as its nearest.
They are taken on the surface itself, however far above or below it the motion has them: a floor pushes where the floor is.
"""
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..dynamics.poses import body_poses
from ..errors import HeftError
from ..model.character import Shape
from ..model.model import System
from ..motion.contacts import Contact
from ..motion.edit_contacts import touching_contacts
from ..motion.features import FEET, Feature
from ..motion.surfaces import distances, normals

NEARLY = 0.03                                    # m, farther than the nearest point
BEYOND = 0.01                                    # m, over the edge of a box
RAMP = 0.05                                      # s, over which a contact takes on its share


class Touching(NamedTuple):
    """N points in T frames, by frame."""
    start: np.ndarray               # (T + 1,) the first point of each frame
    frame: np.ndarray               # (N,)
    contact: np.ndarray             # (N,) the interval it comes from, in `contacts`
    body: np.ndarray                # (N,)
    surface: np.ndarray             # (N,) 0 the floor, then the obstacles
    point: np.ndarray               # (N, 3) on the surface, m
    normal: np.ndarray              # (N, 3) of the surface
    depth: np.ndarray               # (N,) m below the surface, negative above it
    ease: np.ndarray                # (N,) how unwillingly it carries: 1, more near the ends of its interval
    contacts: tuple[Contact, ...]


def touching_points(system: System, q: np.ndarray, fps: float, contacts: Sequence[Contact], listed: Sequence[Feature],
                    surfaces: Sequence[Shape]) -> Touching:
    """`listed`: the character's features; `surfaces`: the floor and the obstacles, as contacts count them."""
    places, rotations = body_poses(system, q)
    named: dict[tuple[str, str], list[Feature]] = {}
    for feature in listed:
        named.setdefault((system.names[feature.body], feature.part), []).append(feature)
    contacts = touching_contacts(contacts)
    parts: list[tuple] = []
    for number, contact in enumerate(contacts):
        if (contact.body, contact.part) not in named:
            raise HeftError(f"has no part '{contact.part}' that could touch", contact.body)
        if contact.last >= len(q):
            raise HeftError(f"{contact.part} touches until frame {contact.last}, but the last is {len(q) - 1}", contact.body)
        parts += _points(number, contact, named[contact.body, contact.part], places, rotations, surfaces[contact.surface], fps, len(q))
    columns = [np.concatenate(column) for column in zip(*parts)] if parts else _none()
    order = np.argsort(columns[0], kind="stable")
    frame, number_of, body, surface, point, normal, depth, ease = (np.ascontiguousarray(column[order]) for column in columns)
    start = np.searchsorted(frame, np.arange(len(q) + 1))
    return Touching(start, frame, number_of, body, surface, point, normal, depth, ease, contacts)


def _points(number: int, contact: Contact, same: list[Feature], places, rotations, shape: Shape, fps: float, T: int) -> list[tuple]:
    """frame, contact, body, surface, point, normal, depth, ease of every point of one interval, feature by feature"""
    frames = slice(contact.first, contact.last + 1)
    points = [places[frames, f.body, None] + np.einsum("tij,pj->tpi", rotations[frames, f.body], f.points) for f in same]
    heights = [distances(shape, x) - f.radius for f, x in zip(same, points)]
    lowest = np.min([h.min(axis=1) for h in heights], axis=0)
    out = []
    for feature, x, height in zip(same, points, heights):
        rows, nearest = np.arange(len(x)), np.argmin(height, axis=1)
        normal = normals(shape, x[rows, nearest])
        # on the plane that the nearest point touches
        above = np.einsum("tpi,ti->tp", x - x[rows, nearest][:, None], normal) + height[rows, nearest][:, None]
        x = x - (above + feature.radius)[..., None] * normal[:, None]
        near = np.ones(above.shape, bool) if feature.part in FEET else above < lowest[:, None] + NEARLY
        if shape.kind != "plane":
            near &= (distances(shape, x) < BEYOND) | (np.arange(x.shape[1]) == nearest[:, None])
        t, p = np.nonzero(near)
        frame = contact.first + t
        # ends of the clip are no ends of the contact
        to_begin = t + 1.0 if contact.first > 0 else np.full(len(t), np.inf)
        to_end = contact.last + 1.0 - frame if contact.last < T - 1 else np.full(len(t), np.inf)
        own = [np.full(len(t), value) for value in (number, feature.body, contact.surface)]
        out.append((frame, *own, x[t, p], normal[t], -above[t, p], 1 + (RAMP * fps / np.minimum(to_begin, to_end)) ** 2))
    return out


def _none() -> list[np.ndarray]:
    return [np.zeros(0, int)] * 4 + [np.zeros((0, 3))] * 2 + [np.zeros(0)] * 2
