"""Text becomes a checked Program, or a Refusal that points at the piece it can't take."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from functools import reduce

from backend.engine.language.allowed import check, check_size
from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.nodes import as_written
from backend.engine.language.recover import leave_out
from backend.engine.language.sections import headings_of
from backend.engine.language.text import refuse_unseen
from backend.engine.language.tree import Fault, Located, copied, growth, nodes_in, stored_in

MOST_FAULTS = 20  # that are told of one program
FOUND = 4  # how much more is read of code as found: most of it is never run


@dataclass(frozen=True)
class Program:
    """A parsed program: the text as it was pasted, the same without its margin, and its statements.

    Places of statements are those of the pasted text. A statement that is refused ends them, as a `Fault`.
    """

    pasted: str
    source: str
    statements: list[ast.stmt]
    headings: dict[int, str]


def parse(source: str) -> Program:
    """Parse a program of the language.

    Raises Refusal, with line, column and what to write instead, where nothing can be read before the first fault.
    """
    return _read(source, answer=False)


def parse_answer(source: str) -> Program:
    """Parse what somebody wrote for a gradient: one line or several, or an expression alone.

    Raises Refusal, with line, column and what to write instead, at the first fault anywhere in it.
    """
    program = _read(source, answer=True)
    for statement in program.statements:
        if isinstance(statement, Fault):
            raise statement.refusal
    return program


def parse_around(source: str) -> Program:
    """Parse a program with each statement that is refused as a `Fault` in its place, and all others as they are.

    Raises Refusal where statements can't be told apart: a text too long, too large or nested too deep, or empty.
    """
    pasted, lines, margins = _lines(source)
    text = "\n".join(lines)
    tree, faults = _tree_around(lines, margins, pasted)
    if not (tree.body or faults):
        raise Refusal("program-empty")
    check_size(tree)
    _keep_numerals(tree, lines)
    _indent(tree, margins)
    statements = _with_growth(_each_checked(tree.body, pasted, faults))
    statements = [*faults.values(), *statements]
    return Program(pasted, text, statements, headings_of(pasted, statements))


def read_tree(source: str) -> tuple[str, ast.Module]:
    """The pasted text and its syntax tree, whatever is in it; places are those of the text.

    Raises Refusal for what Python can't read, and for a tree that is too large or nested too deep.
    """
    pasted, lines, margins = _lines(source)
    tree = _tree("\n".join(lines), margins, pasted)
    check_size(tree, times=FOUND)
    _keep_numerals(tree, lines)
    _indent(tree, margins)
    return pasted, tree


def _read(source: str, answer: bool) -> Program:
    pasted, lines, margins = _lines(source)
    text = "\n".join(lines)
    tree = _tree(text, margins, pasted)
    _keep_numerals(tree, lines)
    _indent(tree, margins)
    statements = _with_growth(_checked(tree, pasted, answer))
    return Program(pasted, text, statements, headings_of(pasted, statements))


def _lines(source: str) -> tuple[str, list[str], list[int]]:
    """The pasted text, its lines without their common margin, and how wide that was in each of them."""
    pasted = source.replace("\r\n", "\n").replace("\r", "\n")
    if len(pasted) > LIMITS.characters:
        raise Refusal("source-too-long", found=f"{len(pasted):,}", limit=f"{LIMITS.characters:,}")
    refuse_unseen(pasted)
    margins = _margins(pasted.split("\n"))
    return pasted, [line[margin:] for line, margin in zip(pasted.split("\n"), margins, strict=True)], margins


def _margins(lines: list[str]) -> list[int]:
    """How much each line is indented together with all others; a comment further left does not count."""
    code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    indents = (line[: len(line) - len(line.lstrip(" \t"))] for line in code)
    common = reduce(lambda margin, indent: margin[: _shared(margin, indent)], indents, next(indents, ""))
    return [_shared(common, line) for line in lines]


def _shared(a: str, b: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next((i for i, (c, d) in enumerate(zip(a, b, strict=False)) if c != d), min(len(a), len(b)))


def _tree(text: str, margins: list[int], pasted: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        spot = ast.Pass(lineno=error.lineno or 1, col_offset=max((error.offset or 1) - 1, 0))
        # SyntaxError counts characters where ast counts bytes.
        spot.col_offset = len((error.text or "")[: spot.col_offset].encode())
        spot.col_offset += margins[spot.lineno - 1] if spot.lineno <= len(margins) else 0
        raise Refusal("syntax", found=error.msg, at=spot).locate(spot, pasted) from None
    except ValueError:
        raise Refusal("syntax", found="it holds something that is not text") from None
    except (RecursionError, MemoryError):
        raise Refusal("nested-too-deep", limit=LIMITS.nesting) from None
    except SystemError:  # what the parser of Python gives where its memory runs out half way
        raise MemoryError from None


def _tree_around(lines: list[str], margins: list[int], pasted: str) -> tuple[ast.Module, dict[int, Fault]]:
    """The tree of a text without the statements that Python can't read, and these by line; `lines` loses them."""
    faults: dict[int, Fault] = {}
    for _ in range(MOST_FAULTS):
        try:
            return _tree("\n".join(lines), margins, pasted), faults
        except Refusal as refusal:
            left = refusal.place and leave_out(lines, refusal.place[0], refusal.message.rpartition(": ")[2].rstrip("."))
            if not left:
                if not faults:
                    raise
                break
            first, names = left
            faults[first] = Fault(refusal, names)
    return ast.Module([], []), faults


