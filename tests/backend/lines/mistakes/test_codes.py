"""Codes of mistakes: each has its words, and no two the same."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from backend.lines.mistakes.codes import CODES, PLANTED, DiagnosisCode, Words

# What sentences.py fills in, by field.
FACTS = {
    "said": {"target", "have", "want", "factor", "path"}, "edited": {"stands", "part"},
    "kind": set[str](), "planted": set[str](),
}  # fmt: skip

SUMS = "missing-sum", "wrong-axis"  # codes with a case for a sum that belongs to the rule itself


def test_every_code_is_a_block_and_every_block_a_code() -> None:
    assert list(CODES) == list(get_args(DiagnosisCode))


def test_what_is_counted_apart_is_called_apart() -> None:
    assert len({words.kind for words in CODES.values()}) == len(CODES)
    assert len(set(PLANTED.values())) == len(PLANTED)


def unfilled(words: Words) -> set[str]:
    """The names in a block's sentences that nobody fills in."""
    named = {
        (field, name)
        for field in FACTS
        for _, name, _, _ in Formatter().parse(getattr(words, field))
        if name is not None
    }
    return {name for field, name in named if name not in FACTS[field]}


@pytest.mark.parametrize("code", CODES)
def test_what_a_sentence_leaves_open_is_filled_in(code: DiagnosisCode) -> None:
    assert unfilled(CODES[code]) == set()


def test_every_closer_look_is_taken_somewhere_with_the_facts_of_its_sentence() -> None:
    nodes = [node for path in Path("backend/practice").glob("*.py") for node in ast.walk(ast.parse(path.read_text()))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "closer"]
    given = {
        (code, ast.literal_eval(call.args[1])): {word.arg for word in call.keywords}
        for call in calls
        for code in ([call.args[0].value] if isinstance(call.args[0], ast.Constant) else SUMS)
    }
    told = {(code, case): sentence for code, words in CODES.items() for case, sentence in words.cases.items()}
    assert given.keys() == told.keys()
    for case, sentence in told.items():
        assert {name for _, name, _, _ in Formatter().parse(sentence) if name is not None} <= given[case]


def test_what_nobody_fills_in_is_seen() -> None:
    assert unfilled(Words("sum", "This is {shape}.", planted="{target}")) == {"shape", "target"}
