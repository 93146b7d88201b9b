"""Where a class is in an exercise: each seat says so now and then, which is no event, and is forgotten when it goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from app.classroom.class_types import Strip
from app.classroom.requests import HereRequest

STUCK = 3  # wrong tries at one gradient, from which on a teacher may want to look


def path_of(address: str) -> str:
    """The page of an address, whatever is opened in it."""
    return address.partition("#")[0].partition("?")[0]


def strip_of(places: Iterable[HereRequest], address: str) -> Strip | None:
    """Of each gradient how many are there; nothing where nobody is in the exercise that the class is shown.

    Where they disagree on how many gradients it has, what most say holds.
    """
    there = [one for one in places if path_of(one.address) == path_of(address)]
    if not there:
        return None
    (count, _), *_ = Counter(one.count for one in there).most_common(1)
    strip: Strip = {"here": [0] * count, "stuck": [0] * count, "written": [0] * (count + 1)}
    for one in there:
        if one.count == count:
            strip["here"][one.place] += 1
            strip["stuck"][one.place] += one.tries >= STUCK
            strip["written"][one.written] += 1
    return strip


def together(strips: Sequence[Strip]) -> Strip | None:
    """The same of all servers, as far as they speak of the same exercise."""
    alike = [one for one in strips if len(one["here"]) == len(strips[0]["here"])]
    if not alike:
        return None
    here, stuck, written = (
        [sum(column) for column in zip(*(one[part] for one in alike), strict=True)]
        for part in ("here", "stuck", "written")
    )  # fmt: skip
    return {"here": here, "stuck": stuck, "written": written}
