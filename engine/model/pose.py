"""The zero pose."""
import numpy as np

from .model import BALL, FREE, Model


def rest_coordinates(m: Model) -> np.ndarray:
    """q (nq,) with every joint at zero: angles 0, quaternions 1."""
    q = np.zeros(m.nq)
    for i in range(m.nb):
        if m.kind[i] in (FREE, BALL):
            q[m.q_start[i] + (3 if m.kind[i] == FREE else 0)] = 1.0
    return q
