"""Changes of shape that undo each other: `x` for `x.mT.mT`, `y.T @ x` for `(x.T @ y).T`, `.sum(1)` for a sum whose
kept axis is taken away again."""

from __future__ import annotations

import ast
from collections.abc import Callable

import torch

Shape = tuple[int, ...]
ShapeOf = Callable[[ast.expr], Shape]
MOVES = frozenset({"t", "transpose", "swapaxes", "swapdims", "permute", "movedim", "moveaxis"})
EXPAND = frozenset({"expand"})
RESHAPES = frozenset({"squeeze", "view", "reshape"})


def undone(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """The expression without a change of shape that another one undoes."""
    if _is_method(_stretched(node), EXPAND) and not shape_of(_source(_stretched(node))):
        return _expanded_to(_source(_stretched(node)), shape_of(node))
    if isinstance(node, ast.Call):
        node = _without_stretching(node, shape_of)
    if _is_method(node, RESHAPES):
        return _without_kept(node, shape_of)
    if not _is_move(node):
        return node
    inner = _source(node)
    if _is_move(inner):
        places = list(range(len(shape_of(node))))
        return _source(inner) if _moved(node, _moved(inner, places)) == places else node
    if isinstance(inner, ast.Call) and _is_method(inner, frozenset({"outer"})) and _is_of_torch(inner):
        return ast.Call(inner.func, inner.args[::-1], inner.keywords)
    return _turned_product(node, inner, shape_of) if _is_product(inner) else node


def _without_stretching(node: ast.Call, shape_of: ShapeOf) -> ast.expr:
    """`torch.where(c, x, 0.0)` for `torch.where(c, x.expand(2, 3), 0.0)`: a call that stretches what it is given."""
    if _is_method(node, EXPAND) and _is_method(_source(node), EXPAND):
        return ast.Call(ast.Attribute(_source(_source(node)), "expand", ast.Load()), node.args, [])
    if _is_method(node, frozenset({"where"})) and _is_of_torch(node):
        bare = ast.Call(node.func, [_source(arg) if _is_method(arg, EXPAND) else arg for arg in node.args], [])
        return bare if shape_of(bare) == shape_of(node) else node
    if _is_method(node, frozenset({"index_put"})) and _is_method(node.args[1], EXPAND):
        value = _source(node.args[1])
        return node if shape_of(value) else ast.Call(node.func, [node.args[0], value, *node.args[2:]], node.keywords)
    return node


def _stretched(node: ast.expr) -> ast.expr:
    """What is changed in shape alone, such as x of `x.unsqueeze(1)` and `x[:, None]`; `None` where nothing is."""
    if _is_method(node, RESHAPES | {"unsqueeze"}) or _is_move(node):
        return _source(node)
    return node.value if isinstance(node, ast.Subscript) and is_new_axes(node.slice) else ast.Constant(None)


def is_new_axes(index: ast.expr) -> bool:
    """Whether an index picks all cells, and puts in axes at most."""
    return all(map(_is_new_or_whole, index.elts if isinstance(index, ast.Tuple) else [index]))


def _is_new_or_whole(part: ast.expr) -> bool:
    whole = isinstance(part, ast.Slice) and not (part.lower or part.upper or part.step)
    return whole or (isinstance(part, ast.Constant) and part.value in (None, ...))


def _expanded_to(node: ast.expr, shape: Shape) -> ast.expr:
    return ast.Call(ast.Attribute(node, "expand", ast.Load()), [ast.Constant(size) for size in shape], [])


def _is_method(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


def _is_product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)


def _is_move(node: ast.AST) -> bool:
    """Whether an expression puts axes in another order, by numbers that are written out."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("T", "mT")
    return isinstance(node, ast.Call) and _is_method(node, MOVES) and not node.keywords and _numbers(node) is not None


def _numbers(call: ast.Call) -> list[object] | None:
    try:
        return [ast.literal_eval(argument) for argument in call.args[_is_of_torch(call) :]]
    except ValueError:
        return None


def _is_of_torch(call: ast.Call) -> bool:
    """Whether it is written `torch.permute(x, …)`, and not as a method."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == "torch"


def _source(node: ast.expr) -> ast.expr:
    """What a change of shape changes."""
    if isinstance(node, ast.Call) and _is_of_torch(node):
        return node.args[0]
    func = node.func if isinstance(node, ast.Call) else node
    assert isinstance(func, ast.Attribute)
    return func.value


def _moved(move: ast.expr, axes: list[int]) -> list[int]:
    """Axes in the order in which a move leaves them."""
    if isinstance(move, ast.Attribute):
        return axes[::-1] if move.attr == "T" else [*axes[:-2], *axes[-2:][::-1]]
    assert isinstance(move, ast.Call)
    assert isinstance(move.func, ast.Attribute)
    # A tensor whose axes are as long as their numbers tells where they went.
    made = getattr(torch.empty(axes, device="meta"), move.func.attr)(*(_numbers(move) or []))
    return list(made.shape)


def _turned_product(node: ast.expr, product: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """`y.T @ x` for `(x.T @ y).T`, where a factor is turned already."""
    assert isinstance(product, ast.BinOp)
    sides = product.left, product.right
    if min(len(shape_of(side)) for side in sides) < 2 or not _turns(node, shape_of):
        return node
    if not any(_is_move(side) and _turns(side, shape_of) for side in sides):
        return node
    left, right = (_turned(side, shape_of) for side in sides)
    return ast.BinOp(right, ast.MatMult(), left)


def _turns(move: ast.expr, shape_of: ShapeOf) -> bool:
    """Whether a move exchanges the last two axes and no others."""
    axes = list(range(len(shape_of(move))))
    return _moved(move, axes) == [*axes[:-2], *axes[-2:][::-1]]


def _turned(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    if _is_move(node) and _turns(node, shape_of):
        return _source(node)
    return ast.Attribute(node, "T" if len(shape_of(node)) == 2 else "mT", ast.Load())


def _without_kept(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """`x.sum(1)` for `x.sum(1, keepdim=True).squeeze(1)`, and for a view of the same shape."""
    inner = node
    while _is_method(inner, RESHAPES):
        inner = _source(inner)
    if not (isinstance(inner, ast.Call) and _is_method(inner, frozenset({"sum"})) and _keeps(inner)):
        return node
    bare = ast.Call(inner.func, inner.args, [])
    return bare if shape_of(bare) == shape_of(node) else node


def _keeps(call: ast.Call) -> bool:
    return [keyword.arg for keyword in call.keywords] == ["keepdim"] and bool(call.args)
