"""What a loop costs at least, told before it begins: one that would never end isn't begun."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from backend.engine.language.tree import children, nodes_in, number, worked_out_once
from backend.lowering.budget import MOST_STEPS

# What leaves a loop, or a turn of it, before its end.
JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Try)
# Expressions of which only a part is worked out, or that are worked out later.
PARTLY = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.Compare, ast.NamedExpr, ast.JoinedStr, ast.FormattedValue)
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


class Foreseen(NamedTuple):
    """What is told of a loop before it begins."""

    may_end: bool
    may_end_all: bool
    least: int


@worked_out_once
def of_loop(loop: ast.For) -> Foreseen:
    """Whether it may be left before its end, may be the program's last line, and what a turn takes at least."""
    return Foreseen(may_end(loop.body), may_end_all(loop.body), least_of_turn(loop.body))


def may_end(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop may be left before its end."""
    return any(isinstance(node, JUMPS) for statement in body for node in nodes_in(statement))


def may_end_all(body: Sequence[ast.stmt]) -> bool:
    """Whether a turn of a loop may be the program's last line, as one with `.backward()` is."""
    calls = [node.func for statement in body for node in nodes_in(statement) if isinstance(node, ast.Call)]
    return not all(ast.unparse(one).startswith(("range", "len", "torch.", "F.", "math.")) for one in calls)


def least_of_turn(body: Sequence[ast.stmt]) -> int:
    """The steps that one turn of a loop takes at least; 0 where it may be the last one."""
    return 0 if may_end(body) else 1 + sum(map(_of_statement, body))


def least_of_part(generators: Sequence[ast.comprehension], made: Sequence[ast.expr]) -> int:
    """The steps that one turn of a comprehension's first loop takes at least."""
    first, *others = generators
    if first.ifs:
        return 2
    inner = sum(map(_of_expression, made)) if not others else _times(others[0].iter) * least_of_part(others, made)
    return min(1 + inner, MOST_STEPS)


def _of_statement(statement: ast.stmt) -> int:
    match statement:
        case ast.For(iter=values, body=body):
            return 1 + _of_expression(values) + min(_times(values) * least_of_turn(body), MOST_STEPS)
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=ast.Call() as value):
            return 1 + _of_expression(value)
        case _:
            return 1


def _of_expression(node: ast.AST) -> int:
    if isinstance(node, PARTLY):
        return 1
    if isinstance(node, COMPREHENSIONS):
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        turns = _times(node.generators[0].iter)
        return min(1 + turns * least_of_part(node.generators, made), MOST_STEPS)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return 2  # what is only printed isn't worked out
    return isinstance(node, ast.expr) + sum(map(_of_expression, children(node)))


def _times(node: ast.expr) -> int:
    """How often a loop over `range(100)` is gone through; 0 where its text alone doesn't tell."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[end]):
            value = number(end)
            return min(max(value, 0), MOST_STEPS) if isinstance(value, int) else 0
    return 0
