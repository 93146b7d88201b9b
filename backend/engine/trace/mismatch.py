"""Why the shapes of two operands don't fit, and what would: the refusals of broadcasting and of matrix products."""

from __future__ import annotations

import ast
from typing import TypedDict

from backend.engine.interpret.evaluate import shape_text, spoken
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import PROPERTIES
from backend.engine.language.unparse import printed
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import Shape, broadcast_shape
from backend.engine.ops.compose import transposed
from backend.engine.ops.product import Product
from backend.engine.trace.graph import Node


class Facts(TypedDict):
    """Two operands whose shapes don't fit: the operation, and what is said of each."""

    name: str
    a: str
    b: str
    a_shape: str
    b_shape: str


def mismatch(key: str, inputs: dict[str, Node], at: ast.AST) -> Refusal:
    """The refusal of shapes that can't be broadcast, in the program's names."""
    if len(inputs) < 2:
        return Refusal("operand-kind", found=spoken(key), kind="a number", at=at)
    (left, a), (right, b) = ((printed(n.expr), n.shape) for n in list(inputs.values())[:2])
    facts: Facts = {"name": spoken(key), "a": left, "b": right, "a_shape": shape_text(a), "b_shape": shape_text(b)}
    if any(issubclass(op, Product) for op, _ in REGISTRY[key]) and a and b and a[-1] != b[max(len(b) - 2, 0)]:
        return _factors(inputs, at, a[-1], b[max(len(b) - 2, 0)], facts)
    for axis in range(1, min(len(a), len(b)) + 1):
        if a[-axis] != b[-axis] and 1 not in (a[-axis], b[-axis]):
            return Refusal("broadcast-mismatch", axis=axis, m=a[-axis], n=b[-axis], at=at, **facts)
    return Refusal("shapes-do-not-fit", name=spoken(key), shapes=f"{shape_text(a)} and {shape_text(b)}", at=at)


def _factors(inputs: dict[str, Node], at: ast.AST, m: int, n: int, facts: Facts) -> Refusal:
    """The refusal of a matrix product, with the product that would fit where one factor's transpose makes it so."""
    x, y = list(inputs.values())[:2]
    for left, right in ((x.expr, _transposed(y)), (_transposed(x), y.expr), (_transposed(x), _transposed(y))):
        a, b = (node.shape if expr is node.expr else _turned(node.shape) for node, expr in ((x, left), (y, right)))
        if min(len(a), len(b)) >= 2 and a[-1] == b[-2] and broadcast_shape(a[:-2], b[:-2]) is not None:
            advice = printed(ast.BinOp(left, ast.MatMult(), right))
            return Refusal("matmul-mismatch/transposed", at=at, advice=advice, m=m, n=n, **facts)
    return Refusal("matmul-mismatch", at=at, m=m, n=n, **facts)


def _turned(shape: Shape) -> Shape:
    return (*shape[:-2], *reversed(shape[-2:]))


def _transposed(node: Node) -> ast.expr:
    """The transpose of a factor; of a transpose what it was made of."""
    match node.expr:
        case ast.Attribute(value=inner, attr=name) if name in PROPERTIES:
            return inner
    return transposed(node.expr, len(node.shape))
