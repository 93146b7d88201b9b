"""Renames a statement's expressions to the variables of the forward source."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from typing import Any

from backend.engine.language.nodes import plain
from backend.engine.language.tree import copied, is_literal, literal
from backend.engine.language.unparse import is_tight
from backend.engine.language.values import Pair, Scope
from backend.engine.trace.graph import Node


class Renamer:
    """Copies the expressions of one statement with every name as the forward source has it now.

    A part of an expression is copied once: the parts of a statement share their own parts with it.
    """

    def __init__(self, scope: Scope, variables: Mapping[str, str], replaced: Set[str]) -> None:
        self.scope, self.variables, self.replaced = scope, variables, replaced
        self.made: dict[ast.expr, ast.expr] = {}

    def renamed(self, node: ast.expr) -> ast.expr:
        made = self.made.get(node)
        if made is None:
            made = self.made[node] = self.anew(node)
        return made

    def anew(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.Name):
            return self.name(node)
        return self.binary(node) if isinstance(node, ast.BinOp) else self.other(node)

    def name(self, node: ast.Name) -> ast.expr:
        value = self.scope.get(node.id)
        if isinstance(value, Node) and value.name:
            named = copied(node)
            named.id = value.variable
            return named
        if node.id in self.replaced and is_literal(value):
            return literal(value)
        made = ast.Name(self.variables.get(node.id, node.id), node.ctx)
        return plain(made) if isinstance(value, int | float) else made

    def binary(self, node: ast.BinOp) -> ast.expr:
        made = copied(node)
        made.left, made.right = self.renamed(node.left), self.renamed(node.right)
        return plain(made) if is_tight(made.left) and is_tight(made.right) else made

    def other(self, node: ast.expr) -> ast.expr:
        """A copy of a node, because the parsed program must stay as it is; the node itself where no part changes."""
        changed = {name: self.part(getattr(node, name)) for name in node._fields}
        if all(part is getattr(node, name) for name, part in changed.items()):
            return node
        made = copied(node)
        vars(made).update(changed)
        return made

    def part(self, value: Any) -> Any:
        if isinstance(value, list):
            made = [self.part(item) for item in value]
            return value if all(new is old for new, old in zip(made, value, strict=True)) else made
        if isinstance(value, ast.keyword):
            return ast.keyword(value.arg, self.renamed(value.value))
        return self.renamed(value) if isinstance(value, ast.expr) else value


def holds_tensors(value: Any) -> bool:
    """Whether a value is a pair or a tuple with tensors in it, at any depth."""
    if isinstance(value, tuple | list):
        return any(isinstance(part, Node) or holds_tensors(part) for part in value)
    return isinstance(value, Pair)
