"""Changes of shape that undo each other: `x` for `x.mT.mT`, `y.T @ x` for `(x.T @ y).T`, `.sum(1)` for a sum whose
kept axis is taken away again."""

from __future__ import annotations

import ast
from collections.abc import Callable

import torch

from backend.engine.language.signs import is_plain
from backend.engine.language.tree import is_minus

Shape = tuple[int, ...]
ShapeOf = Callable[[ast.expr], Shape]
MOVES = frozenset({"t", "transpose", "swapaxes", "swapdims", "permute", "movedim", "moveaxis"})
EXPAND, FLIP = frozenset({"expand"}), frozenset({"flip"})
RESHAPES = frozenset({"squeeze", "view", "reshape"})


def undone(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """The expression without a change of shape that another one undoes."""
    if not isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        return node
    stretched = _stretched(node)
    if _is_method(stretched, EXPAND) and not shape_of(_source(stretched)):
        return expanded(_source(stretched), shape_of(node))
    if _is_method(node, RESHAPES):
        return _without_kept(node, shape_of)
    if _is_move(node):
        return _moved_back(node, shape_of)
    if _is_method(node, FLIP) and _is_method(_source(node), FLIP):
        places = len(shape_of(node))
        once, again = _flipped(_source(node), places), _flipped(node, places)
        return _source(_source(node)) if once is not None and once == again else node
    return _without_stretching(node, shape_of) if isinstance(node, ast.Call) else node


def _flipped(node: ast.expr, places: int) -> set[int] | None:
    """The axes that a flip turns round; None where they aren't written out."""
    assert isinstance(node, ast.Call)
    written = [*node.args[_is_of_torch(node) :], *(keyword.value for keyword in node.keywords)]
    try:
        given = [ast.literal_eval(argument) for argument in written]
    except ValueError:
        return None
    axes = given[0] if len(given) == 1 and isinstance(given[0], tuple | list) else given
    return {axis % places for axis in axes} if all(isinstance(axis, int) for axis in axes) else None


def _moved_back(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    """`x` for `x.T.T`, `torch.outer(y, x)` for `torch.outer(x, y).T`, and the like inside a product."""
    inner = _source(node)
    if _is_move(inner):
        places = list(range(len(shape_of(node))))
        return _source(inner) if _moved(node, _moved(inner, places)) == places else node
    if isinstance(inner, ast.Call) and _is_method(inner, frozenset({"outer"})) and _is_of_torch(inner):
        return ast.Call(inner.func, inner.args[::-1], inner.keywords)
    if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult) and is_plain(inner.left):
        bare = undone(_with_source(node, inner.right), shape_of)
        return node if _is_move(bare) else ast.BinOp(inner.left, ast.Mult(), bare)
    if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.MatMult):
        return _turned_product(node, inner, shape_of)
    return node


def _with_source(node: ast.expr, source: ast.expr) -> ast.expr:
    """The same change of shape, of something else."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute(source, node.attr, node.ctx)
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Attribute)
    if _is_of_torch(node):
        return ast.Call(node.func, [source, *node.args[1:]], node.keywords)
    return ast.Call(ast.Attribute(source, node.func.attr, ast.Load()), node.args, node.keywords)


def _without_stretching(node: ast.Call, shape_of: ShapeOf) -> ast.expr:
    """`torch.where(c, x, 0.0)` for `torch.where(c, x.expand(2, 3), 0.0)`: a call that stretches what it is given."""
    if _is_method(node, EXPAND) and _is_method(_source(node), EXPAND):
        whole = _source(_source(node))
        if any(is_minus(size) for size in node.args):  # -1 keeps what the first one has made
            return expanded(whole, shape_of(node))
        return ast.Call(ast.Attribute(whole, "expand", ast.Load()), node.args, [])
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


def expanded(node: ast.expr, shape: Shape) -> ast.expr:
    """`x.expand(2, 3)`; a single number as it is."""
    if not shape:
        return node
    return ast.Call(ast.Attribute(node, "expand", ast.Load()), [ast.Constant(size) for size in shape], [])


def _is_method(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names


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


def _turned_product(node: ast.expr, product: ast.BinOp, shape_of: ShapeOf) -> ast.expr:
    """`y.T @ x` for `(x.T @ y).T`: the product turned the other way round, where that takes no more turns."""
    if not _turns(node, shape_of) or min(len(shape_of(side)) for side in (product.left, product.right)) < 2:
        return node
    turned = _turned(product, shape_of)
    return turned if _turns_in(turned) <= _turns_in(product) + 1 and _turns_in(product) else node


def _turns_in(node: ast.expr) -> int:
    """How many factors of a matrix product are turned."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _turns_in(node.left) + _turns_in(node.right)
    return int(_is_move(node))


def _turns(move: ast.expr, shape_of: ShapeOf) -> bool:
    """Whether a move exchanges the last two axes and no others."""
    axes = list(range(len(shape_of(move))))
    return _moved(move, axes) == [*axes[:-2], *axes[-2:][::-1]]


def _turned(node: ast.expr, shape_of: ShapeOf) -> ast.expr:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult) and _turns_in(node):
        return ast.BinOp(_turned(node.right, shape_of), ast.MatMult(), _turned(node.left, shape_of))
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
