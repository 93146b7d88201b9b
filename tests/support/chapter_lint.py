"""What is wrong with the text of a chapter: results that were typed, words that nobody explains, sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from backend.program.chapters.chapter import Block, Chapter, Prose
from tests.support import prose_lint

# A result is told apart from a size by its form: a decimal, a sign before it, a power of ten, a percentage. Sizes and
# ordinals are whole numbers; what is set and not computed, such as a learning rate, stands as code.
RESULT = re.compile(r"(?<![\w.])[-−]?\d+[.,]\d+(?:[·e]\S+)?|(?<![\w.)\]])[-−]\d+|\d+·10\S*|\d+(?:[.,]\d+)? ?%")
CODE = re.compile(r"(?:\{\w+\})?`[^`]+`|\]\([^)]+\)")


def typed_results(chapter: Chapter) -> Iterator[str]:
    """Results that stand in the text as digits, each with its line."""
    for line, text in prose_of(chapter):
        yield from (f"{chapter.file}:{line}: {found!r} in {text!r}" for found in typed_in(text))
    for block in blocks(chapter):
        if re.fullmatch(RESULT, block.options.get("answer", "")):
            yield f"{chapter.file}:{block.line}: the answer {block.options['answer']!r}"


def typed_in(text: str) -> Iterator[str]:
    """Results that stand in a piece of text as digits."""
    yield from (found[0] for found in RESULT.finditer(CODE.sub(" ", text)))


def prose_of(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Every piece of text that is read as prose, with its line: front matter, paragraphs, captions, reasons."""
    yield 2, chapter.title
    yield 3, chapter.promise
    for part in chapter.parts:
        if isinstance(part, Prose):
            yield from (((token.map or [0])[0] + 1, token.content) for token in part.tokens if token.type == "inline")
        else:
            yield from ((part.prose_line, text) for text in part.prose.split("\n\n") if text)
            if "why" in part.options:
                yield part.lines["why"], part.options["why"]
            for one in part.listed("wrong"):
                yield part.lines["wrong"], one.partition(": ")[2]


def blocks(chapter: Chapter) -> list[Block]:
    """The blocks of a chapter."""
    return [part for part in chapter.parts if isinstance(part, Block)]


def roles(chapter: Chapter, name: str) -> Iterator[str]:
    """What a role is used with, anywhere in a chapter."""
    yield from re.findall(rf"\{{{name}\}}`([^`]+)`", chapter.source)


def unexplained(chapter: Chapter, words: Collection[str]) -> Iterator[str]:
    """The words that are marked as the glossary's and are not in it."""
    known = {word.lower() for word in words}
    yield from (word for word in roles(chapter, "word") if word.lower() not in known)


def faults(text: str) -> Iterator[str]:
    """What is wrong with a piece of prose; a role counts as a piece of code, a list's items as sentences."""
    plain = re.sub(r"\{word\}`([^`]+)`", r"\1", text)
    plain = re.sub(r"\{(?:lesson|exhibit)\}`[^`]+`", "Chapter", plain)
    plain = re.sub(r"\{\w+\}`[^`]+`", "`c`", plain)
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", plain)
    plain = re.sub(r"`[^`]+`", "`c`", plain)
    plain = re.sub(r"\*\*([^*]+)\*\*|\*([^*]+)\*", r"\1\2", plain).replace("\n", " ")
    yield from prose_lint.problems(plain)
