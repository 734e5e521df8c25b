"""A picture of energy and momentum (needs matplotlib, which Blender does not have)."""
import os

import numpy as np

from ..export.files import replacing
from ..export.trace import Trace
from ..model.model import System
from .balance import balance


def plot_balance(path: str | os.PathLike, system: System, trace: Trace) -> None:
    """Draw energy and momentum of every tree over time to `path` (PNG), one column a tree.

    Energies are drawn as their change since the start, so that a heavy character's can be read too. What the sum varies by is
    given in joules, and over the range of the kinetic energy."""
    from matplotlib import pyplot
    values = balance(system, trace)
    roots = system.model.tree_start[:-1]
    figure, axes = pyplot.subplots(3, len(roots), figsize=(6.5 * len(roots), 9), sharex=True, squeeze=False, layout="constrained")
    for t, root in enumerate(roots):
        energy, linear, angular = axes[:, t]
        for name in ("kinetic", "potential", "elastic"):
            part = getattr(values, name)[:, t]
            if name != "elastic" or part.any():
                energy.plot(trace.time, part - part[0], label=name)
        total = values.energy[:, t]
        drift = np.ptp(total)
        energy.plot(trace.time, total - total[0],
                    label=f"sum, varies by {drift:.0e} J ({drift / max(np.ptp(values.kinetic[:, t]), 1e-9):.0e})")
        for j, name in enumerate("xyz"):
            linear.plot(trace.time, values.linear[:, t, j], label=name)
            angular.plot(trace.time, values.angular[:, t, j], label=name)
        energy.set_title(system.characters[system.character[root]].name, fontsize=16, pad=30)
        energy.set_ylabel("energy since the start, J")
        linear.set_ylabel("linear momentum, N s")
        angular.set_ylabel("angular momentum about\nthe centre of mass, N m s")
        angular.set_xlabel("time, s")
        for axis in axes[:, t]:
            # above the lines, which fill the whole field
            axis.legend(loc="lower center", bbox_to_anchor=(0.5, 0.99), ncols=4, frameon=False, columnspacing=1.0)
            axis.grid(alpha=0.3)
            axis.yaxis.label.set_size(12)
    try:
        with replacing(path) as part:
            figure.savefig(part, dpi=110)
    finally:
        pyplot.close(figure)
