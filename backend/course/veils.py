"""Which lines of the programs beside a chapter tell what a question asks for: they stay veiled until it is answered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from backend.course.figures import tensor_of
from backend.course.runs import Runs
from backend.present.steps import steps_of
from backend.program.chapters.chapter import Block
from backend.program.chapters.directives import DIRECTIVES

GRADIENT = re.compile(r"`d(\w+)`")
NAMED = re.compile(r"(\w+(?:@\d+)?)(?:\[[\d, ]*\])?")
LINE = re.compile(r"(?:\w+ = )?(.+)")
RENAMED = 1  # name of an answer that a line may call otherwise, such as `gh` for `dh`


def veiled(block: Block, runs: Runs) -> list[str]:
    """The backward lines that a question asks for: `program:tensor` those of a gradient, `program:6` one of them."""
    own = [f"{block.program}:{name}" for name in _named(block, runs)]
    told = answer_of(block)
    if told is None:
        return own
    every = [f"{name}:{line}" for name in runs.chapter.programs for line in _telling(runs, name, told)]
    return list(dict.fromkeys([*own, *every]))


def answer_of(block: Block) -> ast.expr | None:
    """The answer of a question as an expression that computes something; None for any other."""
    text = block.options.get("answer", "").strip("`")
    found = LINE.fullmatch(text)
    try:
        read = ast.parse(found[1] if found else text, mode="eval").body
    except SyntaxError:
        return None
    return read if isinstance(read, ast.BinOp | ast.Call | ast.UnaryOp) and any(_names(read)) else None


def tells(line: str, answer: ast.expr) -> bool:
    """Whether a line computes an answer, or what it does has the answer in it; a name may be another one."""
    return any(_is(part, answer) for part in ast.walk(ast.parse(line)) if isinstance(part, ast.expr))


def _is(part: ast.expr, answer: ast.expr) -> bool:
    renamed: dict[str, str] = {}
    return _alike(part, answer, renamed) and len(renamed) <= min(RENAMED, len(set(_names(answer))) - 1)


def _named(block: Block, runs: Runs) -> list[str]:
    """The tensors that a question names; one with names of its own names nothing of the program."""
    walked = runs[block.program]
    if DIRECTIVES[block.kind].argument != "piece" and (found := NAMED.fullmatch(block.argument)):
        return [tensor_of(found[1], walked)[0]]
    if "with" in block.options:
        return []
    named = (text.removeprefix("d") for text in GRADIENT.findall(block.prose))
    return [name for name in dict.fromkeys(named) if name in walked.run.plan.by_name]


def _telling(runs: Runs, program: str, answer: ast.expr) -> Iterator[int]:
    for step in steps_of(runs[program].run.plan).backward:
        if tells(step["code"], answer):
            yield from range(step["line"], step["line"] + step["lines"])


def _alike(line: ast.AST, answer: ast.AST, renamed: dict[str, str]) -> bool:
    """Whether two expressions are one, but for the order of factors and terms and for names that are `renamed`."""
    if isinstance(answer, ast.Name):
        return isinstance(line, ast.Name) and (
            line.id == answer.id or renamed.setdefault(answer.id, line.id) == line.id
        )
    if type(line) is not type(answer):
        return False
    if isinstance(answer, ast.Constant) and isinstance(line, ast.Constant):
        return bool(line.value == answer.value)
    if isinstance(answer, ast.BinOp) and isinstance(answer.op, ast.Add | ast.Mult) and isinstance(line, ast.BinOp):
        turned = ast.BinOp(line.right, line.op, line.left)
        return _same_parts(line, answer, renamed) or _same_parts(turned, answer, renamed)
    return _same_parts(line, answer, renamed)


def _same_parts(line: ast.AST, answer: ast.AST, renamed: dict[str, str]) -> bool:
    tried = dict(renamed)
    ours, theirs = ([*ast.iter_child_nodes(one)] for one in (line, answer))
    if len(ours) != len(theirs) or getattr(line, "attr", "") != getattr(answer, "attr", ""):
        return False
    if not all(_alike(one, other, tried) for one, other in zip(ours, theirs, strict=True)):
        return False
    renamed.update(tried)
    return True


def _names(expression: ast.expr) -> Iterator[str]:
    return (part.id for part in ast.walk(expression) if isinstance(part, ast.Name))
