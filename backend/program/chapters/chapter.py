"""What a chapter is once its file has been read: its programs, and prose and blocks in reading order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it.token import Token

from backend.engine.language.errors import Refusal, Where, quoted


@dataclass(frozen=True)
class Claim:
    """What has to be true for the sentence of a step, such as `probs.sum(1) == 1`, and its line of the file."""

    step: str
    text: str
    line: int


@dataclass(frozen=True)
class Program:
    """One program of a chapter: a request of its own, or the name of a lesson or starting point that has it.

    `narration` tells of its steps, by the name of a tensor or of its gradient: a sentence, or `says` or (in place of
    the operation's own reason) `instead`, with `holds`, which has to be true for it to be told of a changed copy.
    `claims` are all of these. `line` is the line of the file before the first one of its text.
    """

    lesson: str | None = None
    request: Mapping[str, Any] | None = None
    narration: Mapping[str, str | Mapping[str, Any]] = field(default_factory=dict)
    claims: Sequence[Claim] = ()
    line: int = 1


@dataclass(frozen=True)
class Prose:
    """Paragraphs from a heading or a block to the next, as tokens of the Markdown reader."""

    tokens: Sequence[Token]
    line: int


@dataclass(frozen=True)
class Block:
    """A figure, a number to drag, or a question: `:::{kind} argument`, options, prose.

    `program` is the name of one of the chapter's further programs, or empty; `lines` tells where each option is, and
    `prose_line` where the prose begins.
    """

    kind: str
    argument: str
    options: Mapping[str, str]
    prose: str
    program: str
    line: int
    prose_line: int
    lines: Mapping[str, int]

    def listed(self, option: str) -> list[str]:
        """What stands between ` | ` in an option; nothing where it isn't given."""
        return [part.strip() for part in re.split(r"\s\|\s", self.options[option])] if option in self.options else []


@dataclass(frozen=True)
class Chapter:
    """One chapter; `file` is the name of its file, `needs` are chapters before it, `starts` those taken in."""

    name: str
    file: str
    title: str
    promise: str
    minutes: int
    needs: tuple[str, ...]
    programs: Mapping[str, Program]
    starts: tuple[str, ...]
    parts: Sequence[Prose | Block]
    source: str

    def refusal(self, code: str, line: int, **facts: Any) -> Refusal:
        """What is wrong in a line of this chapter's file."""
        return refusal_at(self.file, self.source, code, line, **facts)

    def located(self, refusal: Refusal, line: int) -> Refusal:
        """A refusal of the engine, with the file and the line of what it is about; one that has them stays."""
        if "file" not in (refusal.where or {}):
            refusal.message = f"`{self.file}`, line {line}: {refusal.message}"
            refusal.where = where_at(self.file, self.source, line)
        return refusal


def refusal_at(file: str, source: str, code: str, line: int, **facts: Any) -> Refusal:
    """A Refusal that names the file and the line, with what stands there."""
    refusal = Refusal(code, file=file, line=line, **facts)
    refusal.where = where_at(file, source, line)
    return refusal


def where_at(file: str, source: str, line: int) -> Where:
    """A line of a file, and the text of it."""
    lines = source.split("\n")
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return {"file": file, "line": line, "text": quoted(text)}
