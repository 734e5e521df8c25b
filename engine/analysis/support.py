"""The ZMP against the support polygon, on flat ground: where forces must act that move a character so, and where they can."""
import numpy as np

from ..export.trace import Trace
from ..model.model import FREE, System
from .pressure import zero_moment_points_of_motion

LEVEL = 1e-6                                     # of a normal's horizontal part
FLAT = 1e-3                                      # m, between the highest and the lowest corner
LEAST_LOAD = 1e-3                                # of a tree's weight; with less the ZMP is noise


def zmp_distances(system: System, trace: Trace) -> np.ndarray:
    """(S, nt) how far the ZMP of each tree lies outside the convex hull of all that it stands on, m; 0 inside. NaN where it is not
    carried by level contacts with the world, in one plane, and by nothing else."""
    m = system.model
    trees = m.tree[trace.contact_body - 1]
    weight = np.bincount(m.tree, m.mass) * np.linalg.norm(m.gravity)
    out = np.full((len(trace.time), len(weight)), np.nan)
    free = m.kind[m.tree_start[:-1]] == FREE
    level = (trace.contact_kind == 0) & (trace.contact_other == 0) & (np.abs(trace.contact_normal[:, :2]).max(axis=1, initial=0.0) < LEVEL)
    low, high = (zero_moment_points_of_motion(system, trace, height) for height in (0.0, 1.0))
    order = np.lexsort((trees, trace.contact_step))
    keys = np.stack([trace.contact_step[order], trees[order]], axis=1)
    cuts = np.flatnonzero(np.any(np.diff(keys, axis=0), axis=1)) + 1
    for rows in np.split(order, cuts) if len(order) else ():
        s, t = trace.contact_step[rows[0]], trees[rows[0]]
        if not (free[t] and level[rows].all() and trace.contact_force[rows, 2].sum() > LEAST_LOAD * weight[t]):
            continue
        points = np.concatenate([trace.polygon_points[trace.polygon_start[k]:trace.polygon_start[k + 1]] for k in rows])
        if len(points) and np.ptp(points[:, 2]) < FLAT:
            zmp = low[s, t] + points[:, 2].mean() * (high[s, t] - low[s, t])
            out[s, t] = distance_outside(points[:, :2], zmp[:2])
    return out


def distance_outside(points: np.ndarray, x: np.ndarray) -> float:
    """How far x (2,) lies outside the convex hull of points (n, 2); 0 inside."""
    arms = points - x
    angles = np.sort(np.arctan2(arms[:, 1], arms[:, 0]))
    if len(points) > 2 and np.diff(angles, append=angles[0] + 2 * np.pi).max() <= np.pi:
        return 0.0                               # seen from x they are all around
    # the hull's edges are among the segments between all pairs, and no segment leaves the hull
    edges = arms[None] - arms[:, None]
    along = np.clip(-np.einsum("ijk,ik->ij", edges, arms) / np.maximum(np.einsum("ijk,ijk->ij", edges, edges), 1e-300), 0, 1)
    return float(np.linalg.norm(arms[:, None] + along[..., None] * edges, axis=-1).min())
