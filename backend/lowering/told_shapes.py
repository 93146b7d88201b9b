"""Shapes that a text tells in words: `x` has shape `[batch, time]` in a comment or docstring, `x,  # (B, T, C)`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from backend.engine.language.tree import nodes_in
from backend.lowering.annotations import axes_told, is_whole
from backend.lowering.read import comments_of

LIST = re.compile(r"[\[(]\s*([A-Za-z_0-9][\w *+/.-]{0,30}(?:,\s*[A-Za-z_0-9][\w *+/.-]{0,30}){0,4}),?\s*[\])]")
WORD = re.compile(r"[A-Za-z_]\w*")
# What may stand between a tensor's name and its shape.
FILLING = frozenset(
    {"has", "have", "is", "are", "of", "the", "a", "an", "and", "tensor", "tensors", "torch", "with", "shape", "shapes",
     "size", "float", "floattensor", "longtensor", "input", "inputs", "param", "dim", "dims", "matrix", "vector"}
)  # fmt: skip
MOST_LINES, LONGEST, MOST_AXES = 400, 200, 5


def shapes_told(tree: ast.AST, text: str) -> dict[str, list[str]]:
    """The names of the axes of parameters, where a comment or a docstring tells them."""
    given = [node for node in nodes_in(tree) if isinstance(node, ast.arg)]
    names = {one.arg for one in given}
    on_line = Counter(one.lineno for one in given)
    alone = {one.lineno: one.arg for one in given if on_line[one.lineno] == 1}
    found = {one.arg: axes for one in given if (axes := axes_told(one.annotation))}
    for line, told in _lines(tree, text):
        match = LIST.search(told[:LONGEST])
        if match is None:
            continue
        before = WORD.findall(told[: match.start()])
        axes = [one.strip() for one in match[1].split(",")]
        meant = [one for one in before if one in names] if _is_told(before, names) else []
        if not before and line in alone:
            meant = [alone[line]]
        # of a single word in brackets only `shape` or an equals sign tells that it is no remark: `x = [batch size]`
        is_shape = "shape" in before or (len(before) == 1 and told[: match.start()].rstrip().endswith("="))
        if len(axes) <= MOST_AXES and (len(axes) > 1 or is_shape):
            for name in meant:
                found.setdefault(name, axes)
    return found


def whole_told(tree: ast.AST) -> set[str]:
    """The names of parameters that are whole numbers by their annotations."""
    return {one.arg for one in nodes_in(tree) if isinstance(one, ast.arg) and is_whole(one.annotation)}


def _is_told(before: list[str], names: set[str]) -> bool:
    return all(one in names or one.lower() in FILLING for one in before)


def _lines(tree: ast.AST, text: str) -> Iterator[tuple[int, str]]:
    """Comments and lines of docstrings, with their lines."""
    told = [(line, comment.lstrip("#")) for line, (comment, _) in comments_of(text).items()]
    for node in nodes_in(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told += [(0, line) for line in node.value.value.split("\n")]
    yield from told[:MOST_LINES]
