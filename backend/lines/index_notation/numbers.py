"""A formula in index notation evaluated at one index, its sum expanded into terms."""

from __future__ import annotations

import ast
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from backend.engine.encode import Document, number
from backend.engine.language.pytree import as_tensor
from backend.engine.language.tree import minus
from backend.engine.language.unparse import printed
from backend.engine.language.values import Scope
from backend.lines.index_notation.format import formula_text
from backend.lines.index_notation.indexed_tensor import NotExpressible
from backend.lines.index_notation.scalar_expr import fold_of, mapped, simple

# How many terms are sent, and how many numbers are read for them at most.
FEW, MOST, MOST_READ = 4, 16, 8_000
Places = dict[str, int]
Term = tuple[ast.expr, Places]
Cell = tuple[str, tuple[int, ...]]
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.USub: operator.neg,
    ast.Not: operator.not_, ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
FOLDED: dict[str, Callable[[list[Any]], Any]] = {
    "sum": sum, "prod": math.prod, "max": max, "min": min, "argmax": lambda found: found.index(max(found)),
    "argmin": lambda found: found.index(min(found)),
}  # fmt: skip


def numbers_of(whole: ast.expr | None, letters: Places, scope: Scope) -> Document | None:
    """The right-hand side of a formula with its values; None if there are too many.

    A few terms stand in the formula's order, of many the largest come first. Each term is a text
    in which `⟨0⟩` is the first of its values, and so on.
    """
    if whole is None:
        return None
    evaluator = FormulaEvaluator(scope)
    try:
        with np.errstate(all="ignore"):
            terms = [
                (evaluator.value(*term), term)
                for term in evaluator.spread(whole, letters)
                if not evaluator.is_out(*term)
            ]
            if len(terms) > FEW:
                terms.sort(key=lambda found: -_size(found[0]))
            return {"count": len(terms), "terms": [evaluator.filled_in(*term) for _, term in terms[:MOST]]}
    except (NotExpressible, ArithmeticError):
        return None


def factors_of(whole: ast.expr | None, letters: Places, scope: Scope) -> dict[Cell, Cell]:
    """Of each cell that is multiplied by one other cell and stands nowhere else, that one: `h[13,2]·dlogits[13,5]`."""
    if whole is None:
        return {}
    evaluator, found = FormulaEvaluator(scope), list[tuple[Cell, Cell]]()
    try:
        for node, inside in evaluator.spread(whole, letters):
            match node:
                case ast.BinOp(left=left, op=ast.Mult(), right=right):
                    one, other = evaluator.cell(left, inside), evaluator.cell(right, inside)
                    found += [(one, other), (other, one)] if one and other else []
    except (NotExpressible, ArithmeticError):
        return {}
    often = Counter(cell for cell, _ in found)
    return {cell: other for cell, other in found if often[cell] == 1}


