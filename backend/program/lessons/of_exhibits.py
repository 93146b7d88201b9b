"""Lessons from exhibits: each program of an exhibit is walked by the exhibit's name and its side's."""

from __future__ import annotations

from collections.abc import Iterator

from backend.program.exhibits.exhibit import Exhibit
from backend.program.lessons.base import Lesson


def lessons_of(exhibit: Exhibit) -> Iterator[Lesson]:
    """The lessons that an exhibit brings: `name.meant`, `name.written`."""
    for side in exhibit.sides:
        if side.program is not None:
            yield Lesson(
                name=f"{exhibit.name}.{side.key}",
                title=side.label if exhibit.kind == "contrast" else f"{exhibit.title}: {side.label}",
                about=exhibit.about or exhibit.ask,
                request=side.program,
                seed=None,
            )
