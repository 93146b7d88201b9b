"""The name that was probably meant: distances beside those of the plain recursive definition."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from backend.engine.language.suggest import MOST, _edits, nearest


@cache
def distance(a: str, b: str) -> int:
    """Letters left out, added, changed or exchanged with their neighbour: every way is tried."""
    if not a or not b:
        return len(a) + len(b)
    ways = [distance(a[:-1], b) + 1, distance(a, b[:-1]) + 1, distance(a[:-1], b[:-1]) + (a[-1] != b[-1])]
    if a[-2:] == b[-2:][::-1] and len(a) > 1:
        ways.append(distance(a[:-2], b[:-2]) + 1)
    return min(ways)


def pairs() -> list[tuple[str, str]]:
    chance = random.Random(3)
    words = ["".join(chance.choice("abc") for _ in range(chance.randrange(8))) for _ in range(60)]
    return [(a, b) for a in words for b in words]


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_few_wrong_letters_are_counted_and_many_are_not(allowed: int) -> None:
    right = {pair: distance(*pair) for pair in pairs()}
    assert {0, 1, 2, 3, 4} <= set(right.values())
    wrong = [pair for pair, n in right.items() if _edits(*pair, allowed) != (n if n <= allowed else None)]
    assert wrong == []


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("relu6x", ["relu", "relu6"], "relu6"),
        ("losgits", ["logits"], "logits"),
        ("hpreact", ["h_preact"], "h_preact"),
        ("form", ["from", "for"], "from"),
        ("soft_max", ["softmax", "softmin"], "softmax"),
        ("gradient", ["radiator"], None),
        ("abcd", ["abce", "abdc"], "abdc"),
    ],
)
def test_what_is_meant(word: str, known: Any, meant: Any) -> None:
    assert nearest(word, known) == meant


def test_only_so_many_names_are_compared() -> None:
    others = [f"other{chr(97 + n % 26)}{n}" for n in range(MOST)]
    assert nearest("hiden", ["hidden", *others]) == "hidden"
    assert nearest("hiden", [*others, "hidden"]) is None


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("hh", ["x", "h"], "h"),
        ("hiden", ["hidden", "x"], "hidden"),
        ("logtis", ["x", "logits"], "logits"),
        ("Hidden", ["hidden"], "hidden"),
        ("W2", ["W1", "b2"], None),
        ("Wk", ["Wq"], None),
        ("hidden1", ["hidden2"], None),
        ("y", ["x"], None),
        ("b10", ["a10"], None),
        ("logits2", ["logit2"], "logit2"),
        ("targets", ["weights"], None),
        ("a" * 64, ["b" * 64] * 5000, None),
    ],
)
def test_nearness(word: Any, known: Any, meant: Any) -> None:
    assert nearest(word, known) == meant
