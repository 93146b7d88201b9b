"""An expression as one application of an operation: the key that the operation is looked up by, and its operands."""

from __future__ import annotations

import ast

from backend.engine.language.grammar import BINARY, COMPARISONS, MODULES, UNARY


def key_of(node: ast.expr) -> str:
    """The key of the outermost operation: `+`, `-x`, `[]`, `.T`, `torch.exp`, `.sum`; "" where there is none."""
    match node:
        case ast.BinOp():
            return BINARY[type(node.op)]
        case ast.UnaryOp():
            return UNARY[type(node.op)] + "x"
        case ast.Compare():
            return COMPARISONS[type(node.ops[0])]
        case ast.Subscript():
            return "[]"
        case ast.Attribute():
            return "." + node.attr
        case ast.Call(func=ast.Attribute() as func) if is_of_module(func):
            return ast.unparse(func).replace("torch.nn.functional.", "F.")
        case ast.Call(func=ast.Attribute(attr=name)):
            return "." + name
    return ""


def operands(node: ast.expr) -> tuple[tuple[ast.expr, ...], dict[str, ast.expr]]:
    """The operands of an operation as they were written, in the order in which it was given their values."""
    match node:
        case ast.BinOp():
            return (node.left, node.right), {}
        case ast.UnaryOp():
            return (node.operand,), {}
        case ast.Compare():
            return (node.left, node.comparators[0]), {}
        case ast.Subscript():
            return (node.value, node.slice), {}
        case ast.Attribute():
            return (node.value,), {}
        case ast.Call(func=ast.Attribute() as func):
            of_module = is_of_module(func)
            return (*(() if of_module else (func.value,)), *node.args), {str(k.arg): k.value for k in node.keywords}
    return (), {}


def is_of_module(node: ast.expr) -> bool:
    """Whether an expression is a part of `torch` or `F`, and not of what one of their functions returned."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES
