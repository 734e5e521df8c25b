"""A skeleton and a clip of it, as they come from a file: bones by name, in metres, Z up, every bone's axes along the world's in
the rest pose. There a bone's local rotation is what turns it from its rest, and no rest orientation has to be carried along.
"""
from typing import NamedTuple

import numpy as np

from ..algebra.quaternions import products, rotated


class Skeleton(NamedTuple):
    """n bones, parents first."""
    names: tuple[str, ...]          # (n,)
    parents: np.ndarray             # (n,) index of the parent, -1 for a root
    offsets: np.ndarray             # (n, 3) from the parent's joint to the bone's own, at rest, m; a root's: from the origin
    end_bone: np.ndarray            # (e,) the bone of each end site
    end_offset: np.ndarray          # (e, 3) from that bone's joint to the end site, at rest, m

    def __repr__(self) -> str:
        return f"Skeleton({len(self.names)} bones, root '{self.names[0]}')"

    def rest_positions(self) -> np.ndarray:
        """(n, 3) of the joints, m."""
        places = np.array(self.offsets, float)
        for i, p in enumerate(self.parents):
            if p >= 0:
                places[i] += places[p]
        return places

    def children(self) -> list[list[int]]:
        below: list[list[int]] = [[] for _ in self.names]
        for i, p in enumerate(self.parents):
            if p >= 0:
                below[p].append(i)
        return below


class Clip(NamedTuple):
    """T frames of a skeleton."""
    skeleton: Skeleton
    frame_time: float               # s
    root_positions: np.ndarray      # (T, 3) of the first bone's joint, m
    rotations: np.ndarray           # (T, n, 4) of each bone against its parent, quaternions w x y z; at rest all are 1
    source: str = ""                # the file it came from
    notes: tuple[str, ...] = ()     # what the reader had to decide

    def __repr__(self) -> str:
        return f"Clip({self.source or 'no file'}: {len(self.rotations)} frames at {self.fps:g} Hz, {len(self.skeleton.names)} bones)"

    @property
    def fps(self) -> float:
        return 1 / self.frame_time

    def frames(self, first: int, last: int | None = None) -> "Clip":
        """The frames from `first` up to but not with `last`."""
        return self._replace(root_positions=self.root_positions[first:last], rotations=self.rotations[first:last])

    def scaled(self, factor: float) -> "Clip":
        """The same motion of a skeleton `factor` times as large."""
        s = self.skeleton
        return self._replace(root_positions=factor * self.root_positions,
                             skeleton=s._replace(offsets=factor * s.offsets, end_offset=factor * s.end_offset))


def world_poses(clip: Clip) -> tuple[np.ndarray, np.ndarray]:
    """Positions (T, n, 3) in m and rotations (T, n, 4) in the world of all bones."""
    s = clip.skeleton
    positions, rotations = np.zeros((*clip.rotations.shape[:2], 3)), np.array(clip.rotations, float)
    for i, p in enumerate(s.parents):
        if i == 0:
            positions[:, 0] = clip.root_positions
        elif p < 0:
            positions[:, i] = s.offsets[i]
        else:
            rotations[:, i] = products(rotations[:, p], clip.rotations[:, i])
            positions[:, i] = positions[:, p] + rotated(rotations[:, p], s.offsets[i][None])
    return positions, rotations