def _keep_numerals(tree: ast.Module, lines: list[str]) -> None:
    """Every number goes with its text: `1e10` and `1_000` are printed as they were written."""
    encoded: dict[int, bytes] = {}

    def kept(part: object) -> object:
        if not (isinstance(part, ast.Constant) and type(part.value) in (int, float) and part.end_lineno == part.lineno):
            return part
        if part.lineno not in encoded:
            encoded[part.lineno] = lines[part.lineno - 1].encode()
        return as_written(part, encoded[part.lineno][part.col_offset : part.end_col_offset].decode())

    for node in nodes_in(tree):
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.Constant):
                setattr(node, name, kept(part))
            elif isinstance(part, list):
                part[:] = map(kept, part)


def _indent(tree: ast.Module, margins: list[int]) -> None:
    """Move every place to where it is in the pasted text."""
    if not any(margins):
        return
    for node in nodes_in(tree):
        if isinstance(node, Located):
            node.col_offset += margins[node.lineno - 1]
            if node.end_lineno is not None and node.end_col_offset is not None:
                node.end_col_offset += margins[node.end_lineno - 1]


def _checked(tree: ast.Module, pasted: str, answer: bool) -> list[ast.stmt]:
    """The statements up to the first one that is refused, which becomes a Fault: what is before it is told first."""
    if not tree.body:
        raise Refusal("program-empty")
    fault = check(tree, answer)
    if fault is None:
        return tree.body
    number, refusal = fault
    refusal.locate(tree.body[number], pasted)
    if number == 0:
        raise refusal
    return [*tree.body[:number], Fault(refusal)]


def _each_checked(body: list[ast.stmt], pasted: str, unread: dict[int, Fault]) -> list[ast.stmt]:
    """Every statement, each refused one as a Fault; those in `unread` move from there to where they stood."""
    found: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Pass) and statement.lineno in unread:
            found.append(unread.pop(statement.lineno))
            continue
        head = copied(statement)
        if isinstance(head, ast.For):
            head.body = []
        fault = check(ast.Module([head], []))
        if fault is not None:
            found.append(Fault(fault[1].locate(statement, pasted), _made(statement)))
            continue
        if isinstance(statement, ast.For):
            statement.body = _each_checked(statement.body, pasted, unread)
        found.append(statement)
    return found


def _made(statement: ast.stmt) -> list[str]:
    """The names that a statement outside the language would have given a value."""
    named = [node for node in nodes_in(statement) if isinstance(node, ast.alias | ast.FunctionDef | ast.ClassDef)]
    asked = [node.asname if isinstance(node, ast.alias) and node.asname else node.name for node in named]
    return [*stored_in(statement), *asked]


def _with_growth(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with each `steps.append(h)` as the assignment that it is read as."""
    for statement in body:
        if isinstance(statement, ast.For):
            statement.body = _with_growth(statement.body)
    return [growth(statement) or statement for statement in body]
