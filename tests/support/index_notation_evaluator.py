"""Reads a formula in index letters and works it out with plain loops over plain numbers: none of it the engine's.

`Σ_k h[k,i] · dlogits[k,j] + b[j]`: a Σ reaches to the end of its product, `a if c else b` binds least. A letter of a sum
runs as far as the axis on which it stands alone, and `Σ_k<6` to 5.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import Any

import torch

Numbers = dict[str, Any]
Expression = Callable[[Numbers], Any]
TOKEN = re.compile(
    r"\s*(Σ_[a-z](?:<\d+)?(?:,[a-z](?:<\d+)?)*|Π_[a-z](?:<\d+)?(?:,[a-z](?:<\d+)?)*|0x[0-9a-f]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|[A-Za-z]\w*(?:\.[A-Za-z]+)?|\*\*|//|[<>=!]=|\S)"
)
FOLDS = {"max", "min", "argmax", "argmin"}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip


def _total(function: Callable[[float], float], otherwise: float = math.nan) -> Callable[[float], float]:
    """What torch gives where Python's own function refuses."""

    def apply(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return otherwise

    return apply


FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": _total(math.exp), "log": lambda x: -math.inf if x == 0 else _total(math.log)(x), "sqrt": _total(math.sqrt),
    "tanh": math.tanh, "sigmoid": lambda x: 1 / (1 + _total(math.exp)(-x)), "abs": abs, "max": max, "min": min,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "atan": math.atan, "sinh": _total(math.sinh),
    "cosh": _total(math.cosh), "erf": math.erf, "floor": math.floor, "log2": _total(math.log2),
    "ceil": math.ceil, "trunc": math.trunc, "round": round, "log10": _total(math.log10), "sign": lambda x: (x > 0) - (x < 0),
    "asin": _total(math.asin), "acos": _total(math.acos), "asinh": math.asinh, "acosh": _total(math.acosh),
    "atanh": _total(math.atanh), "atan2": math.atan2,
}  # fmt: skip


def _of_torch(word: str) -> Callable[..., float]:
    """A function that Python has not: torch's own of that name, of one number, behind whole ones."""
    owner = torch if hasattr(torch, word) else torch.special
    return lambda *given: float(getattr(owner, word)(*given[:-1], torch.tensor(given[-1], dtype=torch.float64)))


def value(formula: str, scope: Numbers, index: tuple[int, ...]) -> float:
    """The right-hand side of `d[i,j] = …` at an index, from the tensors and numbers in `scope`."""
    ((left, _, right),) = re.findall(r"(.*?) (\+?=) (.*)", formula)
    places = re.findall(r"[^\[\],]+", left.partition("[")[2])
    assert len(places) == len(index), left
    letters = {place: own for place, own in zip(places, index, strict=True) if place.isalpha()}
    assert all(own == 0 for place, own in zip(places, index, strict=True) if not place.isalpha())
    return float(Parser(right).whole()(scope | {"·": letters}))


def filled(text: str, values: list[Any]) -> float:
    """A term whose numbers are told by their places: `⟨0⟩ · ⟨1⟩`."""
    numbers = {f"x{place}": float(value) for place, value in enumerate(values)}
    return float(Parser(re.sub(r"⟨(\d+)⟩", r"x\1", text)).whole()(numbers | {"·": {}}))


