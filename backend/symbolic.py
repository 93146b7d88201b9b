"""With this module rule texts become lines: words filled in, then tidied without changing one bit of the result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from backend.language.syntax import nodes_in

Shape = tuple[int, ...]
Expr = TypeVar("Expr", bound=ast.expr)
ShapeOf = Callable[[ast.expr], Shape]
Change = Callable[[ast.expr], ast.expr]
REARRANGING = frozenset({"sum", "mean", "view", "reshape", "unsqueeze", "expand", "transpose", "permute", "squeeze"})


def names_in(node: ast.AST) -> set[str]:
    """Every name that an expression holds."""
    return {part.id for part in nodes_in(node) if isinstance(part, ast.Name)}


def filled(rule: ast.expr, derived: Mapping[str, ast.expr]) -> ast.expr:
    """A rule with derived words filled in, and the derived words that those hold in turn."""
    if isinstance(rule, ast.Name):
        return filled(derived[rule.id], derived) if rule.id in derived else rule
    return rebuilt(rule, lambda part: filled(part, derived))


def substitute(rule: ast.expr, words: Mapping[str, ast.expr]) -> ast.expr:
    """A copy of `rule` in which every name that is a word has become that word's expression."""
    if isinstance(rule, ast.Name):
        return words.get(rule.id, rule)
    return rebuilt(rule, lambda part: substitute(part, words))


def with_attribute(node: ast.expr, old: str, new: str) -> ast.expr:
    """A copy of an expression in which one method has become another."""
    made = rebuilt(node, lambda part: with_attribute(part, old, new))
    if isinstance(made, ast.Attribute) and made.attr == old:
        made.attr = new
    return made


def rebuilt(node: Expr, change: Change) -> Expr:
    """A copy of a node with every expression directly below it changed; a name or a number has none, and is itself."""
    copied = _COPIES.get(type(node))
    if copied is None:
        return node
    made = copied(node, change)
    made.plain = getattr(node, "plain", False)
    return made  # type: ignore[no-any-return]


def _called(node: ast.Call, change: Change) -> ast.Call:
    keywords = [ast.keyword(keyword.arg, change(keyword.value)) for keyword in node.keywords]
    return ast.Call(change(node.func), [change(argument) for argument in node.args], keywords)


def _sliced(node: ast.Slice, change: Change) -> ast.Slice:
    return ast.Slice(*(part and change(part) for part in (node.lower, node.upper, node.step)))


_COPIES: dict[type[ast.expr], Callable[[Any, Change], Any]] = {
    ast.BinOp: lambda node, change: ast.BinOp(change(node.left), node.op, change(node.right)),
    ast.UnaryOp: lambda node, change: ast.UnaryOp(node.op, change(node.operand)),
    ast.Compare: lambda node, change: ast.Compare(change(node.left), node.ops, [change(c) for c in node.comparators]),
    ast.Call: _called,
    ast.Attribute: lambda node, change: ast.Attribute(change(node.value), node.attr, node.ctx),
    ast.Subscript: lambda node, change: ast.Subscript(change(node.value), change(node.slice), node.ctx),
    ast.Tuple: lambda node, change: ast.Tuple([change(item) for item in node.elts], node.ctx),
    ast.List: lambda node, change: ast.List([change(item) for item in node.elts], node.ctx),
    ast.Slice: _sliced,
}


def tidy(node: ast.expr, shape_of: ShapeOf, open_ended: bool = False) -> ast.expr:
    """The expression as a person would write it: no `1 *`, no double minus, no copy that broadcasting makes anyway.

    `open_ended` expressions go on into others, so that a copy at their outside may still prove needless.
    """
    return _without_needless_copies(_with_literal_shapes(_simplified(node), shape_of), shape_of, open_ended)


def simplified(node: ast.expr) -> ast.expr:
    """The expression without `1 *`, double minus and the like, where its shape need not be known."""
    return _simplified(node)


def _with_literal_shapes(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """`.shape` of anything but a name as the numbers it stands for."""
    if isinstance(node, ast.Attribute) and node.attr == "shape" and not isinstance(node.value, ast.Name):
        return ast.Tuple([ast.Constant(size) for size in shape_of(node.value)], ast.Load())
    return rebuilt(node, lambda part: _with_literal_shapes(part, shape_of))


def _simplified(node: ast.expr) -> ast.expr:
    made = rebuilt(node, _simplified)
    match made:
        case ast.BinOp():
            return _binary(made)
        case ast.UnaryOp(op=ast.USub()):
            return _negated(made.operand)
        case ast.Attribute(value=ast.Attribute(value=inner, attr=first), attr=second) if first == second in ("T", "mT"):
            return inner
        case ast.Attribute(value=ast.Call(func=ast.Attribute(value=inner, attr="t"), args=[]), attr="T"):
            return inner
        case ast.Call(func=ast.Attribute(value=ast.UnaryOp(op=ast.USub(), operand=inner), attr=name)) if (
            name in REARRANGING
        ):
            return _negated(ast.Call(ast.Attribute(inner, name, ast.Load()), made.args, made.keywords))
    return made


def _negated(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    made = ast.UnaryOp(ast.USub(), node)
    made.plain = _is_plain(node)  # type: ignore[attr-defined]
    return made


def _binary(node: ast.BinOp) -> ast.expr:
    left, right, op = node.left, node.right, node.op
    folded = _folded(node)
    if folded is not None:
        return folded
    if isinstance(op, ast.Mult | ast.Div | ast.Pow) and _number(right) == 1:
        return left
    if isinstance(op, ast.Mult) and _number(left) == 1:
        return right
    if isinstance(op, ast.Mult | ast.Div | ast.MatMult) and (_is_negative(left) or _is_negative(right)):
        return _sign_in_front(node)
    if isinstance(op, ast.Mult) and _wants_swap(left, right):
        return ast.BinOp(right, op, left)
    return _sum_without_double_sign(node)


def _sum_without_double_sign(node: ast.BinOp) -> ast.expr:
    left, right, op = node.left, node.right, node.op
    if isinstance(op, ast.Add | ast.Sub) and isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub):
        return ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right.operand)
    return node


