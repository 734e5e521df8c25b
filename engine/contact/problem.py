"""The problem of one step's contacts, and the hypotheses about them."""
from typing import NamedTuple

import numpy as np

from .virtual_links import Links

OPEN, POINT, LINE, AREA = range(4)
"""What part of its region a contact is assumed to press on."""

STICK, TURN, SLIDE = range(3)
"""What friction is assumed to do: hold, hold all but turning about the normal, or brake what slides (Table 2)."""

HYPOTHESIS, EXACT, UNSETTLED = range(3)
"""How contacts were solved: hypothesis and check; where that did not end, the exact conditions of all corners; those, stopped short."""

SLOWEST_SLIDE = 1e-4                              # m/s; what is slower is taken to stick until friction fails
VELOCITY_TOLERANCE = 1e-8                         # m/s; a motion slower than this is none
FIXED = 1e-9                                      # of the largest entry of B: less is a direction in which nothing can move
COMPLIANCE = 1e-9                                 # of the largest entry of B: chooses the least impulses where rows depend on each other


class Contact(NamedTuple):
    """The problem of one step and its hypotheses. Sizes: nl links, of which some are contacts."""
    # given from outside, one a link
    held: np.ndarray                # (nl, 6) 1 for rows that are held whatever the force; all zero for a contact
    target: np.ndarray              # (nl, 6) velocity that stopped rows shall have
    compliance: np.ndarray          # (nl, 6) velocity a row gives way by for a unit impulse
    start: np.ndarray               # (nl, 6) velocity when the step begins: which way it slides
    static_friction: np.ndarray     # (nl,)
    dynamic_friction: np.ndarray    # (nl,)
    corner_start: np.ndarray        # (nl + 1,)
    corner: np.ndarray              # (·, 2) corners of the region in the link's plane, counter-clockwise
    grip: np.ndarray                # (·, 2) where friction of each corner acts, by write_grips
    approach: np.ndarray            # (·,) velocity along the normal that each corner must at least reach, m/s
    arm: np.ndarray                 # (nl,) mean distance from the middle of the region under even pressure, m

    # hypothesis
    support: np.ndarray             # (nl,) OPEN ... AREA
    first: np.ndarray               # (nl,) the corner of a POINT, the first of a LINE
    second: np.ndarray              # (nl,) the second of a LINE
    motion: np.ndarray              # (nl,) STICK ... SLIDE
    pressure: np.ndarray            # (nl, 2) where p_v was thought to be when the direction of sliding was chosen
    tries: np.ndarray               # (nl,) how often it was
    returned: np.ndarray            # (nl,) how often it went in after it was let go
    slide: np.ndarray               # (nl, 3) direction and share of sliding along x and y, and of turning about z

    # computed by write_basis
    size: np.ndarray                # (nl,) how many rows are stopped
    C: np.ndarray                   # (nl, 6, 6) columns: motions that are stopped
    F: np.ndarray                   # (nl, 6, 6) columns: wrenches that stop them

    # result
    impulse: np.ndarray             # (nl, 6) on the body
    velocity: np.ndarray            # (nl, 6) after it
    corner_impulse: np.ndarray      # (·, 3) the same, shared out to the corners
    corner_scale: np.ndarray        # (·, 4) by solve_corners alone
    solver: np.ndarray              # (1,) HYPOTHESIS, EXACT or UNSETTLED: the worst of all islands

    # memory of the last step, for a first guess
    last_count: np.ndarray          # (1,)
    last_key: np.ndarray            # (nl,)
    wait: np.ndarray                # (nt,) of each island: how many solutions until hypotheses are tried again
    last_start: np.ndarray          # (nl + 1,)
    last_impulse: np.ndarray        # (·, 3) of corners
    last_hypothesis: np.ndarray     # (nl, 3) support, first, second (counted in the link)

    # work arrays
    island: np.ndarray              # (nl,) links that are solved together
    member: np.ndarray              # (nl,)
    A: np.ndarray                   # (6 nl, 6 nl + 1) system and right side
    product: np.ndarray             # (6, 6)

    # work arrays of unknowns.py and newton.py; nx unknowns
    row_link: np.ndarray            # (nx,)
    row_corner: np.ndarray          # (nx,) -1 for a row that is held
    closed: np.ndarray              # (nx,) rows in the system of a step
    slid: np.ndarray                # (·,) 1 for a corner that slides
    direction: np.ndarray           # (nx, 6) wrench of a unit impulse
    system: np.ndarray              # (nx, nx) velocity for a unit impulse
    row: np.ndarray                 # (6,)
    bias: np.ndarray                # (nx,) velocity without impulses, less what it shall be
    soft: np.ndarray                # (nx,)
    scale: np.ndarray               # (nx,) of a corner's first row: velocity for a unit impulse
    x: np.ndarray                   # (nx,) impulses
    y: np.ndarray                   # (nx,) velocities
    z: np.ndarray                   # (nx,) x - y / scale
    step: np.ndarray                # (nx,) of x
    change: np.ndarray              # (nx,) of y by corners that open


def allocate_contact(links: Links, trees: int) -> Contact:
    """Work arrays for `links` in a system of so many trees."""
    nl, corners, nx = len(links.body), 8 * len(links.body), 6 * len(links.body)
    floats = {"held": (nl, 6), "target": (nl, 6), "compliance": (nl, 6), "start": (nl, 6), "static_friction": (nl,),
              "dynamic_friction": (nl,), "corner": (corners, 2), "grip": (corners, 2), "approach": (corners,), "arm": (nl,),
              "slide": (nl, 3),
              "pressure": (nl, 2), "C": (nl, 6, 6), "F": (nl, 6, 6), "impulse": (nl, 6), "velocity": (nl, 6),
              "corner_impulse": (corners, 3), "corner_scale": (corners, 4), "A": (6 * nl, 6 * nl + 1), "product": (6, 6),
              "last_impulse": (corners, 3), "direction": (nx, 6), "system": (nx, nx), "row": (6,), "bias": (nx,), "soft": (nx,),
              "scale": (nx,), "x": (nx,), "y": (nx,), "z": (nx,), "step": (nx,), "change": (nx,)}
    whole = {"corner_start": (nl + 1,), "support": (nl,), "first": (nl,), "second": (nl,), "motion": (nl,), "tries": (nl,),
             "returned": (nl,), "size": (nl,), "solver": (1,), "last_count": (1,), "wait": (trees,), "last_key": (nl,),
             "last_start": (nl + 1,), "last_hypothesis": (nl, 3), "island": (nl,), "member": (nl,),
             "row_link": (nx,), "row_corner": (nx,), "closed": (nx,), "slid": (corners,)}
    return Contact(**{name: np.zeros(shape) for name, shape in floats.items()},
                   **{name: np.zeros(shape, int) for name, shape in whole.items()})
