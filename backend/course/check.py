"""Checks a folder of chapters: all that is wrong with them, with file and line, and not the first fault alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from backend.course.page import Page, fault_of
from backend.course.page_types import ChapterFault
from backend.course.questions import listed
from backend.engine.language.errors import Refusal
from backend.program.chapters.chapter import Block, Chapter, Prose
from backend.program.chapters.shelf import own_folder
from backend.program.lessons import SHELF, serve_chapters


def check_chapters(folder: Path) -> tuple[int, list[ChapterFault]]:
    """How many chapters of a folder can be read, and every fault of all its files; they are served from then on."""
    serve_chapters(folder)
    ours = {path.name for path in own_folder().iterdir()}
    read = [chapter for chapter in SHELF.chapters.values() if chapter.file not in ours]
    found = [fault_of(file, one) for file, first in SHELF.faults.items() for one in (first, *first.others)]
    found += [fault for chapter in read for fault in faults_of(chapter)]
    return len(read), sorted(found, key=lambda fault: (fault["file"], fault["line"]))


def faults_of(chapter: Chapter) -> list[ChapterFault]:
    """What can't be computed of a chapter: its programs, then each of its parts, each fault once."""
    return faults_in(chapter.file, _steps(chapter))


def faults_in(file: str, steps: Iterable[Callable[[], object]]) -> list[ChapterFault]:
    """What the steps of reading a file refuse, each fault once, at the line of the file where that is known."""
    told: dict[str, ChapterFault] = {}
    for made in steps:
        try:
            made()
        except Refusal as refusal:
            for one in (refusal, *(other for other in refusal.others if "file" in (other.where or {}))):
                told.setdefault(one.message, fault_of(file, one))
    return list(told.values())


def _steps(chapter: Chapter) -> Iterator[Callable[[], object]]:
    page = Page(chapter, None)
    for name, program in chapter.programs.items():
        yield partial(page.runs.__getitem__, name)
        yield partial(page.check, name, program)
    for part in chapter.parts:
        yield partial(page.prose, part) if isinstance(part, Prose) else partial(page.block, part)
        if isinstance(part, Block) and "choices" in part.options:
            yield partial(_offered, page, part)


def _offered(page: Page, block: Block) -> None:
    """Raise Refusal where the listed choices are no question; a program that can't be run doesn't hide it."""
    try:
        listed(block, page.roles(block.program))
    except Refusal as refusal:
        raise page.chapter.located(refusal, block.line) from None
