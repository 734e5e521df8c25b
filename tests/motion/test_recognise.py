"""Every bone of every family of names is taken for the part that a hand-written table says."""
import numpy as np
import pytest
from heft.engine import HeftError
from heft.engine.humanoid.recognise import recognise
from heft.engine.humanoid.skeleton import Skeleton
from rigs import FAMILIES, skeleton, table


@pytest.mark.parametrize("family", FAMILIES)
def test_names(family):
    s = skeleton(family)
    parts = recognise(s)
    assert dict(zip(s.names, parts.part)) == {row[0]: row[3] for row in table(family)}
    assert not parts.by_shape


@pytest.mark.parametrize("family", ["cmu", "mixamo", "deepmimic", "vrm humanoid"])
def test_shape_alone_finds_the_limbs(family):
    s = skeleton(family)
    blank = s._replace(names=tuple(f"bone {i}" for i in range(len(s.names))))
    named, found = recognise(s), recognise(blank)
    assert found.by_shape
    limbs = [part for part in named.first if part.split(".")[0] in ("thigh", "shin", "foot", "toe", "upper_arm", "forearm")]
    assert len(limbs) >= 10 and {part: found.first.get(part) for part in limbs} == {part: named.first[part] for part in limbs}


def test_a_mirrored_figure_without_names_swaps_sides():
    s = skeleton("cmu")
    s = s._replace(names=tuple(f"bone {i}" for i in range(len(s.names))))
    mirrored = s._replace(offsets=s.offsets * [-1, 1, 1], end_offset=s.end_offset * [-1, 1, 1])
    assert recognise(s).first["thigh.L"] == recognise(mirrored).first["thigh.R"]


def test_what_is_no_person_is_refused():
    rope = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.eye(3), np.zeros(0, int), np.zeros((0, 3)))
    with pytest.raises(HeftError, match="no two legs"):
        recognise(rope)
