"""What is told of one name is told of another: of what it comes of, and of what a function is given in its place."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, MutableMapping
from typing import Any

# What leaves a tensor's axes as they are, and its kind of number; and what leaves this alone.
KEEPING = frozenset({"contiguous", "clone", "detach", "cuda", "cpu"})
VIEWING = frozenset({"view", "reshape", "flatten", "squeeze", "unsqueeze", "transpose", "permute", "t", "expand"})
SHAPING = frozenset(
    {"view", "reshape", "unflatten", "flatten", "permute", "unsqueeze", "squeeze", "sum", "mean", "repeat", "expand"}
)


def told_by_other_names(nodes: list[ast.AST], found: MutableMapping[str, Any], kind: type[Any]) -> None:
    """Tell of `x` what is told of `xo`, where `xo = x[:, 1:]`, and of `labels` what is told of `target` in `f(labels)`.

    The kind of number, and the axes as far as they stay. `found` has what is told of each name, of this `kind`.
    """
    for name, source, is_kept in (*_given(nodes), *_made(nodes)):
        if (use := found.get(name)) is None or name == source:
            continue
        whose = found.setdefault(source, kind())
        whose.kind = whose.kind or (use.kind if use.kind == "whole" else None)
        if is_kept:
            whose.least = max(whose.least, use.least)
            whose.axes = whose.axes or (use.axes if (use.axes or 0) >= whose.least else None)


def _made(nodes: list[ast.AST]) -> Iterator[tuple[str, str, bool]]:
    """Names with those that they come of, the last ones first; of a name that is given several values nothing."""
    given = {node.arg for node in nodes if isinstance(node, ast.arg)}
    named = [pair for node in nodes if isinstance(node, ast.Assign) for pair in _pairs(node)]
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    stored.subtract(target.id for target, value in named if isinstance(value, ast.BinOp))  # as many axes as before
    for target, value in reversed(named):
        source = source_of(value)
        if source is not None and target.id not in given and stored[target.id] == 1:
            yield target.id, source, _is_kept(value)


def _given(nodes: list[ast.AST]) -> Iterator[tuple[str, str, bool]]:
    """Parameters of the text's own functions with the names of what they are given; of a name that two have nothing."""
    functions = {node.name: node.args.args for node in nodes if isinstance(node, ast.FunctionDef)}
    shared = Counter(one.arg for args in functions.values() for one in args)
    for node in reversed(nodes):
        if not isinstance(node, ast.Call) or (called := name_of(node.func)) not in functions:
            continue
        wanted = [one.arg for one in functions[called] if one.arg != "self"]
        for name, value in zip(wanted, node.args, strict=False):
            if shared[name] == 1 and (source := name_of(value)):
                yield name, source, True


def _pairs(node: ast.Assign) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each name with what it is given, also of `a, b = x, y`."""
    target, value = node.targets[0], node.value
    parts = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        parts = list(zip(target.elts, value.elts, strict=True))
    yield from ((one, given) for one, given in parts if isinstance(one, ast.Name))


def source_of(node: ast.expr) -> str | None:
    """The name of the tensor whose numbers an expression has, in another shape or fewer: `x` of `x[:, 1:].view(-1)`."""
    while isinstance(node, ast.Call | ast.Subscript):
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING | VIEWING:
            node = node.func.value
        else:
            return None
    return name_of(node)


def _is_kept(node: ast.expr) -> bool:
    """Whether an expression has the axes of the tensor that it comes of: all of it, or cut by slices."""
    while not isinstance(node, ast.Name | ast.Attribute):
        parts = node.slice.elts if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else []
        if isinstance(node, ast.Subscript) and all(isinstance(one, ast.Slice) for one in parts or [node.slice]):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING:
            node = node.func.value
        else:
            return False
    return True


def is_shaped(node: ast.expr) -> bool:
    """Whether an expression is a tensor in another shape: `self.query(q).view(B, -1, heads, size)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in SHAPING:
            return True
        node = node.func.value
    return False


def name_of(node: ast.AST) -> str | None:
    """The name that a node is, or the last word of an attribute such as `self.W`."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute) else None