def _is_negative(node: ast.expr) -> bool:
    signed = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_plain(node.operand)
    return signed or _number(node) == -1


def _sign_in_front(node: ast.BinOp) -> ast.expr:
    negative = _is_negative(node.left) != _is_negative(node.right)
    inner = _binary(ast.BinOp(_bare(node.left), node.op, _bare(node.right)))
    return _negated(inner) if negative else inner


def _bare(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) and _is_negative(node) else node


def _wants_swap(left: ast.expr, right: ast.expr) -> bool:
    """Numbers stand first, and a product on the right moves left, where it needs no brackets."""
    if _is_plain(right):
        return not _is_plain(left)
    chain = ast.Mult | ast.Div
    return (
        isinstance(right, ast.BinOp)
        and isinstance(right.op, chain)
        and not (isinstance(left, ast.BinOp) and isinstance(left.op, chain))
    )


def _is_plain(node: ast.expr) -> bool:
    return _number(node) is not None or getattr(node, "plain", False)


def _number(node: ast.expr) -> int | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _folded(node: ast.BinOp) -> ast.expr | None:
    """Sums and differences of two numerals, such as an exponent minus one; anything else is left as written."""
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None or not isinstance(node.op, ast.Add | ast.Sub):
        return None
    value = left + right if isinstance(node.op, ast.Add) else left - right
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _without_needless_copies(node: ast.expr, shape_of: ShapeOf, open_ended: bool = False) -> ast.expr:
    """Drop each `torch.ones_like(x) *` from a product whose other factors have the full shape already."""

    def below(part: ast.expr) -> ast.expr:
        return _without_needless_copies(part, shape_of)

    if is_placing(node):
        # Writing into cells spreads its value by itself.
        value = placing(node)[2]
        return _replaced(node, {id(value): _slim(value)})
    if not _is_elementwise(node):
        return rebuilt(node, below)
    return _with_leaves(_region_without_copies(node, shape_of, open_ended), below)


def is_placing(node: ast.AST) -> bool:
    """Whether a rule says `torch.zeros_like(x)[index].put(g)`: zeros, with the gradient written where it was picked."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "put"


def placing(node: ast.AST) -> tuple[ast.expr, ast.expr, ast.expr]:
    """The zeros, the index and the value of such a rule."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=zeros, slice=index)), args=[value]):
            return zeros, index, value
    raise TypeError("not a placing rule")


def _slim(node: ast.expr) -> ast.expr:
    for leaf in _region_leaves(node):
        slim = _dropped(node, leaf) if filled_from(leaf) is not None else None
        node = node if slim is None else _simplified(slim)
    return node


def _is_elementwise(node: ast.AST) -> bool:
    return (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)) or isinstance(node, ast.UnaryOp)


def _region_leaves(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and _is_elementwise(node):
        return _region_leaves(node.left) + _region_leaves(node.right)
    return _region_leaves(node.operand) if isinstance(node, ast.UnaryOp) else [node]


def _with_leaves(node: ast.expr, change: Change) -> ast.expr:
    """A copy of a region with each of its leaves changed."""
    return rebuilt(node, lambda part: _with_leaves(part, change)) if _is_elementwise(node) else change(node)


def _region_without_copies(node: ast.expr, shape_of: ShapeOf, open_ended: bool) -> ast.expr:
    for leaf in _region_leaves(node):
        filled = filled_from(leaf)
        if filled is None:
            continue
        slim = _dropped(node, leaf)
        if slim is None:
            continue
        if shape_of(slim) == shape_of(node):
            node = _simplified(slim)
        elif not isinstance(filled, ast.Name) and not open_ended:
            node = _expanded(slim, shape_of(node))
    return node


def filled_from(node: ast.expr) -> ast.expr | None:
    """x, for `torch.ones_like(x)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="ones_like"), args=[x]):
            return x
    return None


def _dropped(node: ast.expr, factor: ast.expr) -> ast.expr | None:
    """The product without that factor; None where the factor stands alone or is divided."""
    if isinstance(node, ast.UnaryOp):
        inner = _dropped(node.operand, factor)
        return None if inner is None else ast.UnaryOp(node.op, inner)
    if not (isinstance(node, ast.BinOp) and _is_elementwise(node)):
        return None
    if isinstance(node.op, ast.Mult) and factor in (node.left, node.right):
        return node.right if node.left is factor else node.left
    left = _dropped(node.left, factor)
    if left is not None:
        return ast.BinOp(left, node.op, node.right)
    right = _dropped(node.right, factor)
    return None if right is None else ast.BinOp(node.left, node.op, right)


def _expanded(node: ast.expr, shape: Shape) -> ast.expr:
    return ast.Call(ast.Attribute(node, "expand", ast.Load()), [ast.Constant(size) for size in shape], [])


def _replaced(node: ast.expr, swaps: Mapping[int, ast.expr]) -> ast.expr:
    return swaps[id(node)] if id(node) in swaps else rebuilt(node, lambda part: _replaced(part, swaps))
