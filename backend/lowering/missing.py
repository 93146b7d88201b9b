"""What the code lacks: a refusal that says which definition to paste."""

from __future__ import annotations

import ast

from backend.engine.language.errors import Refusal


def missing(path: str, node: ast.AST, maker: str = "") -> Refusal:
    """What `path` computes is missing, and is called at `node`; `maker` is what returned the object that it is of."""
    if _is_class(maker or path):
        return Refusal("found-missing/class", found=maker or path, at=node)
    called = node.value if isinstance(node, ast.Assign) else node
    called = called.func if isinstance(called, ast.Call) else called
    if isinstance(called, ast.Name) and called.id == path:
        return Refusal("found-missing/function", found=path, at=node)
    if _root(called) == "self":
        return Refusal("found-missing/own", found=path, at=node)
    return Refusal("found-missing", found=path, at=node)


def _is_class(path: str) -> bool:
    return path.isidentifier() and path[:1].isupper()


def _root(node: ast.AST) -> str:
    """The name that `self.layers[0]` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
