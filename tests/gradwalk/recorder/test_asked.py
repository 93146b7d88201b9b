"""Custom functions whose backward pass may be asked once alone, as it frees what it has saved."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

import gradwalk

Tensor = torch.Tensor


class Again(torch.autograd.Function):
    """A checkpoint as diffusion models bring their own: what it runs is run once more on the way back, then let go."""

    times = 1.0

    @staticmethod
    def forward(ctx: Any, act: Any, x: Tensor, *parameters: Tensor) -> Tensor:
        ctx.act, ctx.saved = act, (x.detach(), parameters)
        with torch.no_grad():
            made: Tensor = act(x)
        return made

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, parameters = ctx.saved
        del ctx.saved
        with torch.enable_grad():
            leaf = x.requires_grad_()
            made = ctx.act(leaf.view_as(leaf))
        first, *others = torch.autograd.grad(made, [leaf, *parameters], g)
        return (None, first * Again.times, *others)


class Block(nn.Module):
    """A layer with a way past it."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.drop = nn.Linear(3, 3), nn.Dropout(0.3)

    def act(self, x: Tensor) -> Tensor:
        return x + self.layer(x).tanh()

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = Again.apply(self.act, self.drop(x), *self.layer.parameters())
        return made


class Turned(torch.autograd.Function):
    """A function that differentiates itself on the way forth, on a graph that nobody keeps."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        with torch.enable_grad():
            leaf = x.detach().requires_grad_()
            made = (leaf.sin() * leaf).cumsum(0)
        ctx.save_for_backward(leaf, made)
        return made.detach()

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        leaf, made = ctx.saved_tensors
        return torch.autograd.grad(made, leaf, g)[0]


def walk_of(model: nn.Module, x: Tensor) -> gradwalk.Walk:
    return gradwalk.walk(model, x, loss=lambda out: out.pow(3).sum())


def test_a_checkpoint_of_one_s_own_is_told_by_what_it_runs() -> None:
    torch.manual_seed(4)
    model, x = nn.Sequential(Block(), Block()), torch.randn(4, 3)
    state = torch.get_rng_state()
    walk = walk_of(model, x)
    assert walk.right, walk
    assert "`Again` can't be run on its own: its backward pass is held against the walk's lines alone." in walk.notes
    torch.set_rng_state(state)
    leaf = x.clone().requires_grad_()
    h = leaf
    for block in model:
        assert isinstance(block, Block)
        h = block.act(block.drop(h))
    names = [name for name, _ in model.named_parameters()]
    expected = torch.autograd.grad(h.pow(3).sum(), [leaf, *model.parameters()])
    for name, gradient in zip(["input", *names], expected, strict=True):
        torch.testing.assert_close(walk.by_label[name], gradient, rtol=1e-4, atol=1e-6)


def test_one_that_goes_back_wrong_is_told(monkeypatch: Any) -> None:
    torch.manual_seed(4)
    monkeypatch.setattr(Again, "times", 1.01)
    walk = walk_of(nn.Sequential(nn.Linear(3, 3), Block()), torch.randn(4, 3))
    assert not walk.right
    assert "3 of 5 gradients DIFFER from your model's own: input, 0.weight, 0.bias" in repr(walk)


def test_a_graph_that_nobody_keeps_is_asked_on_a_run_of_its_own() -> None:
    x = torch.tensor([0.5, -1.0, 2.0])
    walk = gradwalk.walk(lambda x: Turned.apply(x).pow(2).sum(), x)
    assert walk.right, walk
    leaf = x.clone().requires_grad_()
    (expected,) = torch.autograd.grad((leaf.sin() * leaf).cumsum(0).pow(2).sum(), leaf)
    torch.testing.assert_close(walk.by_label["x"], expected)


class Scaled(torch.autograd.Function):
    """A product with a number, whose own gradient is right, and that of the tensor isn't."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor) -> Tensor:
        ctx.save_for_backward(x, scale)
        return (x * scale).cumsum(-1)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor, Tensor]:
        x, _ = ctx.saved_tensors
        back = g.flip(-1).cumsum(-1).flip(-1)
        return back, (back * x).sum()


def test_one_of_a_number_is_told_as_well() -> None:
    scale = torch.tensor(1.5, requires_grad=True)
    walk = gradwalk.walk(lambda x: Scaled.apply(x, scale).pow(2).sum(), torch.randn(2, 3))
    assert "1 of 2 gradients DIFFER from your model's own: x" in repr(walk)
