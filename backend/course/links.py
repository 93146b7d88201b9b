"""Where a role of a chapter links to, by name: another chapter, an exhibit of the lab, a mistake of the loop."""

from __future__ import annotations

from typing import NamedTuple

from backend.program.lessons import ROOM, SHELF
from backend.training.loops import LOOPS


class Link(NamedTuple):
    """An address, and what the page there is called."""

    href: str
    title: str


def find_link(role: str, name: str) -> Link | None:
    """Where the role `lesson` or `exhibit` leads with this name; None where there is nothing of that name."""
    if role == "lesson":
        chapter = SHELF.chapters.get(name)
        return Link(f"/learn/{name}", chapter.title) if chapter else None
    if role != "exhibit":
        return None
    shown = ROOM.exhibits.get(name)
    if shown is not None and shown.kind != "contrast":
        return Link(f"/lab/{name}", shown.title)
    return Link(f"/lab#{name}", LOOPS[name].title) if name in LOOPS else None
