"""Single assignment: in the forward text every variable is stored once, and stands for what its name then meant."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest
import torch

from backend.engine.language.pytree import tensors_in
from backend.pipeline import run_of
from tests.support import torch_reference
from tests.support.programs import PATHS, load
from tests.support.solve import solve


def stored_again(text: str, scope: dict[str, Any]) -> list[str]:
    """Names that held a tensor and are assigned once more while Python runs the text; numbers are written out."""
    found = []
    for statement in ast.parse(text).body:
        stored = [
            node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        found += [node.id for node in stored if node.id != "_" and list(tensors_in(scope.get(node.id)))]
        exec(ast.unparse(statement), scope)
    return found


@pytest.mark.parametrize("path", PATHS[::2], ids=lambda path: path.stem)
def test_a_tensor_s_variable_is_stored_once_and_is_no_gradient_s(path: Any) -> None:
    case = load(path)
    graph = run_of(case).plan.graph
    scope = torch_reference.scope(case, torch_reference.tensors(case, torch.float32))
    with torch_reference.DefaultDtype(torch.float32):
        assert stored_again(graph.forward_source, scope) == []
    assert [node.variable for node in graph.named if "d" + node.variable in scope] == []


def test_a_second_assignment_is_seen() -> None:
    assert stored_again("h = x * 2\nn = 1\nn = 2\nh = h * n", {"x": torch.ones(2)}) == ["h"]


def rebound(chance: random.Random) -> str:
    """A program in which few names get many values, inside of loops and outside."""
    lines = []
    for _ in range(chance.randrange(3, 8)):
        name, *read = (chance.choice(["x", "h", "h_2", "a"] if part else ["h", "h_2", "a", "dh"]) for part in range(3))
        line = f"{name} = {chance.choice(read)} * 0.5 + x"
        lines += [line, f"for i in range({chance.randrange(3)}):\n    {line} * i"] if chance.random() < 0.3 else [line]
    return "\n".join(["h = x + 1", "h_2 = x * 2", "a = h * h_2", *lines, "loss = (h * h_2 * a).sum()"])


@pytest.mark.parametrize("seed", range(40))
def test_names_with_many_values_compute_what_they_did(seed: int) -> None:
    source = rebound(random.Random(seed))
    case = {"source": source, "tensors": {"x": {"role": "parameter", "values": [1.5, -0.5]}}}
    found = solve(case)
    meant = torch_reference.reference(case)
    scope = torch_reference.scope(case, torch_reference.tensors(case))
    assert stored_again(found.graph.forward_source, scope) == []
    for name, variable in found.variables().items():
        torch.testing.assert_close(scope[variable], meant[name][0], rtol=1e-12, atol=0)
