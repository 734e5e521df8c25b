"""Rigid contact by hypothesis and check (source 000, 4.2-4.9).

Each contact is assumed to be closed over its whole region and not to slide. The impulses that keep it so follow from one
linear system; then each is judged: it must push, act inside the region, and stay within friction. Where it fails, the
hypothesis is changed - open, an edge, a corner, sliding - and the system solved again.
"""
from ..kernel import kernel
from .hypothesis import solve_hypothesis, update_velocities, write_basis
from .judge import judge

PASSES_TOGETHER, PASSES_EACH = 3, 1


@kernel
def solve_by_hypothesis(c, links, count, smallest):
    """Hypothesis and check for the links in c.member[:count]; False where it does not end.

    The paper's rule, at most three passes in which every contact may change (Fig 3). Coupled contacts can then chase each
    other in a circle, so that from there on only the first that fails changes: Murty's least-index rule, which ends wherever
    friction leaves B a P-matrix."""
    for i in range(count):
        r = c.member[i]
        c.tries[r] = 0
        c.returned[r] = 0
        write_basis(c, r, links.length[r])
    for turn in range(PASSES_TOGETHER + PASSES_EACH * count):
        if not solve_hypothesis(c, links, count):
            return False
        update_velocities(c, links, count)
        changed = False
        for i in range(count):
            r = c.member[i]
            if judge(c, links.B[r, r], r, links.length[r], smallest):
                changed = True
                write_basis(c, r, links.length[r])
                if turn >= PASSES_TOGETHER:
                    break
        if not changed:
            return True
    return False
