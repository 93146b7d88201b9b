"""Every operation whose rule depends on the call shows itself worked out, and the lines are what autograd says."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional

import backend

WORKED_OUT = [op for op in backend.operations() if op["words"]]


@pytest.mark.parametrize("op", WORKED_OUT, ids=lambda op: op["name"])
def test_there_is_an_example_for_every_rule_that_depends_on_its_call(op: Any) -> None:
    assert op["example"] is not None
    targets = {line.partition(" = ")[0].partition("[")[0] for line in op["example"]["backward"]}
    assert {f"d{name}" for name in op["backward"] if name in op["example"]["shapes"]} <= targets


@pytest.mark.parametrize("name", ["matmul", "sum", "layernorm", "mean", "mseloss", "expand", "linear"])
def test_its_lines_give_autograd_s_gradients(name: Any) -> None:
    example = next(op["example"] for op in WORKED_OUT if op["name"] == name)
    assert example is not None
    torch.manual_seed(0)
    tensors = {key: torch.randn(shape, requires_grad=True) for key, shape in example["shapes"].items()}
    scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, **tensors}
    exec(example["line"], scope)
    scope["dout"] = torch.ones_like(scope["out"])
    exec("\n".join(example["backward"]), scope)
    scope["out"].sum().backward()
    for key, tensor in tensors.items():
        assert tensor.grad is not None
        assert torch.allclose(scope[f"d{key}"], tensor.grad, atol=1e-6), key
