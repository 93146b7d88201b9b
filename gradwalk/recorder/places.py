"""Where a call stands: the user's own line and expression, what it is assigned to, and which module it is part of."""

from __future__ import annotations

import ast
import io
import linecache
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType

import torch

TORCH = str(Path(torch.__file__).parent)
OURS = str(Path(__file__).parents[1])
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Place:
    """A call's place in the user's own text.

    `targets` are the names that its value is assigned to there; `statement` tells apart the lines; `module` is the path
    of the innermost module of the user's, `layer` the last word of the path of one of PyTorch's.
    """

    file: str = ""
    line: int = 0
    targets: tuple[str, ...] = ()
    statement: tuple[int, int] = (0, 0)
    comment: str = ""
    module: str = ""
    layer: str = ""
    text: str = ""


@dataclass
class Source:
    """The syntax of a file: its expressions by their places, and the comments behind its lines."""

    spans: dict[Span, ast.expr] = field(default_factory=dict)
    statements: dict[int, ast.stmt] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    targets: dict[int, tuple[str, ...]] = field(default_factory=dict)  # by the identity of the assigned expression


def frames_from(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and those that called it, but for our own."""
    while frame is not None:
        if not frame.f_code.co_filename.startswith(OURS):
            yield frame
        frame = frame.f_back


def users(frames: list[FrameType], stop: FrameType | None) -> list[FrameType]:
    """The frames of the user's own code, the innermost first, up to where the walk was asked for."""
    found = []
    for frame in frames:
        if frame is stop:
            break
        if not frame.f_code.co_filename.startswith(TORCH):
            found.append(frame)
    return found


@lru_cache(maxsize=256)
def source_of(file: str) -> Source:
    """The syntax of a file, or of a notebook's cell; empty where there is no text."""
    found = Source()
    text = "".join(linecache.getlines(file))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            found.spans[node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0] = node
        elif isinstance(node, ast.stmt):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                if not hasattr(node, "body"):
                    found.statements[line] = node
            assigned(node, found)
    if text:
        comments_in(text, found)
    return found


def assigned(node: ast.stmt, found: Source) -> None:
    """Note which names an assignment gives its value to."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        found.targets[id(node.value)] = tuple(names_in(node.targets[0]))
    elif isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value is not None:
        found.targets[id(node.value)] = tuple(names_in(node.target))


def names_in(target: ast.expr) -> Iterator[str]:
    """The names of a target; what is no name counts as none."""
    if isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from names_in(one)
    elif isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    else:
        yield ""


def comments_in(text: str, found: Source) -> None:
    """Note the comments behind lines of code."""
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and lines[token.start[0] - 1][: token.start[1]].strip():
                found.comments[token.start[0]] = token.string
    except (tokenize.TokenError, IndentationError):
        return


@lru_cache(maxsize=4096)
def position(code: CodeType, instruction: int) -> Span | None:
    """The place in the text of what an instruction computes."""
    every = list(code.co_positions())
    line, end_line, column, end_column = every[instruction // 2]
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return line, column, end_line, end_column


def place_of(frames: list[FrameType], stop: FrameType | None, module: str, layer: str) -> Place:
    """The place of a call that these frames have led to."""
    own = users(frames, stop)
    if not own:
        return Place(module=module, layer=layer)
    frame = own[0]
    code = frame.f_code
    span = position(code, frame.f_lasti)
    source = source_of(code.co_filename)
    line = span[0] if span else frame.f_lineno
    node = source.spans.get(span) if span else None
    statement = source.statements.get(line)
    targets = source.targets.get(id(node), ()) if node is not None else ()
    if isinstance(statement, ast.AugAssign) and not targets and node is None:
        targets = tuple(names_in(statement.target))
    last = (statement.end_lineno or line) if statement else line
    comment = source.comments.get(last, "") if targets or isinstance(statement, ast.Return) else ""
    return Place(
        code.co_filename, line, targets, (id(frame), statement.lineno if statement else line), comment, module, layer,
        linecache.getline(code.co_filename, line).strip(),
    )  # fmt: skip


def calling() -> FrameType:
    """The frame that asked for the walk: the first that isn't ours."""
    return next(frames_from(sys._getframe()))
