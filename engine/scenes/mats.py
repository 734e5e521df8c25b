"""Soft things under the figure: for compliant and smooth contact; rigid contact takes them as they are drawn."""
from dataclasses import replace

import numpy as np

from ..model.build import build
from ..model.character import Frame, Shape
from ..model.figure import STANDING_HEIGHT
from ..model.state import State
from .figures import on_edges, standing_figure, thrown
from .props import Scene, scene, turn

WALKING = 1.2                                     # m/s


def standing_on(sinkage: float) -> Scene:
    """The figure stands on a mat, balanced over the middle of its soles; its joints hardly give way. On mats of over 9 mm it topples,
    as whoever does not balance: what the soles give back when it leans is less than what its weight takes."""
    return replace(on_edges(0.0, 0.0, (Shape("plane", sinkage=sinkage),)), seconds=3.0)


def walking_into(sinkage: float) -> Scene:
    """The figure comes at walking speed, 5 cm before a mat that stands on end, on a floor without friction."""
    mat = Shape("plane", frame=Frame((0.20, 0, 0), turn((0, 1, 0), -np.pi / 2)), sinkage=sinkage, friction=0.8)
    slippery = Shape("plane", friction=0.0, dynamic_friction=0.0)
    system = build(standing_figure(), shapes=(slippery, mat))
    state = State.rest(system)
    state.q[2] = STANDING_HEIGHT
    state.v[0] = WALKING
    return Scene(system, state, 2.0)


def falling_on(sinkage: float) -> Scene:
    """The limp figure, thrown, falls on a mat."""
    return thrown(0, (Shape("plane", sinkage=sinkage),))


@scene
def mat() -> Scene:
    """The figure stands on a mat into which it sinks 5 mm; rigid contact knows no mats."""
    return standing_on(0.005)


@scene
def crash_mat() -> Scene:
    """The limp figure, thrown, falls on a mat of 5 cm sinkage; rigid contact knows no mats."""
    return falling_on(0.05)
