"""What every name held right after a backward line is found again later: Python runs the printed lines one by one."""

from __future__ import annotations

import ast
import math
from typing import Any

import pytest
import torch
import torch.nn.functional as functional

from backend.engine.execute.plan import Plan
from backend.engine.execute.planting import plant
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.tree import stored_in
from backend.lines.mistakes.planting import possible
from backend.pipeline import material_of, new_run, planned
from backend.program.runs import Run, execute
from tests.support.asking import program
from tests.support.programs import REQUESTS, mostly, run_for

X = [[-1.0, 2.0, 0.5], [3.0, -4.0, 0.25]]
W = [[0.5, -1.5, 2.0]]
WAYS = {
    "paths": "y = x * w\nz = y * y + y\nloss = (z * y).sum() + (x * x).sum()",
    "copies": "y = x + w\nz = y - x\nloss = (z * y).mean() + y.sum()",
    "places": "a = x[0] * x[1]\nb = x[i] * w\nloss = (a * a).sum() + (b * b).sum()",
}
# Lines to stand in a place of their own: what they write in place, some of it into a second name.
OWN_WORDS = (
    "t = {right}\nt *= 2\n{name} = t",
    "t = {right}\n{name} = t\nt += 1",
    "{name} = torch.zeros({shape})\n{name} += {right}",
    "t = x\nt *= 3\n{name} = {right}",
)


def asked(name: str) -> Any:
    given: dict[str, Any] = {"i": {"role": "data", "values": [0, 1, 1, 0]}} if "[i]" in WAYS[name] else {}
    return program(WAYS[name], x=X, w=W, **given)


def plainly(run: Run) -> list[dict[str, Any]]:
    """Every name's value after each backward line, as Python has them: copies, taken before the next line runs."""
    scope: dict[str, Any] = {"torch": torch, "F": functional, "math": math}
    scope |= {name: _copied(value) for name, value in run.forward.values.items()}
    after = []
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        for line in run.plan.lines:
            exec(line.code, scope)
            after.append({name: _copied(scope[name]) for name in scope if isinstance(scope[name], torch.Tensor)})
    return after


def _copied(value: Any) -> Any:
    """A tensor copied with its strides, by which torch chooses how it multiplies."""
    if not isinstance(value, torch.Tensor):
        return value
    cells = value.untyped_storage().clone()
    return torch.empty(0, dtype=value.dtype).set_(cells, value.storage_offset(), value.shape, value.stride())


def faults(run: Run) -> list[str]:
    """The names that a scope found again hasn't as Python had them, and the gradients that it has too early."""
    found: list[str] = []
    made: set[str] = set()
    for number, (line, plain) in enumerate(zip(run.plan.lines, plainly(run), strict=True)):
        scope = run.backward.scope_after(number)
        made.add(line.variable)
        read = run.gradients.keys() | run.forward.values.keys() | {*stored_in(*line.statements)}
        found += [f"{number} {name}" for name in read & plain.keys() if not _equal(scope.get(name), plain[name])]
        found += [f"{number} {name} is early" for name in run.gradients.keys() & scope.keys() - made]
    return found


def _equal(found: Any, plain: torch.Tensor) -> bool:
    return isinstance(found, torch.Tensor) and torch.equal(found.nan_to_num(), plain.nan_to_num())


@pytest.mark.filterwarnings("ignore:reduction")
@pytest.mark.parametrize("name", mostly(REQUESTS))
def test_what_was_in_scope_after_each_line_is_found_again(name: str) -> None:
    assert faults(run_for(name)) == []


@pytest.mark.parametrize("name", WAYS)
def test_paths_and_places_that_add_up_are_found_as_they_were_then(name: str) -> None:
    run = new_run(asked(name))
    assert {line.mode for line in run.plan.lines} == {"=", "+="}
    assert faults(run) == []


@pytest.mark.parametrize("name", WAYS)
def test_behind_a_planted_line_it_is_what_that_line_made(name: str) -> None:
    material = material_of(asked(name))
    plan = planned(material)
    held = 0
    for number in range(1, len(plan.lines)):
        for text in [*(one.mutant.source for one in possible(plan, number)), *texts(plan, number)]:
            run = execute(plant(plan, number, text), material)
            if not run.lost:
                assert faults(run) == [], text
                held += 1
    assert held > 10


def texts(plan: Plan, number: int) -> list[str]:
    """The right line in other words, which write in place."""
    line = plan.lines[number]
    if "\n" in line.code or line.mode != "=" or line.is_partial:
        return []
    name, _, right = line.code.partition(" = ")
    return [text.format(name=name, right=right, shape=list(line.target.shape)) for text in OWN_WORDS]


def test_other_expressions_after_the_same_line_are_evaluated_anew() -> None:
    run = run_for("makemore")
    one, other = (ast.parse(text, mode="eval").body for text in ("dlogits.sum()", "dlogits * 2"))
    last = len(run.plan.lines) - 1
    (total,), (twice,) = run.after(last, [one]), run.after(last, [other])
    assert torch.equal(total, run.gradients["dlogits"].sum())
    assert torch.equal(twice, run.gradients["dlogits"] * 2)
    assert run.after(last, [one])[0] is total


def test_a_gradient_without_cells_in_memory_is_zeros() -> None:
    """So autograd returns that of `torch.sgn`."""
    run = new_run(program("y = torch.sgn(x)\nloss = (y * w).sum()", x=X, w=W))
    assert torch.equal(run.forward.autograd["x"], torch.zeros(2, 3))
    assert not run.forward.autograd["x"].numpy().any()
    assert run.bytes > 0
