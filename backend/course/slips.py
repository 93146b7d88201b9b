"""Slips in a number that somebody worked out: a factor left out, a number upside down, a sign."""

from __future__ import annotations

import ast
import math
from contextlib import suppress

from backend.course.numbers import value_of
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import expression
from backend.lines.mistakes.edits import Setting
from backend.lines.mistakes.library import edits_of
from backend.program.runs import Run

NEAR = 5e-3


def slip_in(asked: str, value: float, run: Run) -> str:
    """What was left out or turned in an expression that gives this number instead; empty where nothing was."""

    def number(part: ast.expr) -> float | None:
        with suppress(Refusal):
            found = value_of(run, ast.unparse(part))
            return float(found) if isinstance(found, int | float) else None
        return None

    setting = Setting("", lambda _: None, number, ())
    tree = expression(asked.strip())
    for edit in edits_of(tree, setting):
        found = number(edit.applied_to(tree)) if edit.code in ("scale", "sign") else None
        if found and math.isclose(found, value, rel_tol=NEAR):
            return edit.label
    return ""
