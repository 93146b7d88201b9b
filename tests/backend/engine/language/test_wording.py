"""Words of sentences: numbers that say what they stand for, lists, plurals, and code in templates."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.unparse import printed
from backend.engine.language.wording import (
    claims,
    code_of,
    filled_in,
    fixed_text,
    listed,
    number_text,
    plural,
    spelled,
    told_apart,
)

# Read by the page's own tests, too.
CASES = json.loads((Path(__file__).parents[3] / "support" / "number_texts.json").read_text(encoding="utf-8"))
RAISED = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def said(text: str) -> float:
    """The number that a text says, read as a person reads it."""
    mantissa, _, exponent = text.translate(RAISED).replace("∞", "inf").partition("·10")
    return float(f"{mantissa}e{exponent}") if exponent else float(mantissa)


@pytest.mark.parametrize("digits", [3, 4, 6])
def test_a_number_says_its_value_to_so_many_digits(digits: int) -> None:
    chance = random.Random(digits)
    for _ in range(2_000):
        value = chance.uniform(-10, 10) * 10.0 ** chance.randrange(-12, 13)
        text = number_text(value, digits)
        short = 10.0 ** (2 - digits) if "·10" in text else 10.0 ** (1 - digits)
        assert abs(said(text) - value) <= 0.5001 * short * abs(value), (value, text)
        assert len(text) <= digits + 9


@pytest.mark.parametrize("case", CASES["numbers"], ids=lambda case: f"{case['value']}, {case['digits']}")
def test_a_number_is_written_by_the_rule_that_the_page_follows(case: Any) -> None:
    assert number_text(float(case["value"]), case["digits"]) == case["text"]


@pytest.mark.parametrize("case", CASES["fixed"], ids=lambda case: str(case["value"]))
def test_decimals_are_written_by_the_rule_that_the_page_follows(case: Any) -> None:
    assert fixed_text(float(case["value"]), case["places"]) == case["text"]


@pytest.mark.parametrize("case", CASES["compared"], ids=lambda case: str(case["values"]))
def test_numbers_that_are_compared_have_as_many_digits_as_tell_them_apart(case: Any) -> None:
    assert told_apart(case["values"], case["digits"]) == case["texts"]


def test_lists() -> None:
    names = ["`a`", "`b`", "`c`", "`d`"]
    assert [listed(names[:count]) for count in range(5)] == [
        "", "`a`", "`a` and `b`", "`a`, `b` and `c`", "`a`, `b`, `c` and `d`",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "count", "text"),
    [
        ("class", 27, "27 classes"), ("key", 2, "2 keys"), ("query", 2, "2 queries"), ("query", 1, "1 query"),
        ("batch", 3, "3 batches"), ("axis 0", 1, "1 place along axis 0"), ("axis 1", 5, "5 places along axis 1"),
    ],
)  # fmt: skip
def test_counts(name: str, count: int, text: str) -> None:
    assert plural(name, count) == text


def test_code_in_a_template_is_put_together_as_one_expression() -> None:
    words = {"x": expression("a + b"), "out": expression("-h")}
    assert filled_in("{x}: {x * 2}, {out}, {1 - out**2} and {unit}", words, {"unit": "one row"}) == (
        "`a + b`: `2 * (a + b)`, `-h`, `1 - (-h)**2` and one row"
    )


@pytest.mark.parametrize("text", ["x * 2", "2 - x", "-out", "x**2 / out", "1.0 * x", "x - out", "out * x"])
def test_code_over_words_means_what_it_meant(text: str) -> None:
    words = {"x": expression("a + b"), "out": expression("-h")}
    assert eval(printed(code_of(text, words)), {"a": 3, "b": 4, "h": 5}) == eval(text, {"x": 7, "out": -5})


def test_claims_and_spellings() -> None:
    template = "The slope is {=1 - out**2}, so {>g * 2} comes from {x} of {many}."
    assert (claims(template, "="), claims(template, ">"), claims(template, "")) == (
        ["1 - out**2"],
        ["g * 2"],
        ["x", "many"],
    )
    assert spelled(template, {"many": "all"}) == "The slope is `1 - out**2`, so `g * 2` comes from `x` of all."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6e-9, "6·10⁻⁹"),
        (0.0312, "0.031"),
        (0.0, "0"),
        (math.inf, "∞"),
        (math.nan, "NaN"),
        (250.4, "250"),
        (2e7, "2·10⁷"),
    ],
)
def test_sizes_in_prose(value: Any, text: Any) -> None:
    assert number_text(value, 2) == text


@pytest.mark.parametrize(
    ("name", "many"),
    [("key", "keys"), ("batch", "batches"), ("day", "days"), ("box", "boxes"), ("class", "classes"), ("bus", "buses"),
     ("query", "queries"), ("example", "examples"), ("hidden unit", "hidden units")],
)  # fmt: skip
def test_plurals(name: Any, many: Any) -> None:
    assert plural(name, 27) == f"27 {many}"
    assert plural(name, 1) == f"1 {name}"
    assert plural("axis 0", 1) == "1 place along axis 0"


@pytest.mark.parametrize(
    ("value", "text"),
    [(6e-9, "6·10⁻⁹"), (-0.03125, "−0.03125"), (0.0, "0"), (1.5, "1.5"), (123456.0, "1.23·10⁵"), (-2e-5, "−2·10⁻⁵"),
     (float("inf"), "∞"), (float("nan"), "NaN"), (1 / 3, "0.3333"), (2048.0, "2048")],
)  # fmt: skip
def test_numbers_are_set_as_in_a_book(value: Any, text: Any) -> None:
    assert number_text(value) == text
