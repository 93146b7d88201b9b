"""An answer's statements, each with the way to it, and the answer with another one in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from backend.engine.language.tree import copied
from backend.practice.answer import Answer

Path = tuple[int, ...]


def places_in(statements: list[ast.stmt], above: Path = ()) -> Iterator[tuple[Path, ast.stmt]]:
    """Every statement and those in its loops, each with the way to it."""
    for number, one in enumerate(statements):
        yield (*above, number), one
        if isinstance(one, ast.For):
            yield from places_in(one.body, (*above, number))


def value_of(statement: ast.stmt) -> ast.expr | None:
    """What a statement computes; None of a loop."""
    return statement.value if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr) else None


def with_statement(answer: Answer, path: Path, statement: ast.stmt) -> Answer:
    """The answer with another statement at this place."""
    statements = _exchanged(answer.statements, path, statement)
    last = statements[-1]
    bare = last.value if answer.bare is not None and isinstance(last, ast.Expr) else answer.bare
    return Answer(answer.source, statements, answer.variable, bare)


def _exchanged(statements: list[ast.stmt], path: Path, statement: ast.stmt) -> list[ast.stmt]:
    number, *rest = path
    one = statements[number]
    if rest and isinstance(one, ast.For):
        loop = copied(one)
        loop.body = _exchanged(one.body, tuple(rest), statement)
        statement = loop
    return [*statements[:number], statement, *statements[number + 1 :]]
