"""Spellings of operations: the key that one is looked up by, the parameters it takes, and how a call binds to them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.engine.language.application import key_of, operands
from backend.engine.language.expression import expression
from backend.engine.language.values import Parameters

ALIASES = {"keepdims": "keepdim", "axis": "dim", "input": "x", "other": "y", "self": "x"}
REQUIRED = object()


@dataclass(frozen=True)
class Signature:
    """One spelling of an operation: the key it is looked up by and the parameters it takes.

    Those `by_name` are taken by their names alone: by position torch has others in their place. `called` is what torch
    calls them, where that is neither their name nor a usual one.
    """

    key: str
    parameters: Parameters
    variadic: str | None = None
    by_name: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Parameters | None:
        """Arguments by parameter name, or None where this spelling does not take them."""
        names = [name for name in self.parameters if name not in self.by_name]
        bound: Parameters = {}
        if self.variadic is None and len(args) > len(names):
            return None
        for position, value in enumerate(args):
            name = names[position] if position < len(names) else str(self.variadic)
            if name == self.variadic:
                bound[name] = _gathered(args[position:])
                break
            bound[name] = value
        for written, value in kwargs.items():
            name = written if written in self.parameters else self.called.get(written, ALIASES.get(written, written))
            if name not in self.parameters or name in bound:
                return None
            bound[name] = value
        for name, default in self.parameters.items():
            if bound.setdefault(name, default) is REQUIRED:
                return None
        return bound


def _gathered(rest: tuple[Any, ...]) -> Any:
    """`x.view(2, 3)` and `x.view((2, 3))` alike; the same for how they are written."""
    only = rest[0] if len(rest) == 1 else None
    if isinstance(only, ast.Tuple | ast.List):
        return tuple(only.elts)
    return tuple(only) if isinstance(only, tuple | list) else rest


def signature(text: str) -> Signature:
    """Read a spelling such as `x.sum(dim, keepdim=False)`: names are parameters, keywords have defaults."""
    tree = expression(text)
    key, (args, kwargs) = key_of(tree), operands(tree)
    if not key:
        raise TypeError(f"`{text}` is not a spelling of an operation.")
    starred = next((a.value.id for a in args if isinstance(a, ast.Starred) and isinstance(a.value, ast.Name)), None)
    parameters = _required(*args) | {name: ast.literal_eval(default) for name, default in kwargs.items()}
    return Signature(key, parameters, starred)


def _required(*nodes: ast.expr) -> Parameters:
    names = (node.value if isinstance(node, ast.Starred) else node for node in nodes)
    return {node.id: REQUIRED for node in names if isinstance(node, ast.Name)}
