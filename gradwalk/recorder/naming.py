"""Expressions with others in the place of names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from backend.engine.language.tree import loaded_in


def named_anew(expression: ast.expr, names: Mapping[str, str]) -> ast.expr:
    """An expression with names in the place of others."""
    read = {name for name in loaded_in(expression) if name in names}
    made: ast.expr = filled(expression, {old: ast.Name(names[old], ast.Load()) for old in read})
    return made


def filled(tree: ast.AST, parts: Mapping[str, ast.expr]) -> Any:
    """A tree with expressions in the place of names; what has none of these names in it is the very same tree."""
    if isinstance(tree, ast.Name):
        return parts.get(tree.id, tree)
    changed: dict[str, object] = {}
    for field in tree._fields:
        value = getattr(tree, field)
        made: object = value
        if isinstance(value, ast.AST):
            made = filled(value, parts)
        elif isinstance(value, list):
            every = [filled(one, parts) if isinstance(one, ast.AST) else one for one in value]
            made = every if any(one is not old for one, old in zip(every, value, strict=True)) else value
        if made is not value:
            changed[field] = made
    if not changed:
        return tree
    return type(tree)(**{field: changed.get(field, getattr(tree, field)) for field in tree._fields})
