"""The program that is written: its lines with their names, the author's comments, places and groups."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from keyword import iskeyword

from backend.engine.language.allowed import spelled_out
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import RESERVED
from backend.engine.language.layout import broken
from backend.engine.language.scalars import ON_NUMBERS
from backend.engine.language.tree import children, names_in
from backend.engine.language.unparse import LONGEST_LINE, printed
from backend.engine.language.values import Parameters
from backend.lowering.budget import MOST_ROWS, Exhausted

UNUSABLE = RESERVED | frozenset(ON_NUMBERS)


@dataclass
class Group:
    """Lines that were written by one call of a layer, function or object; first and last row, counted from 0."""

    name: str
    title: str
    first: int
    last: int = -1
    groups: list[Group] = field(default_factory=list)


@dataclass
class Row:
    """One assignment that is written, and the statement of the code that it comes from."""

    names: list[str]
    value: ast.expr
    place: ast.AST
    is_number: bool
    number: int


@dataclass
class Text:
    """The written program with what is known of its lines, both counted from 1."""

    source: str
    places: dict[int, ast.AST]
    groups: list[Parameters]


FACTS = frozenset({"shape", "ndim", "dtype", "size", "numel", "dim"})  # of a tensor, whatever its numbers


class Writer:
    """Collects lines, and gives every value a name of its own."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.inputs = set(self.taken)
        self.numbers: dict[str, int] = {}  # the last one behind each name
        self.rows: list[Row] = []
        self.root = Group("", "", 0)
        self.open: list[Group] = [self.root]

    def free(self, wanted: str, is_input: bool = False) -> str:
        """A name that nothing has yet, as close to the wanted one as possible."""
        plain = wanted.strip("_") or "h"
        usable = plain if plain.isascii() and plain.isidentifier() else spelled_out(plain)
        if usable in UNUSABLE or iskeyword(usable):
            usable += "_"
        name, number = usable, self.numbers.get(usable, 1)
        while name in self.taken or (is_input and self.means_gradient(name)):
            number += 1
            name = f"{usable}_{number}"
        self.numbers[usable] = number
        self.taken.add(name)
        if is_input:
            self.inputs.add(name)
        return name

    def means_gradient(self, name: str) -> bool:
        """Whether an input's name, or that of its gradient, would mean another input."""
        return "d" + name in self.inputs or (name[:1] == "d" and name[1:] in self.inputs) or iskeyword("d" + name)

    def write(self, names: list[str], value: ast.expr, place: ast.AST, is_number: bool = False) -> None:
        if len(self.rows) >= MOST_ROWS:
            raise Exhausted("found-too-long/lines", limit=f"{MOST_ROWS:,}", at=place)
        self.rows.append(Row(names, value, place, is_number, len(self.rows)))

    def begin(self, name: str, title: str) -> None:
        """A call begins: what is written until its end is a group."""
        group = Group(name, title, len(self.rows))
        self.open[-1].groups.append(group)
        self.open.append(group)

    def end(self) -> None:
        group = self.open.pop()
        group.last = len(self.rows) - 1
        if group.last < group.first:
            self.open[-1].groups.remove(group)

    def kept(self, loss: str) -> tuple[list[Row], set[str]]:
        """The lines that the loss is made of, and the names that they read."""
        read = {loss}
        found = []
        for row in reversed(self.rows):
            if read.intersection(row.names):
                read |= names_in(row.value)
                found.append(row)
        return found[::-1], read

    def behind(self, written: Iterable[ast.expr]) -> set[str]:
        """All names that expressions are made of, those of lines that were written among them."""
        read = {name for one in written for name in names_in(one)}
        for row in reversed(self.rows):
            if read.intersection(row.names):
                read |= names_in(row.value)
        return read

    def text(self, rows: list[Row], comments: Mapping[int, tuple[str, bool]]) -> Text:
        """All lines, each with the comments that its statement has in the code, once."""
        left = dict(comments)
        lines: list[str] = []
        places: dict[int, ast.AST] = {}
        spans: dict[int, tuple[int, int]] = {}
        for row in rows:
            lines += _above(row.place, left)
            code = broken(_code(row))
            own = _behind(row.place, left)
            if own and "\n" not in code and len(f"{code}  {own}") <= LONGEST_LINE:
                code = f"{code}  {own}"
            elif own:
                lines.append(own)
            first = len(lines) + 1
            lines += code.split("\n")
            spans[row.number] = first, len(lines)
            places |= dict.fromkeys(range(first, len(lines) + 1), row.place)
        return Text("\n".join(lines), places, [told for group in self.root.groups if (told := _told(group, spans))])


def names_for_cells(rows: Iterable[Row]) -> set[str]:
    """The names that lines read for their numbers, and not for their shape alone: `x` isn't one in `x.shape[1]`."""
    return {name for row in rows for name in _names_for_cells(row.value)}


def _names_for_cells(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(), attr=fact) if fact in FACTS:
            return
        case _:
            for child in children(node):
                yield from _names_for_cells(child)


def _code(row: Row) -> str:
    names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in row.names]
    target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
    try:
        return printed(ast.Assign([target], row.value))
    except (TypeError, KeyError):
        raise Refusal("not-in-language", at=row.place) from None


def _above(place: ast.AST, left: dict[int, tuple[str, bool]]) -> list[str]:
    """The comments directly above a statement."""
    line = getattr(place, "lineno", 0) - 1
    found = []
    while left.get(line, ("", False))[1]:
        found.append(left.pop(line)[0])
        line -= 1
    return found[::-1]


def _behind(place: ast.AST, left: dict[int, tuple[str, bool]]) -> str:
    """The comment behind a statement."""
    if isinstance(place, ast.FunctionDef | ast.ClassDef):
        return ""
    body = getattr(place, "body", None)
    first = getattr(place, "lineno", 0)
    last = body[0].lineno - 1 if isinstance(body, list) else getattr(place, "end_lineno", 0) or 0
    found = [left.pop(line)[0] for line in range(first, last + 1) if line in left]
    return found[0] if len(found) == 1 else ""


def _told(group: Group, spans: Mapping[int, tuple[int, int]]) -> Parameters | None:
    lines = [spans[row] for row in range(group.first, group.last + 1) if row in spans]
    if not lines:
        return None
    inner = [told for one in group.groups if (told := _told(one, spans))]
    return {"name": group.name, "title": group.title, "first": lines[0][0], "last": lines[-1][1], "groups": inner}
