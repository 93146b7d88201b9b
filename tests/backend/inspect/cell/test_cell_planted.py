"""Errors planted into the makemore walk: a number that is opened no longer adds up."""

from __future__ import annotations

from typing import Any

import pytest

from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from backend.program.runs import Run
from tests.support import makemore


def run_with(number: int, code: str | None) -> Run:
    """Makemore's walk with one backward line that says something else, or is missing."""
    run = run_of(makemore.LESSON)
    lines = list(run.plan.lines)
    if code is None:
        lines.pop(number)
    else:
        lines[number] = makemore.with_code(lines[number], code)
    return makemore.run_of_lines(run, lines)


def wrong_cells(run: Run, name: str, count: int = 10) -> list[bool]:
    node = run.plan.by_name[name]
    shown = run.gradients["d" + node.variable]
    ordinary = (shown.abs() > 0.05 * shown.abs().max()).nonzero().tolist()[:count]
    return [cell_of(run, name, "gradient", tuple(index))["agrees"] for index in ordinary]


LINES = makemore.pair().coarse.lines


@pytest.mark.parametrize("number", [n for n, line in enumerate(LINES) if line.target.name not in makemore.TRUE_ZEROS])
def test_a_rule_a_thousandth_too_large_does_not_add_up(number: Any) -> None:
    line = LINES[number]
    *before, last = line.code.split("\n")
    place, _, expression = last.partition(" = " if line.mode == "=" else " += ")
    sign = "=" if line.mode == "=" else "+="
    run = run_with(number, "\n".join([*before, f"{place} {sign} 1.001 * ({expression})"]))
    name = str(line.target.name)
    if line.mode == "=" and name != "logits":
        assert not any(wrong_cells(run, name)), line.code
    step = run.plan.first_backward + number
    shown = run.contributions[number].value
    for index in (shown.abs() > 0.05 * shown.abs().max()).nonzero().tolist()[:10]:
        brought = cell_of(run, name, "contribution", tuple(index), step)
        assert not brought["agrees"] or "logit_maxes" in line.code, line.code


PLANTED = {
    "dbngain = (bnraw * dhpreact).sum(0, keepdim=True)": "dbngain = (bnraw * dhpreact)[:1]",
    "db2 = dlogits.sum(0)": "db2 = dlogits[0]",
    "dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)": "dcounts_sum_inv = (counts * dprobs)[:, :1]",
    "dh = dlogits @ W2.T": "dh = (dlogits @ W2.T).flip(1)",
    "dbnvar_inv = (bndiff * dbnraw).sum(0, keepdim=True)": "dbnvar_inv = (bndiff * dbnraw).sum(1, keepdim=True)[:1].expand(1, 64)",
    "demb = dembcat.view(emb.shape)": "demb = dembcat.view(32, 10, 3).transpose(1, 2).reshape(emb.shape)",
}


@pytest.mark.parametrize("code", PLANTED)
def test_a_wrong_rule_does_not_add_up(code: Any) -> None:
    """A sum left out, taken over the wrong axis, or a rearrangement turned the wrong way."""
    number = next(n for n, line in enumerate(LINES) if line.code == code)
    agreeing = wrong_cells(run_with(number, PLANTED[code]), str(LINES[number].target.name))
    assert sum(agreeing) <= len(agreeing) // 5


@pytest.mark.parametrize(
    "number", [n for n, line in enumerate(LINES) if line.mode == "+=" and line.target.name != "logits"]
)
def test_a_missing_path_does_not_add_up(number: Any) -> None:
    name = str(LINES[number].target.name)
    run = run_with(number, None)
    assert not any(wrong_cells(run, name))
    path = next(p for p in cell_of(run, name, "gradient", (1, 2))["paths"] if p["step"] is None)
    assert (path["line"], path["code"], path["formula"]) == (None, "", "")
