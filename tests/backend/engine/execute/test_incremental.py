"""A run repeated with another tensor in one place: Python runs the whole program anew, and both agree."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
import torch

from backend.engine.execute.incremental import Recording
from backend.engine.language.tree import names_of, stored_in
from backend.pipeline import run_of
from tests.support import torch_reference
from tests.support.programs import PATHS, load, some

# Detached values stay in a rerun, and conversions follow its precision: Python does neither.
SOME = [path for path in PATHS if not re.search(r"\.(detach|float)\b", load(path)["source"])]


def rerun(case: Any, given: dict[str, torch.Tensor], statements: list[ast.Assign], variable: str, instead: Any) -> Any:
    """Every value of the program, run by Python; `instead` takes the variable's place as soon as that is made."""
    scope = torch_reference.scope(case, given)
    if variable in given:
        scope[variable] = instead
    for statement in statements:
        exec(ast.unparse(ast.fix_missing_locations(statement)), scope)
        if variable in names_of(statement.targets[0]):
            made, scope[variable] = scope[variable], instead
            for name, pair in scope.items():  # which may hold the same tensor
                if isinstance(pair, tuple) and any(part is made for part in pair):
                    scope[name] = tuple(instead if part is made else part for part in pair)
    return scope


@pytest.mark.parametrize("path", some(SOME, 4))
def test_another_tensor_in_one_place_gives_what_the_whole_program_gives(path: Any) -> None:
    case = load(path)
    graph = run_of(case).plan.graph
    given = torch_reference.tensors(case)
    recording = Recording(graph, given, torch.float64)
    generator = torch.Generator().manual_seed(1)
    loss = graph.loss.variable
    sources = [node for node in graph.named if node.meta.is_floating_point() and node.variable != loss]
    for node in sources[:: max(1, len(sources) // 6)]:
        before = recording[node.variable]
        # nearer to 0, where a logarithm and a probability have their place, too
        instead = before * (1 - 0.1 * torch.rand(before.shape, generator=generator, dtype=torch.float64))
        with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
            meant = rerun(case, given, graph.statements, node.variable, instead)[loss]
        found = recording.way(node.variable, loss).value(instead)
        torch.testing.assert_close(found, meant, rtol=1e-12, atol=1e-12, equal_nan=True)


PROGRAM = {
    "source": "a = x * 2\nb = y.exp()\nc = a * b\nd = c + b\nunused = a + 1\nloss = d.sum()",
    "tensors": {name: {"role": "parameter", "values": [1.0, -2.0, 0.5]} for name in "xy"},
}


@pytest.mark.parametrize(
    ("source", "target", "runs", "kept"),
    [
        ("x", "loss", ["a", "c", "d", "loss"], "xb"), ("y", "loss", ["b", "c", "d", "loss"], "ya"),
        ("c", "loss", ["d", "loss"], "cb"), ("x", "c", ["a", "c"], "xb"), ("b", "c", ["c"], "ab"), ("d", "d", [], "d"),
    ],
)  # fmt: skip
def test_only_what_depends_on_it_and_is_needed_runs_again(source: str, target: str, runs: list[str], kept: str) -> None:
    recording = Recording(run_of(PROGRAM).plan.graph, torch_reference.tensors(PROGRAM), torch.float64)
    legs = recording.way(source, target).legs
    assert [name for leg in legs if leg.statement is not None for name in stored_in(leg.statement)] == runs
    assert {name for leg in legs for name in leg.kept} == set(kept)


def test_what_is_detached_stays_as_it_was() -> None:
    """No derivative passes it, so that no difference may."""
    case = PROGRAM | {"source": "loss = (x * (x * y).detach()).sum()"}
    given = torch_reference.tensors(case)
    recording = Recording(run_of(case).plan.graph, given, torch.float64)
    moved = given["x"] + 1
    assert torch.equal(recording.way("x", "loss").value(moved), (moved * (given["x"] * given["y"])).sum())
