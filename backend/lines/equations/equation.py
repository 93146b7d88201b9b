"""The equation behind a backward line: local derivative ⊙ upstream gradient = product, then its sum."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import RESERVED
from backend.engine.language.on_demand import OnDemand
from backend.engine.language.rewrite import filled_from
from backend.engine.language.tree import minus, nodes_in
from backend.engine.language.unparse import printed
from backend.engine.ops.compose import outer
from backend.lines.equations.drawn import drawn, moves_cells
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.equations.names import Names
from backend.lines.equations.peel import (
    Meeting,
    Placement,
    Total,
    is_moved_only,
    is_upstream,
    joined_parts,
    layer_of,
    matrix_sides,
    total_of,
)

MINUS_ONE = ast.UnaryOp(ast.USub(), ast.Constant(1))
SYMBOLS = {"product": "⊙", "matmul": "@", "outer": "⊗", "join": ",", "convolution": "∗", "correlation": "⋆"}


@dataclass
class Operand:
    """One tensor of the equation; `node` and `which` name it where the walk already holds it."""

    role: str
    expr: ast.expr
    node: str | None
    which: str | None
    shape: tuple[int, ...]
    dims: list[str]

    @property
    def code(self) -> str:
        """The operand as printed."""
        return printed(self.expr)


@dataclass(frozen=True)
class SummedAxis:
    """One axis over which a product is summed; with `keepdim` it stays with length 1."""

    axis: int
    name: str
    size: int
    keepdim: bool


@dataclass
class Picture:
    """The equation behind one backward line.

    `kind` is how the operands meet, `then` what happens to the cells of the outcome; `left_out` are operands of the
    right line that a planted one does without.
    """

    kind: Meeting
    operands: list[Operand]
    then: Placement = ""
    negative: bool = False
    product: ast.expr | None = None
    product_dims: list[str] = field(default_factory=list)
    axes: list[SummedAxis] = field(default_factory=list)
    arrives: str | None = None
    layer: tuple[ast.expr, ast.expr] | None = None
    left_out: list[Operand] = field(default_factory=list)

    @property
    def drawn(self) -> list[Operand]:
        """All operands that are drawn: those of the line, then those of the right line that it leaves out."""
        return [*self.operands, *self.left_out]

    @property
    def symbol(self) -> str:
        """The sign between the operands, or before the only one."""
        if self.kind == "product" and any(not operand.shape for operand in self.operands):
            return "·"
        return "−" if self.negative else SYMBOLS.get(self.kind, "")

    @property
    def product_code(self) -> str:
        """What is summed, as printed."""
        return printed(self.product) if self.product is not None else ""

    @property
    def to_evaluate(self) -> list[ast.expr | None]:
        """Expressions whose tensors the walk does not hold yet, in the order of what is drawn, then the product."""
        return [operand.expr if operand.node is None else None for operand in self.drawn] + [self.product]


def pictures_of(lines: list[Line], names: Names) -> Sequence[Picture | None]:
    """The picture of each line, drawn when it is looked at; None for the seed."""

    def drawn_at(number: int) -> Picture | None:
        with DefaultDtype(names.loss.meta.dtype):
            return None if lines[number].through is None else picture_of(lines[number], names)

    return OnDemand(len(lines), drawn_at)


def contributed(line: Line) -> ast.expr:
    """What a line contributes: its expression, without a copy made for safety."""
    match line.expr:
        case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if drawn(name) == "copy":
            return inner
        case ast.UnaryOp(op=ast.USub(), operand=ast.Call(func=ast.Attribute(value=inner, attr=name), args=[])) if (
            drawn(name) == "copy"
        ):
            return minus(inner)
    return line.expr


def _drawn_if_any(line: Line, names: Names) -> Picture | None:
    try:
        return _drawn(contributed(line), _placing(line, names), names)
    except Refusal:  # a factor that is no number, such as 1 / 0
        return None


def picture_of(line: Line, names: Names) -> Picture:
    """The picture of one line that goes back through a chunk."""
    picture = None if _aids_carry(line, names) else _drawn_if_any(line, names)
    picture = picture or slid(line.last.value, names)
    if picture is None:
        arriving = names.gradients_in(*(s.value for s in line.statements))
        picture = Picture("other", [operand_of("arrives", ast.Name(name, ast.Load()), names) for name in arriving])
    arriving = names.gradients_in(*(operand.expr for operand in picture.operands))
    picture.arrives = arriving[0] if len(arriving) == 1 else None
    return picture


def slid(expr: ast.expr, names: Names) -> Picture | None:
    """The picture of a convolution, whatever its sides were moved and padded by; None of anything else."""
    while isinstance(expr, ast.Subscript) or (isinstance(expr, ast.Call) and _is_moving(expr)):
        expr = expr.value if isinstance(expr, ast.Subscript) else cast(ast.Attribute, expr.func).value
    if not isinstance(expr, ast.Call) or not isinstance(expr.func, ast.Attribute):
        return None
    if drawn(expr.func.attr) != "convolution" or len(expr.args) < 2:
        return None
    sides = [_only_tensor(side, names) for side in expr.args[:2]]
    carrying = [bool(side and names.gradients_in(side)) for side in sides]
    if None in sides or sum(carrying) != 1:
        return None
    operands = [operand_of("arrives" if own else "local", cast(ast.expr, side), names)
                for side, own in zip(sides, carrying, strict=True)]  # fmt: skip
    # a kernel's gradient sums over the examples, which change places with the channels for that
    kind: Meeting = "convolution" if all(isinstance(side, ast.Name) for side in expr.args[:2]) else "correlation"
    return Picture(kind, sorted(operands, key=lambda one: one.role == "arrives"))


def _is_moving(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and moves_cells(call.func.attr)


def _only_tensor(expr: ast.expr, names: Names) -> ast.expr | None:
    """The one tensor that an expression names, moved at most: `torch.ones_like(dy)` is another."""
    found = {node.id: node for node in nodes_in(expr) if isinstance(node, ast.Name)}
    if RESERVED & found.keys():
        return None
    tensors = [node for node in found.values() if isinstance(names.outline(node), torch.Tensor)]
    return tensors[0] if len(tensors) == 1 else None


def _placing(line: Line, names: Names) -> Placement:
    """Whether the cells that a line writes into get one number each, or fewer numbers fill them."""
    if not line.is_partial:
        return ""
    return "scatter" if math.prod(names.shape(line.writes_to)) == math.prod(names.shape(line.expr)) else "fill"


def _aids_carry(line: Line, names: Names) -> bool:
    """Whether helper lines work on the gradient, so that the last line alone is not the rule."""
    return bool(names.gradients_in(*(s.value for s in line.statements[:-1])))


def _drawn(expr: ast.expr, then: Placement, names: Names) -> Picture | None:
    total = total_of(expr, names)
    if total is not None and not then:
        return _with_sum(total, names)
    whole, layer = expr, None if then else layer_of(expr, names)
    if layer is not None:
        while layer[0] == "rearrange" and (inner := layer_of(layer[1], names)) and inner[0] == "rearrange":
            layer = inner
        then, expr = layer
    parts = joined_parts(expr, names)
    if parts is not None:
        return Picture("join", [operand_of("arrives", part, names) for part in parts], then, layer=(whole, expr))
    picture = _operation(expr, then, names)
    if picture is not None and layer is not None:
        picture.layer = whole, expr
    return picture


def _with_sum(total: Total, names: Names) -> Picture | None:
    picture = _operation(total.of, "", names)
    return None if picture is None or picture.then else summed(picture, total, names)


def summed(picture: Picture, total: Total, names: Names) -> Picture | None:
    """The picture of a product with the sum over its axes; None where there is no axis."""
    shape, dims = names.shape(total.of), names.dims(total.of)
    if any(axis >= len(shape) for axis in total.axes):  # torch sums a single number, too
        return None
    picture.axes = [
        SummedAxis(axis, dims[axis], shape[axis], keep) for axis, keep in zip(total.axes, total.keep, strict=True)
    ]
    if picture.kind != "copy" or picture.negative:
        signed = isinstance(total.of, ast.UnaryOp)
        picture.product, picture.product_dims = met(picture) if signed else total.of, dims
    return picture if picture.axes else None


def _operation(expr: ast.expr, then: Placement, names: Names) -> Picture | None:
    """The equation's kind and operands: the factor with the upstream gradient, the others as local derivative."""
    factors = factors_of(expr)
    carrying = [factor for factor in factors.above if names.gradients_in(factor)]
    if len(carrying) != 1 or names.gradients_in(*factors.below) or not is_upstream(carrying[0], names):
        return None
    others = [f for f in factors.above if f is not carrying[0] and filled_from(f) is None]
    local = _local(Factors(factors.negative, others, factors.below), names)
    copied = any(filled_from(factor) is not None for factor in factors.above if factor is not carrying[0])
    if copied and then:
        return None
    picture = _multiplied(carrying[0], local, factors.negative, names)
    if copied and names.shape(expr) != (both := names.shape(met(picture))):
        picture.then = "spread" if math.prod(names.shape(expr)) > math.prod(both) else "rearrange"
    picture.then = picture.then or then
    if picture.then == "spread" and picture.negative:
        return Picture("product", [operand_of("local", MINUS_ONE, names), *picture.operands], picture.then)
    return picture


