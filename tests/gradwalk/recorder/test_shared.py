"""Memory that NumPy has as well: what it writes there is told to nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import gradwalk
from gradwalk.recorder.shared import Shared

Tensor = torch.Tensor
Told = Callable[[Tensor, Tensor], Any]


def hidden(x: Tensor, w: Tensor) -> Tensor:
    """A value, by an array that it was asked for before."""
    h = x * 2 + w
    array = h.detach().numpy()
    before = h.sum()
    array[0] = 5.0
    return before + h.sum() * 3


def viewed(x: Tensor, w: Tensor) -> Tensor:
    """And a view of it that was there already."""
    h = x * 2 + w
    row = h[:2]
    np.asarray(h.detach())[0] = 9.0
    return (row + h[1:]).sum()


def bounded(x: Tensor, w: Tensor) -> Tensor:
    """A parameter, between two readings."""
    before = (x + w).sum()
    np.clip(w.detach().numpy(), 0.0, 0.5, out=w.detach().numpy())
    return before + (x - w).sum() * 2


def handed_on(x: Tensor, w: Tensor) -> Tensor:
    """By another library's way to the same memory."""
    h = x + w
    np.from_dlpack(h.detach())[0] = 4.0
    return h.sum() * 2


def lent(x: Tensor, w: Tensor) -> Tensor:
    """An array that lies below a tensor, written anew for each line."""
    array = np.ones(3, dtype=np.float32)
    table, total = torch.from_numpy(array), w.sum()
    for number in range(3):
        array[:] = number
        total = total + (x + table).sum() * number + table.sum() * w[0]
    return total


@pytest.mark.parametrize("function", [hidden, viewed, bounded, handed_on, lent])
def test_what_numpy_writes_is_read_and_leaves_the_gradient_as_it_was(function: Told) -> None:
    x, w = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([2.0, 0.25, -3.0], requires_grad=True)
    before = w.detach().clone()
    walk = gradwalk.walk(function, x, w)
    assert walk.right, walk
    assert torch.equal(w, before)
    leaf = x.clone().requires_grad_()
    loss = function(leaf.clone(), w)
    assert walk.loss == pytest.approx(loss.item())
    for name, gradient in zip(("x", "w"), torch.autograd.grad(loss, [leaf, w]), strict=True):
        torch.testing.assert_close(walk.by_label[name], gradient)


def test_it_is_said_whose_memory_it_was() -> None:
    walk = gradwalk.walk(hidden, torch.ones(3), torch.ones(3, requires_grad=True))
    assert walk.notes == ["NumPy or the like wrote into `h`: autograd doesn't know, so the gradient ignores it."]


def test_what_a_backward_pass_reads_after_it_was_written_over_is_told() -> None:
    """The model's own gradient is wrong then, without a word; its buffers are given back."""
    table, places = torch.tensor([0.5, 1.5, 2.5]), torch.tensor([0, 1])

    def changed(x: Tensor) -> Tensor:
        total = (x * table).sum() + x[places].sum()
        table.numpy()[:] = 7.0
        places.numpy()[0] = 2
        return total + (x * table).sum() + x[places].prod()

    walk = gradwalk.walk(changed, torch.ones(3))
    assert not walk.right
    assert "1 of 1 gradients DIFFER from your model's own: x" in repr(walk)
    assert walk.by_label["x"].tolist() == [8.5, 10.5, 10.5]
    assert table.tolist() == [0.5, 1.5, 2.5]
    assert places.tolist() == [0, 1]


def test_a_tensor_that_pytorch_changes_as_well_is_refused_by_name() -> None:
    def mixed(x: Tensor) -> Tensor:
        h = x * 2
        h.mul_(x)
        h.detach().numpy()[0] = 7.0
        return h.sum() + (h * x).sum()

    with pytest.raises(gradwalk.WalkError, match="`h`, which NumPy or the like wrote into as well"):
        gradwalk.walk(mixed, torch.ones(3))


def test_unwatched_the_walk_would_be_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shared, "has", lambda *_: False)
    with pytest.raises(gradwalk.WalkError, match="the values part at"):
        gradwalk.walk(hidden, torch.ones(3), torch.ones(3, requires_grad=True))
