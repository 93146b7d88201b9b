"""Formulas in index notation for one cell of a value or a gradient."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.encode import Document
from backend.engine.language.errors import Refusal
from backend.engine.language.values import Scope
from backend.engine.ops.index import parts_of
from backend.engine.trace.graph import Node
from backend.engine.trace.statement import Statement
from backend.lines.index_notation.bind import Bound
from backend.lines.index_notation.format import formula_text
from backend.lines.index_notation.indexed_tensor import (
    ZERO,
    Index,
    Indexed,
    IndexPool,
    NotExpressible,
    named,
    subscript,
)
from backend.lines.index_notation.numbers import Cell, factors_of, numbers_of
from backend.lines.index_notation.scalar_expr import add
from backend.lines.index_notation.scatter import placed
from backend.lines.index_notation.symbolic_eval import CellReader

ALPHABET = "ijklmpqrstuvwabcdefgh"
LONGEST = 300
Said = Callable[[CellReader], Indexed]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Formula:
    """`whole` is one cell as the sum of `parts`; "" if it can't be expressed, or not in LONGEST characters.

    `reads` is how each tensor is indexed, by its name. `said` is the right-hand side of `whole` as an expression, and
    `letters` are the indices of the cell's own axes.
    """

    whole: str
    parts: list[str]
    reads: dict[str, str]
    said: ast.expr | None
    letters: list[str | None]

    def numbers(self, index: tuple[int, ...], scope: Scope) -> Document | None:
        """The formula at an index with the values in `scope` filled in; None if there are too many."""
        return numbers_of(self.said, self._own(index), scope)

    def factors(self, index: tuple[int, ...], scope: Scope) -> dict[Cell, Cell]:
        """Of each cell that the formula multiplies by one other cell, that other one."""
        return factors_of(self.said, self._own(index), scope)

    def _own(self, index: tuple[int, ...]) -> dict[str, int]:
        return {letter: at for letter, at in zip(self.letters, index, strict=True) if letter is not None}


class Writer:
    """Writes and caches the formulas of one walk; `shapes` holds every name that they may read, on the meta device."""

    def __init__(self, shapes: Scope) -> None:
        tensors = {name: value for name, value in shapes.items() if isinstance(value, torch.Tensor)}
        self.numbers = {name: value for name, value in shapes.items() if isinstance(value, int | float)}
        self.shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
        outlines = {name: value if value.is_meta else _outline(value) for name, value in tensors.items()}
        self.scope = self.numbers | {name: named(name, outline) for name, outline in outlines.items()}
        self.known: dict[tuple[object, ...], Formula] = {}
        self.alphabet = [letter for letter in ALPHABET if letter not in shapes]

    def of_statement(self, node: Node, statement: Statement, primitives: Sequence[Node]) -> Formula:
        """The formula of one cell of a chunk's result; `primitives` are the chunk's operations."""

        def said(reader: CellReader) -> Indexed:
            reader.primitives = list(primitives)
            reader.run(list(statement.before))
            return reader.tensor(statement.expr)

        if (node,) not in self.known:
            self.known[node,] = self.written(node.variable, "=", [said], node.shape)
        return self.known[node,]

    def of_lines(self, left: str, sign: str, lines: Sequence[Line], shape: Shape) -> Formula:
        """The formula of the backward lines' contributions to one cell of their target, together and each alone."""
        key = left, sign, *lines
        if key not in self.known:
            self.known[key] = self.written(left, sign, [_said_by(line) for line in lines], shape)
        return self.known[key]

    def written(self, left: str, sign: str, parts: Sequence[Said], shape: Shape) -> Formula:
        """The formula with the most familiar letters: `i` for rows and `j` for columns; a vector may take either."""
        orders = [self.alphabet, [self.alphabet[1], self.alphabet[0]]] if len(shape) == 1 else [self.alphabet]
        tries = [self._written(left, sign, parts, _own(shape, order)) for order in orders]
        return max(tries, key=lambda found: " ".join(found.parts).count("[i,j]"))

    def _written(self, left: str, sign: str, parts: Sequence[Said], index: Index) -> Formula:
        nodes = [self._node(part, index) for part in parts]
        texts = ["" if node is None else _short(formula_text(node)) for node in nodes]
        whole: ast.expr = ZERO
        for node in nodes:
            whole = whole if node is None else add(whole, node)
        cell = formula_text(subscript(left, index) if index else ast.Name(left, ast.Load()))
        text = _short(f"{cell} {sign} {formula_text(whole)}") if texts and all(texts) else ""
        letters = [letter.id if isinstance(letter, ast.Name) else None for letter in index]
        return Formula(text, texts, self._reads(whole), whole if text else None, letters)

    def _node(self, part: Said, index: Index) -> ast.expr | None:
        letters = IndexPool()
        own = [letter.id for letter in index if isinstance(letter, ast.Name)]
        try:
            cell = part(CellReader(dict(self.scope), self.numbers, letters)).at(index)
            return Bound(self.alphabet, letters, own, self.shapes).written(cell)
        except (NotExpressible, Refusal):
            return None

    def _reads(self, node: ast.expr) -> dict[str, str]:
        found: dict[str, list[str]] = {}
        for part in ast.walk(node):
            name = part.value if isinstance(part, ast.Subscript) else part
            if isinstance(name, ast.Name) and isinstance(part, ast.expr) and _is_whole(name, part, self.shapes):
                found.setdefault(name.id, []).append(formula_text(part))
        return {name: _short(", ".join(dict.fromkeys(texts))) for name, texts in found.items()}


def _said_by(line: Line) -> Said:
    def said(reader: CellReader) -> Indexed:
        value, place = reader.tensor(line.expr), line.writes_to
        if isinstance(place, ast.Subscript):
            return placed(parts_of(reader.value(place.slice)), line.target.shape, value)
        return value

    return said


def _own(shape: Shape, order: Sequence[str]) -> Index:
    """The index of the cell on the left-hand side."""
    if len(order) < len(shape):
        order = [*order, *ALPHABET.upper()]
    return tuple(ast.Name(order[axis], ast.Load()) if size != 1 else ZERO for axis, size in enumerate(shape))


def _is_whole(name: ast.Name, part: ast.expr, shapes: Mapping[str, Shape]) -> bool:
    """Whether a part is a cell of the named tensor: indexed, or a scalar by its name alone."""
    return name.id in shapes and (bool(shapes[name.id]) == isinstance(part, ast.Subscript))


def _short(text: str) -> str:
    """The text, or "" if it is longer than LONGEST."""
    return text if len(text) <= LONGEST else ""


def _outline(tensor: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(tensor, device="meta")
