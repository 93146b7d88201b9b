"""The lab's list of exhibits, as pages and what is kept of ours read it."""

from collections.abc import Iterable, Iterator
from typing import Literal, TypedDict


class Side(TypedDict):
    """One of the two programs of an exhibit, and the address of its walk."""

    key: str
    label: str
    link: str


class Exhibit(TypedDict):
    """What of an exhibit is read here; there is more."""

    name: str
    kind: Literal["bug", "suspect", "contrast"]
    title: str
    sides: list[Side]


def programs(exhibits: Iterable[Exhibit]) -> Iterator[tuple[str, str]]:
    """The programs of exhibits: by which name each is walked, and what it is called."""
    for one in exhibits:
        for side in one["sides"]:
            name, _, planted = side["link"].removeprefix("/walk/").partition("?")
            if not planted:
                yield name, side["label"] if one["kind"] == "contrast" else f"{one['title']}: {side['label']}"
