"""How many axes a text says that a tensor has, where it asserts that or raises an error otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.filling.other_names import name_of
from backend.engine.language.tree import number

Told = tuple[str, int, bool]  # a name, a number of axes, and whether there are exactly so many


def of_assert(test: ast.expr) -> Iterator[Told]:
    """How many axes a text says that a tensor has: `assert x.dim() == 4`, `assert len(x.shape) in [4, 5]`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]):
            axes = number(right.elts[0] if isinstance(right, ast.List | ast.Tuple) and right.elts else right)
            if isinstance(axes, int) and (name := _counted_axes_of(left)):
                yield name, axes, True
        case ast.BoolOp(op=ast.And(), values=parts):
            yield from (told for one in parts for told in of_assert(one))


def of_refusal(test: ast.expr) -> Iterator[Told]:
    """The same where a text raises an error: `if x.dim() != 4`, `if len(x.shape) < 3`, `if not x.ndim == 2`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from of_assert(operand)
        case ast.BoolOp(op=ast.Or(), values=parts):
            yield from (told for one in parts for told in of_refusal(one))
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            yield from of_assert(ast.Compare(left, [ast.Eq()], [right]))
        case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
            yield from of_assert(ast.Compare(left, [ast.In()], [right]))
        case ast.Compare(left=left, ops=[ast.Lt()], comparators=[right]):
            if isinstance(axes := number(right), int) and (name := _counted_axes_of(left)):
                yield name, axes, False


def _counted_axes_of(node: ast.expr) -> str | None:
    """Whose axes an expression counts: `x.dim()`, `x.ndim`, `len(x.shape)`, `len(x.size())`."""
    match node:
        case ast.Attribute(value=owner, attr="ndim"):
            return name_of(owner)
        case ast.Call(func=ast.Attribute(value=owner, attr="dim" | "ndimension")):
            return name_of(owner)
        case ast.Call(
            func=ast.Name(id="len"),
            args=[ast.Attribute(value=owner, attr="shape") | ast.Call(func=ast.Attribute(value=owner, attr="size"))],
        ):
            return name_of(owner)
    return None
