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
    shows: str | None
    sides: list[Side]


# What is seen of a mistake, as the room is sorted by it.
SIGHTS = {
    "zeros": "Zeros",
    "nan": "NaN",
    "direction": "Another direction",
    "scale": "Too long or too short",
    "leak": "Light where there should be none",
    "noise": "Noise",
    "nothing": "Nothing at all",
}


class Group(TypedDict):
    """Exhibits of which the same is seen."""

    name: str
    title: str
    exhibits: list[Exhibit]


def groups(exhibits: Iterable[Exhibit]) -> list[Group]:
    """The mistakes of the room by what is seen of them; those that only look like one come last."""
    listed = list(exhibits)
    found: list[Group] = [
        {"name": name, "title": title, "exhibits": [one for one in listed if one["shows"] == name]}
        for name, title in SIGHTS.items()
    ]
    suspects = [one for one in listed if one["kind"] == "suspect"]
    found.append({"name": "suspects", "title": "Mistake or not?", "exhibits": suspects})
    return [group for group in found if group["exhibits"]]


def programs(exhibits: Iterable[Exhibit]) -> Iterator[tuple[str, str]]:
    """The programs of exhibits: by which name each is walked, and what it is called."""
    for one in exhibits:
        for side in one["sides"]:
            name, _, planted = side["link"].removeprefix("/walk/").partition("?")
            if not planted:
                yield name, side["label"] if one["kind"] == "contrast" else f"{one['title']}: {side['label']}"
