"""What of the chapters can be searched: their sections as plain text, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypedDict

from markdown_it.token import Token

from backend.course.links import find_link
from backend.course.page import Page
from backend.course.prose import heading_place
from backend.program.chapters.chapter import Block, Chapter
from backend.program.chapters.reader import markdown
from backend.program.lessons import SHELF


class ChapterSection(TypedDict):
    """A section of a chapter as plain text; `anchor` is its heading's place, empty before the first heading."""

    chapter: str
    title: str
    heading: str
    anchor: str
    text: str


def sections() -> list[ChapterSection]:
    """The sections of every chapter in order; the first of each begins with its title and its promise."""
    return [section for chapter in SHELF.chapters.values() for section in _sections(chapter)]


def _sections(chapter: Chapter) -> Iterator[ChapterSection]:
    page = Page(chapter, None)
    heading, anchor, texts = "", "", [chapter.promise]
    for part in chapter.parts:
        if isinstance(part, Block):
            place = page.place(part)
            texts.append(_text(markdown().parse(part.prose)))
            anchor = anchor or place
            continue
        for tokens in _divided(list(part.tokens)):
            if tokens[0].type == "heading_open":
                yield _section(chapter, heading, anchor if heading else "", texts)
                heading, texts = _plain(tokens[1]), []
                anchor = heading_place(tokens[1].content)
                tokens = tokens[3:]
            texts.append(_text(tokens))
    yield _section(chapter, heading, anchor if heading else "", texts)


def _divided(tokens: list[Token]) -> Iterator[list[Token]]:
    """Tokens cut before each heading."""
    cuts = [n for n, token in enumerate(tokens) if token.type == "heading_open"]
    for begin, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        if begin < end:
            yield tokens[begin:end]


def _section(chapter: Chapter, heading: str, anchor: str, texts: list[str]) -> ChapterSection:
    text = re.sub(r"\s+", " ", " ".join(filter(None, texts))).strip()
    return {"chapter": chapter.name, "title": chapter.title, "heading": heading, "anchor": anchor, "text": text}


def _text(tokens: list[Token]) -> str:
    return " ".join(_plain(token) for token in tokens if token.type == "inline")


def _plain(token: Token) -> str:
    """The words of a paragraph without marks; a number that is computed is left open."""
    return "".join(map(_piece, token.children or []))


def _piece(token: Token) -> str:
    if token.type == "myst_role" and token.meta["name"] != "word":
        link = find_link(token.meta["name"], token.content)
        return link.title if link else "…"
    return " " if token.type in ("softbreak", "hardbreak") else token.content
