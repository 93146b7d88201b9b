"""Expressions under the names that the forward source has for them, and expressions of plain values."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest

from backend.engine.language.expression import expression
from backend.engine.language.tree import is_literal, literal
from backend.engine.language.unparse import printed
from backend.engine.trace.rename import Renamer


def drawn(chance: random.Random, depth: int) -> Any:
    if depth and chance.random() < 0.5:
        parts = [drawn(chance, depth - 1) for _ in range(chance.randrange(4))]
        return tuple(parts) if chance.random() < 0.5 else parts
    return chance.choice([0, 7, -3, 2.5, -1e-9, True, False, None, "ij->ji", ...])


def test_a_value_written_out_is_read_by_python_as_itself() -> None:
    for seed in range(300):
        value = drawn(random.Random(seed), 3)
        assert is_literal(value)
        assert repr(ast.literal_eval(printed(literal(value)))) == repr(value)


@pytest.mark.parametrize("value", [object(), {1: 2}, [1, object()], range(3), 1j, b"x"])
def test_what_cannot_be_written_out(value: Any) -> None:
    assert not is_literal(value)


def test_names_become_variables_and_numbers_that_are_replaced_are_written_out() -> None:
    renamer = Renamer({"n": 4, "m": -2, "h": object()}, {"h": "h_2", "n": "n_2"}, {"m"})
    assert printed(renamer.renamed(expression("h.sum(dim=m) + n * x[n:, m]"))) == "h_2.sum(dim=-2) + n_2 * x[n_2:, -2]"


@pytest.mark.parametrize("text", ["h + 1", "f(h, dim=h)", "x[h:2]", "(h, 1)", "-h", "h.T", "h < 2", "[h]"])
def test_the_tree_that_is_renamed_stays_as_it_was(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    before = ast.dump(node, include_attributes=True)
    made = Renamer({}, {"h": "other"}, set()).renamed(node)
    assert ast.dump(node, include_attributes=True) == before
    assert printed(made) == text.replace("h", "other").replace("otother", "oth")


def test_what_has_no_name_in_it_is_not_copied_and_what_is_shared_is_copied_once() -> None:
    plain = expression("(1, 'a')")
    renamer = Renamer({}, {"h": "other"}, set())
    assert renamer.renamed(plain) is plain
    shared = ast.Name("h", ast.Load())
    assert renamer.renamed(shared) is renamer.renamed(shared)
