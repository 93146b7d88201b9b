"""Optimisers: how a gradient `g` changes the weights `w`, at learning rate `lr`; each is one block.

`w` and `g` are flat tensors that hold every parameter. Settings may be changed between two steps. What requests and
the page offer is written from the blocks by `python -m tests.tools.documents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import torch

from backend.training.choice import number, numbers

OPTIMISERS: dict[str, type[Optimiser]] = {}


@dataclass(frozen=True)
class OptimiserState:
    """What an optimiser goes on from."""

    settings: Mapping[str, float]
    steps: int
    memory: Mapping[str, torch.Tensor]


@dataclass(eq=False)
class Optimiser:
    """What all optimisers share: settings, the number of steps taken, and what is remembered from step to step."""

    title: ClassVar[str]
    usual_rate: ClassVar[float]
    steps: int = field(default=0, init=False)
    memory: dict[str, torch.Tensor] = field(default_factory=dict, init=False)

    def __init_subclass__(cls, *, title: str, usual_rate: float) -> None:
        cls.title, cls.usual_rate = title, usual_rate
        OPTIMISERS[cls.__name__.lower()] = cls

    def step(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """Change the weights in place."""
        self.steps += 1
        self.update(w, g, lr)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """The rule itself."""
        raise NotImplementedError

    def kept(self, name: str, like: torch.Tensor) -> torch.Tensor:
        """A running average, which begins with zeros."""
        if name not in self.memory:
            self.memory[name] = torch.zeros_like(like)
        return self.memory[name]

    @property
    def averages(self) -> int:
        """How many numbers it remembers of each weight, as its first step tells."""
        twin, one = replace(self), torch.zeros(1)
        twin.step(one, one.clone(), 0.0)
        return len(twin.memory)

    @property
    def settings(self) -> dict[str, float]:
        """The numbers that may be changed, by name."""
        return {name: getattr(self, name) for name in numbers(self)}

    def set(self, settings: Mapping[str, float]) -> None:
        """Change settings by name."""
        for name, value in settings.items():
            setattr(self, name, value)

    def state(self) -> OptimiserState:
        """Everything that a later step depends on, as a copy."""
        return OptimiserState(self.settings, self.steps, {name: tensor.clone() for name, tensor in self.memory.items()})

    def restore(self, state: OptimiserState) -> None:
        """Go on from a state."""
        self.set(state.settings)
        self.steps = state.steps
        self.memory = {name: tensor.clone() for name, tensor in state.memory.items()}


@dataclass(eq=False)
class Sgd(Optimiser, title="SGD", usual_rate=0.1):
    """Stochastic gradient descent: a step against the gradient."""

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """w ← w − lr · g."""
        w.sub_(g, alpha=lr)


@dataclass(eq=False)
class Momentum(Optimiser, title="momentum", usual_rate=0.01):
    """Gradient descent with a velocity, which remembers a share of every gradient before."""

    momentum: float = number("share", 0.9)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """v ← momentum · v + g; w ← w − lr · v."""
        v = self.kept("v", w)
        v.mul_(self.momentum).add_(g)
        w.sub_(v, alpha=lr)


@dataclass(eq=False)
class Adagrad(Optimiser, title="Adagrad", usual_rate=0.01):
    """Each weight's step divided by the size of all its gradients so far, so that its steps get shorter."""

    eps: float = number("above", 1e-10)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """s ← s + g²; w ← w − lr · g / (√s + ε)."""
        s = self.kept("s", w)
        s.addcmul_(g, g)
        w.addcdiv_(g, s.sqrt().add_(self.eps), value=-lr)


@dataclass(eq=False)
class RmsProp(Optimiser, title="RMSprop", usual_rate=1e-3):
    """Each weight's step divided by the running size of its own gradient."""

    alpha: float = number("share", 0.99)
    eps: float = number("above", 1e-8)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """s ← α · s + (1 − α) · g²; w ← w − lr · g / (√s + ε)."""
        s = self.kept("s", w)
        s.mul_(self.alpha).addcmul_(g, g, value=1 - self.alpha)
        w.addcdiv_(g, s.sqrt().add_(self.eps), value=-lr)


@dataclass(eq=False)
class Adam(Optimiser, title="Adam", usual_rate=1e-3):
    """Momentum divided by the running size of the gradient, both corrected for their beginning at zero."""

    beta1: float = number("share", 0.9)
    beta2: float = number("share", 0.999)
    eps: float = number("above", 1e-8)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """w ← w − lr · m̂ / (√ŝ + ε)."""
        m, s = self.averaged(w, g)
        # In torch's order: another one rounds elsewhere, and a thousand steps in float32 then end 10⁻⁵ apart.
        m_corrected, s_corrected = 1 - self.beta1**self.steps, 1 - self.beta2**self.steps
        w.addcdiv_(m, (s.sqrt() / s_corrected**0.5).add_(self.eps), value=-lr / m_corrected)

    def averaged(self, w: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """m ← β₁m + (1 − β₁)g; s ← β₂s + (1 − β₂)g²."""
        m, s = self.kept("m", w), self.kept("s", w)
        m.lerp_(g, 1 - self.beta1)
        s.mul_(self.beta2).addcmul_(g, g, value=1 - self.beta2)
        return m, s


@dataclass(eq=False)
class AdamW(Adam, title="AdamW", usual_rate=1e-3):
    """Adam that also shrinks every weight a little at each step, apart from its gradient."""

    weight_decay: float = number("rate", 0.01)

    def update(self, w: torch.Tensor, g: torch.Tensor, lr: float) -> None:
        """w ← (1 − lr · decay) · w, and then as Adam does."""
        w.mul_(1 - lr * self.weight_decay)
        super().update(w, g, lr)
