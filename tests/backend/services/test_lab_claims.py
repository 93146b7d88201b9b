"""What exhibits say would happen with other numbers happens, in plain PyTorch."""

from __future__ import annotations

import ast
from typing import Any

import torch

from backend.program.lessons import ROOM
from tests.support.torch_reference import Recorder, tensors

Named = dict[str, torch.Tensor]


def grads(name: str, side: int, changed: Named) -> Named:
    """Values, and gradients as `dW`, of one program of an exhibit with some tensors changed."""
    program: dict[str, Any] = dict(ROOM.exhibits[name].sides[side].program or {})
    given = tensors(program) | changed
    for one, spec in program["tensors"].items():
        if spec["role"] == "parameter":
            given[one].requires_grad_()
    recorder = Recorder(program, given)
    recorder.run(ast.parse(program["source"]).body)
    reached = {one: t for one, t in recorder.seen.items() if t.requires_grad}
    found = torch.autograd.grad(recorder.seen["loss"], list(reached.values()), allow_unused=True)
    slopes = {f"d{one}": grad for one, grad in zip(reached, found, strict=True) if grad is not None}
    return {one: t.detach() for one, t in recorder.seen.items()} | slopes


def test_another_reference_changes_no_gradient() -> None:
    other = {"ref": torch.randn(5, 4, generator=torch.Generator().manual_seed(9), dtype=torch.float64)}
    name = "kl-that-pulls-nowhere"
    assert "stays the same to the bit" in ROOM.exhibits[name].sees
    assert torch.equal(grads(name, 1, {})["dz"], grads(name, 1, other)["dz"])
    assert not torch.allclose(grads(name, 0, {})["dz"], grads(name, 0, other)["dz"])


def test_another_class_weight_changes_no_gradient() -> None:
    other = {"cw": torch.tensor([1.0, 1.0, 3.0], dtype=torch.float64)}
    name = "class-weight-in-a-batch-of-one"
    assert "no gradient moves" in ROOM.exhibits[name].sees
    assert torch.allclose(grads(name, 1, {})["dW"], grads(name, 1, other)["dW"])
    assert not torch.allclose(grads(name, 0, {})["dW"], grads(name, 0, other)["dW"])


def test_twice_the_input_is_the_same_norm_and_an_eighth_of_the_wrong_one() -> None:
    name = "std-is-the-square-of-the-variance"
    assert "shrinks to an eighth" in ROOM.exhibits[name].sees
    x = grads(name, 0, {})["x"]
    assert torch.allclose(grads(name, 0, {"x": 2 * x})["out"], grads(name, 0, {})["out"], atol=1e-6)
    assert torch.allclose(grads(name, 1, {"x": 2 * x})["out"], grads(name, 1, {})["out"] / 8)


def test_row_1_is_picked_once_and_row_2_again() -> None:
    assert "Row 1 is picked once" in ROOM.exhibits["last-one-wins"].sees
    picked = tensors(dict(ROOM.exhibits["last-one-wins"].sides[0].program or {}))["i"].tolist()
    assert [picked.count(row) for row in range(3)] == [2, 1, 3]
