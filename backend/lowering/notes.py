"""What is said of how code was read: which lines were dropped, which branch was taken, what a layer is."""

from __future__ import annotations

import ast

from backend.engine.language.errors import quoted, where_is
from backend.program.found import Note

MOST_NOTES = 200
WORDS = {
    "dropped": "`{found}` dropped: it changes no tensor of the forward pass",
    "aside": "`{found}` left out: nothing of the loss comes from it",
    "import": "imports dropped: the modules are here",
    "backward": "`.backward()` and what follows it dropped: the backward pass is written here",
    "branch": "`{found}` holds: this branch is taken",
    "branch-not": "`{found}` does not hold: this branch is left out",
    "branch-numbers": "`{found}` was decided by the numbers of the table",
    "narrowed": "{found} makes a tensor too large: {small} stands for it in every layer",
    "thinned": "{found} makes a tensor too large: {small} stands for it, as a sixteenth does for every width",
    "layer": "`{name}` is `{kind}`: {tensors} in the table",
    "assumed": "`{found}` isn't in the code: read as `{kind}`",
    "returned": "`{found}` isn't in the code: the table gives what it returns, and no gradient flows back through it",
    "held": (
        "`{found}` isn't in the code: the table gives what it returns, held fixed. "
        "The {gradients} of {names} {leave} out what would flow back through it: paste its lines for all of it"
    ),
    "helper": "`{found}` isn't in the code: read as what many repositories call so",
    "dropout": "dropout passes everything on: no cell is dropped",
    "drawn": "`{found}` draws numbers: in the table, with a seed",
    "drawn-number": "`{found}` draws a number: {value} is taken",
    "drawn-first": "`{found}` draws one of several: the first is taken",
    "in-place": "`{found}` changes a tensor in place: written as a new one",
    "cells": "single cells are assigned: written as a new tensor",
    "no-grad": "under `no_grad`: written with `.detach()`",
    "uncut": "`@{found}` left out: with it no gradient would flow through any of these lines",
    "made-data": "`{found}` is made of no input: it stands in the table as data, so that there is a gradient",
    "summed": "`{found}` isn't a single number: its sum is the loss",
    "chosen": "of the results `{found}` is the loss",
    "entry": "walked: `{found}`",
    "begun": "`{found}` dropped: what a weight begins with stands in the table",
    "try": "of `try` the lines that run are kept",
    "decorator": "`{found}` left out",
    "magic": "a line of the notebook dropped",
}


class Notes:
    """Remarks, each said once of its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.seen: dict[tuple[str, int], ast.AST] = {}
        self.made: dict[tuple[str, int, int, str], Note] = {}

    def add(self, code: str, node: ast.AST, **facts: object) -> None:
        """Say something of a place; what is said again of the same place is said once."""
        if (code, id(node)) in self.seen:
            return
        self.seen[code, id(node)] = node
        where = where_is(node, self.text)
        if where is None or len(self.made) >= MOST_NOTES:
            return
        said = WORDS[code]
        for name, value in facts.items():
            text = ast.unparse(value).split("\n")[0] if isinstance(value, ast.AST) else value
            said = said.replace("{" + name + "}", quoted(text))
        line, column = int(where["line"]), int(where["column"])
        last = getattr(node, "end_lineno", None) or line
        end = int(where["end_column"]) if last == line else _column(node, self.text, last)
        self.made.setdefault((code, line, column, said), Note(code, said, line, column, last, end))

    def all(self) -> list[Note]:
        """In the order of the text."""
        return sorted(self.made.values(), key=lambda note: (note.line, note.column))


def _column(node: ast.AST, text: str, line: int) -> int:
    lines = text.split("\n")
    raw = lines[line - 1].encode() if line <= len(lines) else b""
    return len(raw[: getattr(node, "end_col_offset", 0) or 0].decode(errors="replace")) + 1
