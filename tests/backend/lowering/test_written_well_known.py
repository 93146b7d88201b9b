"""Well-known programs, pasted: what is written of them reads like a blackboard, under their authors' names."""

from __future__ import annotations

import ast

import pytest

from backend.engine.language.tree import stored_in
from tests.support.pasted import CASES, WELL_KNOWN
from tests.tools.golden import PASTED, both_passes

LONGEST_LINE = 110


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_both_passes_are_those_that_were_read(name: str) -> None:
    assert both_passes(name) == (PASTED / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_twelve() -> None:
    assert len(WELL_KNOWN) == 12
    assert [path.stem for path in sorted(PASTED.glob("*.txt"))] == WELL_KNOWN


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_no_line_is_long(name: str) -> None:
    lines = (PASTED / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


@pytest.mark.parametrize("name", WELL_KNOWN)
def test_results_have_their_authors_names(name: str) -> None:
    """Five of six results of the forward pass have a name of the code, whatever number or part stands behind it."""
    code = {word.id for word in ast.walk(ast.parse(CASES[name]["source"])) if isinstance(word, ast.Name)}
    code |= {word.attr for word in ast.walk(ast.parse(CASES[name]["source"])) if isinstance(word, ast.Attribute)}
    code |= {word.arg for word in ast.walk(ast.parse(CASES[name]["source"])) if isinstance(word, ast.arg)}
    forward = ast.parse((PASTED / f"{name}.txt").read_text(encoding="utf-8").split("\n\n")[0])
    names = [one for statement in forward.body for one in stored_in(statement)]
    strange = [one for one in names if not any(f"{one}_".startswith(f"{known}_") for known in code | {"loss"})]
    assert len(strange) <= len(names) / 6, strange