class Parser:
    """From text to a function of the numbers that the names stand for."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKEN.findall(text.replace("²", "**2").replace("³", "**3"))
        self.at = 0

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        found = self.next
        if wanted and found not in wanted:
            return ""
        self.at += 1
        return found

    def whole(self) -> Expression:
        found = self.choice()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return found

    def choice(self) -> Expression:
        then = self.either()
        if not self.take("if"):
            return then
        test = self.either()
        assert self.take("else")
        otherwise = self.choice()
        return lambda numbers: then(numbers) if test(numbers) else otherwise(numbers)

    def either(self) -> Expression:
        left = self.negation()
        while word := self.take("and", "or"):
            left = _joined(word, left, self.negation())
        return left

    def negation(self) -> Expression:
        if not self.take("not"):
            return self.comparison()
        inner = self.comparison()
        return lambda numbers: not inner(numbers)

    def comparison(self) -> Expression:
        left = self.sum()
        while sign := self.take(*COMPARE):
            left = _applied(COMPARE[sign], left, self.sum())
        return left

    def sum(self) -> Expression:
        left = self.product()
        while sign := self.take("+", "-"):
            left = _applied((lambda a, b: a + b) if sign == "+" else (lambda a, b: a - b), left, self.product())
        return left

    def product(self) -> Expression:
        left = self.signed()
        while sign := self.take("·", "/", "//", "%"):
            left = _applied(PRODUCTS[sign], left, self.signed())
        return left

    def signed(self) -> Expression:
        if self.take("-"):
            inner = self.signed()
            return lambda numbers: -inner(numbers)
        if self.next[:2] in ("Σ_", "Π_"):
            sign, letters = self.take().split("_")
            start = self.at
            return _folded(sign, letters.split(","), self.product(), self.tokens[start : self.at])
        return self.power()

    def power(self) -> Expression:
        base = self.atom()
        return _applied(_power, base, self.signed()) if self.take("**") else base

    def atom(self) -> Expression:
        if self.take("("):
            inner = self.choice()
            assert self.take(")")
            return inner
        word = self.take()
        if word[0].isdigit() or (word[0] == "." and len(word) > 1):
            decimal = not word.startswith("0x") and ("." in word or "e" in word)
            plain = float(word) if decimal else int(word, 0)
            return lambda _: plain
        kind, _, letters = word.partition("_")
        if kind in FOLDS and self.next in (",", "(", "<") and letters:
            while self.take("<", ","):
                letters += self.tokens[self.at - 1] + self.take()
            start = self.at
            return _folded(kind, letters.split(","), self.atom(), self.tokens[start : self.at])
        if self.take("("):
            given = self.arguments(")")
            function = FUNCTIONS.get(word) or _of_torch(word)
            return lambda numbers: function(*(part(numbers) for part in given))
        if self.take("["):
            index = self.arguments("]")
            return lambda numbers: numbers[word][tuple(int(place(numbers)) for place in index)].item()
        return lambda numbers: _plain(numbers, word)

    def arguments(self, end: str) -> list[Expression]:
        found = [self.choice()]
        while self.take(","):
            found.append(self.choice())
        assert self.take(end), self.tokens[self.at :]
        return found


PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {
    "·": lambda a, b: a * b, "/": lambda a, b: _over(a, b), "//": lambda a, b: a // b, "%": lambda a, b: a % b,
}  # fmt: skip


def _over(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _power(a: float, b: float) -> float:
    if a == 0 and b < 0:
        return math.inf
    result = a**b
    return math.nan if isinstance(result, complex) else result


def _plain(numbers: Numbers, word: str) -> Any:
    if word in numbers["·"]:
        return numbers["·"][word]
    if word in ("pi", "inf"):
        return getattr(math, word)
    found = numbers[word]
    return found.item() if isinstance(found, torch.Tensor) else found


def _joined(word: str, left: Expression, right: Expression) -> Expression:
    if word == "and":
        return lambda numbers: left(numbers) and right(numbers)
    return lambda numbers: left(numbers) or right(numbers)


def _applied(function: Callable[[Any, Any], Any], left: Expression, right: Expression) -> Expression:
    return lambda numbers: function(left(numbers), right(numbers))


def _folded(kind: str, letters: list[str], body: Expression, tokens: list[str]) -> Expression:
    ends = [int(letter.partition("<")[2] or 0) for letter in letters]
    letters = [letter.partition("<")[0] for letter in letters]
    axes = [None if end else _axis(letter, tokens) for letter, end in zip(letters, ends, strict=True)]

    def apply(numbers: Numbers) -> float:
        lengths = [end if at is None else numbers[at[0]].shape[at[1]] for at, end in zip(axes, ends, strict=True)]
        found = [
            body(numbers | {"·": numbers["·"] | dict(zip(letters, places, strict=True))})
            for places in itertools.product(*map(range, lengths))
        ]
        return _FOLDED[kind](found)

    return apply


_FOLDED: dict[str, Callable[[list[Any]], Any]] = {
    "Σ": lambda found: _sum(found), "Π": math.prod, "max": max, "min": min,
    "argmax": lambda found: found.index(max(found)), "argmin": lambda found: found.index(min(found)),
}  # fmt: skip


def _sum(found: list[Any]) -> float:
    try:
        return math.fsum(found)
    except (ValueError, OverflowError):
        return sum(found)


def _axis(letter: str, tokens: list[str]) -> tuple[str, int]:
    """A tensor and its axis on which a letter stands alone."""
    for place, token in enumerate(tokens):
        if token != letter or tokens[place - 1] not in "[," or tokens[place + 1] not in "],":
            continue
        axis, depth, back = 0, 0, place - 1
        while depth or tokens[back] not in "[(":
            depth += {"]": 1, ")": 1, "[": -1, "(": -1}.get(tokens[back], 0)
            axis += tokens[back] == "," and depth == 0
            back -= 1
        if tokens[back] == "[":
            return tokens[back - 1], axis
    raise AssertionError(f"nothing says how far {letter} runs in {' '.join(tokens)}")
