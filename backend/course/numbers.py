"""Numbers in a chapter's text: an expression of the language over a walk's values and gradients, as it is read."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.engine.language.parse import parse_answer
from backend.engine.language.wording import fixed_text, number_text
from backend.program.runs import Run

DIGITS, MOST_DIGITS, MOST_CELLS = 3, 12, 16
FORM = re.compile(r"(.+?)\s*\|\s*(\.?)(\d+)", re.DOTALL)
APART = re.compile(r"(.+?)\s*\|\s*(\d+) apart from (.+)", re.DOTALL)
SIGNED = str.maketrans("-", "−")


def value_of(run: Run, text: str) -> Any:
    """What an expression gives on a run's values and gradients; raises Refusal where it can't be read or run."""
    statements = parse_answer(text).statements
    if len(statements) != 1 or not isinstance(statements[0], ast.Expr):
        raise Refusal("chapter-expression", found=text)
    evaluator = Evaluator({**run.material.constants, **run.forward.values, **run.gradients})
    with torch.no_grad(), DefaultDtype(run.material.dtype), guard(statements[0]):
        return evaluator.value(statements[0].value)


def number_of(run: Run, text: str) -> str:
    """An expression's value as text: `x`, `x | 6` for six significant digits, `x | .3` for three decimals."""
    form = FORM.fullmatch(text.strip())
    expression, decimals, digits = (form[1], form[2], int(form[3])) if form else (text, "", DIGITS)
    if digits > MOST_DIGITS:
        raise Refusal("chapter-expression", found=text)
    return number_shown(value_of(run, expression), digits, bool(decimals), text)


def form_of(run: Run, text: str) -> str:
    """A number's text with as many digits as it needs: `x | 6 apart from y` asks for more than 6 where `y` reads alike.

    What is said to differ must read differently. Raises Refusal where no number of digits does that.
    """
    found = APART.fullmatch(text.strip())
    if not found:
        return text
    one, other = (float(value_of(run, found[part])) for part in (1, 3))
    for digits in range(int(found[2]), MOST_DIGITS + 1):
        if number_text(one, digits) != number_text(other, digits):
            return f"{found[1]} | {digits}"
    raise Refusal("chapter-expression", found=text)


def number_shown(value: Any, digits: int, decimals: bool, text: str) -> str:
    """A number, or a short row of them with as many decimals as its largest number needs."""
    if isinstance(value, torch.Tensor):
        if value.numel() == 1:
            value = value.item()
        elif value.dim() == 1 and value.numel() <= MOST_CELLS:
            return _row(value.tolist(), digits, decimals)
        else:
            raise Refusal("chapter-expression/cells", found=text, cells=value.numel())
    if isinstance(value, bool):
        return str(value)
    if not isinstance(value, int | float):
        raise Refusal("chapter-expression", found=text)
    if isinstance(value, int):
        return f"{value:,}".translate(SIGNED) if abs(value) >= 10_000 else str(value).translate(SIGNED)
    return fixed_text(value, digits) if decimals and math.isfinite(value) else number_text(value, digits)


def _row(numbers: list[Any], digits: int, decimals: bool) -> str:
    finite = [float(number) for number in numbers if math.isfinite(number)]
    whole = not decimals and all(number == int(number) for number in finite)
    size = max(map(abs, finite), default=0.0)
    places = digits if decimals or not size else max(0, digits - 1 - math.floor(math.log10(size)))
    places = 0 if whole else min(places, MOST_DIGITS)
    told = [fixed_text(n, places) if math.isfinite(n) else number_text(n) for n in map(float, numbers)]
    return f"[{', '.join(told)}]"
