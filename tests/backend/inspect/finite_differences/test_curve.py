"""The loss along one number is that of plain PyTorch, and the gradient is its slope."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest
import torch

import backend
from backend.language.tree import names_of
from tests.support import torch_reference
from tests.support.programs import PATHS, load, run_for, some

LESSON = {"lesson": "makemore-mlp"}
SMALL = 1e-4


def curve(walk: Any, tensor: str, index: list[int], **more: Any) -> Any:
    return backend.curve({"walk": walk, "tensor": tensor, "index": index, **more})


def cells(name: str, count: int) -> list[tuple[str, list[int]]]:
    """Cells with gradients, of any of a program's tensors, drawn with a seed."""
    run, draw = run_for(name), random.Random(name)
    nodes = [node for node in run.plan.graph.named if "d" + node.variable in run.gradients and node.meta.numel()]
    picked = draw.choices([node for node in nodes if node is not run.plan.graph.loss], k=count)
    return [(str(node.name), [draw.randrange(size) for size in node.shape]) for node in picked]


@pytest.mark.parametrize("name", ["makemore", *(path.stem for path in PATHS[::8])])
def test_the_gradient_is_the_slope_of_the_curve(name: str) -> None:
    walk = LESSON if name == "makemore" else load(next(path for path in PATHS if path.stem == name))
    for tensor, index in cells(name, 6):
        told = curve(walk, tensor, index, span=SMALL, points=3)
        if told["kink"] is not None or not isinstance(told["slope"], float):
            continue
        (_, below), (_, here), (_, above) = told["points"]
        assert here == told["loss"]
        rounding = 64 * 2.0**-53 * max(abs(below), abs(above)) / SMALL
        curved = abs(above - 2 * here + below) / SMALL
        assert (above - below) / (2 * SMALL) == pytest.approx(
            told["slope"], rel=2e-4, abs=1e-6 * max(1, abs(told["slope"])) + rounding + curved
        ), (tensor, index)


@pytest.mark.parametrize("path", some([path for path in PATHS if ".float" not in path.read_text()], 12))
def test_every_point_is_what_python_computes(path: Any) -> None:
    case = load(path) | {"dtype": "float64"}
    graph = run_for(path.stem, "float64").plan.graph
    given = torch_reference.tensors(case)
    for tensor, index in cells(path.stem, 2):
        variable = next(node.variable for node in graph.named if node.name == tensor)
        for value, loss in curve(case, tensor, index, span=0.3, points=3)["points"]:
            scope = torch_reference.scope(case, given)
            if variable in given:
                scope[variable] = moved(given[variable], index, value)
            with torch.no_grad(), torch_reference.DefaultDtype(torch.float64):
                for statement in graph.statements:
                    exec(ast.unparse(ast.fix_missing_locations(statement)), scope)
                    if variable in names_of(statement.targets[0]):
                        scope[variable] = moved(scope[variable], index, value)
            meant = float(scope[graph.loss.variable])
            assert float(loss) == pytest.approx(meant, rel=1e-11, abs=1e-12, nan_ok=True)


def moved(tensor: torch.Tensor, index: list[int], value: float) -> torch.Tensor:
    other = tensor.clone()
    other[tuple(index)] = value
    return other


def test_a_kink_says_so() -> None:
    walk = {"source": "loss = F.relu(x).sum()", "tensors": {"x": {"role": "parameter", "values": [0.0, 2.0]}}}
    told = curve(walk, "x", [0])
    assert told["slope"] == 0
    assert told["kink"] == {"left": pytest.approx(0, abs=1e-9), "right": pytest.approx(1)}
    assert curve(walk, "x", [1])["kink"] is None


def test_the_span_is_of_the_number_s_own_size() -> None:
    walk = {"source": "loss = (x * x).sum()", "tensors": {"x": {"role": "parameter", "values": [0.01, 5.0]}}}
    assert curve(walk, "x", [1])["span"] == 10
    assert curve(walk, "x", [0])["span"] == 2
    told = curve(walk, "x", [1])
    assert len(told["points"]) == 41
    assert told["points"][0] == [-5.0, pytest.approx(25.0001)]