class FormulaEvaluator:
    """Evaluates formulas over the tensors of one walk; `scope` holds every name that a formula may read."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.left = MOST_READ

    def spread(self, node: ast.expr, letters: Places) -> Iterator[Term]:
        """The terms of an expression that is a sum: a Σ is expanded, and its factors are distributed."""
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                yield from self.spread(left, letters)
                yield from self._changed(minus if isinstance(op, ast.Sub) else simple, right, letters)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                yield from self._changed(minus, inner, letters)
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right) if _sums(left):
                yield from self._changed(lambda part: ast.BinOp(part, op, right), left, letters)
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if _sums(right):
                yield from self._changed(lambda part: ast.BinOp(left, ast.Mult(), part), right, letters)
            case ast.Call() if _sums(node):
                _, places, body = fold_of(node) or ("", [], node)
                yield from ((body, inside) for inside in self._inside(places, body, letters))
            case _:
                yield node, letters

    def cell(self, node: ast.expr, letters: Places) -> Cell | None:
        """The cell that an expression is, and nothing more: `h[k, i]`."""
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=index)) if name in self.scope:
                shape = as_tensor(self.scope[name]).shape
                places = (int(self.value(part, letters)) for part in index)
                return name, tuple(at % size for at, size in zip(places, shape, strict=True))
        return None

    def _changed(self, change: Callable[[ast.expr], ast.expr], node: ast.expr, letters: Places) -> Iterator[Term]:
        return ((change(part), inside) for part, inside in self.spread(node, letters))

    def is_out(self, node: ast.expr, letters: Places) -> bool:
        """Whether a term is 0 because its condition fails: `… if i == 3 else 0`."""
        match node:
            case ast.IfExp(test=test, orelse=ast.Constant(value=0)):
                return not self.value(test, letters)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                left_out, right_out = self.is_out(left, letters), self.is_out(right, letters)
                return (left_out or right_out) and self._is_zero(node, letters)
            case ast.BinOp(left=inner, op=ast.Div()):
                return self.is_out(inner, letters) and self._is_zero(node, letters)
            case ast.UnaryOp(operand=inner):
                return self.is_out(inner, letters)
        return False

    def _is_zero(self, node: ast.expr, letters: Places) -> bool:
        """Whether a product with a zero is zero: 0 · ∞ and 0 / 0 are not."""
        return bool(self.value(node, letters) == 0)

    def value(self, node: ast.expr, letters: Places) -> Any:
        """The value of an expression for these values of the letters."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in letters:
                return letters[name]
            case ast.Name() | ast.Subscript() | ast.Attribute():
                return self._read(node, letters)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self.value(then if self.value(test, letters) else otherwise, letters)
            case ast.BoolOp(op=op, values=parts):
                return (all if isinstance(op, ast.And) else any)(self.value(part, letters) for part in parts)
            case ast.Call():
                return self._called(node, letters)
        return self._operated(node, letters)

    def _operated(self, node: ast.expr, letters: Places) -> Any:
        match node:
            case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                found = OPERATORS[type(op)](self.value(left, letters), self.value(right, letters))
                return bool(found) if isinstance(op, ast.cmpop) else found
            case ast.UnaryOp(op=op, operand=inner):
                return OPERATORS[type(op)](self.value(inner, letters))
        raise NotExpressible

    def _called(self, node: ast.Call, letters: Places) -> Any:
        if fold := fold_of(node):
            kind, places, body = fold
            return FOLDED[kind]([self.value(body, inside) for inside in self._inside(places, body, letters)])
        name, parts = printed(node.func).rpartition(".")[2], [self.value(part, letters) for part in node.args]
        if name in ("max", "min"):
            return FOLDED[name](parts)
        function = getattr(torch, name, None) or getattr(torch.special, name)
        whole = [int(part) for part in parts[:-1]] if name == "polygamma" else []  # its order is no tensor
        cells = [torch.tensor(float(part), dtype=torch.float64) for part in parts[len(whole) :]]
        return np.float64(function(*whole, *cells).item())

    def _read(self, node: ast.expr, letters: Places) -> Any:
        self.left -= 1
        if self.left < 0:
            raise NotExpressible
        match node:
            case ast.Attribute(attr=name):
                return getattr(math, name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=index)) if name in self.scope:
                found = as_tensor(self.scope[name])[tuple(int(self.value(part, letters)) for part in index)].item()
                return np.float64(found) if isinstance(found, float) else found
            case ast.Name(id=name) if name in self.scope:
                held = self.scope[name]
                return np.float64(held.item()) if isinstance(held, torch.Tensor) else held
        raise NotExpressible

    def _inside(self, places: list[str], body: ast.expr, letters: Places) -> Iterator[Places]:
        """The values of the letters for every term of a Σ."""
        names = [place.partition("<")[0] for place in places]
        ranges = [range(self._length(place, body)) for place in places]
        if math.prod(map(len, ranges)) > self.left:
            raise NotExpressible
        for at in itertools.product(*ranges):
            yield letters | dict(zip(names, at, strict=True))

    def _length(self, place: str, body: ast.expr) -> int:
        """The range of a letter: its written end, or the length of an axis that it indexes alone."""
        name, _, end = place.partition("<")
        if end:
            return int(end)
        for part in ast.walk(body):
            if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Tuple):
                for axis, at in enumerate(part.slice.elts):
                    if isinstance(at, ast.Name) and at.id == name and (tensor := self._tensor(part)) is not None:
                        return int(tensor.shape[axis])
        raise NotExpressible

    def _tensor(self, part: ast.Subscript) -> Any:
        return self.scope.get(part.value.id) if isinstance(part.value, ast.Name) else None

    def filled_in(self, node: ast.expr, letters: Places) -> Document:
        """One term as a text and its values."""
        values: list[Any] = []
        text = formula_text(self._filled(node, letters, values))
        return {"text": text, "values": [number(float(value)) for value in values]}

    def _filled(self, node: ast.expr, letters: Places, values: list[Any]) -> ast.expr:
        match node:
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return self._filled(then if self.value(test, letters) else otherwise, letters, values)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return ast.Constant(int(self.value(node, letters)))
            case ast.BinOp() | ast.UnaryOp():
                return simple(mapped(node, lambda part: self._filled(part, letters, values)))
            case ast.Call() if not fold_of(node):
                return mapped(node, lambda part: self._filled(part, letters, values))
            case ast.Constant():
                return node
        return _leaf(self.value(node, letters), values)


def _leaf(value: Any, values: list[Any]) -> ast.expr:
    """A value in place of a name: integers as they are, others as ⟨n⟩, appended to `values`."""
    if isinstance(value, int) and value >= 0:
        return ast.Constant(int(value))
    values.append(value)
    return ast.Name(f"⟨{len(values) - 1}⟩", ast.Load())


def _sums(node: ast.expr) -> bool:
    """Whether an expression is a Σ or a multiple of one."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=inner) | ast.BinOp(left=inner, op=ast.Div()):
            return _sums(inner)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _sums(left) or _sums(right)
    fold = fold_of(node)
    return fold is not None and fold[0] == "sum"


def _size(value: Any) -> float:
    return math.inf if math.isnan(value) else abs(value)
