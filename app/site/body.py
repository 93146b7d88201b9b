"""The body of a walk's page: in a folder once, as a script, and in each page the few parts that are its own."""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from app.site import elements, lean

SELECTED = re.compile(r"\sselected(?=\s*>)")
BODY = re.compile(r"(?<=<body)([^>]*>)(.*)(?=</body>)", re.DOTALL)


def trees_in(page: str) -> list[Any]:
    """What its body holds."""
    found = BODY.search(page)
    return elements.trees_of(found[2].strip()) if found else []


def plain(page: str) -> list[Any]:
    """The same where nothing is selected, from which another page's body is the least different."""
    return trees_in(SELECTED.sub("", page))


def script(trees: list[Any]) -> str:
    """What writes such a body, where it stands."""
    return elements.in_its_place(trees)


def without(page: str, address: str, trees: list[Any]) -> str:
    """The page with the script of a like body at this address, and what is different in its own."""
    own = escape(lean.compact(list(differences(trees, trees_in(page)))))
    return BODY.sub(lambda found: f'{found[1]}<script src="{address}" data-own="{own}"></script>', page, 1)


def differences(shared: list[Any], own: list[Any], path: tuple[int, ...] = ()) -> Iterator[list[Any]]:
    """Where, from which part on, instead of how many, which parts are to be put, so that the first becomes the second.

    No change moves what a later one is about: of a list whose length is another, one stretch is exchanged.
    """
    if len(shared) != len(own):
        first = _alike(shared, own)
        last = _alike(shared[first:][::-1], own[first:][::-1])
        yield [path, first, len(shared) - first - last, *own[first : len(own) - last]]
        return
    for place, (one, other) in enumerate(zip(shared, own, strict=True)):
        if isinstance(one, list) and isinstance(other, list):
            yield from differences(one, other, (*path, place))
        elif one != other:
            yield [path, place, 1, other]


def _alike(one: list[Any], other: list[Any]) -> int:
    """How many parts both begin with."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
