"""Reads of cells tried out: every index is filled in, and cells are changed to see which others change."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import numpy as np
import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.trace.statement import statement_of
from backend.lines.index_notation.cells import CellRead, CellReads
from backend.present.drawings import drawings_of
from backend.program.runs import Run

WORD = re.compile(r"\w+")
Cells = set[tuple[int, ...]]
Scope = dict[str, Any]
OPERATORS: dict[type[ast.AST], Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.FloorDiv: np.floor_divide, ast.Mod: np.mod,
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}  # fmt: skip


def filled(text: str, scope: Mapping[str, Any]) -> Any:
    """An index or a condition for all values of the letters at once."""
    return _value(ast.parse(text, mode="eval").body, scope)


def _value(node: ast.expr, scope: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return scope[name]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return np.logical_not(_value(inner, scope))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, scope)
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return OPERATORS[type(op)](_value(left, scope), _value(right, scope))
        case ast.BoolOp(op=ast.And(), values=parts):
            return reduce(np.logical_and, (_value(part, scope) for part in parts))
        case ast.Subscript(value=tensor, slice=ast.Tuple(elts=index)):
            return _value(tensor, scope)[tuple(_value(part, scope) for part in index)]
    raise AssertionError(ast.dump(node))


def comes_to(cells: CellReads, of: str, source: tuple[int, ...], shape: tuple[int, ...], values: Scope) -> Cells:
    """The cells that read one cell of a source, found by trying every index."""
    found: Cells = set()
    for read in cells["reads"]:
        if read["of"] == of:
            found |= _readers(cells, read, source, shape, values)
    return found


def arrives(told: list[CellReads], of: str, source: tuple[int, ...], shape: tuple[int, ...], values: Scope) -> Cells:
    """The cells of the result that one cell of a source comes to, through whatever is drawn between."""
    found: Cells = set()
    for cells in told:
        reached = comes_to(cells, of, source, shape, values)
        if cells["of"] == "result":
            found |= reached
            continue
        size = tuple(cells["sizes"].get(letter, 1) for letter in cells["index"])
        found |= {to for one in reached for to in arrives(told, cells["of"], one, size, values)}
    return found


def _readers(cells: CellReads, read: CellRead, source: tuple[int, ...], shape: tuple[int, ...], values: Scope) -> Cells:
    spoken = {
        word for text in (*cells["index"], *filter(None, read["at"]), *read["where"]) for word in WORD.findall(text)
    }
    letters = [letter for letter in cells["sizes"] if letter in spoken]  # of the others each is as good as any
    sizes = tuple(cells["sizes"][letter] for letter in letters)
    grids = dict(zip(letters, np.indices(sizes, sparse=True), strict=True)) if letters else {}
    scope = {**values, **grids}
    hit = np.ones(sizes, dtype=bool)
    for text, place, size in zip(read["at"], source, shape, strict=True):
        if text is not None:
            at = filled(text, scope)
            hit = hit & (np.where(at < 0, at + size, at) == place)
    for text in read["where"]:
        hit = hit & filled(text, scope)
    full = np.broadcast_to(hit, sizes)
    own = [letters.index(letter) if letter != "0" else None for letter in cells["index"]]
    return {tuple(0 if axis is None else int(where[axis]) for axis in own) for where in np.argwhere(full)}


def some_cells(shape: tuple[int, ...], count: int = 3) -> list[tuple[int, ...]]:
    """The first cell of a tensor, its last, and some between."""
    size = math.prod(shape)
    places = sorted({round(part * (size - 1) / max(count - 1, 1)) for part in range(count)}) if size else []
    return [tuple(int(part) for part in np.unravel_index(place, shape)) for place in places]


def changed(before: torch.Tensor, after: torch.Tensor) -> Cells:
    """The cells in which two tensors differ."""
    if before.shape != after.shape:
        return set()
    same = torch.isclose(before.double(), after.double(), rtol=0, atol=0, equal_nan=True)
    return {tuple(place) for place in (~same).nonzero().tolist()}


def nudged(tensor: torch.Tensor, cell: tuple[int, ...]) -> Iterator[torch.Tensor]:
    """The tensor with other values in one cell."""
    if tensor.dtype is torch.bool:
        others: list[float] = [float(not tensor[cell])]
    elif tensor.is_floating_point():
        value = float(tensor[cell])
        others = [value + 0.37, value - 0.61, value * 1.5, value + 40.0, value - 40.0]
    else:
        others = [float(value) for value in range(int(tensor.min()), int(tensor.max()) + 1) if value != tensor[cell]]
    for other in others:
        made = tensor.clone()
        made[cell] = other
        yield made


def forward_change(run: Run, number: int, name: str, cell: tuple[int, ...]) -> Cells:
    """The cells of a forward line's result that change with one cell of an input."""
    graph = run.plan.graph
    statement = statement_of(graph.chunks[number].node, graph)
    before = run.forward.values
    found: Cells = set()
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        was = statement.value(Evaluator(dict(before)))
        for other in nudged(run.forward.tensors[name], cell):
            try:
                found |= changed(was, statement.value(Evaluator({**before, name: other})))
            except (Refusal, RuntimeError, IndexError):
                continue
    return found


class Backward:
    """One backward line, run by itself; its gradients are random, so that no zero in them hides a cell."""

    def __init__(self, run: Run, number: int) -> None:
        self.line, self.dtype = run.plan.lines[number], run.material.dtype
        picture = drawings_of(run.plan).pictures[number]
        assert picture is not None
        self.picture = picture
        torch.manual_seed(number)
        gradients = {name: torch.randn_like(tensor) for name, tensor in run.gradients.items()}
        self.scope: Scope = {**run.forward.values, **gradients}
        for earlier in run.plan.lines[:number]:
            for statement in earlier.statements[:-1]:
                if not isinstance(statement, ast.Assign):
                    continue
                self.run(statement)

    def run(self, statement: ast.Assign) -> None:
        evaluator = Evaluator(dict(self.scope))
        with torch.no_grad(), DefaultDtype(self.dtype):
            evaluator.statement(statement)
        self.scope = dict(evaluator.scope)

    def at(self, scope: Scope) -> tuple[list[torch.Tensor], torch.Tensor]:
        """The operands of its picture, and what it contributes."""
        line = self.line
        evaluator = Evaluator(scope | {line.variable: torch.zeros(line.target.shape, dtype=self.dtype)})
        with torch.no_grad(), DefaultDtype(self.dtype):
            for statement in line.statements[:-1]:
                evaluator.statement(statement)
            evaluator.scope[line.variable] = torch.zeros(line.target.shape, dtype=self.dtype)
            operands = [torch.as_tensor(evaluator.value(operand.expr)) for operand in self.picture.operands]
            evaluator.statement(line.last)
        made = torch.as_tensor(evaluator.scope[line.variable])
        return operands, made

    @property
    def puts(self) -> bool:
        """Whether it puts what it brings into some cells of its gradient."""
        return self.picture.then == "scatter" or isinstance(self.line.writes_to, ast.Subscript)

    def names(self) -> list[str]:
        """The tensors that its operands are made of."""
        read = {
            part.id
            for operand in self.picture.operands
            for part in ast.walk(operand.expr)
            if isinstance(part, ast.Name)
        }
        return sorted(name for name in read if isinstance(self.scope.get(name), torch.Tensor))
