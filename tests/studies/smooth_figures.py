"""Figures 3 and 5 of source 002 with the engine's own laws, and LuGre (Canudas de Wit et al. 1995) as the rival of the first.

    python tests/studies/smooth_figures.py --output build      writes friction.png and restitution.png
"""
import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from heft.engine.soft.laws import friction, smooth_push, smooth_rate

MASS, LIMIT = 1.0, 0.5                           # kg, N: the paper's friction limit
K, BETA = 10000.0, 0.01                          # N/m, s
RATIOS = (1.0, 0.7, 0.5, 0.1)                    # alpha over beta, as in figure 5


def rk4(rate: Callable[[float, np.ndarray], np.ndarray], state, times: np.ndarray) -> np.ndarray:
    """The states at evenly spaced times."""
    states, h = [np.array(state, float)], times[1] - times[0]
    for t in times[:-1]:
        x = states[-1]
        a = rate(t, x)
        b = rate(t + h / 2, x + h / 2 * a)
        c = rate(t + h / 2, x + h / 2 * b)
        d = rate(t + h, x + h * c)
        states.append(x + h / 6 * (a + 2 * b + 2 * c + d))
    return np.array(states)


def push(t: float) -> float:
    """Over the limit for a moment, then swinging below it, N."""
    return 0.55 if 0.5 < t < 1.0 else 0.4 + 0.09 * np.sin(2 * np.pi * t) if t >= 1.0 else 0.0


def ours(t: float, x: np.ndarray) -> np.ndarray:
    """002, eq 10: p', p, a"""
    force, rate = np.zeros(1), np.zeros(1)
    friction(force, rate, x[2:], x[:1], LIMIT, K, BETA)
    return np.array([(push(t) + force[0]) / MASS, x[0], rate[0]])


def lugre(t: float, x: np.ndarray) -> np.ndarray:
    """p', p, z: bristles of the same stiffness and damping"""
    bent = x[0] - K * abs(x[0]) / LIMIT * x[2]
    return np.array([(push(t) - K * x[2] - K * BETA * bent) / MASS, x[0], bent])


def friction_run(seconds: float = 10.0, step: float = 0.0005) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, our places and LuGre's, m."""
    times = np.arange(0, seconds + step / 2, step)
    return times, rk4(ours, (0, 0, 0), times)[:, 1], rk4(lugre, (0, 0, 0), times)[:, 1]


def bounce_run(ratio: float, stiffness: float = 1e4, beta: float = 0.02, seconds: float = 1.0, step: float = 0.0002):
    """002, eq 16: a mass falls 0.2 m on a wall; times, states (p', p, e) and forces."""
    alpha = ratio * beta
    force = lambda x: smooth_push(x[1], x[2], stiffness, alpha, beta)
    rate = lambda _, x: np.array([force(x) / MASS - 9.81, x[0], smooth_rate(x[1], x[2], alpha, beta)])
    times = np.arange(0, seconds + step / 2, step)
    states = rk4(rate, (0, 0.2, 0), times)
    return times, states, np.array([force(x) for x in states])


def main() -> None:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("build"))
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    times, p, rival = friction_run()
    figure, (above, below) = pyplot.subplots(2, sharex=True)
    above.plot(times, [push(t) for t in times], label="force from outside")
    above.axhline(LIMIT, linestyle=":", label="friction's limit")
    above.set_ylabel("N")
    below.plot(times, 1000 * p, label="002, eq 10")
    below.plot(times, 1000 * rival, label="LuGre")
    below.set_ylabel("place, mm")
    below.set_xlabel("s")
    for axes in (above, below):
        axes.legend()
    figure.savefig(folder / "friction.png")
    figure, axes = pyplot.subplots()
    for ratio in RATIOS:
        times, states, _ = bounce_run(ratio)
        axes.plot(times, states[:, 1], label=f"alpha = {ratio:g} beta")
    axes.set_xlabel("s")
    axes.set_ylabel("place, m")
    axes.legend()
    figure.savefig(folder / "restitution.png")
    print(f"written: {folder / 'friction.png'}\nwritten: {folder / 'restitution.png'}")


if __name__ == "__main__":
    main()
