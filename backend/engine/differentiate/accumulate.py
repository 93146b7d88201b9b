"""Accumulation of contributions into a gradient: `=`, `+=` or `-=`, equal ones doubled, parts joined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from backend.engine.language.expression import expression
from backend.engine.language.rewrite import is_placing, placing, substitute
from backend.engine.language.signs import doubled, negated, without_sign
from backend.engine.language.tree import Assignment, target_of
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Node

# Of names this short a joint one is made without a line between: `dqkv`.
SHORT = 2
LONGEST_JOINED = 24


def statements_of(variable: str, mode: str, expr: ast.expr) -> list[Assignment]:
    """The statement that makes a gradient or adds to it; two of them where the first writes zeros."""
    place = ast.Name(variable, ast.Store())
    if not is_placing(expr):
        return [ast.Assign([place], expr)] if mode == "=" else [_added(place, expr)]
    zeros, index, value = placing(expr)
    cell = ast.Subscript(ast.Name(variable, ast.Load()), index, ast.Store())
    return [ast.Assign([place], zeros), ast.Assign([cell], value)] if mode == "=" else [_added(cell, value)]


def _added(place: ast.Name | ast.Subscript, value: ast.expr) -> ast.AugAssign:
    bare = without_sign(value)
    return ast.AugAssign(place, ast.Add(), value) if bare is None else ast.AugAssign(place, ast.Sub(), bare)


def contributed(statement: Assignment) -> ast.expr:
    """What a statement contributes, with its sign."""
    return negated(statement.value) if takes_away(statement) else statement.value


def takes_away(statement: Assignment) -> bool:
    """Whether a statement is written with `-=`."""
    return isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Sub)


def bring_the_same(first: Assignment, second: Assignment) -> bool:
    """Whether two statements contribute the same to the same cells."""
    return _told(first) == _told(second)


def _told(statement: Assignment) -> tuple[str, str]:
    return printed(target_of(statement)), printed(contributed(statement))


def double(statement: Assignment) -> None:
    """Make a statement contribute twice as much."""
    statement.value = doubled(statement.value)


def families(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """All parts of each tensor that was cut into parts, in their order."""
    for _, several in groupby(nodes, key=_cut):
        family: list[Node] = []
        for node in several:
            if family and node.parameters.get("part") == 0:
                yield family
                family = []
            family.append(node)
        if family[0].op is not None and family[0].op.together:
            yield family


def _cut(node: Node) -> tuple[object, ...] | None:
    return (node.op, id(node.inputs["x"])) if node.op is not None and node.op.together else None


def together(family: Sequence[Node], gradients: Sequence[ast.expr]) -> ast.expr:
    """The gradient of a tensor that was cut into parts, from those of its parts."""
    first = family[0]
    assert first.op is not None
    dim = first.parameters["dim"]
    rule = expression(first.op.together if dim else first.op.together.replace(", dim=dim", ""))
    return substitute(rule, first.words | {"parts": ast.List(list(gradients), ast.Load())})


def is_whole(family: Sequence[Node]) -> bool:
    """Whether the parts fill the tensor that they were cut out of, none of its cells twice."""
    whole = family[0].inputs["x"]
    return sum(part.meta.numel() for part in family) == whole.meta.numel()


def joint_name(family: Sequence[Node]) -> str:
    """A name for what was cut into parts that have names: `qkv`, `mean_logvar`; nothing where it would be long."""
    names = [part.variable for part in family]
    endings = {re.sub(r".*?(_\d+)?$", r"\1", name) for name in names}
    version = endings.pop() if len(endings) == 1 else ""
    bare = [name.removesuffix(version).strip("_") for name in names]  # f_ is a name beside F
    joined = ("" if max(map(len, bare)) <= SHORT else "_").join(bare) + version
    return joined if all(names) and len(joined) <= LONGEST_JOINED else ""
