"""A motion: the coordinates of a system, frame by frame."""
from typing import NamedTuple

import numpy as np


class Motion(NamedTuple):
    """T frames at equal times."""
    times: np.ndarray               # (T,) s
    q: np.ndarray                   # (T, nq)
    names: tuple[str, ...]          # (nb,) the bodies, in the system's order
    joints: np.ndarray              # (T, nb, 3) where the source has their joints, m
    misfit: np.ndarray              # (T, nb) how far q's joints are from those, m
    off_hinge: np.ndarray           # (T, nb) what a hinge could not follow, rad; 0 elsewhere

    def __repr__(self) -> str:
        return f"Motion({len(self.times)} frames at {self.fps:g} Hz, nq {self.q.shape[1]})"

    @property
    def fps(self) -> float:
        return float((len(self.times) - 1) / (self.times[-1] - self.times[0])) if len(self.times) > 1 else 0.0

    def frames(self, first: int, last: int | None = None) -> "Motion":
        """The frames from `first` up to but not with `last`."""
        cut = slice(first, last)
        return self._replace(times=self.times[cut], q=self.q[cut], joints=self.joints[cut], misfit=self.misfit[cut],
                             off_hinge=self.off_hinge[cut])
