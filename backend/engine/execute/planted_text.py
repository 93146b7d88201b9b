"""Reads a text that takes the place of a backward line: what it may write to, and which names are there by then."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import PlantedLine
from backend.engine.interpret.precheck import precheck
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import RESERVED
from backend.engine.language.parse import parse_answer
from backend.engine.language.tree import Assignment, stored_in
from backend.engine.language.unparse import printed


def read_line(plan: Plan, number: int, text: str) -> PlantedLine:
    """The line that a text says, in place of that with this number.

    Raises Refusal for a text that is none of the language, makes another gradient, writes to what isn't its own, or
    reads what isn't there yet.
    """
    right, text = plan.lines[number], text.strip("\n")
    made = frozenset(_stored(plan.lines[:number]))
    later = ({*plan.graph.by_gradient} | set(_stored(plan.lines[number:]))) - made
    known = set(plan.shapes) - later
    program = parse_answer(text)
    if len(program.statements) == 1 and isinstance(program.statements[0], ast.Expr):
        text = f"{right.variable} {right.sign} {text.strip()}"
        program = parse_answer(text)
    precheck(text, known | later, answer=True)
    own = {right.variable, *(name for name in _stored([right]) if name not in made)}
    for statement in program.statements:
        try:
            _check(statement, right.variable, own, known, later)
        except Refusal as refusal:
            raise refusal.locate(statement, program.pasted) from None
        own |= set(stored_in(statement))
    if not any(right.variable in _written(one) for one in program.statements):
        raise Refusal("plant-target", name=right.variable, line=printed(right.last))
    mode = "=" if any(_begins(one, right.variable) for one in program.statements) else "+="
    statements = cast(list[Assignment], [*_helpers(plan, number, program.statements), *program.statements])
    return PlantedLine(
        right.target, right.variable, mode, statements, right.through, right.path, right.inner, right.uses,
        right.parts, None, text, made,
    )  # fmt: skip


def _check(statement: ast.stmt, target: str, own: set[str], known: set[str], later: set[str]) -> None:
    """Raise Refusal for a statement that writes to what isn't its own, or that reads what isn't there."""
    foreign = next((name for name in _written(statement) if name in known | later and name not in own), None)
    if foreign is not None:
        raise Refusal("plant-writes", found=foreign, name=target, at=statement)
    there = known | own | set(_written(statement)) | RESERVED
    called = {node.func for node in ast.walk(statement) if isinstance(node, ast.Call)}
    for node in ast.walk(statement):
        if not isinstance(node, ast.Name) or node in called or node.id in there:
            continue
        raise Refusal("plant-later" if node.id in later else "name-unknown", found=node.id, at=node)


def _written(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement gives values to, or whose cells it writes to."""
    for node in ast.walk(statement):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AugAssign | ast.For) else targets
        for target in targets:
            inner = target.value if isinstance(target, ast.Subscript) else target
            yield from [inner.id] if isinstance(inner, ast.Name) else stored_in(inner)


def _begins(statement: ast.stmt, variable: str) -> bool:
    """Whether a statement begins a gradient, and does not add to one."""
    return isinstance(statement, ast.Assign) and variable in stored_in(statement.targets[0])


def _stored(lines: list[Line]) -> list[str]:
    return [name for line in lines for name in stored_in(*line.statements)]


def _helpers(plan: Plan, number: int, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The right line's helper lines go on standing before the one that is planted: later lines read them, and what is
    drawn of the right line beside it."""
    right, own = plan.lines[number], {printed(one) for one in statements if isinstance(one, Assignment)}
    helpers = [one for one in right.statements[:-1] if right.variable not in _written(one)]
    return [] if own.issuperset(map(printed, helpers)) else [*helpers]
