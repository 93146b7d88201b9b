"""Syntax nodes that know more than those of `ast`: a numeral its text, an expression that it is a plain number.

They go by the names of `ast`, because its visitors, `ast.unparse` among them, look a node's class up by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeVar

Handler = TypeVar("Handler")
Tree = TypeVar("Tree", bound=ast.AST)


class Constant(ast.Constant):
    """A number of a program; `written` is its text there, such as `1e10` and `1_000`."""

    written: str


class Plain(ast.expr):
    """An expression known to be a plain number, and no tensor."""


class Name(Plain, ast.Name):
    """The name of a plain number."""


class BinOp(Plain, ast.BinOp):
    """Arithmetic of plain numbers."""


class UnaryOp(Plain, ast.UnaryOp):
    """A plain number with a sign."""


class Call(Plain, ast.Call):
    """A call that returns a plain number: `len(x)`."""


class Attribute(Plain, ast.Attribute):
    """An attribute that is a plain number: `x.ndim`."""


class Subscript(Plain, ast.Subscript):
    """A part that is a plain number: `x.shape[0]`."""


_PLAIN: dict[type[ast.AST], type[Plain]] = {
    ast.Name: Name, ast.BinOp: BinOp, ast.UnaryOp: UnaryOp, ast.Call: Call, ast.Attribute: Attribute,
    ast.Subscript: Subscript,
}  # fmt: skip
_BASES: dict[type[ast.AST], type[ast.AST]] = {own: base for base, own in _PLAIN.items()} | {Constant: ast.Constant}


def as_kind(kind: type[Tree], node: ast.AST) -> Tree:
    """A copy of one node, of this class, with the very nodes below it, and nothing that is kept of its text."""
    made = kind.__new__(kind)
    vars(made).update(vars(node))
    vars(made).pop("printed_as", None)
    return made


def plain(node: ast.expr) -> ast.expr:
    """A copy of an expression, known to be a plain number."""
    kind = _PLAIN.get(type(node), type(node))
    made: ast.expr = as_kind(kind, node)
    return made


def as_written(node: ast.Constant, text: str) -> Constant:
    """A copy of a number that is printed as this text."""
    made = as_kind(Constant, node)
    made.written = text
    return made


def by_kind(handlers: Mapping[type[ast.AST], Handler]) -> dict[type[ast.AST], Handler]:
    """A table by the classes of `ast`, for the classes here as well."""
    own = {kind: handlers[base] for kind, base in _BASES.items() if base in handlers}
    return {**handlers, **own}
