"""Lengths of axes by the names that the forward text has for them: each is that length, and no other."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.engine.differentiate.sizes import LONGEST, sizes_of
from backend.engine.language.unparse import printed
from backend.pipeline import run_of
from tests.support import torch_reference
from tests.support.programs import PATHS, load, some


def named(case: Any) -> dict[str, list[str | None]]:
    """For each tensor that the program names, what the lengths of its axes are called."""
    graph = run_of(case).plan.graph
    found = sizes_of(graph)
    return {node.variable: [printed(size) if size else None for size in found[node]] for node in graph.named}


def case(source: str, **constants: int) -> Any:
    tensors = {name: {"role": "parameter", "shape": [3, 4, 5], "init": "randn"} for name in ("x", "y")}
    return {"source": f"{source}\nloss = h.sum()", "tensors": tensors, "constants": constants}


@pytest.mark.parametrize(
    ("source", "lengths"),
    [
        ("B, T, C = x.shape\nh = x * y", ["B", "T", "C"]), ("B, T, C = x.size()\nh = x.sum(1)", ["B", "C"]),
        ("T = x.shape[1]\nh = x.transpose(1, 2)", [None, None, "T"]), ("n = len(x)\nh = torch.tanh(x)", ["n", None, None]),
        ("B, T, C = x.shape\nh = x.permute(2, 0, 1)", ["C", "B", "T"]), ("C = x.size(2)\nh = x @ y.mT", [None, None, None]),
        ("B, T, C = x.shape\nh = x.view(B, T * C)", ["B", "T*C"]), ("B, T, C = y.shape\nh = x * 2", [None, None, None]),
        ("B, T, C = x.shape\nh = x.mean((0, 2), keepdim=True)", [None, "T", None]),
    ],
)  # fmt: skip
def test_a_name_travels_with_its_axis(source: str, lengths: list[str | None]) -> None:
    assert named(case(source))["h"] == lengths


def test_a_constant_that_merely_has_that_value_is_another_thing() -> None:
    assert named(case("h = x * k", k=3))["h"] == [None, None, None]
    assert named(case("h = x.view(k, 20)", k=3))["h"][0] == "k"


@pytest.mark.parametrize("path", some(PATHS, 3))
def test_what_a_length_is_called_is_that_length(path: Any) -> None:
    """Python computes each name from the program's own text."""
    program = load(path)
    graph = run_of(program).plan.graph
    with torch_reference.DefaultDtype(torch.float64):
        scope = torch_reference.scope(program, torch_reference.tensors(program))
        exec(str(graph.forward_source), scope)
    for node, sizes in sizes_of(graph).items():
        texts = [(printed(size) if size else None, length) for size, length in zip(sizes, node.shape, strict=True)]
        told = [(text, length) for text, length in texts if text]
        assert all(len(text) <= LONGEST for text, _ in told)
        assert [(text, length) for text, length in told if eval(text, scope) != length] == []
