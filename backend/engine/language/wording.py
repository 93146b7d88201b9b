"""Builds sentences: plurals, lists, numbers as typeset in a book, and code filled into templates.

In a template `{x}` or `{-out / y}` is code over an operation's own words. It is put together as one expression and
printed as one, so that no bracket is lost. `{=1 - out**2}` also claims to be the local derivative, and `{>g @ y.T}`
what a gradient is multiplied out to on its way back: tests hold both against autograd.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

from backend.engine.language.expression import expression
from backend.engine.language.rewrite import simplified, substitute
from backend.engine.language.unparse import printed

HOLE = re.compile(r"\{([=>]?)([^{}]+)\}")
_ES = ("s", "x", "z", "ch", "sh")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Wide enough for any float64 in full.
_WIDE = Context(prec=1_100, rounding=ROUND_HALF_UP)
# With so many digits any two numbers of float64 read differently.
MOST_DIGITS = 18


def plural(name: str, count: int) -> str:
    """`27 classes`, `32 examples`, `1 key`; cells along an axis without a name are places."""
    if name.startswith("axis "):
        return f"{count} {'place' if count == 1 else 'places'} along {name}"
    return f"{count} {name if count == 1 else plural_of(name)}"


def plural_of(name: str) -> str:
    """An axis name for more than one: keys, batches, boxes, classes, queries."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}{'es' if name.endswith(_ES) else 's'}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([*filter(None, [", ".join(words[:-1])]), *words[-1:]])


def cell_text(cell: Sequence[int]) -> str:
    """`[0, 1]`, as it stands behind the name of a tensor; nothing for a single number."""
    return f"[{', '.join(map(str, cell))}]" if cell else ""


def number_text(value: float, digits: int = 4) -> str:
    """A number with a true minus sign, short: 0.0325, −1.5, 6·10⁻⁹.

    It is rounded to so many digits, halves away from zero, but a whole part is never cut: 12345.6 is 12346. With a
    power of ten it has one digit fewer. `numberText` on the page follows the same rule.
    """
    if value == 0:
        return "0"
    size, sign = abs(value), "−" if value < 0 else ""
    if not size < float("inf"):
        return "NaN" if value != value else f"{sign}∞"
    exact = Decimal(size)
    if 1e-3 <= size < 1e5:
        return sign + _trimmed(_rounded(exact, max(digits, exact.adjusted() + 1)))
    brief = _rounded(exact, max(1, digits - 1))
    exponent = brief.adjusted()
    return f"{sign}{_trimmed(brief.scaleb(-exponent))}·10{str(exponent).translate(_RAISED)}"


def told_apart(values: Sequence[float], digits: int = 4, text: Callable[[float, int], str] = number_text) -> list[str]:
    """Numbers that are compared, with as many digits more as tell those that differ apart."""
    for more in range(digits, MOST_DIGITS + 1):
        texts = [text(value, more) for value in values]
        if len(set(texts)) == len(set(values)):
            return texts
    return [text(value, digits) for value in values]


def fixed_text(value: float, places: int) -> str:
    """A finite number with so many decimals, halves away from zero; no minus before a zero."""
    text = f"{_WIDE.quantize(Decimal(abs(value)), Decimal(1).scaleb(-places)):f}"
    return f"−{text}" if value < 0 and text.strip("0.") else text


def _rounded(exact: Decimal, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(exact)


def _trimmed(rounded: Decimal) -> str:
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def filled_in(template: str, words: Mapping[str, ast.expr], phrases: Mapping[str, str]) -> str:
    """A template with its code over these words, and with phrases that are no code."""
    return _each_hole(template, phrases, lambda code: printed(code_of(code, words)))


def code_of(text: str, words: Mapping[str, ast.expr]) -> ast.expr:
    """One piece of code of a template over these words, as a person would write it."""
    return simplified(substitute(expression(text), words))


def spelled(template: str, phrases: Mapping[str, str]) -> str:
    """A template as the operation itself would read it: in its own words, with nothing filled in but phrases."""
    return _each_hole(template, phrases, lambda code: code)


def claims(template: str, mark: str) -> list[str]:
    """The code that a template claims to be a local derivative (`=`) or what is passed back (`>`)."""
    return [code for found, code in HOLE.findall(template) if found == mark]


def _each_hole(template: str, phrases: Mapping[str, str], shown: Callable[[str], str]) -> str:
    return HOLE.sub(lambda hole: phrases[hole[2]] if hole[2] in phrases else f"`{shown(hole[2])}`", template)
