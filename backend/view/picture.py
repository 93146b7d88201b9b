"""With this module a backward line becomes a picture: local derivative ⊙ what arrives = product, then its sum."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from backend.differentiate import Line
from backend.graph import Graph
from backend.ops.stretch import Expand
from backend.printing import printed
from backend.signs import is_plain
from backend.symbolic import filled_from

SYMBOLS = {"product": "⊙", "quotient": "÷", "matmul": "@"}


@dataclass
class Operand:
    """One tensor of the equation; `node` and `which` name it where the walk already holds it."""

    role: str
    expr: ast.expr
    node: str | None
    which: str | None

    @property
    def code(self) -> str:
        """The operand as printed."""
        return printed(self.expr)


@dataclass
class Picture:
    """The equation behind one backward line."""

    kind: str
    operands: list[Operand]
    product: ast.expr | None
    negative: bool = False

    @property
    def symbol(self) -> str:
        """The sign between the operands, or before the only one."""
        return "−" if self.negative else SYMBOLS.get(self.kind, "")

    @property
    def product_code(self) -> str:
        """What is summed, as printed."""
        return printed(self.product) if self.product is not None else ""

    @property
    def to_evaluate(self) -> list[ast.expr | None]:
        """Expressions whose tensors the walk does not hold yet, in the order of operands, then the product."""
        return [operand.expr if operand.node is None else None for operand in self.operands] + [self.product]


def picture_of(line: Line, graph: Graph) -> Picture | None:
    """The picture of a line; None for the seed."""
    if line.through is None:
        return None
    names = _Names(graph)
    expr = _without_clone(line.expr)
    summed = any(node.op is Expand for node in line.nodes)
    inner = _summed(expr) if summed else None
    body = inner if inner is not None else expr
    kind, parts = _parts(body, names)
    kind = "scatter" if len(line.statements) > 1 else kind
    operands = [names.operand(role, part) for role, part in parts]
    plain_copy = len(operands) == 1 and body is operands[0].expr
    return Picture(
        kind, operands, body if inner is not None and not plain_copy else None, kind == "copy" and not plain_copy
    )


class _Names:
    """Which printed name is which tensor of the walk."""

    def __init__(self, graph: Graph) -> None:
        self.values, self.gradients = graph.by_variable, graph.by_gradient

    def is_gradient(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Name)
            and (node.id in self.gradients or node.id not in self.values)
            and node.id.startswith("d")
        )

    def holds_gradient(self, node: ast.AST) -> bool:
        return any(self.is_gradient(part) for part in ast.walk(node))

    def operand(self, role: str, expr: ast.expr) -> Operand:
        if isinstance(expr, ast.Name) and expr.id in self.values:
            return Operand(role, expr, str(self.values[expr.id].name), "value")
        if isinstance(expr, ast.Name) and expr.id in self.gradients:
            return Operand(role, expr, str(self.gradients[expr.id].name), "gradient")
        return Operand(role, expr, None, None)


def _without_clone(expr: ast.expr) -> ast.expr:
    match expr:
        case ast.Call(func=ast.Attribute(value=inner, attr="clone")):
            return inner
    return expr


def _summed(expr: ast.expr) -> ast.expr | None:
    """What stands inside the outermost `.sum(…)`, with any sign or factor in front of it put back."""
    match expr:
        case ast.Call(func=ast.Attribute(value=inner, attr="sum")):
            return inner
        case ast.Subscript(value=inner):
            return _summed(inner)
        case ast.UnaryOp(op=op, operand=inner):
            found = _summed(inner)
            return None if found is None else ast.UnaryOp(op, found)
        case ast.BinOp(left=factor, op=ast.Mult() as op, right=inner) if is_plain(factor):
            found = _summed(inner)
            return None if found is None else ast.BinOp(factor, op, found)
    return None


def _parts(expr: ast.expr, names: _Names) -> tuple[str, list[tuple[str, ast.expr]]]:
    gradient = _gradient_factor(expr, names)
    if gradient is not None and (gradient is expr or (isinstance(expr, ast.UnaryOp) and expr.operand is gradient)):
        return "copy", [("arrives", gradient)]
    match expr:
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            return "matmul", [("arrives" if names.holds_gradient(side) else "local", side) for side in (left, right)]
        case ast.BinOp(op=ast.Div(), left=left, right=right) if names.is_gradient(left):
            return "quotient", [("arrives", left), ("local", right)]
    if gradient is not None:
        local = _without(expr, gradient)
        if local is not None and any(
            filled_from(part) is not None for part in ast.walk(local) if isinstance(part, ast.expr)
        ):
            return "spread", [("arrives", gradient)]
        if local is not None:
            return "product", [("local", local), ("arrives", gradient)]
    arriving = next((part for part in ast.walk(expr) if names.is_gradient(part)), None)
    if not isinstance(arriving, ast.expr):
        return "other", []
    return _call_kind(expr), [("arrives", arriving)]


def _call_kind(expr: ast.expr) -> str:
    name = expr.func.attr if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) else ""
    if name in ("index_put", "index_add", "scatter", "scatter_add"):
        return "scatter"
    return (
        "rearrange"
        if name in ("view", "reshape", "permute", "transpose", "squeeze", "unsqueeze", "movedim")
        else "other"
    )


def _gradient_factor(expr: ast.expr, names: _Names) -> ast.expr | None:
    """The arriving gradient where it is a factor of a product."""
    if names.is_gradient(expr):
        return expr
    if isinstance(expr, ast.UnaryOp):
        return _gradient_factor(expr.operand, names)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mult):
        return _gradient_factor(expr.left, names) or _gradient_factor(expr.right, names)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Div):
        return _gradient_factor(expr.left, names)
    return None


def _without(expr: ast.expr, factor: ast.expr) -> ast.expr | None:
    """The product's other factors; the number 1 in the factor's place where something is divided."""
    if expr is factor:
        return ast.Constant(1.0)
    if isinstance(expr, ast.UnaryOp):
        inner = _without(expr.operand, factor)
        return None if inner is None else ast.UnaryOp(expr.op, inner)
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mult | ast.Div):
        if isinstance(expr.op, ast.Mult) and expr.left is factor:
            return expr.right
        if isinstance(expr.op, ast.Mult) and expr.right is factor:
            return expr.left
        left = _without(expr.left, factor)
        if left is not None:
            return ast.BinOp(left, expr.op, expr.right)
        right = _without(expr.right, factor)
        return None if right is None else ast.BinOp(expr.left, expr.op, right)
    return None
