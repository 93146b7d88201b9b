"""Names that lead out of a program into Python itself: a text that has one is not read as code as found."""

from __future__ import annotations

import ast

OWN = frozenset({"self", "cls"})  # what a class keeps for itself is read as its own
KNOWN = frozenset({"__init__", "__call__", "__name__", "__main__"})


def has_door(source: str) -> bool:
    """Whether a text reads a name or an attribute that begins with an underscore, of anything but its own objects."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return False
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return any(_is_door(node) for node in ast.walk(tree) if id(node) not in prose)


def _is_door(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name):
            return name.startswith("__") and name not in KNOWN
        case ast.Constant(value=str(text)):
            return "__" in text and text not in KNOWN
        case ast.Attribute(attr=name) if name.startswith("_") and name not in KNOWN:
            return not _is_own(node)
        case _:
            return False


def _is_own(node: ast.expr) -> bool:
    """`self._head`, `super()._forward`, `self.__class__.__name__`."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in OWN
