"""Rewrites rule texts into lines: substitution, then simplification that doesn't change one bit of the result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from backend.engine.language.rearrange import expanded, undone
from backend.engine.language.rebuild import Change, rebuilt
from backend.engine.language.signs import PRODUCT, is_plain, negated, scaled, without_power_of_two, without_sign
from backend.engine.language.tree import constant, number

Shape = tuple[int, ...]
Kept = dict[int, tuple[ast.expr, ast.expr]]  # by the id of an expression: itself, and what became of it
# Methods that take numbers one by one as well as in a tuple, and those that take one axis or several.
SPREADING = frozenset({"view", "reshape", "expand", "permute", "repeat", "flip"})
REDUCING = frozenset({"sum", "mean", "amax", "amin", "squeeze"})
REARRANGING = frozenset(
    {
        "sum", "mean", "view", "reshape", "unsqueeze", "expand", "transpose", "permute", "squeeze", "flip", "roll",
        "cumsum", "tril", "triu",
    }
)  # fmt: skip


class Shapes:
    """The shapes of expressions, which stay as they are, and what became of each: the parts of one stand in others."""

    def __init__(self, of: Callable[[ast.expr], Shape]) -> None:
        self.of = of
        self.simplified: Kept = {}
        self.without_copies: Kept = {}

    def __call__(self, node: ast.expr) -> Shape:
        return self.of(node)


def filled(rule: ast.expr, derived: Mapping[str, ast.expr]) -> ast.expr:
    """A rule with its derived words filled in, recursively."""
    if isinstance(rule, ast.Name):
        return filled(derived[rule.id], derived) if rule.id in derived else rule
    return rebuilt(rule, lambda part: filled(part, derived))


def substitute(rule: ast.expr, words: Mapping[str, ast.expr]) -> ast.expr:
    """A copy of `rule` in which every name that is a word has become that word's expression."""
    if isinstance(rule, ast.Name):
        return words.get(rule.id, rule)
    return rebuilt(rule, lambda part: substitute(part, words))


def with_shapes(node: ast.expr, shapes: Mapping[str, list[ast.expr]]) -> ast.expr:
    """A copy of a rule with `x.shape` written out for the given inputs; `view(x.shape)` as `view(2, 3)`."""
    made = rebuilt(node, lambda part: with_shapes(part, shapes))
    match made:
        case ast.Attribute(value=ast.Name(id=name), attr="shape") if name in shapes:
            return ast.Tuple(list(shapes[name]), ast.Load())
        case ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=[ast.Tuple(elts=[_, *_] as sizes)]):
            return ast.Call(made.func, list(sizes), made.keywords)
    return made


def with_attribute(node: ast.expr, old: str, new: str) -> ast.expr:
    """A copy of an expression in which one method has become another."""
    made = rebuilt(node, lambda part: with_attribute(part, old, new))
    if isinstance(made, ast.Attribute) and made.attr == old:
        return ast.Attribute(made.value, new, made.ctx)
    return made


def tidy(node: ast.expr, shape_of: Shapes, open_ended: bool = False) -> ast.expr:
    """The expression as a person would write it: no `1 *`, no double minus, no copy that broadcasting makes anyway.

    `open_ended` expressions go on into others, so that a copy at their outside may still prove needless.
    """
    return _without_needless_copies(_simplified(node, shape_of), shape_of, open_ended)


def simplified(node: ast.expr) -> ast.expr:
    """The expression without `1 *`, double minus and the like; nothing that depends on shapes is touched."""
    return _simplified(node, None)


def _with_numbers(node: ast.expr, shape_of: Shapes) -> ast.expr:
    """`x.view(2, 3)` for `x.view((2, 3))`, and `x.sum(0)` for `x.sum((0,))`; `.shape` of no name as its numbers."""
    match node:
        case ast.Attribute(attr="shape") if not isinstance(node.value, ast.Name):
            return ast.Tuple([ast.Constant(size) for size in shape_of(node.value)], ast.Load())
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Tuple(elts=[_, *_] as sizes)]) if name in SPREADING:
            return ast.Call(node.func, sizes, node.keywords)
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Tuple(elts=[axis])]) if name in REDUCING:
            return ast.Call(node.func, [axis], node.keywords)
    return node


def _simplified(node: ast.expr, shape_of: Shapes | None) -> ast.expr:
    if isinstance(node, ast.Name | ast.Constant):
        return node
    if shape_of is None:
        return _simplified_anew(node, None)
    if id(node) not in shape_of.simplified:
        shape_of.simplified[id(node)] = node, _simplified_anew(node, shape_of)
    return shape_of.simplified[id(node)][1]


