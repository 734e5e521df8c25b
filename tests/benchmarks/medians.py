"""Times and rows of the table."""
import time

import numpy as np

REPEATS = 15


def medians(count: int, *functions) -> list[float]:
    """microseconds a round of each function, which does `count`; repeats take turns, so that all share the machine's moods"""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(REPEATS):
        for function, spent in zip(functions, times):
            start = time.perf_counter()
            function()
            spent.append((time.perf_counter() - start) / count * 1e6)
    return [float(np.median(spent)) for spent in times]


def row(name: str, ours: float, peer: float, peer_name: str, unit: str, goal: float, note: str = "") -> dict:
    return {"name": name, "ours": ours, "peer": peer, "peer_name": peer_name, "unit": unit, "ratio": ours / peer, "goal": goal,
            "note": note}
