"""With this module text becomes a checked Program, or a Refusal that points at the piece it can't take."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from backend.language.errors import Refusal
from backend.language.grammar import ALLOWED, ANSWER_CHARACTERS, LIMITS, REFUSED_WORDS, RESERVED, UNWANTED
from backend.language.syntax import children, growth


@dataclass(frozen=True)
class Program:
    """A parsed program: its text, its statements, and the headings its comment lines give."""

    source: str
    statements: list[ast.stmt]
    headings: dict[int, str]


def parse(source: str, *, answer: bool = False) -> Program:
    """Parse a program of the chunk language; `answer` also admits `+=` and item assignment.

    Raises Refusal with line, column and what to write instead.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    limit = ANSWER_CHARACTERS if answer else LIMITS.characters
    if len(source) > limit:
        raise Refusal("source-too-long", found=f"{len(source):,}", limit=f"{limit:,}")
    tree = _tree(source)
    try:
        _check(tree, answer)
    except Refusal as refusal:
        raise refusal.locate(tree, source) from None
    if not tree.body:
        raise Refusal("program-empty")
    return Program(source, _with_growth(tree.body), _headings(source))


def _with_growth(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with each `steps.append(h)` as the assignment that it is read as."""
    for statement in body:
        if isinstance(statement, ast.For):
            statement.body = _with_growth(statement.body)
    return [growth(statement) or statement for statement in body]


def _tree(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        spot = ast.Pass(lineno=error.lineno or 1, col_offset=max((error.offset or 1) - 1, 0))
        # SyntaxError counts characters where ast counts bytes.
        spot.col_offset = len((error.text or "")[: spot.col_offset].encode())
        raise Refusal("syntax", found=error.msg, at=spot).locate(spot, source) from None
    except ValueError:
        raise Refusal("syntax", found="it holds something that is not text") from None
    except (RecursionError, MemoryError):
        raise Refusal("nested-too-deep", limit=LIMITS.nesting) from None


def _check(tree: ast.Module, answer: bool) -> None:
    """Walk without recursion: hostile nesting must not reach Python's own stack."""
    pending: list[tuple[ast.AST, int, ast.AST]] = [(tree, 0, tree)]
    nodes = statements = 0
    while pending:
        node, depth, place = pending.pop()
        place = node if hasattr(node, "lineno") else place
        nodes += 1
        statements += isinstance(node, ast.stmt)
        if nodes > LIMITS.syntax_nodes or statements > LIMITS.statements:
            raise Refusal("program-too-large", nodes=f"{LIMITS.syntax_nodes:,}", statements=LIMITS.statements, at=place)
        if depth > LIMITS.nesting:
            raise Refusal("nested-too-deep", limit=LIMITS.nesting, at=place)
        if not isinstance(node, ALLOWED) or isinstance(node, ast.Not):
            found = REFUSED_WORDS.get(type(node), "this")
            raise Refusal("import" if found == "import" else "not-in-language", found=found, at=place)
        _check_details(node, answer)
        pending.extend((child, depth + 1, place) for child in children(node))


def _check_details(node: ast.AST, answer: bool) -> None:
    if isinstance(node, ast.Assign):
        _check_target(node, answer)
    elif isinstance(node, ast.AugAssign) and not answer:
        raise Refusal("augmented-assignment", at=node)
    elif type(node) in _CHECKS:
        _CHECKS[type(node)](node)


def _check_keywords(node: ast.Call) -> None:
    seen: set[str | None] = set()
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Refusal("not-in-language", found="**", at=keyword)
        if keyword.arg in seen:
            raise Refusal("keyword-twice", found=keyword.arg, at=keyword)
        seen.add(keyword.arg)


def _check_attribute(node: ast.Attribute) -> None:
    if node.attr.startswith("_"):
        raise Refusal("name-underscore", found=node.attr, at=node)


def _check_comparison(node: ast.Compare) -> None:
    if len(node.ops) != 1:
        raise Refusal("comparison-chain", at=node)


def _check_name(node: ast.Name) -> None:
    if node.id.startswith("_") and not (node.id == UNWANTED and isinstance(node.ctx, ast.Store)):
        raise Refusal("name-underscore", found=node.id, at=node)
    if not node.id.isascii() or len(node.id) > LIMITS.name_length:
        raise Refusal("name-letters", found=node.id, limit=LIMITS.name_length, at=node)
    if isinstance(node.ctx, ast.Store) and node.id in RESERVED:
        raise Refusal("name-reserved", found=node.id, at=node)


def _check_constant(node: ast.Constant) -> None:
    if not isinstance(node.value, int | float | str | None | type(...)):
        raise Refusal("constant-kind", found=type(node.value).__name__, at=node)
    if isinstance(node.value, int) and abs(node.value) > LIMITS.largest_integer:
        raise Refusal("integer-too-large", limit="2**53", at=node)


def _check_target(node: ast.Assign, answer: bool) -> None:
    if len(node.targets) != 1:
        raise Refusal("assignment-chain", at=node)
    target = node.targets[0]
    if isinstance(target, ast.Name) and target.id == UNWANTED:
        raise Refusal("name-underscore", found=target.id, at=target)
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    if all(isinstance(t, ast.Name) for t in names):
        return
    if not (answer and isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
        raise Refusal("assignment-target", at=target)


def _check_for(node: ast.For) -> None:
    over_range = (
        isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
    )
    if not over_range or not isinstance(node.target, ast.Name) or node.orelse:
        raise Refusal("loop-form", at=node)


def _check_expression_statement(node: ast.Expr) -> None:
    # A notebook cell may end in a bare name, to show it.
    if (
        isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "backward"
    ):
        raise Refusal("backward-call", at=node)
    if not isinstance(node.value, ast.Name) and growth(node) is None:
        raise Refusal("expression-alone", at=node)


_CHECKS: dict[type[ast.AST], Callable[[Any], None]] = {
    ast.Name: _check_name, ast.Attribute: _check_attribute, ast.Constant: _check_constant, ast.For: _check_for,
    ast.Expr: _check_expression_statement, ast.Call: _check_keywords, ast.Compare: _check_comparison,
}  # fmt: skip


def _headings(source: str) -> dict[int, str]:
    """Comment lines of their own, by line number: they name the groups in the graph."""
    lines = enumerate(source.split("\n"), start=1)
    found = ((number, line.strip().lstrip("#").strip(" -=#")) for number, line in lines if line.strip().startswith("#"))
    return {number: text for number, text in found if text}
