"""The body of a walk's page: in a folder once, as a script, and in each page the few parts that are its own."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from typing import Any

from app.site import elements, lean, pages

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
    page = page.replace("<meta charset", f"{pages.preloaded(address, 'script')}\n    <meta charset", 1)
    return BODY.sub(lambda found: f'{found[1]}<script src="{address}" data-own="{own}"></script>', page, 1)


def differences(shared: list[Any], own: list[Any], path: tuple[int, ...] = ()) -> Iterator[list[Any]]:
    """Where, from which part on, instead of how many, which parts are to be put, so that the first becomes the second.

    The last ones come first: no change moves what a later one is about.
    """
    one, other = ([lean.compact(part) for part in parts] for parts in (shared, own))
    for kind, first, end, at, until in reversed(SequenceMatcher(None, one, other, autojunk=False).get_opcodes()):
        pairs = list(zip(shared[first:end], own[at:until], strict=False))
        if kind == "replace" and end - first == until - at and all(isinstance(a, list) for pair in pairs for a in pair):
            for place, (a, b) in enumerate(pairs, first):
                yield from differences(a, b, (*path, place))
        elif kind != "equal":
            yield [path, first, end - first, *own[at:until]]
