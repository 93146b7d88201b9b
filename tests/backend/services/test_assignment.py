"""An exercise's notebook as a course runs it: right answers pass, a wrong one fails with the mistake that it is."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

import backend
from tests.support.programs import some

PROGRAMS = sorted((Path(__file__).parents[2] / "programs").rglob("*.toml"))
MAKEMORE = {"lesson": "makemore-mlp"}
# What is written, what is said by the numbers alone, and what where gradwalk reads the line.
WRONG = {
    "dW2": ("dW2 = dlogits.T @ h", "`dlogits.T @ h` turns the matrices another way.", "turns the matrices another way"),
    "db2": ("db2 = dlogits.sum(1)", "that axis is summed, not axis 1. Its shape is (32,)", "not axis 1."),
    "dcounts": ("dcounts = counts_sum_inv * dprobs", "path through `counts_sum` is missing.", "A path is missing"),
    "dC": ("dC = torch.zeros_like(C)\ndC[Xb] = demb", "here all but one are lost.", "`index_add_` adds them"),
    "dbndiff": (
        "dbndiff = bnvar_inv * dbnraw\ndbndiff += 3.7 * bndiff * dbndiff2",
        "none of a usual mistake; with gradwalk installed",
        "What comes by `bndiff2` is 1.85 times what it must be.",
    ),
    "dh": ("dh = dlogits @ W2", "its cell is empty, or stopped with an error.", "doesn't fit shapes"),
    "dlogprobs": ("dlogprobs = None", "its cell is empty, or stopped with an error.", ""),
}


@pytest.fixture(autouse=True)
def _precision_kept() -> Iterator[None]:
    yield
    torch.set_default_dtype(torch.float32)


def cells(request: Mapping[str, Any], form: str = "nbgrader") -> list[dict[str, Any]]:
    found = json.loads(backend.export(dict(request), form)["text"])["cells"]
    assert len({one["id"] for one in found}) == len(found)
    return [{**one, "source": "".join(one["source"])} for one in found]


def graded(answers: Mapping[str, str], every: list[dict[str, Any]]) -> dict[str, str]:
    """What each test says, once a notebook with these answers ran from top to bottom as a grader runs it."""
    scope: dict[str, Any] = {"In": [""]}
    said: dict[str, str] = {}
    for cell in every:
        known = cell["metadata"].get("nbgrader")
        if not known:
            continue
        text = answers.get(known["grade_id"], cell["source"]) if known["solution"] else cell["source"]
        scope["In"].append(text)
        try:
            if known["grade"]:
                said[known["grade_id"].removeprefix("test-")] = str(eval(text, scope))
            else:
                exec(text, scope)
        except AssertionError as failure:
            said[known["grade_id"].removeprefix("test-")] = f"FAILS {failure}"
        except RuntimeError:
            assert known["solution"]
    return said


def test_right_answers_pass() -> None:
    said = graded({}, cells(MAKEMORE))
    assert len(said) == 26
    assert all(re.fullmatch(r"exact|right, up to .*", one) for one in said.values()), said


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", some(PROGRAMS, 32))
def test_the_printed_lines_of_any_program_pass(path: Path) -> None:
    case = tomllib.loads(path.read_text())
    request: dict[str, Any] = {key: case[key] for key in ("source", "tensors", "constants", "loss") if key in case}
    said = graded({}, cells(request))
    assert not [one for one in said.values() if one.startswith("FAILS")], said


@pytest.mark.parametrize("reads", [False, True])
def test_a_wrong_answer_fails_with_its_mistake(reads: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not reads:
        monkeypatch.setitem(sys.modules, "gradwalk", None)
    said = graded({name: answer for name, (answer, *_) in WRONG.items()}, cells(MAKEMORE))
    for name, (_, by_numbers, by_text) in WRONG.items():
        assert said[name].startswith(f"FAILS `{name}` is"), said[name]
        assert (by_text if reads else by_numbers) in said[name], said[name]
    assert sum(one.startswith("FAILS") for one in said.values()) == len(WRONG)  # the others go on from the true one


def test_a_test_that_is_run_again_judges_the_same_answer() -> None:
    every = cells({"lesson": "first-steps"})
    at = next(i for i, cell in enumerate(every) if cell["metadata"].get("nbgrader", {}).get("grade"))
    twice = [*every[: at + 1], every[at]]
    name = every[at]["metadata"]["nbgrader"]["grade_id"].removeprefix("test-")
    assert graded({name: f"{name} = torch.tensor(12.0)"}, twice)[name].startswith("FAILS")


def test_a_program_may_call_its_tensors_as_the_judge_calls_its_functions() -> None:
    given = {"role": "parameter", "shape": [2, 3], "init": "randn"}
    source = "max = x * 2\nanswers = max.tanh()\nloss = answers.sum()"
    said = graded({"dmax": "dmax = danswers"}, cells({"source": source, "tensors": {"x": given}}))
    assert said["danswers"] == said["dx"] == "exact"
    assert said["dmax"].startswith("FAILS `dmax` is wrong.")


def test_cells_are_marked_as_nbgrader_reads_them() -> None:
    """As its `MetadataValidatorV3` and `ClearSolutions` do: run on this file by hand, with nbgrader 0.9.6."""
    marked = [cell["metadata"]["nbgrader"] for cell in cells(MAKEMORE) if cell["metadata"]]
    assert len({one["grade_id"] for one in marked}) == len(marked) == 3 + 2 * 26
    for one in marked:
        assert one["schema_version"] == 3
        assert one["task"] is False
        assert one["locked"] is not one["solution"]
        assert ("points" in one) is one["grade"]
    for cell in cells(MAKEMORE):
        own = cell["metadata"].get("nbgrader", {}).get("solution", False)
        assert own == (cell["source"].startswith("# BEGIN SOLUTION\n") and cell["source"].endswith("\n# END SOLUTION"))


def test_questions_are_fenced_as_otter_reads_them() -> None:
    """As `otter assign` does: run on this file by hand, with otter-grader 7.0.0."""
    every = cells(MAKEMORE, "otter")
    fences = [cell["source"].partition("\n")[0] for cell in every if cell["cell_type"] == "raw"]
    assert fences[0] == "# ASSIGNMENT CONFIG"
    one = [f"# {word}" for word in ("BEGIN QUESTION", "BEGIN SOLUTION", "END SOLUTION", "BEGIN TESTS", "END TESTS")]
    assert fences[1:] == [*one, "# END QUESTION"] * 26


def test_the_file_doesn_t_tell_its_answers_to_a_student() -> None:
    """What is left of it when the solutions are taken out; the mistakes, which come near them, are packed."""
    left = "\n".join(cell["source"] for cell in cells(MAKEMORE) if "BEGIN SOLUTION" not in cell["source"])
    for line in ("dlogits @ W2.T", "h.T @ dlogits", "dlogits.T @ h", "turns the matrices"):
        assert line not in left
