"""Which dofs couple: the tiles of the mass matrix that are not zero, and how geared axes add up into them."""
from typing import Any

import numpy as np

from .model import WORLD

MOST_TILE_PRODUCTS = 20                          # a body, for the mass matrix to be cheaper; measured on chains and figures


def sparsity(parents, starts, dof, nv) -> dict[str, Any]:
    """Arrays of Model: the mass matrix couples a dof with the dofs above it and with no other, so only those tiles are stored."""
    na = starts[-1]
    axis_above: list[list[int]] = [[]] * na      # the axes from the root to each one, itself last
    dof_above: list[list[int]] = [[]] * nv       # the same for dofs
    body_axes: list[list[int]] = []
    body_dofs: list[list[int]] = []
    for i, p in enumerate(parents):
        axes, dofs = (list(body_axes[p]), list(body_dofs[p])) if p != WORLD else ([], [])
        for k in range(starts[i], starts[i + 1]):
            axes.append(k)
            axis_above[k] = list(axes)
            if dof[k] not in dofs:
                dofs.append(int(dof[k]))
                dof_above[dof[k]] = list(dofs)
        body_axes.append(axes)
        body_dofs.append(dofs)
    blocks, row_start, row_block, entry = _tiles(dof_above)
    axis_blocks, axis_row_start, axis_row_block, axis_entry = _tiles(axis_above)
    folds: list[tuple[int, int, float]] = []
    if na > nv:
        for k in range(na):
            for l in axis_above[k]:
                # in the lower triangle, whichever of the two dofs is the lower one
                low, high = (dof[k], dof[l]) if dof[l] in dof_above[dof[k]] else (dof[l], dof[k])
                folds.append((axis_entry(k, l), entry(low, high), 2.0 if low == high and k != l else 1.0))
    depth = np.diff(row_start)
    dof_block = np.repeat(np.arange(len(blocks) - 1), np.diff(blocks))
    return {
        "shallow": bool((depth * (depth + 1)).sum() < MOST_TILE_PRODUCTS * len(parents)),
        "dof_block": dof_block, "body_block": np.array([dof_block[dofs[-1]] if dofs else -1 for dofs in body_dofs], int),
        "block": blocks, "row_start": row_start, "row_block": row_block,
        "axis_body": np.repeat(np.arange(len(parents)), np.diff(starts)), "axis_block": axis_blocks,
        "axis_row_start": axis_row_start, "axis_row_block": axis_row_block,
        "fold_from": np.array([fold[0] for fold in folds], int), "fold_to": np.array([fold[1] for fold in folds], int),
        "fold_weight": np.array([fold[2] for fold in folds])}


def _tiles(above: list[list[int]]):
    """blocks of up to four dofs in a line, and rows of tiles: (first dof of each block, first tile of
    each row, block of each tile, function from two coupled dofs to their place in the flat tiles)"""
    n = len(above)
    children = np.zeros(n + 1, int)
    for row in above:
        children[row[-2] if len(row) > 1 else n] += 1
    starts: list[int] = []
    for k, row in enumerate(above):
        in_line = len(row) > 1 and row[-2] == k - 1 and children[k - 1] == 1
        if not in_line or k - starts[-1] == 4:
            starts.append(k)
    home = np.repeat(np.arange(len(starts)), np.diff([*starts, n]))
    rows = [list(dict.fromkeys(int(home[k]) for k in above[start])) for start in starts]
    row_start = np.cumsum([0, *(len(row) for row in rows)])

    def entry(low: int, high: int) -> int:
        b = home[low]
        return 16 * int(row_start[b] + rows[b].index(home[high])) + 4 * int(low - starts[b]) + int(high - starts[home[high]])

    return np.array([*starts, n], int), row_start, np.array([b for row in rows for b in row], int), entry
