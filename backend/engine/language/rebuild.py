"""Copies of syntax trees with parts changed; what stays as it was is shared with the tree before.

Trees are never changed in place, so that whatever is known of a part stays true of it wherever it stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from operator import is_
from typing import Any

from backend.engine.language.nodes import Plain, by_kind, plain

Change = Callable[[ast.expr], ast.expr]


def rebuilt(node: ast.expr, change: Change) -> ast.expr:
    """A node with every expression directly below it changed: a copy, or the very node where nothing below became
    another."""
    rebuild = _REBUILDS.get(type(node))
    if rebuild is None:
        return node
    made: ast.expr = rebuild(node, change)
    return plain(made) if made is not node and isinstance(node, Plain) else made


def _each(parts: list[ast.expr], change: Change) -> list[ast.expr]:
    """Expressions changed; the very list where none became another."""
    made = [change(part) for part in parts]
    return parts if all(map(is_, made, parts)) else made


def _binary_rebuilt(node: ast.BinOp, change: Change) -> ast.BinOp:
    left, right = change(node.left), change(node.right)
    return node if left is node.left and right is node.right else ast.BinOp(left, node.op, right)


def _unary_rebuilt(node: ast.UnaryOp, change: Change) -> ast.UnaryOp:
    operand = change(node.operand)
    return node if operand is node.operand else ast.UnaryOp(node.op, operand)


def _compared(node: ast.Compare, change: Change) -> ast.Compare:
    left, others = change(node.left), _each(node.comparators, change)
    return node if left is node.left and others is node.comparators else ast.Compare(left, node.ops, others)


def _joined(node: ast.BoolOp, change: Change) -> ast.BoolOp:
    values = _each(node.values, change)
    return node if values is node.values else ast.BoolOp(node.op, values)


def _chosen(node: ast.IfExp, change: Change) -> ast.IfExp:
    parts = [node.test, node.body, node.orelse]
    made = _each(parts, change)
    return node if made is parts else ast.IfExp(*made)


def _called(node: ast.Call, change: Change) -> ast.Call:
    values = [keyword.value for keyword in node.keywords]
    func, args, named = change(node.func), _each(node.args, change), _each(values, change)
    if func is node.func and args is node.args and named is values:
        return node
    keywords = [ast.keyword(keyword.arg, value) for keyword, value in zip(node.keywords, named, strict=True)]
    return ast.Call(func, list(args), keywords)


def _attribute(node: ast.Attribute, change: Change) -> ast.Attribute:
    value = change(node.value)
    return node if value is node.value else ast.Attribute(value, node.attr, node.ctx)


def _subscript(node: ast.Subscript, change: Change) -> ast.Subscript:
    value, index = change(node.value), change(node.slice)
    return node if value is node.value and index is node.slice else ast.Subscript(value, index, node.ctx)


def _listed(node: ast.Tuple | ast.List, change: Change) -> ast.Tuple | ast.List:
    parts = _each(node.elts, change)
    kind = ast.Tuple if isinstance(node, ast.Tuple) else ast.List
    return node if parts is node.elts else kind(parts, node.ctx)


def _sliced(node: ast.Slice, change: Change) -> ast.Slice:
    ends = [node.lower, node.upper, node.step]
    made = [end and change(end) for end in ends]
    return node if all(map(is_, made, ends)) else ast.Slice(*made)


_REBUILDS: dict[type[ast.AST], Callable[[Any, Change], ast.expr]] = by_kind({
    ast.BinOp: _binary_rebuilt, ast.UnaryOp: _unary_rebuilt, ast.Compare: _compared, ast.BoolOp: _joined,
    ast.IfExp: _chosen, ast.Call: _called, ast.Attribute: _attribute, ast.Subscript: _subscript, ast.Tuple: _listed,
    ast.List: _listed, ast.Slice: _sliced,
})  # fmt: skip
