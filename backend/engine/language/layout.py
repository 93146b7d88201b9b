"""A printed statement as rows: on one where it fits, else broken inside brackets as Black breaks it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backend.engine.language.unparse import LONGEST_LINE, printed

INDENT = 4
OPENING, CLOSING = "([{", ")]}"
ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/="})
# What is broken first: a row ends behind a comma, or before an operator.
LOOSEST_FIRST = (
    {","}, {"==", "!=", "<", "<=", ">", ">="}, {"|"}, {"^"}, {"&"}, {"+", "-"}, {"*", "/", "@", "//", "%"}, {"**"},
)  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece of a statement, the space before it, in how many brackets it is; whether something is on both sides."""

    text: str
    space: str
    depth: int
    joins: bool


Piece = Sequence[Token]


def laid_out(statements: Iterable[ast.stmt]) -> str:
    """Statements as text, each on as many rows as it takes."""
    return "\n".join(broken(printed(statement)) for statement in statements)


def broken(code: str) -> str:
    """A statement of one row, on several where it is too long for one."""
    return code if len(code) <= LONGEST_LINE else "\n".join(_statement(list(_tokens(code))))


def _tokens(code: str) -> Iterator[Token]:
    end, depth, is_thing = 0, 0, False
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            return
        closes = token.string in CLOSING
        depth -= closes
        yield Token(token.string, code[end : token.start[1]], depth, is_thing or token.string == ",")
        depth += token.string in OPENING
        end, is_thing = token.end[1], token.type != tokenize.OP or closes


def _statement(tokens: Piece) -> list[str]:
    at = next(place for place, token in enumerate(tokens) if token.depth == 0 and token.text in ASSIGNS)
    target, value, bracket = tokens[:at], tokens[at + 1 :], f" {tokens[at].text} ("
    if len(_text(target) + bracket) > LONGEST_LINE and len(_parts(target)) > 1:
        *rows, head = ["(", *_rows(target, INDENT), f"){bracket}"]
    else:
        *rows, head = _rows(target, 0, bracket)
    return [*rows, *_led(head.removesuffix("("), value)]


def _led(head: str, value: Piece) -> list[str]:
    """A value behind what it is given to: opened at brackets that hold most of it, or in brackets of its own."""
    whole = _text(value)
    if len(head + whole) <= LONGEST_LINE:
        return [head + whole]
    place = None if len(_parts(value)) > 1 else _brackets(value, len(head))
    if place is not None and _begins(value, place, len(head)):
        holds_most = 2 * len(_text(_within(value, place))) >= len(whole)
        if holds_most or INDENT + len(whole) > LONGEST_LINE:
            return _opened(value, place, head, 0, "")
    return [f"{head}(", *_rows(value, INDENT), ")"]


def _rows(piece: Piece, indent: int, end: str = "") -> list[str]:
    """A piece between brackets, with what stands behind it."""
    margin = " " * indent
    whole = margin + _text(piece) + end
    if len(whole) <= LONGEST_LINE:
        return [whole]
    parts = _parts(piece)
    if any(token.text == "," and token.depth == piece[0].depth for token in piece):
        return [row for part in parts for row in _rows(part, indent, ",")]
    if len(parts) > 1:
        ends = [""] * (len(parts) - 1) + [end]
        return [row for part, behind in zip(parts, ends, strict=True) for row in _rows(part, indent, behind)]
    place = _brackets(piece, indent)
    return [whole] if place is None else _opened(piece, place, margin, indent, end)


def _opened(piece: Piece, place: tuple[int, int], head: str, indent: int, end: str) -> list[str]:
    """A piece with the content of one pair of its brackets on rows of its own."""
    start, stop = place
    return [
        head + _text(piece[: start + 1]),
        *_rows(_within(piece, place), indent + INDENT),
        *_rows(piece[stop:], indent, end),
    ]


def _parts(piece: Piece) -> list[Piece]:
    """A piece cut at what is loosest in it: behind commas, which are left out, or before operators."""
    level = piece[0].depth
    joining = [n for n, token in enumerate(piece) if n and token.joins and token.depth == level]
    for signs in LOOSEST_FIRST:
        if cuts := [n for n in joining if piece[n].text in signs]:
            skip = signs == {","}
            starts, ends = [0, *(cut + skip for cut in cuts)], [*cuts, len(piece)]
            return [piece[start:stop] for start, stop in zip(starts, ends, strict=True) if start < stop]
    return [piece]


def _brackets(piece: Piece, before: int) -> tuple[int, int] | None:
    """The outer brackets that hold most, of those that begin on the first row; the first ones if none does."""
    level = piece[0].depth
    opening = [n for n, token in enumerate(piece[:-1]) if token.depth == level < piece[n + 1].depth]
    pairs = [(start, next(n for n in range(start + 1, len(piece)) if piece[n].depth == level)) for start in opening]
    fitting = [pair for pair in pairs if _begins(piece, pair, before)]
    return max(fitting or pairs[:1], key=lambda pair: len(_text(_within(piece, pair))), default=None)


def _begins(piece: Piece, place: tuple[int, int], before: int) -> bool:
    """Whether brackets begin on the first row."""
    return before + len(_text(piece[: place[0] + 1])) <= LONGEST_LINE


def _within(piece: Piece, place: tuple[int, int]) -> Piece:
    return piece[place[0] + 1 : place[1]]


def _text(piece: Piece) -> str:
    return "".join(token.space + token.text for token in piece).strip()
