"""The parts of a program that has no comments to name them: its loops, and what blank lines set apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from backend.engine.language.tree import Fault, stored_in


def headings_of(pasted: str, statements: Sequence[ast.stmt]) -> dict[int, str]:
    """What names the groups in the graph, by line number: comment lines of their own, else loops and blank lines."""
    lines = enumerate(pasted.split("\n"), start=1)
    found = ((number, line.strip().lstrip("#").strip(" -=#")) for number, line in lines if line.strip().startswith("#"))
    sound = [one for one in statements if not isinstance(one, Fault)]
    return {number: text for number, text in found if text} or _unnamed(pasted.split("\n"), sound)


def _unnamed(lines: list[str], statements: Sequence[ast.stmt]) -> dict[int, str]:
    """Parts by their first line; none where all of it would be one."""
    parts = list(_parts(lines, statements))
    return {part[0].lineno: _name(lines, part) for part in parts} if len(parts) > 1 else {}


def _parts(lines: list[str], statements: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    part: list[ast.stmt] = []
    end = 0
    for statement in statements:
        apart = any(not line.strip() for line in lines[end : statement.lineno - 1])
        if part and (apart or isinstance(statement, ast.For) or isinstance(part[-1], ast.For)):
            yield part
            part = []
        part.append(statement)
        end = statement.end_lineno or statement.lineno
    if part:
        yield part


def _name(lines: list[str], part: list[ast.stmt]) -> str:
    """A loop as it is written, else the first and the last name that is given a value."""
    if isinstance(part[0], ast.For):
        return lines[part[0].lineno - 1].strip().partition(":")[0]
    names = stored_in(part[0])[:1] + stored_in(part[-1])[-1:]
    return " … ".join(dict.fromkeys(names)) or lines[part[0].lineno - 1].strip()
