"""A picture of energy and momentum (needs matplotlib, which Blender does not have)."""
import os

import numpy as np

from ..export.trace import Trace
from ..model.model import System
from .balance import balance


def plot_balance(path: str | os.PathLike, system: System, trace: Trace) -> None:
    """Draw energy and momentum of every tree over time to `path` (PNG)."""
    from matplotlib import pyplot
    values = balance(system, trace)
    roots = system.model.tree_start[:-1]
    figure, axes = pyplot.subplots(3, len(roots), figsize=(6 * len(roots), 9), sharex=True, squeeze=False)
    for t, root in enumerate(roots):
        energy, linear, angular = axes[:, t]
        total = values.kinetic[:, t] + values.potential[:, t]
        energy.set_title(system.characters[system.character[root]].name)
        for name, line in (("kinetic", values.kinetic[:, t]), ("potential", values.potential[:, t]), ("sum", total)):
            energy.plot(trace.time, line, label=name)
        drift = np.ptp(total + (values.elastic if len(roots) == 1 else 0)) / max(np.ptp(values.kinetic[:, t]), 1e-9)
        energy.set_ylabel(f"energy, J (sum varies by {drift:.1e})")
        for j, name in enumerate("xyz"):
            linear.plot(trace.time, values.linear[:, t, j], label=name)
            angular.plot(trace.time, values.angular[:, t, j], label=name)
        linear.set_ylabel("linear momentum, N s")
        angular.set_ylabel("angular momentum about\nthe centre of mass, N m s")
        angular.set_xlabel("time, s")
        for axis in axes[:, t]:
            axis.legend(loc="upper right")
            axis.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
