"""The engine's one exception, `Refusal`, worded by the catalogue in messages.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

Where = dict[str, int | str]
Span = tuple[int, int, int | None]  # a line, its first byte, and the byte behind the last; None for the line's end
LONGEST_QUOTE = 80


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """A request that gradwalk will not or can not carry out, with what to do instead.

    An entry of the catalogue such as `not-in-language/return` has the code before the stroke; `facts` are what its
    words are filled with. `where` holds the line;
    once located in a program also columns (both counted from 1, `end_column` exclusive) and the text found there, of
    a construct over several lines its first line. `others` are the further faults of the same program, by line,
    `needs` says what is known of the tensors that it lacks, and `fix` what to write instead.
    """

    def __init__(self, code: str, *, at: ast.AST | None = None, status: int = 422, **facts: Any) -> None:
        message, hint = (_filled(text, facts) for text in catalogue()[code])
        super().__init__(message)
        self.code, self.message, self.hint, self.status = code.partition("/")[0], message, hint, status
        self.entry, self.facts = code, facts
        self.place = _span(at)
        self.where: Where | None = None if self.place is None else {"line": self.place[0]}
        self.others: list[Refusal] = []
        self.needs: Sequence[Mapping[str, Any]] = []
        self.fix: Mapping[str, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.__dict__,)

    @property
    def quote(self) -> str:
        """The text that it is about, where it is known."""
        return str((self.where or {}).get("text", ""))

    def moved_to(self, node: ast.AST) -> Refusal:
        """Point at `node` and nowhere else; returns itself."""
        self.place = _span(node)
        return self

    def locate(self, node: ast.AST, source: str) -> Refusal:
        """Point at `node` of `source`, unless a finer place is known already; returns itself."""
        self.place = self.place or _span(node)
        if self.place and "text" not in (self.where or {}):
            self.where = _where(*self.place, source)
        return self


def joined(found: Iterable[Refusal]) -> Refusal:
    """One refusal that carries all of these: the first of them, with the others behind it."""
    first, *others = found
    first.others = others
    return first


def _restored(state: Mapping[str, Any]) -> Refusal:
    refusal = Refusal.__new__(Refusal)
    Exception.__init__(refusal, state["message"])
    refusal.__dict__.update(state)
    return refusal


@cache
def catalogue() -> dict[str, tuple[str, str]]:
    """Every error code with its message and its hint, as messages.md words them."""
    text = resources.files(__package__).joinpath("messages.md").read_text(encoding="utf-8")
    entries = re.findall(r"^## (\S+)\n\n(.+?)\n\n(.+?)(?=\n\n|\n*\Z)", text, re.MULTILINE | re.DOTALL)
    return {code: (_one_line(message), _one_line(hint)) for code, message, hint in entries}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _filled(template: str, facts: Mapping[str, object]) -> str:
    # Plain replacement: str.format would open attribute access to whatever is passed in.
    for key, value in facts.items():
        template = template.replace("{" + key + "}", quoted(value))
    return template


def quoted(value: object) -> str:
    """The value as short printable text, safe to show."""
    text = "".join(c if c.isprintable() else "·" for c in str(value))
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _span(node: ast.AST | None) -> Span | None:
    line, start = getattr(node, "lineno", None), getattr(node, "col_offset", 0)
    if line is None:
        return None
    last, end = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return line, start, None if last not in (None, line) else start + 1 if end is None else end


def where_is(node: ast.AST, source: str) -> Where | None:
    """The characters of a source that a node was read from; None for one that was made otherwise."""
    place = _span(node)
    return None if place is None else _where(*place, source)


def _where(number: int, start: int, end: int | None, source: str) -> Where:
    """Columns of `ast` count UTF-8 bytes; people and editors count characters."""
    # Not splitlines: a form feed or U+2028 ends no line of Python.
    lines = source.split("\n")
    raw = lines[number - 1].encode(errors="replace") if 0 < number <= len(lines) else b""
    while end is not None and end < len(raw) and raw[end] & 0xC0 == 0x80:
        end += 1  # the place of a single character is known by its first byte
    text = (raw[start:] if end is None else raw[start:end]).decode(errors="replace")
    column = len(raw[:start].decode(errors="replace")) + 1
    text = text.rstrip() if end is None else text
    return {"line": number, "column": column, "end_column": column + max(len(text), 1), "text": quoted(text)}
