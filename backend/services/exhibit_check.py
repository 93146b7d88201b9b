"""Checks the exhibits of a folder: all that is wrong with them, and not the first fault alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from backend.course.check import faults_in
from backend.course.page import fault_of
from backend.course.page_types import ChapterFault
from backend.engine.language.errors import Refusal
from backend.inspect.comparison import gradients_of, values_of
from backend.program.exhibits.exhibit import Exhibit
from backend.program.exhibits.places import TEXT, Path, line_at
from backend.program.exhibits.room import own_folder
from backend.program.lessons import ROOM, SHELF
from backend.services.exhibit_text import Told
from backend.services.lab import runs_of


def check_exhibits() -> tuple[int, list[ChapterFault]]:
    """How many exhibits of the folder that is served can be read, and every fault of all its files."""
    ours = {path.name for path in own_folder().iterdir()}
    read = [exhibit for exhibit in ROOM.exhibits.values() if exhibit.file not in ours]
    found = [fault_of(file, one) for file, first in ROOM.faults.items() for one in (first, *first.others)]
    found += [fault for exhibit in read for fault in faults_of(exhibit)]
    return len(read), sorted(found, key=lambda fault: (fault["file"], fault["line"]))


def faults_of(exhibit: Exhibit) -> list[ChapterFault]:
    """What can't be computed of an exhibit: its programs, then what is said of them, each fault once."""
    return faults_in(exhibit.file, (partial(_located, exhibit, path, made) for path, made in _steps(exhibit)))


def _steps(exhibit: Exhibit) -> Iterator[tuple[Path, Callable[[], object]]]:
    """What is computed of it, and by what in its file."""
    told = Told(exhibit)
    for side, one in enumerate(exhibit.sides):
        yield (one.key, "source", TEXT), partial(told.run, side)
    for name in ("reveal", "sees", "in_training"):
        yield (name,), partial(told.text, getattr(exhibit, name))
    yield from ((("look_at",), partial(_looked_at, told, name)) for name in exhibit.look_at)
    yield from ((("lessons",), partial(_chapter, exhibit, name)) for name in exhibit.lessons)
    if exhibit.training is not None:
        yield ("training",), partial(runs_of, exhibit)


def _located(exhibit: Exhibit, path: Path, made: Callable[[], object]) -> None:
    """Compute something; a refusal is told at its line of the file: of a program, at that line of the program."""
    try:
        made()
    except Refusal as refusal:
        for one in (refusal, *refusal.others):
            within = int((one.where or {}).get("line", 1)) - 1 if path in exhibit.places and path[-1] == TEXT else 0
            one.where = {"file": exhibit.file, "line": line_at(exhibit.places, path) + within}
        raise


def _looked_at(told: Told, name: str) -> None:
    """Raise Refusal where neither program has such a value or gradient."""
    for side in (0, 1):
        run = told.run(side)
        if name in values_of(run) or name.removeprefix("d") in gradients_of(run):
            return
    raise Refusal("exhibit/value", file=told.exhibit.file, found=f"look_at: {name}", what="a tensor of its programs")


def _chapter(exhibit: Exhibit, name: str) -> None:
    """Raise Refusal where no chapter has that name."""
    if name not in SHELF.chapters:
        raise Refusal("exhibit/value", file=exhibit.file, found=f"lessons: {name}", what="the name of a chapter")
