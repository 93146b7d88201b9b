"""How a text that was pasted became the program that is walked: what is said of it, and what it makes and lacks."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.engine.language.values import Parameters


@dataclass(frozen=True)
class Note:
    """One remark, and the place in the pasted text that it is about."""

    code: str
    text: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass
class Lowered:
    """A program of chunks for code as found: what is walked, and how it came about.

    `places` has for each written line the statement of the code; `lifted` the rows that the code itself makes for the
    table, `numbers` the constants, and `needs` what is still missing, each row with a guess.
    """

    source: str
    loss: str
    notes: list[Note] = field(default_factory=list)
    places: dict[int, ast.AST] = field(default_factory=dict)
    groups: list[Parameters] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    lifted: dict[str, Parameters] = field(default_factory=dict)
    numbers: dict[str, int | float] = field(default_factory=dict)
    needs: list[Parameters] = field(default_factory=list)


@dataclass(frozen=True)
class Need:
    """A tensor or number that was missing, with what is supposed of it; `letters` are those of its lengths."""

    name: str
    row: Mapping[str, Any]
    letters: tuple[str | None, ...]
    because: str
    sure: bool


@dataclass(frozen=True)
class Found:
    """How the text that was pasted became the program that is walked."""

    pasted: str
    lowered: Lowered
    needs: tuple[Need, ...]
