"""Formats a scalar expression as text: `Σ_k h[k,i] · dlogits[k,j]`, `x[i,j]²`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from backend.engine.language.grammar import COMPARISONS
from backend.engine.language.nodes import by_kind
from backend.engine.language.unparse import printed
from backend.lines.index_notation.scalar_expr import FOLDS, fold_of

CHOICE, BOTH, COMPARE, SUM, PART, PRODUCT, SIGN, POWER, ATOM = range(9)
RAISED = {"2": "²", "3": "³"}


@dataclass(frozen=True)
class Text:
    """Text with its precedence; `open` if a Σ at its end would extend over the next factor."""

    words: str
    level: int
    open: bool = False

    def within(self, level: int, last: bool = True) -> str:
        """The text as an operand, in brackets if its precedence is too low."""
        return f"({self.words})" if self.level < level or (self.open and not last) else self.words


def formula_text(node: ast.expr) -> str:
    """The text of an expression."""
    return _text(node).words


def _text(node: ast.expr) -> Text:
    return _WRITERS[type(node)](node) if type(node) in _WRITERS else Text(printed(node), ATOM)


def _binary(node: ast.BinOp) -> Text:
    left, right = _text(node.left), _text(node.right)
    match node.op:
        case ast.FloorDiv() | ast.Mod():
            symbol = "//" if isinstance(node.op, ast.FloorDiv) else "%"
            return Text(f"{left.within(PRODUCT, False)} {symbol} {right.within(SIGN, False)}", PART)
        case ast.Add():
            return Text(f"{left.within(SUM)} + {right.within(SUM)}", SUM, right.open)
        case ast.Sub():
            return Text(f"{left.within(SUM)} - {right.within(PART)}", SUM, right.open)
        case ast.Mult():
            return Text(f"{left.within(PRODUCT, False)} · {right.within(PRODUCT)}", PRODUCT, right.open)
        case ast.Pow():
            base = left.within(ATOM, False)
            raised = RAISED.get(right.words)
            return Text(f"{base}{raised}" if raised else f"{base}**{right.within(SIGN, False)}", POWER)
    tight = left.level == ATOM and right.level == ATOM and not set("[⟨") & set(left.words + right.words)
    sign = "/" if tight else " / "
    return Text(f"{left.within(PRODUCT, False)}{sign}{right.within(SIGN, False)}", PRODUCT)


def _unary(node: ast.UnaryOp) -> Text:
    inner = _text(node.operand)
    if isinstance(node.op, ast.USub):
        return Text(f"-{inner.within(PRODUCT)}", SIGN if inner.level > PRODUCT else PRODUCT, inner.open)
    return Text(f"not {inner.within(COMPARE)}", BOTH)


def _comparison(node: ast.Compare) -> Text:
    parts = [_text(node.left).within(SUM)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        parts += [COMPARISONS[type(op)], _text(right).within(SUM)]
    return Text(" ".join(parts), COMPARE)


def _both(node: ast.BoolOp) -> Text:
    word = " and " if isinstance(node.op, ast.And) else " or "
    return Text(word.join(_text(part).within(COMPARE) for part in node.values), BOTH)


def _choice(node: ast.IfExp) -> Text:
    then, test, otherwise = _text(node.body).within(BOTH), _text(node.test).words, _text(node.orelse).within(BOTH)
    return Text(f"{then} if {test} else {otherwise}", CHOICE)


def _call(node: ast.Call) -> Text:
    fold = fold_of(node)
    if fold is None:
        name = printed(node.func).rpartition(".")[2]
        return Text(f"{name}({', '.join(formula_text(part) for part in node.args)})", ATOM)
    kind, letters, body = fold
    sign = f"{FOLDS[kind]}_{','.join(letters)}"
    if kind in ("sum", "prod"):
        return Text(f"{sign} {_text(body).within(PRODUCT)}", PRODUCT, True)
    return Text(f"{sign}({formula_text(body)})", ATOM)


def _subscript(node: ast.Subscript) -> Text:
    index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return Text(f"{_text(node.value).within(ATOM)}[{','.join(map(_place, index))}]", ATOM)


def _place(node: ast.expr) -> str:
    """An index, without spaces: `x[i,3·j+k]`."""
    text = formula_text(node)
    return text if "[" in text or "if" in text else text.replace(" ", "")


_WRITERS: dict[type[ast.AST], Callable[[Any], Text]] = by_kind({
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _comparison, ast.BoolOp: _both, ast.IfExp: _choice,
    ast.Call: _call, ast.Subscript: _subscript, ast.Attribute: lambda node: Text(node.attr, ATOM),
    ast.Constant: lambda node: Text(printed(node).removeprefix("math."), ATOM),
})  # fmt: skip
