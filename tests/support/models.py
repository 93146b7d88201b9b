"""Models as people write them, for walks in Python: each with its inputs and, where it returns none, its loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

Case = tuple[Callable[..., Any], tuple[Any, ...], Callable[[Any], torch.Tensor] | None]


class Bottleneck(nn.Module):
    """Two layers with a name for each, and a comment."""

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Linear(6, 3)
        self.wide = nn.Linear(3, 6)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        code = torch.tanh(self.narrow(features))  # what is left of it
        return self.wide(code)


def autoencoder() -> Case:
    x = torch.randn(5, 6)
    return Bottleneck(), (x,), lambda out: F.mse_loss(out, x)


def classifier() -> Case:
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Dropout(0.3), nn.Linear(8, 3))
    y = torch.randint(0, 3, (7,))
    return model, (torch.randn(7, 4),), lambda out: F.cross_entropy(out, y, label_smoothing=0.1)


def images() -> Case:
    model = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.SiLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(27, 2))
    return model, (torch.randn(2, 1, 6, 6),), lambda out: out.logsumexp(1).sum()


class Residual(nn.Module):
    """Adds in place to what a normalisation made."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(5)
        self.mix = nn.Linear(5, 5, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.norm(x)
        out += self.mix(x)
        return F.leaky_relu(out, 0.2, True)


def in_place() -> Case:
    return Residual(), (torch.randn(4, 5),), lambda out: out.square().mean()


def written_cells() -> Case:
    def table(x: torch.Tensor) -> torch.Tensor:
        out = torch.zeros(3, 4)
        out[0, 1] = x[0, 0]
        out[1] = x[1] * 2
        out[:, 2].mul_(3.0)
        return (out * out).sum()

    return table, (torch.randn(2, 4),), None


class Tagger(nn.Module):
    """A recurrent layer, as PyTorch has it in one call."""

    def __init__(self, kind: type[nn.Module]) -> None:
        super().__init__()
        self.words = nn.Embedding(9, 4, padding_idx=0)
        self.layer = kind(4, 3, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(6, 2)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        out, _ = self.layer(self.words(tokens))
        return self.tags(out[:, -1])


def lstm() -> Case:
    return Tagger(nn.LSTM), (torch.randint(0, 9, (2, 4)),), lambda out: out.softmax(1)[:, 0].log().neg().mean()


def gru() -> Case:
    return Tagger(nn.GRU), (torch.randint(0, 9, (2, 3)),), lambda out: out.pow(3).sum()


def transformer() -> Case:
    layer = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.2, batch_first=True)
    return layer, (torch.randn(2, 3, 8),), lambda out: (out[..., 0] - out[..., 1]).exp().mean()


def penalised() -> Case:
    """A gradient inside the loss."""
    net = nn.Sequential(nn.Linear(2, 6), nn.Softplus(), nn.Linear(6, 1))

    def loss(points: torch.Tensor) -> torch.Tensor:
        points = points.clone().requires_grad_()
        (slope,) = torch.autograd.grad(net(points).sum(), points, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    return loss, (torch.randn(4, 2),), None


class Sly(torch.autograd.Function):
    """Its backward pass mixes cells, and is wrong."""

    @staticmethod
    def forward(_: Any, x: torch.Tensor) -> torch.Tensor:
        return x.sin()

    @staticmethod
    def backward(_: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad.flip(0)


class Straight(torch.autograd.Function):
    """Rounds, and lets the gradient through."""

    @staticmethod
    def forward(_: Any, x: torch.Tensor) -> torch.Tensor:
        return x.round()

    @staticmethod
    def backward(_: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad


def straight_through() -> Case:
    scale = nn.Parameter(torch.tensor(1.7))

    def loss(x: torch.Tensor) -> torch.Tensor:
        return (Straight.apply(x * scale) - x).square().sum()

    return loss, (torch.randn(6) * 3,), None


def branches() -> Case:
    """What is decided by a value, a loop that ends early, a tensor that is thrown away."""
    rate = nn.Parameter(torch.tensor(0.3))

    def loss(x: torch.Tensor) -> torch.Tensor:
        state = x
        for step in range(10):
            state = state - rate * state.sin()
            if float(state.detach().abs().max()) < 0.8 or step == 4:
                break
        return state.square().sum() if float(x.detach().sum()) > 0 else state.abs().sum()

    return loss, (torch.tensor([1.5, -0.4, 0.9]),), None


CASES: tuple[Callable[[], Case], ...] = (
    autoencoder, classifier, images, in_place, written_cells, lstm, gru, transformer, penalised, straight_through,
    branches,
)  # fmt: skip
