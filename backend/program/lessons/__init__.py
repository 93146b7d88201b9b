"""The lessons: those with data of their own, a file here each, and those of the chapters."""

from collections.abc import Iterator
from pathlib import Path

from backend.engine.language.errors import Refusal
from backend.program.chapters.chapter import Chapter
from backend.program.chapters.shelf import Shelf, read_shelf
from backend.program.exhibits.room import Room, read_room
from backend.program.lessons import (
    first_steps,
    makemore_closed_form,
    makemore_mlp,
    of_chapters,
    of_exhibits,
    relu_classifier,
)
from backend.program.lessons.base import Lesson, Material

MODULES = (makemore_mlp, first_steps, makemore_closed_form, relu_classifier)
OWN: dict[str, Lesson] = {module.LESSON.name: module.LESSON for module in MODULES}
# What is served, by name: filled by `serve_chapters`, and once with our own chapters.
LESSONS: dict[str, Lesson] = {}
SHELF = Shelf()
ROOM = Room()


def serve_chapters(*folders: Path) -> None:
    """Serve our chapters and exhibits, and those of these folders.

    A chapter whose lesson isn't there counts as one with a fault.
    """
    shelf, room = read_shelf(*folders), read_room(*folders)
    made: dict[str, Lesson] = {}
    for name, chapter in list(shelf.chapters.items()):
        try:
            made |= {lesson.name: lesson for lesson in of_chapters.lessons_of(chapter, OWN)}
        except Refusal as refusal:
            shelf.faults[chapter.file] = refusal
            del shelf.chapters[name]
    LESSONS.clear()
    LESSONS.update(made)
    LESSONS.update({name: lesson for name, lesson in OWN.items() if name not in made})
    for exhibit in room.exhibits.values():
        LESSONS.update({lesson.name: lesson for lesson in of_exhibits.lessons_of(exhibit)})
    SHELF.chapters, SHELF.faults = shelf.chapters, shelf.faults
    ROOM.exhibits, ROOM.faults = room.exhibits, room.faults


def listed() -> Iterator[tuple[Lesson, Chapter | None]]:
    """The lessons as a menu lists them: chapters in their order, then lessons without one; each program once."""
    chapters = SHELF.chapters
    yield from ((LESSONS[name], chapter) for name, chapter in chapters.items())
    taken = {program.lesson for chapter in chapters.values() for program in chapter.programs.values()}
    yield from ((lesson, None) for name, lesson in OWN.items() if name not in chapters and name not in taken)


serve_chapters()

__all__ = ["LESSONS", "ROOM", "SHELF", "Lesson", "Material", "listed", "serve_chapters"]