def _local(factors: Factors, names: Names) -> ast.expr | None:
    """The local derivative; -1 · mask where it begins with a mask, which has no sign to change."""
    if factors.negative and factors.above and names.is_mask(factors.above[0]):
        return product_of(Factors(False, [MINUS_ONE, *factors.above], factors.below))
    return product_of(factors)


def met(picture: Picture, operands: Sequence[ast.expr] | None = None) -> ast.expr:
    """The operands brought together, or what stands for them."""
    first, *others = operands or [operand.expr for operand in picture.operands]
    if picture.kind == "outer":
        return outer(first, *others)
    for other in others:
        first = ast.BinOp(first, ast.MatMult() if picture.kind == "matmul" else ast.Mult(), other)
    return minus(first) if picture.negative else first


def _multiplied(gradient: ast.expr, local: ast.expr | None, negative: bool, names: Names) -> Picture:
    """The upstream gradient beside the local derivative; of a matrix product its two sides."""
    sides = matrix_sides(gradient)
    if sides is not None and (local is None or not names.shape(local)):
        kind, pair = sides
        factor = local if local is not None else MINUS_ONE if negative else None
        scaled = [side if names.gradients_in(side) else _times(factor, side) for side in pair]
        return Picture(kind, [side_of(side, names) for side in scaled])
    if local is None:
        return Picture("copy", [side_of(gradient, names)], negative=negative)
    return Picture("product", [operand_of("local", local, names), side_of(gradient, names)])


def _times(factor: ast.expr | None, side: ast.expr) -> ast.expr:
    """A matrix with the number before the product drawn into it."""
    if factor is None:
        return side
    both, own = factors_of(factor), factors_of(side)
    bare = [f for f in both.above if not (isinstance(f, ast.Constant) and f.value == 1)]
    product = product_of(Factors(both.negative != own.negative, bare + own.above, both.below + own.below))
    assert product is not None
    return product


def side_of(expr: ast.expr, names: Names) -> Operand:
    """A side of a product by its role: what arrives, perhaps moved; another upstream gradient; or the local one."""
    if not names.gradients_in(expr):
        return operand_of("local", expr, names)
    return operand_of("arrives" if is_moved_only(expr, names) else "upstream", expr, names)


def operand_of(role: str, expr: ast.expr, names: Names) -> Operand:
    """An expression as a tensor of the equation."""
    found = names.node_of(expr)
    node, which = (found[0].name, found[1]) if found and found[0].name else (None, None)
    return Operand(role, expr, node, which, names.shape(expr), names.dims(expr))
