"""Where a name of a walk comes from: the line of the program that makes it, and the line of the user's behind that."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from backend.engine.differentiate.lines import Line
from backend.engine.language.tree import stored_in
from gradwalk.recorder.program import Written


@dataclass(frozen=True)
class Origin:
    """A line of the program, and the user's that it came from: its file, number and text."""

    line: str = ""
    file: str = ""
    number: int = 0
    text: str = ""

    @property
    def place(self) -> str:
        """The user's line, in brackets; empty where none is known. What was typed into Python is in no file."""
        file = "" if self.file.startswith("<") else f"{Path(self.file).name}, "
        return f" ({file}line {self.number}: {self.text})" if self.file else ""

    def __str__(self) -> str:
        return f"`{self.line}`{self.place}"


def origins(program: Written) -> dict[str, Origin]:
    """The line that makes each name."""
    found: dict[str, Origin] = {}
    for statement in ast.parse(program.source).body:
        code = ast.get_source_segment(program.source, statement) or ""
        origin = Origin(code, *program.origin.get(statement.lineno, ("", 0, "")))
        found |= dict.fromkeys(stored_in(statement), origin)
    return found


def back(line: Line, known: dict[str, Origin]) -> Origin:
    """A backward line, with the user's line whose way back it is."""
    forward = known.get(str(line.through.node.variable if line.through else line.target.variable), Origin())
    return Origin(line.code, forward.file, forward.number, forward.text)
