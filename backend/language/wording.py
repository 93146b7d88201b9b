"""Builds sentences: plurals, lists, numbers as typeset in a book, and code filled into templates.

In a template `{x}` or `{-out / y}` is code over an operation's own words. It is put together as one expression and
printed as one, so that no bracket is lost. `{=1 - out**2}` also claims to be the local derivative, and `{>g @ y.T}`
what a gradient is multiplied out to on its way back: tests hold both against autograd.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence

from backend.language.expression import expression
from backend.language.rewrite import simplified, substitute
from backend.language.unparse import printed

HOLE = re.compile(r"\{([=>]?)([^{}]+)\}")
_ES = ("s", "x", "z", "ch", "sh")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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


def number_text(value: float, digits: int = 4) -> str:
    """A number with a true minus sign, short: 0.0325, −1.5, 6·10⁻⁹."""
    if value == 0:
        return "0"
    size, sign = abs(value), "−" if value < 0 else ""
    if not size < float("inf"):
        return "NaN" if value != value else f"{sign}∞"
    if 1e-3 <= size < 1e5:
        brief = f"{size:.{digits}g}"
        return sign + (f"{size:.0f}" if "e" in brief else brief)
    mantissa, _, exponent = f"{size:.{max(0, digits - 2)}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{sign}{mantissa}·10{str(int(exponent)).translate(_RAISED)}"


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
