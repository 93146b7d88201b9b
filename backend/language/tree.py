"""Walks and copies syntax trees, several times as fast as `ast.walk`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

from backend.language.errors import Refusal

Tree = TypeVar("Tree", bound=ast.AST)


class Fault(ast.stmt):
    """A statement that is no part of the language: whoever comes to it raises its refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.refusal = refusal


class Growth(ast.Assign):
    """`steps.append(h)`, read as `steps = steps + [h]`."""

    @property
    def steps(self) -> ast.Name:
        """The list's name."""
        return self.value.left  # type: ignore[attr-defined, no-any-return]

    @property
    def item(self) -> ast.expr:
        """What is put behind it."""
        return self.value.right.elts[0]  # type: ignore[attr-defined, no-any-return]


def growth(node: ast.stmt) -> Growth | None:
    """A line such as `steps.append(h)` as an assignment; None for any other."""
    match node:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name() as steps, attr="append"), args=[item], keywords=[])
        ):
            longer = ast.BinOp(steps, ast.Add(), ast.copy_location(ast.List([item], ast.Load()), item))
            target = ast.copy_location(ast.Name(steps.id, ast.Store()), steps)
            return ast.copy_location(Growth([target], ast.copy_location(longer, node)), node)
    return None


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in the order in which they are written."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def copied(node: Tree) -> Tree:
    """A copy of one node, with the very nodes below it."""
    made = type(node).__new__(type(node))
    vars(made).update(vars(node))
    return made


def nodes_in(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes, itself the first, in no order that matters."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)
