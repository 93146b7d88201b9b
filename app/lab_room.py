"""The lab's list of exhibits, as pages and what is kept of ours read it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypedDict
from urllib.parse import urlencode

from app.options import OPTIONS, LoopMistake

STEPS = 2000


class Side(TypedDict):
    """One of the two programs of an exhibit, and the address of its walk."""

    key: str
    label: str
    link: str


class Chapter(TypedDict):
    """A chapter that explains what an exhibit shows."""

    name: str
    title: str


class Exhibit(TypedDict):
    """What of an exhibit is read here; there is more."""

    name: str
    kind: Literal["bug", "suspect", "contrast"]
    title: str
    shows: str | None
    sides: list[Side]
    chapters: list[Chapter]


# What is seen of a mistake, as the room is sorted by it.
SIGHTS = {
    "zeros": "Zeros",
    "none": "No gradient at all",
    "nan": "NaN",
    "shape": "Another shape",
    "direction": "Another direction",
    "scale": "Too long or too short",
    "leak": "A gradient where there should be none",
    "noise": "Noise",
    "nothing": "Nothing at all",
}


NO_CHAPTER = "without", "In no chapter yet"


class Group(TypedDict):
    """Exhibits under one heading."""

    name: str
    title: str
    exhibits: list[Exhibit]


def groups(exhibits: Iterable[Exhibit], by: str = "sight") -> list[Group]:
    """The mistakes of the room by what is seen of them, or by the chapter that explains them."""
    listed = [one for one in exhibits if one["kind"] != "contrast"]
    return [group for group in (_by_chapter if by == "chapter" else _by_sight)(listed) if group["exhibits"]]


def _by_sight(listed: list[Exhibit]) -> list[Group]:
    """Those that only look like a mistake come last."""
    found: list[Group] = [
        {"name": name, "title": title, "exhibits": [one for one in listed if one["shows"] == name]}
        for name, title in SIGHTS.items()
    ]
    suspects = [one for one in listed if one["kind"] == "suspect"]
    return [*found, {"name": "suspects", "title": "Mistake or not?", "exhibits": suspects}]


def _by_chapter(listed: list[Exhibit]) -> list[Group]:
    """Each under the first of its chapters; those that no chapter explains come last."""
    found: dict[str, Group] = {}
    for one in listed:
        name, title = (one["chapters"][0]["name"], one["chapters"][0]["title"]) if one["chapters"] else NO_CHAPTER
        found.setdefault(name, {"name": name, "title": title, "exhibits": []})["exhibits"].append(one)
    return sorted(found.values(), key=lambda group: group["name"] == NO_CHAPTER[0])


class LoopCard(TypedDict):
    """A mistake of the training loop: what is asked, where it happened, and the address where it is trained."""

    name: str
    title: str
    asks: str
    thread: str
    link: str


def loops(mistakes: Mapping[str, LoopMistake]) -> list[LoopCard]:
    """The mistakes of the training loop, each planted into a second run of its lesson."""
    return [
        {
            "name": name, "title": one["title"], "asks": one["asks"], "thread": f"{one['thread']}, {one['year']}",
            "link": f"/train/{one['lesson']}?{urlencode({'steps': STEPS, **_rate_of(one['needs']), 'beside': name})}",
        }
        for name, one in mistakes.items()
    ]  # fmt: skip


def _rate_of(needs: Mapping[str, str]) -> dict[str, str]:
    """What a mistake needs, with the usual rate of its optimiser."""
    rate = OPTIONS["optimisers"][needs["optimiser"]]["rate"] if "optimiser" in needs else None
    return {**needs, **({} if rate is None else {"lr": f"{rate:g}"})}


def programs(exhibits: Iterable[Exhibit]) -> Iterator[tuple[str, str]]:
    """The programs of exhibits: by which name each is walked, and what it is called."""
    for one in exhibits:
        for side in one["sides"]:
            name, _, planted = side["link"].removeprefix("/walk/").partition("?")
            if not planted:
                yield name, side["label"] if one["kind"] == "contrast" else f"{one['title']}: {side['label']}"
