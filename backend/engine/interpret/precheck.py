"""Checks that need no shapes: syntax, unknown functions and misspelled names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from backend.engine.interpret.evaluate import unknown_operation
from backend.engine.interpret.interpreter import Interpreter
from backend.engine.language import grammar
from backend.engine.language.errors import Refusal
from backend.engine.language.parse import parse, parse_answer
from backend.engine.language.suggest import nearest
from backend.engine.language.tree import Fault, stored_in
from backend.engine.ops import REGISTRY

MOST_ASKED = 25  # undefined names that are compared with all the others
KNOWN = frozenset({*REGISTRY, ".size", ".dim", ".ndimension", ".numel", *(f"math.{name}" for name in grammar.MATH)})


def precheck(source: str, names: Iterable[str], answer: bool = False) -> None:
    """Raise Refusal at the first mistake that doesn't depend on shapes: syntax, unknown function, misspelled name.

    An undefined name is accepted, unless it is near to a known one: its tensor may still be described.
    """
    program = parse_answer(source) if answer else parse(source)
    for _, refusal in Precheck(names).faults(program.statements):
        raise refusal.locate(program.statements[0], program.pasted)


class Precheck:
    """Goes through statements in the order of the text; `missing` are the names that nothing gives a value."""

    def __init__(self, names: Iterable[str]) -> None:
        self.known = dict.fromkeys(names)
        self.missing: dict[str, ast.Name] = {}
        self.near: dict[str, str | None] = {}

    def faults(self, statements: list[ast.stmt]) -> Iterator[tuple[ast.stmt, Refusal]]:
        """Every mistake that doesn't depend on shapes, with its statement; a loop comes before its body."""
        for statement in _statements(statements):
            if isinstance(statement, Fault):
                self.known |= dict.fromkeys(statement.names)
                yield statement, statement.refusal
                continue
            found = (self.look(node) for node in _in_order(statement))
            yield from ((statement, refusal) for refusal in found if refusal is not None)
            self.known |= dict.fromkeys(stored_in(statement.target if isinstance(statement, ast.For) else statement))

    def look(self, node: ast.expr) -> Refusal | None:
        """What is wrong with a call or a name by itself."""
        if isinstance(node, ast.Call):
            return _of_call(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in self.known:
            return self.of_name(node)
        return None

    def of_name(self, node: ast.Name) -> Refusal | None:
        if node.id in grammar.RESERVED - {"nn"}:
            return None
        if node.id in grammar.OTHER_MODULES:
            return Refusal("module-unknown", found=node.id, at=node)
        if node.id not in self.near and len(self.near) < MOST_ASKED:
            self.near[node.id] = nearest(node.id, self.known)
        if near := self.near.get(node.id):
            return Refusal("name-near", found=node.id, near=near, at=node)
        self.missing.setdefault(node.id, node)
        return None


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


def _of_call(node: ast.Call) -> Refusal | None:
    key = ""
    if isinstance(node.func, ast.Name) and node.func.id not in grammar.BUILTINS:
        key = node.func.id
    elif isinstance(node.func, ast.Attribute):
        key = Interpreter({}).path(node.func) or f".{node.func.attr}"
    return unknown_operation(key, node) if key and key not in KNOWN else None
