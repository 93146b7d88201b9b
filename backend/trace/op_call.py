"""One application of an operation before its result is known: inputs, parameters, broadcast shapes, mismatches."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

import torch

from backend.interpret.evaluate import shown, spoken
from backend.language.errors import Refusal
from backend.language.grammar import PROPERTIES
from backend.language.unparse import printed
from backend.language.values import Parameters
from backend.ops import REGISTRY
from backend.ops.base import Op, Shape, broadcast_shape
from backend.ops.compose import transposed
from backend.ops.product import Product
from backend.trace.graph import Node
from backend.trace.rename import holds_tensors


@dataclass(slots=True)
class Use:
    """One application of an operation: inputs, parameters, and their expressions."""

    op: type[Op]
    inputs: dict[str, Node]
    parameters: Parameters
    words: dict[str, ast.expr]
    needs: bool

    def node(self, meta: torch.Tensor, expr: ast.expr, part: int | None = None) -> Node:
        """The node of one result."""
        parameters = self.parameters if part is None else self.parameters | {"part": part}
        needs = self.needs and self.op.differentiable and meta.dtype.is_floating_point
        return Node(self.op, self.inputs, parameters, self.words, meta, expr, needs)


@lru_cache(maxsize=1_024)
def common_shapes(use: tuple[type[Op], tuple[tuple[str, Shape], ...]]) -> dict[str, Shape] | None:
    """The shapes that an operation broadcasts its inputs to, by name; None if they aren't compatible."""
    op, shapes = use
    return op.common_shapes(dict(shapes))


def fits(op: type[Op], bound: Parameters, is_tensor: Callable[[object], bool]) -> bool:
    """Whether an operation takes these arguments; one of them is a tensor, but for what makes tensors from nothing."""
    if not op.creates and not any(is_tensor(value) or holds_tensors(value) for value in bound.values()):
        return False
    try:
        return op.accepts(bound, is_tensor)
    except (AttributeError, TypeError, IndexError):
        return False  # a number was asked for its shape


def divided(op: type[Op], bound: Parameters) -> tuple[dict[str, Node], Parameters]:
    """Differentiable inputs, and everything else."""
    inputs: dict[str, Node] = {}
    parameters: Parameters = {}
    for name, value in bound.items():
        if name == op.variadic:
            inputs |= {f"t{number}": part for number, part in enumerate(value) if isinstance(part, Node)}
            parameters[name] = value
        elif isinstance(value, Node) and _is_input(op, name, value):
            inputs[name] = value
        else:
            parameters[name] = value
    return inputs, parameters


def _is_input(op: type[Op], name: str, value: Node) -> bool:
    """Whether a tensor is a differentiable input here: a mask in the place of numbers is not."""
    if name in op.others and not value.meta.dtype.is_floating_point:
        return False
    return name in op.backward or not op.differentiable


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
    facts: Facts = {"name": spoken(key), "a": left, "b": right, "a_shape": shown(a), "b_shape": shown(b)}
    if any(issubclass(op, Product) for op, _ in REGISTRY[key]) and a and b and a[-1] != b[max(len(b) - 2, 0)]:
        return _factors(inputs, at, a[-1], b[max(len(b) - 2, 0)], facts)
    for axis in range(1, min(len(a), len(b)) + 1):
        if a[-axis] != b[-axis] and 1 not in (a[-axis], b[-axis]):
            return Refusal("broadcast-mismatch", axis=axis, m=a[-axis], n=b[-axis], at=at, **facts)
    return Refusal("shapes-do-not-fit", name=spoken(key), shapes=f"{shown(a)} and {shown(b)}", at=at)


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
