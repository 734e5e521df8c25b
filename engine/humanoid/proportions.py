"""How a human body is made: masses, centres of mass and radii of gyration of its segments.

P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, J. Biomechanics 29(9), 1996, 1223-1230, Table 4: 100 men
and 15 women. Radii are over the segment's length, about its sagittal (front to back), transverse (side to side) and long axis.
"""
from typing import NamedTuple

import numpy as np


class Segment(NamedTuple):
    mass: float                     # of the body's
    centre: float                   # from the proximal end, of the length; head: from the neck's base up; foot: from the heel
    sagittal: float                 # radii of gyration, of the length
    transverse: float
    long: float
    length: float                   # m, of the table's subjects


class Table(NamedTuple):
    stature: float                  # m
    weight: float                   # kg
    segments: dict[str, Segment]


# between joint centres; lower trunk: hip centres' middle to navel, middle: to the xiphoid, upper: to the seventh cervical vertebra;
# head: from there to the vertex
MALE = Table(1.741, 73.0, {
    "head": Segment(0.0694, 0.4998, 0.303, 0.315, 0.261, 0.2429),
    "upper trunk": Segment(0.1596, 0.4934, 0.505, 0.320, 0.465, 0.2421),
    "middle trunk": Segment(0.1633, 0.5498, 0.482, 0.383, 0.468, 0.2155),
    "lower trunk": Segment(0.1117, 0.3885, 0.615, 0.551, 0.587, 0.1457),
    "upper_arm": Segment(0.0271, 0.5772, 0.285, 0.269, 0.158, 0.2817),
    "forearm": Segment(0.0162, 0.4574, 0.276, 0.265, 0.121, 0.2689),
    "hand": Segment(0.0061, 0.7900, 0.628, 0.513, 0.401, 0.0862),
    "thigh": Segment(0.1416, 0.4095, 0.329, 0.329, 0.149, 0.4222),
    "shin": Segment(0.0433, 0.4395, 0.251, 0.246, 0.102, 0.4403),
    "foot": Segment(0.0137, 0.4415, 0.257, 0.245, 0.124, 0.2581)})
FEMALE = Table(1.735, 61.9, {
    "head": Segment(0.0668, 0.5159, 0.271, 0.295, 0.261, 0.2437),
    "upper trunk": Segment(0.1545, 0.4950, 0.466, 0.314, 0.449, 0.2280),
    "middle trunk": Segment(0.1465, 0.5488, 0.433, 0.354, 0.415, 0.2053),
    "lower trunk": Segment(0.1247, 0.5080, 0.433, 0.402, 0.444, 0.1815),
    "upper_arm": Segment(0.0255, 0.5754, 0.278, 0.260, 0.148, 0.2751),
    "forearm": Segment(0.0138, 0.4559, 0.261, 0.257, 0.094, 0.2643),
    "hand": Segment(0.0056, 0.7474, 0.531, 0.454, 0.335, 0.0780),
    "thigh": Segment(0.1478, 0.3612, 0.369, 0.364, 0.162, 0.3685),
    "shin": Segment(0.0481, 0.4352, 0.267, 0.263, 0.092, 0.4386),
    "foot": Segment(0.0129, 0.4014, 0.299, 0.279, 0.139, 0.2283)})
MEAN = Table((MALE.stature + FEMALE.stature) / 2, (MALE.weight + FEMALE.weight) / 2, {
    name: Segment(*np.mean([MALE.segments[name], FEMALE.segments[name]], axis=0).tolist()) for name in MALE.segments})
TABLES = {"male": MALE, "female": FEMALE, "mean": MEAN}

TRUNK = ("lower trunk", "middle trunk", "upper trunk")


def cross_section(segment: Segment) -> tuple[float, float]:
    """Half width and half depth, of the length, of the elliptic cylinder that has the segment's radii of gyration:
    long^2 = (w^2 + d^2) / 4, sagittal^2 - transverse^2 = (w^2 - d^2) / 4."""
    difference = segment.sagittal ** 2 - segment.transverse ** 2
    wide, deep = (segment.long ** 2 + difference) / 2, (segment.long ** 2 - difference) / 2
    return 2 * max(wide, 1e-4) ** 0.5, 2 * max(deep, 1e-4) ** 0.5
