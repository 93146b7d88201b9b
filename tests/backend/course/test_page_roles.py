"""Roles of a chapter look into any of its programs, and the shape of any expression is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import backend
from backend.engine.language.errors import Refusal
from tests.support.chapter_texts import FRONT, put

MORE = """\
constants: {n: 4}
more:
  row:
    program: |
      Z = r * 2
      loss = Z.sum()
    tensors:
      r: {role: parameter, values: [1.0, 2.0, 4.0]}
  known:
    lesson: first-steps
---
"""
FRONT_WITH_MORE = FRONT.removesuffix("---\n") + MORE


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Any]:
    """What a chapter of three programs says, as a reader sees it."""

    def made(body: str) -> str:
        put(tmp_path, "70-trial.md", body, FRONT_WITH_MORE)
        backend.serve_chapters(tmp_path)
        return re.sub(r"<[^>]+>", "", "".join(part["html"] for part in backend.chapter("trial")["parts"])).strip()

    yield made
    backend.serve_chapters()


def test_a_role_looks_into_a_further_program_by_its_name(told: Any) -> None:
    assert told("{value}`row: dr[1]`, {value}`row: Z`, {shape}`row: r`, {value}`known: dx`") == "2, [2, 4, 8], (3,), 3"


def test_in_a_block_of_a_program_its_name_may_be_left_out(told: Any) -> None:
    assert told(":::{tensor} r\nin: row\n{value}`r[2]`, {value}`row: r[2]`\n:::\n") == "4, 4"


def test_the_shape_of_any_expression_is_told(told: Any) -> None:
    assert told("{shape}`X`, {shape}`dw`, {shape}`X @ w.T`, {shape}`b - X.sum(1)`") == "(4, 3), (1, 3), (4, 1), (4, 4)"


def test_the_sizes_that_a_program_names_are_known(told: Any) -> None:
    assert told("{value}`n`, {value}`(n - 1) / n`") == "4, 0.75"


@pytest.mark.parametrize("role", ["{value}`row: dw[0]`", "{value}`nothing: dw`", "{shape}`nothing`"])
def test_what_a_program_does_not_have_is_refused_with_its_line(told: Any, role: str) -> None:
    with pytest.raises(Refusal) as refused:
        told(f"First.\n\n{role}\n")
    assert refused.value.where is not None
    assert refused.value.where["text"] == role
