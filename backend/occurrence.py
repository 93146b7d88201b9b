"""With this module a backward line finds the very place in its chunk's expression through which it came."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from backend.differentiate import Hop
from backend.language.grammar import BINARY, COMPARISONS, UNARY
from backend.ops import REGISTRY
from backend.ops.stretch import Expand
from backend.statement import Statement, exchanged, stored
from backend.written import operands

# No program can say this name.
OCCURRENCE = "·"


def with_occurrence(statement: Statement, path: tuple[Hop, ...]) -> Statement | None:
    """The chunk's statement in which the place that a path leads to has its own name; None where it is not found."""
    holders = {name: made.value for made in statement.before for name in stored(made)}
    place: ast.expr | None = statement.expr
    opened: list[tuple[ast.expr, ast.expr]] = []
    for hop in path:
        if place is not None and (inside := _held(place, holders)) is not None:
            opened.append((place, inside))
            place = inside
        found = _operand(place, hop) if place is not None else None
        # A stretch that broadcasting makes is written nowhere.
        place = place if found is None and hop.node.op is Expand else found
    if place is None:
        return None
    made: ast.expr = ast.Name(OCCURRENCE, ast.Load())
    for access, inside in reversed(opened):
        place, made = access, exchanged(inside, place, made)
    return statement.with_part(place, made, everywhere=bool(opened))


def _held(node: ast.expr, holders: Mapping[str, ast.expr]) -> ast.expr | None:
    """What stands in a pair or tuple made on a line before: `t[0]` is the first part of `t = (x, y)`, or of a split."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(number))) if name in holders:
            parts = holders[name]
            is_written = isinstance(parts, ast.Tuple | ast.List)
            return parts.elts[number] if is_written else ast.Subscript(parts, node.slice, ast.Load())  # type: ignore[attr-defined]
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in holders:
            return ast.Attribute(holders[name], attr, ast.Load())
    return None


def _operand(node: ast.expr, hop: Hop) -> ast.expr | None:
    """The part of an operation's expression that stands for one of its inputs."""
    key, (args, kwargs) = _key(node), operands(node)
    for op, signature in REGISTRY.get(key, []):
        bound = signature.bind(args, kwargs) if op is hop.node.op else None
        if bound is None:
            continue
        found = bound.get(hop.input_name)
        if found is None and op.variadic:
            found = _part(bound.get(op.variadic), int(hop.input_name.removeprefix("t")))
        if isinstance(found, ast.expr):
            return found
    # `.values` of a pair, a part of a split, and `+x` stand around the operation itself.
    inner = node.operand if isinstance(node, ast.UnaryOp) else getattr(node, "value", None)
    return _operand(inner, hop) if isinstance(inner, ast.expr) else None


def _part(written: object, number: int) -> object:
    parts = written.elts if isinstance(written, ast.Tuple | ast.List) else written
    return parts[number] if isinstance(parts, tuple | list) and number < len(parts) else None


def _key(node: ast.expr) -> str:
    """What the registry calls the operation on top of an expression."""
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
        case ast.Call(func=ast.Attribute(attr=name) as func):
            path = ast.unparse(func).replace("torch.nn.functional.", "F.")
            return path if path in REGISTRY else "." + name
    return ""
