"""The program of a recording: of its rows those that the loss needs, named as the user does, in lines to be read."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from keyword import iskeyword

from backend.engine.language.grammar import OTHER_MODULES, RESERVED
from backend.engine.language.rewrite import substitute
from backend.engine.language.tree import loaded_in
from backend.engine.language.unparse import printed
from gradwalk.recorder.trial import named_anew
from gradwalk.recorder.values import Row, Value

WIDEST = 88  # characters of a line that another one is put into
LONGEST_NAME = 40
LONGEST_COMMENT = 70


@dataclass
class Written:
    """A program's text, its inputs by name, and the name of each value that has one."""

    source: str
    inputs: dict[str, Value]
    named: dict[str, Value]
    origin: dict[int, tuple[str, int, str]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


def program_of(rows: Sequence[Row], inputs: Sequence[Value], loss: Value) -> Written:
    """The program that computes the loss."""
    kept = needed(rows, loss)
    uses = counted(kept, loss)
    lines, gone = folded(kept, uses, loss)
    used = {id(one) for row, _ in lines for one in row.reads} | {id(loss)}
    names = Names()
    names.give(loss, "loss")
    named: dict[str, Value] = {}
    given = {id(one) for one in inputs}
    asked = [one for one in inputs if id(one) in used]
    for value in asked:
        named[names.of_input(value)] = value
    text, origin, heading = [], {}, ""
    for row, expression in lines:
        targets = [names.of_made(one) if id(one) in used or len(row.makes) == 1 else "_" for one in row.makes]
        named |= {name: one for name, one in zip(targets, row.makes, strict=True) if name != "_"}
        place = row.place
        if place.module != heading:
            heading = place.module
            text += ["", f"# {heading}"] if heading else [""]
        code = f"{', '.join(targets)} = {printed(names.in_place(expression))}"
        comment = place.comment if len(code) + len(place.comment) < LONGEST_COMMENT + 30 else ""
        text.append(f"{code}  {ascii_only(comment)}".rstrip())
        origin[len(text)] = (place.file, place.line, place.text)
    source = "\n".join(text).strip("\n")
    skipped = len(text) - len("\n".join(text).lstrip("\n").split("\n"))
    assert gone is not None
    return Written(
        source, {name: one for name, one in named.items() if id(one) in given}, named,
        {line - skipped: one for line, one in origin.items()},
        {name: one.label for name, one in named.items() if one.label},
    )  # fmt: skip


def needed(rows: Sequence[Row], loss: Value) -> list[Row]:
    """The rows that the loss is made of."""
    wanted, kept = {id(loss)}, []
    for row in reversed(rows):
        if any(id(one) in wanted for one in row.makes):
            kept.append(row)
            wanted |= {id(one) for one in row.reads}
    return kept[::-1]


def counted(rows: Sequence[Row], loss: Value) -> dict[int, int]:
    """How often each value is read."""
    uses = {id(loss): 1}
    for row in rows:
        reads = {one.key: id(one) for one in row.reads}
        for name in loaded_in(row.expression):
            if name in reads:
                uses[reads[name]] = uses.get(reads[name], 0) + 1
    return uses


def folded(rows: list[Row], uses: dict[int, int], loss: Value) -> tuple[list[tuple[Row, ast.expr]], set[int]]:
    """Rows with those put into them that stand in the same line of the user's, have no name and are read once."""
    lines: list[tuple[Row, ast.expr]] = []
    waiting: dict[str, tuple[Row, ast.expr]] = {}
    gone: set[int] = set()
    for row in rows:
        expression, reads = row.expression, list(row.reads)
        for one in row.reads:
            held = waiting.pop(one.key, None)
            if held is None:
                continue
            inner, text = held
            whole = substitute(expression, {one.key: text})
            if inner.place.statement == row.place.statement and len(printed(whole)) <= WIDEST:
                expression = whole
                place = reads.index(one)
                reads[place : place + 1] = inner.reads
                gone.add(id(one))
            else:
                lines.append((inner, text))
        made = Row(expression, list({id(one): one for one in reads}.values()), row.makes, row.place, row.several)
        only = row.makes[0]
        if len(row.makes) == 1 and not only.names and uses.get(id(only)) == 1 and only is not loss:
            waiting[only.key] = made, expression
        else:
            lines.append((made, expression))
    lines += waiting.values()
    order = {id(row.makes[0]): number for number, row in enumerate(rows)}
    lines.sort(key=lambda line: order[id(line[0].makes[0])])
    return lines, gone


class Names:
    """Names that the program's tensors have, each once."""

    def __init__(self) -> None:
        self.taken: dict[str, Value] = {}
        self.by_value: dict[str, str] = {}

    def of_input(self, value: Value) -> str:
        """An input's name."""
        usual = {"parameter": "w", "data": "x"}.get(value.role) or kind_of(value)
        return self.give(value, value.label or next(iter(value.names), "") or usual)

    def of_made(self, value: Value) -> str:
        """The name of what a line makes."""
        if value.key in self.by_value:
            return self.by_value[value.key]
        row = value.row
        assert row is not None
        return self.give(value, next(iter(value.names), "") or row.place.layer or called(row.expression))

    def give(self, value: Value, wanted: str) -> str:
        """The wanted name, or one like it."""
        plain = identifier(wanted)
        name, number = plain, 1
        while not self.free(name):
            number += 1
            name = f"{plain}_{number}"
        self.taken[name] = value
        self.by_value[value.key] = name
        return name

    def free(self, name: str) -> bool:
        """Whether nothing is called so, nor is the gradient of anything, nor anything of which it is the gradient."""
        return (
            name not in self.taken and f"d{name}" not in self.taken and not (name[:1] == "d" and name[1:] in self.taken)
        )

    def in_place(self, expression: ast.expr) -> ast.expr:
        """An expression in the program's names."""
        return named_anew(expression, self.by_value)


def kind_of(value: Value) -> str:
    """What a tensor without a name is called."""
    kept = value.kept
    return (
        "index"
        if not kept.is_floating_point() and kept.dtype.itemsize > 1
        else "mask"
        if kept.dtype.itemsize == 1
        else "c"
    )


def called(expression: ast.expr) -> str:
    """A name by what is called: `softmax`."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        return expression.func.attr
    return "part" if isinstance(expression, ast.Subscript) else "h"


def identifier(wanted: str) -> str:
    """A path or a name of the user's as a name of the language."""
    word = re.sub(r"\W+", "_", wanted, flags=re.ASCII).strip("_")[:LONGEST_NAME] or "h"
    if word[0].isdigit():
        word = f"layer{word}"
    reserved = word in RESERVED or word in OTHER_MODULES or iskeyword(word) or iskeyword(f"d{word}")
    return f"{word}_" if reserved and not f"{word}_".startswith("_") else word


def ascii_only(comment: str) -> str:
    """A comment that ends where its line does."""
    return "".join(sign if sign.isprintable() else " " for sign in comment)
