"""Code as found decides its branches by the numbers that its table has, and takes the facts of this run's precision."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.pipeline import new_run

BY_CLASS = """
def f(probas, labels):
    losses = []
    for c in range(probas.size(1)):
        fg = (labels == c).float().to(probas.dtype)
        if fg.sum() == 0:
            continue
        losses.append((fg - probas[:, c]).abs().pow(1.5).mean())
    return sum(losses) / len(losses) + F.nll_loss(probas, labels)
"""
BY_HALF = """
def f(x, mask):
    least = -torch.finfo(x.dtype).eps
    return (x * (1 << x.shape[0]) * (x.shape[1] >> 1) + least).masked_fill(mask, 2 * torch.finfo(x.dtype).eps).sum()
"""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("source", [BY_CLASS, BY_HALF])
def test_the_program_that_was_found_computes_what_the_code_does(source: str, dtype: str) -> None:
    run: Any = new_run({"source": source, "dtype": dtype})
    made: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
    exec(source, made)
    given = {name: one.detach().clone() for name, one in run.material.tensors.items()}
    for one in given.values():
        one.requires_grad_(one.is_floating_point())
    loss = made["f"](**given)
    torch.testing.assert_close(run.forward.tensors[str(run.material.loss)], loss.detach(), rtol=1e-6, atol=0)
    loss.backward()
    for name, one in given.items():
        if one.grad is not None:
            torch.testing.assert_close(run.gradients[f"d{name}"], one.grad, rtol=1e-5, atol=1e-7)
