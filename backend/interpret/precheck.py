"""Checks that need no shapes: syntax, unknown functions and misspelled names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from backend.interpret.evaluate import unknown_operation
from backend.interpret.interpreter import Interpreter
from backend.language import grammar
from backend.language.errors import Refusal
from backend.language.parse import parse, parse_answer
from backend.language.suggest import nearest
from backend.language.tree import Fault, stored_in
from backend.ops import REGISTRY

MOST_ASKED = 25  # undefined names that are compared with all the others
KNOWN = frozenset({*REGISTRY, ".size", ".dim", ".ndimension", ".numel", *(f"math.{name}" for name in grammar.MATH)})


def precheck(source: str, names: Iterable[str], answer: bool = False) -> None:
    """Raise Refusal at the first mistake that doesn't depend on shapes: syntax, unknown function, misspelled name.

    An undefined name is accepted, unless it is near to a known one: its tensor may still be described.
    """
    program = parse_answer(source) if answer else parse(source)
    known = dict.fromkeys(names)
    asked: set[str] = set()
    try:
        for statement in _statements(program.statements):
            if isinstance(statement, Fault):
                raise statement.refusal
            for node in _in_order(statement):
                _look(node, known, asked)
            known |= dict.fromkeys(stored_in(statement.target if isinstance(statement, ast.For) else statement))
    except Refusal as refusal:
        raise refusal.locate(program.statements[0], program.pasted) from None


def _statements(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements in the order of the text, a loop before its body."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.For):
            yield from _statements(statement.body)


def _in_order(statement: ast.stmt) -> list[ast.expr]:
    """The calls and names that a statement itself reads, as they stand in the text."""
    tree = statement.iter if isinstance(statement, ast.For) else statement
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Name)]
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    return sorted((node for node in nodes if node not in called), key=lambda node: (node.lineno, node.col_offset))


def _look(node: ast.expr, known: dict[str, None], asked: set[str]) -> None:
    if isinstance(node, ast.Call):
        _look_at_call(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not (node.id in known or node.id in asked):
        asked.add(node.id)
        if len(asked) <= MOST_ASKED:
            _look_at_name(node, known)


def _look_at_call(node: ast.Call) -> None:
    key = ""
    if isinstance(node.func, ast.Name) and node.func.id not in grammar.BUILTINS:
        key = node.func.id
    elif isinstance(node.func, ast.Attribute):
        key = Interpreter({}).path(node.func) or f".{node.func.attr}"
    if key and key not in KNOWN:
        raise unknown_operation(key, node)


def _look_at_name(node: ast.Name, known: dict[str, None]) -> None:
    if node.id in grammar.RESERVED - {"nn"}:
        return
    if node.id in grammar.OTHER_MODULES:
        raise Refusal("module-unknown", found=node.id, at=node)
    near = nearest(node.id, known)
    if near:
        raise Refusal("name-near", found=node.id, near=near, at=node)
