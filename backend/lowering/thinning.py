"""Networks that are too wide to be shown: every width that stands in the code as a numeral is made a part of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from backend.engine.language.tree import children, worked_out_once

PART = 16  # of which each width is one: channels that are multiplied and divided stay in proportion
LEAST = 64  # of what is a width, and no kernel, head or class
ROUND = frozenset({10_000, 100_000, 1_000_000})  # of a table of angles, no widths
# What a width is an argument of in a forward pass.
SHAPING = frozenset({"view", "reshape", "unflatten", "expand", "repeat", "zeros", "ones", "split"})
FORWARD = ("forward", "__call__", "encode", "decode")
OF_SIZES = (ast.Mult, ast.FloorDiv)
WITHIN = (ast.Call, ast.keyword, ast.arguments, ast.List, ast.Tuple, ast.Dict, ast.Assign, ast.Starred, ast.IfExp)


@worked_out_once
def thinned(tree: ast.Module) -> Mapping[ast.Constant, ast.Constant]:
    """The numerals of a text that are widths, each with what stands for it."""
    return {node: small for node in _widths(tree, False) if (small := _part(node)) is not None}


def _part(node: ast.Constant) -> ast.Constant | None:
    """A sixteenth of a width; None for what is none."""
    value = node.value
    if type(value) is not int or value < LEAST or value % PART or value in ROUND:
        return None
    return ast.copy_location(ast.Constant(value // PART), node)


def _widths(node: ast.AST, in_forward: bool) -> Iterator[ast.Constant]:
    """The numerals that sizes are given by: as arguments, in lists, or as factors of one."""
    if isinstance(node, ast.FunctionDef):
        in_forward = node.name in FORWARD
    shaping = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in SHAPING
    for child in children(node):
        is_reckoned = in_forward and not (shaping and child is not getattr(node, "func", None))
        is_size = isinstance(node, WITHIN) or (isinstance(node, ast.BinOp) and isinstance(node.op, OF_SIZES))
        if isinstance(child, ast.Constant) and is_size and not is_reckoned:
            yield child
        yield from _widths(child, is_reckoned)