def _simplified_anew(node: ast.expr, shape_of: Shapes | None) -> ast.expr:
    made = rebuilt(node, lambda part: _simplified(part, shape_of))
    made = _unturned(made) if shape_of is None else undone(_with_numbers(made, shape_of), shape_of)
    match made:
        case ast.BinOp():
            return _binary(made)
        case ast.UnaryOp(op=ast.USub()):
            return negated(made.operand)
        case ast.Call(func=ast.Attribute(value=ast.UnaryOp(op=ast.USub(), operand=inner), attr=name)) if (
            name in REARRANGING or (name == "masked_fill" and number(made.args[-1]) == 0)
        ):
            bare = ast.Call(ast.Attribute(inner, name, ast.Load()), made.args, made.keywords)
            return negated(bare if shape_of is None else undone(bare, shape_of))
        case ast.Attribute(value=ast.UnaryOp(op=ast.USub(), operand=inner), attr="T" | "mT" as name):
            turned = ast.Attribute(inner, name, ast.Load())
            return negated(turned if shape_of is None else undone(turned, shape_of))
        case ast.Call(func=ast.Attribute(value=ast.Name("torch"), attr="where"), args=[condition, *sides]):
            return _with_sign_outside(made, condition, sides)
    return made


def _unturned(node: ast.expr) -> ast.expr:
    """`x` for `x.T.T`, `x.t().T` and `x.mT.T`, of which the second is a rule's, for matrices."""
    match node:
        case ast.Attribute(value=ast.Attribute(value=inner, attr="T" | "mT"), attr="T" | "mT"):
            return inner
        case ast.Attribute(value=ast.Call(func=ast.Attribute(value=inner, attr="t"), args=[]), attr="T" | "mT"):
            return inner
    return node


def _with_sign_outside(call: ast.Call, condition: ast.expr, sides: list[ast.expr]) -> ast.expr:
    """`-torch.where(c, x, 0.0)` for `torch.where(c, -x, 0.0)`."""
    bare = [without_sign(side) for side in sides]
    if not any(bare) or not all(side or number(zero) == 0 for side, zero in zip(bare, sides, strict=True)):
        return call
    args = [zero if side is None else side for side, zero in zip(bare, sides, strict=True)]
    return negated(ast.Call(call.func, [condition, *args], call.keywords))


def _binary(node: ast.BinOp) -> ast.expr:
    left, right, op = node.left, node.right, node.op
    folded = _folded(node)
    if folded is not None:
        return folded
    if isinstance(op, ast.Mult | ast.Div | ast.Pow) and number(right) == 1:
        return left
    if isinstance(op, ast.Mult) and number(left) == 1:
        return right
    if isinstance(op, PRODUCT) and (without_sign(left) is not None or without_sign(right) is not None):
        return _sign_in_front(node)
    return _in_order(node) if isinstance(op, ast.Mult) else _sum_without_double_sign(node)


def _in_order(node: ast.BinOp) -> ast.expr:
    """A product with its numbers first; a power of two goes past all factors and changes no rounding."""
    left, right = node.left, node.right
    if not is_plain(right):
        factor, rest = without_power_of_two(right)
        if factor != 1:
            return scaled(_binary(ast.BinOp(left, node.op, rest)), factor)
        if _is_elementwise(right) and without_power_of_two(node)[0] == number(left):
            return scaled(right, number(left) or 1)  # 2 * x * g for 2 * (x * g)
    return ast.BinOp(right, node.op, left) if _wants_swap(left, right) else node


def _sum_without_double_sign(node: ast.BinOp) -> ast.expr:
    bare = without_sign(node.right) if isinstance(node.op, ast.Add | ast.Sub) else None
    if bare is None:
        return node
    return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), bare)


def _sign_in_front(node: ast.BinOp) -> ast.expr:
    left, right = without_sign(node.left), without_sign(node.right)
    inner = _binary(type(node)(node.left if left is None else left, node.op, node.right if right is None else right))
    return negated(inner) if left is None or right is None else inner


def _wants_swap(left: ast.expr, right: ast.expr) -> bool:
    """Numbers stand first, and a product on the right moves left, where it needs no brackets."""
    if is_plain(right):
        return not is_plain(left)
    chain = ast.Mult | ast.Div
    return (
        isinstance(right, ast.BinOp)
        and isinstance(right.op, chain)
        and not (isinstance(left, ast.BinOp) and isinstance(left.op, chain))
    )


