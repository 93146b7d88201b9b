"""Texts of the engine that no walk shows, in plain English; and the lint that says so, held to what it is for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import backend
from backend.engine.language.wording import filled_in
from backend.engine.ops import OPS
from backend.inspect.jacobian.patterns import ALL_PICKED, BALANCED, BY_NAME, BY_PLACE, WORDS
from tests.support import prose_lint

ROOT = Path(__file__).parents[3]


def test_operations_describe_themselves_in_plain_english() -> None:
    assert {op.__name__: found for op in OPS if (found := not_plain(op))} == {}


def not_plain(op: Any) -> list[str]:
    """What is wrong with the sentences of an operation."""
    phrases = {
        "over": "over all cells",
        "along": "along an axis",
        "row": "row",
        "columns": "all columns",
        "rows": "each row",
    }
    phrases |= {"count": "3", "reduced": ", averaged", "cellwise": ", cell by cell"}
    templates = [*op.because.values(), *op.briefly.values(), op.does]
    texts = [filled_in(text, {}, phrases) for text in templates if text]
    texts += [text.replace("{node}", "`y`").replace("{input}", "`u`").replace("{rate}", "−1").replace("{moved}", "3 cells")
              for text in op.rates.values()]  # fmt: skip
    texts.append((op.__doc__ or "").strip())
    if op.why_not_exact:
        texts.append(f"It carries on the rounding of `dy`, where {op.why_not_exact}.")
    return [fault for text in texts for fault in prose_lint.problems(text)]


@pytest.mark.parametrize("text", [*WORDS.values(), ALL_PICKED, BALANCED, BY_NAME, BY_PLACE])
def test_patterns_are_told_in_plain_english(text: Any) -> None:
    filled = re.sub(r"\{(node|input)\}", "`y`", text).replace("{counted}", "2 cells").replace("{count}", "count")
    filled = filled.replace("{rate}", "−1").replace("{others}", "3").replace("{others_do}", "don't")
    filled = filled.replace("{each}", "each ").replace("{axis}", "example")
    assert not list(prose_lint.problems(filled))


def test_messages_are_in_plain_english() -> None:
    text = (ROOT / "backend" / "engine" / "language" / "messages.md").read_text()
    found: list[Any] = []
    for paragraph in (part.replace("\n", " ").strip() for part in text.partition("\n## ")[2].split("\n\n")[1:]):
        filled = re.sub(r"\{\w+\}", "3", re.sub(r"`[^`]*\{\w+\}[^`]*`", "`c`", paragraph))
        found += [] if paragraph.startswith("## ") else prose_lint.problems(filled)
    assert not found, "\n".join(found)


def test_the_reference_has_one_name_for_what_arrives() -> None:
    for op in backend.operations():
        texts = [*op["backward"].values(), *op["exact"].values(), *op["because"].values()]
        assert not any(re.search(r"\bg\b|[{}]", text) for text in texts), op["name"]


FAULTY = {
    "It picks what an Xb picks.": "article",
    "It sums over dim.": "argument",
    "The slope of x is one.": "placeholder",
    "An `open piece.": "backtick",
    "It is 1 - 2 here.": "hyphen",
    "It is -2 here.": "hyphen",
    "Power x**2 rises.": "stars",
    "It has 27 classs.": "plural",
    "There are 2 keies.": "plural",
    "There is 1 examples.": "one of several",
    "It is is so.": "twice",
    "There is no `y` so far.": "yet",
    "It has no say.": "poetry",
    "It has no end": "no end",
    "begins small.": "small",
    "At most 6e-09 is left.": "computer",
    "It is a - -b.": "",
    "It is + -b.": "two signs",
    "A {hole} is left.": "hole",
    " ".join(["Word"] + [f"w{n}" for n in range(22)]) + ".": "23 words",
}


@pytest.mark.parametrize("text", FAULTY)
def test_the_lint_finds_what_it_is_for(text: Any) -> None:
    assert any(FAULTY[text] in fault for fault in prose_lint.problems(text)), list(prose_lint.problems(text))


def test_the_lint_knows_names_and_steps() -> None:
    assert list(prose_lint.problems("Rows of Xb pick.", {"Xb"}))
    assert not list(prose_lint.problems("Rows of `Xb` pick.", {"Xb"}))
    assert list(prose_lint.of_step(["It is so.", "Yes. It is so."]))
    assert list(prose_lint.of_step([f"Word {n} is here." for n in range(20)]))
