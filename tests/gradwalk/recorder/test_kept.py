"""Custom functions that write into what they are given, with or without PyTorch's knowing."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

import gradwalk
from gradwalk.recorder.kept import Kept
from tests.support.walked import walked

Tensor = torch.Tensor


class Grown(torch.autograd.Function):
    """A tensor that holds its running sum from then on."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        x.cumsum_(-1)
        return x

    @staticmethod
    def backward(_ctx: Any, g: Tensor) -> Tensor:
        return g.flip(-1).cumsum(-1).flip(-1)


class Put(torch.autograd.Function):
    """A row of a buffer, written by `.data`, as solvers of differential equations do."""

    @staticmethod
    def forward(ctx: Any, buffer: Tensor, row: Tensor, place: int) -> Tensor:
        ctx.place = place
        buffer.data[place] = row
        return buffer

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, Tensor, None]:
        return g, g[ctx.place], None


def grown(x: Tensor, w: Tensor) -> Tensor:
    """Looked at before and behind, and by a view."""
    h = x @ w
    before, row = h * 2, h[0]
    made: Tensor = Grown.apply(h)
    return (made.pow(2) * before).sum() + row.sum()


def stages(x: Tensor) -> Tensor:
    """Each row of a buffer that nobody has filled is made of those before."""
    buffer = torch.empty(3, 2)
    for place in range(3):
        before = buffer[:place].sum(0)
        buffer = Put.apply(buffer, torch.tanh(x[place] + before), place)
    return buffer.pow(3).sum()


def test_what_a_function_writes_into_its_arguments_is_written_once() -> None:
    torch.manual_seed(4)
    walked(grown, torch.randn(2, 3), torch.randn(3, 3))
    walked(stages, torch.randn(3, 2))


def test_what_it_writes_is_told_wherever_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that isn't told of the write takes a view for what it was before."""
    torch.manual_seed(4)
    monkeypatch.setattr(Kept, "after_the_write", lambda *_: None)
    walk = gradwalk.walk(grown, torch.randn(2, 3), torch.randn(3, 3))
    assert "2 of 2 gradients DIFFER from your model's own" in repr(walk)


def test_cells_that_nobody_has_written_yet_are_zero() -> None:
    """What lies in them may be no number: the table of slopes would carry it on."""
    walk = gradwalk.walk(lambda x: (torch.empty(2, 3) * 0 + x).sum(), torch.ones(3))
    assert walk.right, walk


class Clipped(nn.Module):
    """A parameter that is bounded where autograd doesn't look, between two readings; and a buffer that is replaced."""

    mean: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([2.0, 0.5]))
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x: Tensor) -> Tensor:
        h = x * 3
        with torch.no_grad():
            h += 1.0
        h.detach().mul_(2.0)
        self.mean = self.mean * 0.9 + h.detach().mean(0)
        self.scale.data.clamp_(max=1.0)
        return (h - self.mean) * self.scale


def test_what_is_written_where_autograd_doesn_t_look_leaves_the_gradient_as_it_was() -> None:
    torch.manual_seed(4)
    model, x = Clipped(), torch.randn(4, 2)
    before, mean = model.scale.detach().clone(), model.mean
    walk = gradwalk.walk(model, x, loss=lambda out: out.pow(2).sum())
    assert walk.right, walk
    assert model.mean is mean
    assert torch.equal(model.scale, before)
    leaf = x.clone().requires_grad_()
    expected = torch.autograd.grad(model(leaf).pow(2).sum(), [leaf, model.scale])
    for name, gradient in zip(("x", "scale"), expected, strict=True):
        torch.testing.assert_close(walk.by_label[name], gradient)


def test_a_parameter_that_a_backward_pass_reads_after_it_was_changed_is_told() -> None:
    """By `.data` a model's own gradient goes wrong without a word: the walk's is that of what was computed."""
    scale = nn.Parameter(torch.tensor([2.0, 0.5]))

    def changed(x: Tensor) -> Tensor:
        first = x * scale
        scale.data.clamp_(max=1.0)
        return (first + x * scale).sum()

    x = torch.ones(2)
    walk = gradwalk.walk(changed, x)
    assert not walk.right
    assert "1 of 2 gradients DIFFER from your model's own: x" in repr(walk)
    assert walk.by_label["x"].tolist() == [3.0, 1.0]


class Followed(nn.Module):
    """A target network that follows the other one at every forward pass (Grill et al., 2020)."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.target = nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            for one, other in zip(self.target.parameters(), self.inner.parameters(), strict=True):
                one.mul_(0.9).add_(other, alpha=0.1)
            target = self.target(x)
        return (self.inner(x) - target).square().mean()


def test_parameters_that_a_model_changes_itself_are_given_back() -> None:
    torch.manual_seed(4)
    model = Followed()
    before = [one.detach().clone() for one in model.parameters()]
    walk = gradwalk.walk(model, torch.randn(4, 3))
    assert walk.right, walk
    assert all(map(torch.equal, model.parameters(), before))