def _folded(node: ast.BinOp) -> ast.expr | None:
    """Sums and differences of two numerals, such as an exponent minus one, and n / n; all else is left as written."""
    if not isinstance(node.op, ast.Add | ast.Sub | ast.Div):
        return None
    left, right = number(node.left), number(node.right)
    if isinstance(node.op, ast.Div):
        return ast.Constant(1) if left and left == right else None
    if left is None or right is None:
        return None
    return constant(left + right if isinstance(node.op, ast.Add) else left - right)


def _without_needless_copies(node: ast.expr, shape_of: Shapes, open_ended: bool = False) -> ast.expr:
    """Drop each `torch.ones_like(x) *` from a product whose other factors have the full shape already."""

    def below(part: ast.expr) -> ast.expr:
        kept = shape_of.without_copies
        if id(part) not in kept:
            kept[id(part)] = part, _without_needless_copies(part, shape_of)
        return kept[id(part)][1]

    if is_placing(node):
        # Writing into cells spreads its value by itself.
        value = placing(node)[2]
        return exchanged(node, {id(value): _slim(value, shape_of)})
    if not _is_elementwise(node):
        return undone(rebuilt(node, below), shape_of)
    return _region_without_copies(_with_leaves(node, below), shape_of, open_ended)


def is_placing(node: ast.AST) -> bool:
    """Whether a rule says `torch.zeros_like(x)[index].put(g)`: zeros, with the gradient written where it was picked."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "put"


def placing(node: ast.AST) -> tuple[ast.expr, ast.expr, ast.expr]:
    """The zeros, the index and the value of such a rule."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=zeros, slice=index)), args=[value]):
            return zeros, index, value
    raise TypeError("not a placing rule")


def without_new_axes(index: ast.expr) -> ast.expr:
    """An index without `None`: where its cells lie in the tensor itself."""
    if not isinstance(index, ast.Tuple):
        return index
    kept = [part for part in index.elts if not (isinstance(part, ast.Constant) and part.value is None)]
    return kept[0] if len(kept) == 1 else ast.Tuple(kept, index.ctx)


def _slim(node: ast.expr, shape_of: Shapes) -> ast.expr:
    for leaf in factors(node):
        slim = _dropped(node, leaf) if filled_from(leaf) is not None else None
        node = node if slim is None else _simplified(slim, shape_of)
    return node


def _is_elementwise(node: ast.AST) -> bool:
    return (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)) or isinstance(node, ast.UnaryOp)


def factors(node: ast.expr) -> list[ast.expr]:
    """What is multiplied and divided in a product, signs aside."""
    if isinstance(node, ast.BinOp) and _is_elementwise(node):
        return factors(node.left) + factors(node.right)
    return factors(node.operand) if isinstance(node, ast.UnaryOp) else [node]


def _with_leaves(node: ast.expr, change: Change) -> ast.expr:
    """A copy of a region with each of its leaves changed."""
    return rebuilt(node, lambda part: _with_leaves(part, change)) if _is_elementwise(node) else change(node)


def _region_without_copies(node: ast.expr, shape_of: Shapes, open_ended: bool) -> ast.expr:
    for leaf in factors(node):
        filled = filled_from(leaf)
        slim = _stretched_last(node, leaf) if filled is None else _dropped(node, leaf)
        if slim is None:
            continue
        if shape_of(slim) == shape_of(node):
            node = _simplified(slim, shape_of)
        elif filled is None or not (isinstance(filled, ast.Name) or open_ended):
            return _region_without_copies(expanded(slim, shape_of(node)), shape_of, open_ended)
    return node


def _stretched_last(node: ast.expr, leaf: ast.expr) -> ast.expr | None:
    """A product with `x` for a factor `x.expand(…)`: what is stretched last is computed in fewer cells."""
    match leaf:
        case ast.Call(func=ast.Attribute(value=inner, attr="expand")) if node is not leaf:
            return exchanged(node, {id(leaf): inner})
    return None


def filled_from(node: ast.expr) -> ast.expr | None:
    """x, for `torch.ones_like(x)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="ones_like"), args=[x]):
            return x
    return None


def spread_from(node: ast.expr) -> ast.expr | None:
    """x, or -x, for `x.expand(2, 3)` and `-x.expand(2, 3)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=x, attr="expand")):
            return x
        case ast.UnaryOp(op=ast.USub(), operand=ast.Call(func=ast.Attribute(value=x, attr="expand"))):
            return negated(x)
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


def exchanged(node: ast.expr, instead: Mapping[int, ast.expr]) -> ast.expr:
    """An expression with parts replaced; `instead` maps the id of a part to its replacement."""
    return instead[id(node)] if id(node) in instead else rebuilt(node, lambda part: exchanged(part, instead))
