"""The library for syntax trees: what a statement writes, what a tree reads, numbers, literals, walks and copies.

Walks are several times as fast as `ast.walk`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard, TypeVar
from weakref import WeakKeyDictionary

from backend.engine.language.errors import Refusal
from backend.engine.language.nodes import as_kind, by_kind

Tree = TypeVar("Tree", bound=ast.AST)
Told = TypeVar("Told")
Assignment = ast.Assign | ast.AugAssign  # `h = …`, `dh += …`
# Nodes that have a place in a program's text.
Located = ast.stmt | ast.expr | ast.keyword | ast.arg | ast.alias | ast.excepthandler | ast.pattern


class Fault(ast.stmt):
    """A statement that is no part of the language: whoever comes to it raises its refusal.

    `names` are those it would have given a value.
    """

    def __init__(self, refusal: Refusal, names: Iterable[str] = ()) -> None:
        super().__init__()
        self.refusal, self.names = refusal, list(names)


class Growth(ast.Assign):
    """`steps.append(h)`, read as `steps = steps + [h]`; `newest` is `[h]`, and `item` is `h`."""

    steps: ast.Name
    newest: ast.List
    item: ast.expr


def growth(node: ast.stmt) -> Growth | None:
    """A line such as `steps.append(h)` as an assignment; None for any other."""
    match node:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name() as steps, attr="append"), args=[item], keywords=[])
        ):
            newest = ast.copy_location(ast.List([item], ast.Load()), item)
            longer = ast.copy_location(ast.BinOp(steps, ast.Add(), newest), node)
            made = Growth([ast.copy_location(ast.Name(steps.id, ast.Store()), steps)], longer)
            made.steps, made.newest, made.item = steps, newest, item
            return ast.copy_location(made, node)
    return None


# The fields of the commonest nodes that hold nodes.
_PARTS: dict[type[ast.AST], tuple[str, ...]] = by_kind({
    ast.Name: ("ctx",), ast.Constant: (), ast.Attribute: ("value", "ctx"), ast.keyword: ("value",), ast.Load: (),
    ast.Store: (),
})  # fmt: skip


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in the order in which they are written."""
    found: list[ast.AST] = []
    for name in _PARTS.get(type(node), node._fields):
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def worked_out_once(fact: Callable[[Tree], Told]) -> Callable[[Tree], Told]:
    """A fact of a tree that nothing changes any more, worked out when it is first asked for."""
    known: WeakKeyDictionary[ast.AST, Told] = WeakKeyDictionary()

    def told(node: Tree) -> Told:
        if node not in known:
            known[node] = fact(node)
        return known[node]

    return told


def copied(node: Tree) -> Tree:
    """A copy of one node, with the very nodes below it."""
    return as_kind(type(node), node)


def nodes_in(tree: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes, itself the first, in no order that matters."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += children(node)


def in_order(tree: ast.AST) -> list[ast.AST]:
    """A tree's nodes in the order in which they are written, each before those below it."""
    found, pending = list[ast.AST](), [tree]
    while pending:
        found.append(node := pending.pop())
        pending += reversed(children(node))
    return found


def target_of(statement: Assignment) -> ast.expr:
    """Where a statement writes: a name, a tuple of names, or some cells."""
    return statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]


def names_of(target: ast.expr) -> list[str]:
    """The names that a target such as `h` or `a, b` gives values to, in their order."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def names_in(tree: ast.AST) -> set[str]:
    """Every name in a tree, read or written."""
    return {node.id for node in nodes_in(tree) if isinstance(node, ast.Name)}


def stored_in(*trees: ast.AST) -> list[str]:
    """The names that trees assign, as often as they do."""
    return _names(trees, ast.Store)


def loaded_in(*trees: ast.AST) -> list[str]:
    """The names that trees read, as often as they do."""
    return _names(trees, ast.Load)


def _names(trees: tuple[ast.AST, ...], context: type[ast.expr_context]) -> list[str]:
    found: list[str] = []
    for tree in trees:
        nodes = [tree]
        for node in nodes:  # which grows meanwhile, level by level
            if isinstance(node, ast.Name):
                found += [node.id] if isinstance(node.ctx, context) else []
            else:
                nodes += children(node)
    return found


def number(node: ast.expr) -> int | float | None:
    """The value of a numeral, with its sign; None for anything else."""
    if isinstance(node, ast.Constant):
        value = node.value
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    inner = number(node.operand) if is_minus(node) else None
    return None if inner is None else -inner


def constant(value: int | float) -> ast.expr:
    """A number as an expression; a negative one carries its sign outside."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def is_minus(node: ast.expr) -> TypeGuard[ast.UnaryOp]:
    """Whether an expression is another one with a minus before it."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def minus(node: ast.expr) -> ast.expr:
    """`-node`; of two signs neither is left."""
    return node.operand if is_minus(node) else ast.UnaryOp(ast.USub(), node)


def is_literal(value: object) -> bool:
    """Whether a value can be written out: a number, a word, or a tuple or list of them."""
    if isinstance(value, tuple | list):
        return all(is_literal(part) for part in value)
    return isinstance(value, int | float | None | type(...)) or type(value) is str


def literal(value: object) -> ast.expr:
    """A number, word, or tuple of them as an expression."""
    if isinstance(value, tuple | list):
        kind = ast.Tuple if isinstance(value, tuple) else ast.List
        return kind([literal(item) for item in value], ast.Load())
    if isinstance(value, int | float):
        return constant(value)
    return ast.Constant(value if isinstance(value, str | None | type(...)) else None)


def attribute(expr: ast.expr, name: str) -> ast.expr:
    """`expr.name`."""
    return ast.Attribute(expr, name, ast.Load())


def item(expr: ast.expr, number: int) -> ast.expr:
    """`expr[number]`."""
    return ast.Subscript(expr, ast.Constant(number), ast.Load())
