"""A picture of what runs cost over time (needs matplotlib, which Blender does not have)."""
import os
from collections.abc import Mapping, Sequence

import numpy as np

from ..export.files import replacing


def plot_curves(path: str | os.PathLike, curves: Mapping[str, Mapping[str, tuple[np.ndarray, np.ndarray]]]) -> None:
    """Draw to `path` (PNG) one field for each label in `curves`, with a line for each name in it: times and values."""
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(len(curves), 1, figsize=(7, 2.6 * len(curves)), sharex=True, squeeze=False, layout="constrained")
    for axis, (label, lines) in zip(axes[:, 0], curves.items()):
        for name, (times, values) in lines.items():
            axis.plot(times, values, label=name)
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    axes[0, 0].legend(frameon=False)
    axes[-1, 0].set_xlabel("time, s")
    try:
        with replacing(path) as part:
            figure.savefig(part, dpi=110)
    finally:
        pyplot.close(figure)


def accumulated(times: np.ndarray, power: Sequence[float] | np.ndarray) -> np.ndarray:
    """J: what power in W adds up to"""
    steps = np.diff(times) * np.asarray(power)[:-1]
    return np.concatenate([[0.0], np.cumsum(steps)])
