"""The one number by which two gradients differ, on every instance, with its name: 2, n, 1/n, n/(n−1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import torch

from backend.engine.language.pytree import largest_finite
from backend.engine.language.wording import number_text
from backend.practice.trial import Case

NEAR = 1e-6
# Roots of larger whole numbers are told as decimals.
LARGEST_ROOT = 4_096
FORMS: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("{n}", lambda n: n),
    ("1/{n}", lambda n: 1 / n),
    ("{n}/({n}-1)", lambda n: n / (n - 1)),
    ("({n}-1)/{n}", lambda n: (n - 1) / n),
    ("({n}-1)", lambda n: n - 1),
    ("1/({n}-1)", lambda n: 1 / (n - 1)),
    ("{n}**2", lambda n: n * n),
    ("1/{n}**2", lambda n: 1 / n / n),
)
BESSEL = frozenset({"{n}/({n}-1)", "({n}-1)/{n}"})


@dataclass(frozen=True)
class Factor:
    """A factor by its name; `is_bessel` where it is n for n − 1 or the reverse."""

    text: str
    value: float
    is_bessel: bool = False


def ratio(value: torch.Tensor, other: torch.Tensor) -> float | None:
    """What `other` must be multiplied by to give `value`; None where no one number does."""
    if value.shape != other.shape or not value.numel() or not value.isfinite().all() or not other.isfinite().all():
        return None
    square = float((other * other).sum())
    if square == 0 or largest_finite(value) == 0:
        return None
    found = float((value * other).sum()) / square
    gap = float((value - found * other).abs().max())
    return found if found and gap <= NEAR * largest_finite(value) else None


def named(ratios: Sequence[float | None], cases: Sequence[Case], shown: Case) -> Factor | None:
    """The factor that these ratios are, one for each case; None where it is no number and no length."""
    found = [one for one in ratios if one is not None]
    if not found or len(found) < len(ratios):
        return None
    constant = all(_close(one, found[0]) for one in found)
    sizes_differ = any(case.trial.sizes for case in cases)
    if constant and (sizes_differ or not lengths_in(shown) or _close(abs(found[0]), 1)):
        return Factor(_number(found[0]), found[0])
    of_length = next(_of_lengths(found, cases, shown), None)
    return of_length or (Factor(_number(found[0]), found[0]) if constant else None)


@dataclass(frozen=True)
class Lengths:
    """The lengths of the shown instance by name, and what each is on every case."""

    names: dict[int, str]
    at: dict[int, list[int]]

    def pairs(self, ordered: bool) -> Iterator[tuple[str, str, list[tuple[int, int]]]]:
        """Two different lengths: their names, and their values on every case."""
        several = permutations if ordered else combinations
        for (a, x), (b, y) in several(self.names.items(), 2):
            yield x, y, list(zip(self.at[a], self.at[b], strict=True))


def _of_lengths(found: list[float], cases: Sequence[Case], shown: Case) -> Iterator[Factor]:
    """What these ratios are as a length, in one of the usual forms, or of two lengths."""
    names = lengths_in(shown)
    at = {length: [case.trial.sizes.get(length, length) for case in cases] for length in names}
    for look in (_of_one_length, _of_cells, _of_two_lengths):
        yield from look(found, Lengths(names, at))


def _of_one_length(found: list[float], lengths: Lengths) -> Iterator[Factor]:
    for (form, value), (length, name), sign in product(FORMS, lengths.names.items(), (1, -1)):
        if min(lengths.at[length]) > 1 and _are(found, [sign * value(size) for size in lengths.at[length]]):
            text = form.format(n=name)
            yield Factor(f"-{text}" if sign < 0 else text, found[0], form in BESSEL and sign > 0)


def _of_cells(found: list[float], lengths: Lengths) -> Iterator[Factor]:
    for x, y, sizes in lengths.pairs(ordered=False):
        cells = [m * n for m, n in sizes]
        if _are(found, [n / (n - 1) for n in cells]):
            yield Factor(f"{x}*{y}/({x}*{y}-1)", found[0], True)
        for sign, minus in ((1, ""), (-1, "-")):
            if _are(found, [sign * cell for cell in cells]):
                yield Factor(f"{minus}{x}*{y}", found[0])
            if _are(found, [sign / cell for cell in cells]):
                yield Factor(f"{minus}1/({x}*{y})", found[0])


def _of_two_lengths(found: list[float], lengths: Lengths) -> Iterator[Factor]:
    """One length over another, as of a mean over the wrong axis."""
    for (x, y, sizes), (sign, minus) in product(lengths.pairs(ordered=True), ((1, ""), (-1, "-"))):
        if _are(found, [sign * m / n for m, n in sizes]):
            named_so = x.isidentifier() or y.isidentifier()
            yield Factor(f"{minus}{x}/{y}" if named_so else _number(found[0]), found[0])


def _are(found: list[float], wanted: list[float]) -> bool:
    return all(map(_close, found, wanted))


def lengths_in(shown: Case) -> dict[int, str]:
    """The lengths of axes on the instance that is shown, with a name where the program has one."""
    names = {value: name for name, value in shown.trial.graph.constants.items() if isinstance(value, int)}
    lengths = {length for node in shown.trial.graph.named for length in node.shape if length > 1}
    lengths |= {value for value in names if value > 1}
    return {
        length: names.get(length, str(length)) for length in sorted(lengths, key=lambda one: (one not in names, one))
    }


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= NEAR * abs(b)


def _number(value: float) -> str:
    """A factor as a person says it: 2, 1/2, −1, 0.3."""
    for divisor in (1, 2, 3, 4, 5, 6, 8, 10):
        times = value * divisor
        if abs(times - round(times)) <= NEAR * abs(times) and abs(round(times)) <= 100:
            return str(round(times)) if divisor == 1 else f"{round(times)}/{divisor}"
    return _root(value) or number_text(value, 3)


def _root(value: float) -> str:
    """A factor that is the root of a whole number, or one over it, and of a square its side; empty for any other."""
    sign, square = "-" if value < 0 else "", value * value
    for over, whole in (("", square), ("1/", 1 / square)):
        if 1 < round(whole) <= LARGEST_ROOT and _close(whole, round(whole)):
            side = math.isqrt(round(whole))
            return f"{sign}{over}{side if side * side == round(whole) else f'math.sqrt({round(whole)})'}"
    return ""
