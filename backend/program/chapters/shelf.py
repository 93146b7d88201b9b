"""The chapters that are served: ours, and those of a folder beside them, in the order of file names."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path

from backend.engine.language.errors import Refusal, joined
from backend.engine.language.suggest import nearest
from backend.program.chapters.chapter import Chapter, refusal_at
from backend.program.chapters.reader import FILE, MOST_CHARACTERS, read_chapter

MOST_FILES = 100


@dataclass
class Shelf:
    """Chapters by name, and what is wrong with files that can't be read, by the name that they would have."""

    chapters: dict[str, Chapter] = field(default_factory=dict)
    faults: dict[str, Refusal] = field(default_factory=dict)


def read_shelf(*folders: Path) -> Shelf:
    """Our chapters and then those of each folder; a file that can't be read is kept as its fault."""
    shelf = Shelf()
    for folder in (own_folder(), *folders):
        for path in files(folder):
            file = shown(path.name)
            name = (FILE.fullmatch(file) or ["", Path(file).stem])[1]
            try:
                if name in shelf.chapters:
                    raise refusal_at(file, "", "chapter/name-taken", 1, found=name)
                chapter = _read(file, text_of(path))
                check_needs(chapter, shelf.chapters)
                shelf.chapters[name] = chapter
            except Refusal as refusal:
                shelf.faults[file] = refusal
    return shelf


@lru_cache(MOST_FILES)
def _read(file: str, source: str) -> Chapter:
    """A chapter, read once however often it is served."""
    return read_chapter(file, source)


def check_needs(chapter: Chapter, before: Collection[str]) -> None:
    """Raise Refusal, with the line, where a chapter needs what doesn't come before it."""
    line = next((n for n, text in enumerate(chapter.source.split("\n"), 1) if text.startswith("needs:")), 1)
    if unknown := [name for name in chapter.needs if name not in before]:
        near = ", ".join(before)
        raise joined(
            chapter.refusal("chapter/needs", line, found=name, known=nearest(name, before) or near) for name in unknown
        )


def shown(name: str) -> str:
    """A file's name as text that can be printed and sent: bytes that are none, and controls, are spelled out."""
    text = os.fsencode(name).decode(errors="backslashreplace")
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def own_folder() -> Path:
    """Where our own chapters lie."""
    return Path(str(resources.files(__package__))) / "texts"


def files(folder: Path, suffix: str = ".md", most: int = MOST_FILES) -> Iterator[Path]:
    """The files of a kind in a folder, in the order of their names; links and folders in it aren't followed."""
    found = sorted(path for path in folder.iterdir() if path.suffix == suffix and path.name != "README.md")
    yield from [path for path in found if path.is_file() and not path.is_symlink()][:most]


def text_of(path: Path) -> str:
    """The text of a file; raises Refusal where it is too long, or no text."""
    with path.open("rb") as file:
        raw = file.read(4 * MOST_CHARACTERS + 1)
    if len(raw) > 4 * MOST_CHARACTERS:
        raise refusal_at(path.name, "", "chapter/too-long", 1, limit=f"{MOST_CHARACTERS:,}")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise refusal_at(path.name, "", "chapter/no-text", raw[: error.start].count(b"\n") + 1) from None
