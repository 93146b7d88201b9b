"""Which ways to sum a class is offered, of more than anybody reads."""

from itertools import combinations

import pytest

from app.classroom.questions import Way, nearest
from app.classroom.requests import MOST_CHOICES

AXES = [axes for count in range(1, 4) for axes in combinations(range(3), count)]


def ways(right: tuple[int, ...], keepdim: bool, chance: set[tuple[int, ...]]) -> list[Way]:
    """All ways to sum a tensor of three axes; some have the right shape by chance."""
    return [
        {
            "code": f"sum({axes}, {keep})", "axes": list(axes), "keepdim": keep, "why": "",
            "fits": keep == keepdim and axes in {right, *chance}, "right": (axes, keep) == (right, keepdim),
        }
        for axes in AXES
        for keep in (False, True)
    ]  # fmt: skip


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("right", AXES, ids=str)
def test_the_right_way_stands_among_those_that_are_taken_for_it(right: tuple[int, ...], keepdim: bool) -> None:
    far = max(AXES, key=lambda axes: len(set(axes) ^ set(right)))
    every = ways(right, keepdim, {far})
    offered = nearest(every)
    assert len(offered) == MOST_CHOICES < len(every)
    assert offered == [one for one in every if one in offered], "in their order, which tells nothing"
    told = {(tuple(one["axes"]), one["keepdim"]) for one in offered}
    assert {(right, False), (right, True), (far, keepdim)} <= told
    near = {(axes, keep) for axes in AXES for keep in (False, True) if len(set(axes) ^ set(right)) == 1}
    assert near <= told, "and every way that differs by one axis"


def test_of_few_ways_all_are_offered() -> None:
    few = ways((0,), False, set())[:4]
    assert nearest(few) == few
