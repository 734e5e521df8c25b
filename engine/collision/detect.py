"""Collision detection: where shapes touch, or come within a margin of touching. It remembers nothing from call to call."""
from ..kernel import kernel
from .broad_phase import find_candidates
from .narrow_phase import find_patches
from .placement import update_places
from .regions import find_regions
from .ways_out import drop_needless


@kernel
def detect(c, d, s, margin):
    """Fill the regions of `c` with all that comes within `margin` m. Needs update_pose, and the obstacles' poses in c."""
    update_places(c, d, s, margin)
    find_candidates(c, s, margin)
    find_patches(c, s, margin)
    drop_needless(c, s)
    find_regions(c, s)
