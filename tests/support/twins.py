"""Networks to train, each with the same forward pass in plain PyTorch, which autograd differentiates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F

from backend.engine.execute.plan import Plan
from backend.pipeline import material_of, planned
from backend.program.starts import starts
from backend.training.data import Minibatches, Source, digits, names
from backend.training.step import Step, make_step

Tensors = dict[str, torch.Tensor]


class Steps(Protocol):
    """What an optimiser of torch does, with or without a schedule."""

    def zero_grad(self) -> None:
        """Forget the gradients."""

    def step(self) -> object:
        """Update."""


@dataclass(frozen=True)
class Twin:
    """A lesson or starting point, its loss in plain PyTorch, a learning rate that it learns at, and for how long."""

    name: str
    loss: Callable[[Tensors], torch.Tensor]
    lr: float
    steps: int = 1_000

    def plan(self, dtype: torch.dtype) -> tuple[Plan, Tensors]:
        """The plan and the tensors that training begins with."""
        given = next((start["request"] for start in starts() if start["name"] == self.name), {"lesson": self.name})
        material = material_of({**given, "dtype": str(dtype).removeprefix("torch.")})
        return planned(material), material.tensors

    def step(self, dtype: torch.dtype) -> tuple[Step, Source]:
        """Our step, and where its minibatches come from."""
        plan, tensors = self.plan(dtype)
        source: Source = Source()
        if self.name == "makemore-mlp":
            source = Minibatches(names(None, 3), 32, torch.Generator().manual_seed(1))
        if self.name == "relu-classifier":
            source = Minibatches(digits(dtype), 32, torch.Generator().manual_seed(1), ("X", "Y"))
        step = make_step(plan, tensors, dtype, source.changing)
        source.start(step.inputs)
        return step, source


def makemore(t: Tensors) -> torch.Tensor:
    """The network of the lecture, as autograd is taught with it."""
    hprebn = t["C"][t["Xb"]].view(len(t["Xb"]), -1) @ t["W1"] + t["b1"]
    mean, variance = hprebn.mean(0, keepdim=True), hprebn.var(0, keepdim=True, unbiased=True)
    h = torch.tanh(t["bngain"] * (hprebn - mean) * (variance + 1e-5) ** -0.5 + t["bnbias"])
    return F.cross_entropy(h @ t["W2"] + t["b2"], t["Yb"])


def classifier(t: Tensors) -> torch.Tensor:
    """Two layers with relu between them."""
    return F.cross_entropy(F.relu(t["x"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"], t["y"])


def relu_classifier(t: Tensors) -> torch.Tensor:
    """Three layers with relu between them, on pictures of digits."""
    h = F.relu(F.relu(t["X"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"])
    return F.cross_entropy(h @ t["W3"] + t["b3"], t["Y"])


def attention(t: Tensors) -> torch.Tensor:
    """One head of attention with a causal mask, and a residual."""
    q, k, v = t["x"] @ t["Wq"], t["x"] @ t["Wk"], t["x"] @ t["Wv"]
    scores = (q @ k.mT / 8**0.5).masked_fill(t["mask"] == 0, -1e9)
    return ((t["x"] + F.softmax(scores, -1) @ v @ t["Wo"]) * t["G"]).mean()


# After 500 steps the small classifier knows its examples by heart: gradients vanish, and Adam, which divides by their
# size, enlarges what rounding has left of them, by more or less from one processor to another.
TWINS = [
    Twin("makemore-mlp", makemore, 0.1), Twin("classifier", classifier, 0.1, steps=500),
    Twin("attention", attention, 0.02), Twin("relu-classifier", relu_classifier, 0.1),
]  # fmt: skip


def losses_side_by_side(
    twin: Twin,
    dtype: torch.dtype,
    steps: int,
    ours: Callable[[torch.Tensor, torch.Tensor], None],
    theirs: Callable[[list[torch.Tensor]], Steps],
) -> list[tuple[float, float]]:
    """The losses of each step on printed lines and on autograd, from the same numbers and on the same minibatches.

    `ours` changes the weights by the gradient; `theirs` makes an optimiser of torch for the same parameters.
    """
    step, source = twin.step(dtype)
    twins = {name: tensor.clone().requires_grad_() for name, tensor in step.parameters.values.items()}
    optimiser = theirs(list(twins.values()))
    told = []
    for _ in range(steps):
        source.next()
        loss = step.run()
        other = twin.loss(step.inputs | twins)
        optimiser.zero_grad()
        other.backward()
        ours(step.parameters.flat, step.parameters.gradient)
        optimiser.step()
        told.append((loss, float(other.detach())))
    return told


def furthest(told: list[tuple[float, float]]) -> float:
    """The largest relative difference of two losses; one that passes zero is compared with a hundredth."""
    return max(abs(a - b) / max(abs(b), 0.01) for a, b in told)


def losses_of_moved_weights(
    twin: Twin, dtype: torch.dtype, theirs: Callable[[list[torch.Tensor]], Steps], seed: int
) -> list[float]:
    """The losses of autograd with torch's optimiser, each weight moved by its last digit, up or down, before each step."""
    step, source = twin.step(dtype)
    twins = {name: tensor.clone().requires_grad_() for name, tensor in step.parameters.values.items()}
    optimiser, chance, told = theirs(list(twins.values())), torch.Generator().manual_seed(seed), []
    for _ in range(twin.steps):
        source.next()
        with torch.no_grad():
            for tensor in twins.values():
                up = torch.rand(tensor.shape, generator=chance) < 0.5
                tensor.copy_(torch.nextafter(tensor, torch.where(up, torch.inf, -torch.inf).to(dtype)))
        loss = twin.loss(step.inputs | twins)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        told.append(float(loss.detach()))
    return told
