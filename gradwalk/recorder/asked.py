"""A custom function that is asked what its backward pass makes: it is run anew for each question.

A backward pass may be asked once alone, as that of a checkpoint which frees what it has saved; the model's own comes
last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from gradwalk.recorder.trial import same
from gradwalk.recorder.values import tensors_in

Upstream = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class Asked:
    """`apply` is the function's own, `state` the random numbers' before its first run."""

    apply: Callable[..., Any]
    args: Sequence[Any]
    state: torch.Tensor

    @property
    def inputs(self) -> list[torch.Tensor]:
        """The arguments that ask for a gradient."""
        return [one for one in self.args if isinstance(one, torch.Tensor) and one.requires_grad]

    def run(self) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """New inputs, and what is made of them; a parameter is itself, as the function may know it from elsewhere."""
        leaves = {id(one): one.detach().clone().requires_grad_() for one in self.inputs if not one.is_leaf}
        after = torch.get_rng_state()
        torch.set_rng_state(self.state)
        with torch.enable_grad():
            made = self.apply(*(leaves[id(one)].clone() if id(one) in leaves else one for one in self.args))
        torch.set_rng_state(after)
        return [leaves.get(id(one), one) for one in self.inputs], [one for one in tensors_in(made) if one.requires_grad]

    def back(self, upstream: Upstream) -> list[torch.Tensor | None]:
        """What arrives at the inputs."""
        with torch._C.DisableTorchFunction():
            leaves, outs = self.run()
            found = torch.autograd.grad(outs, leaves, [upstream(one) for one in outs], allow_unused=True)
        return [None if one is None else one.detach() for one in found]

    def slopes(self, out: torch.Tensor) -> list[torch.Tensor] | None:
        """How each cell moves its own: what the backward pass makes of ones; None where cells meet in it."""
        first, second = self.back(torch.ones_like), self.back(drawn())
        slopes = [torch.zeros_like(out) if one is None else one for one in first]
        again = [torch.zeros_like(out) if one is None else one for one in second]
        upstream = drawn()(out)
        if all(same(slope * upstream, other) for slope, other in zip(slopes, again, strict=True)):
            return slopes
        return None

    def ungiven(self) -> set[int]:
        """The places of the arguments that the backward pass gives no gradient: it returns None for them."""
        places = [i for i, one in enumerate(self.args) if isinstance(one, torch.Tensor) and one.requires_grad]
        return {place for place, one in zip(places, self.back(torch.ones_like), strict=True) if one is None}

    def agrees(self, again: Any) -> bool:
        """Whether what was computed again from the same arguments sends the same to them."""
        outs, upstream = [one for one in tensors_in(again) if one.requires_grad], drawn()
        try:
            with torch._C.DisableTorchFunction():
                found = torch.autograd.grad(
                    outs, self.inputs, [upstream(one) for one in outs], retain_graph=True, allow_unused=True
                )
        except RuntimeError:  # it writes over what a backward pass of its lines needs
            return False
        zeros = [torch.zeros_like(one) for one in self.inputs]
        ours, theirs = (
            [zero if one is None else one for zero, one in zip(zeros, several, strict=True)]
            for several in (found, self.back(drawn()))
        )
        return all(same(one, other) for one, other in zip(ours, theirs, strict=True))

    def twice(self) -> bool:
        """Whether the backward pass of one run may be asked more than once."""
        with torch._C.DisableTorchFunction():
            leaves, outs = self.run()
            ones = [torch.ones_like(one) for one in outs]
            try:
                for _ in range(2):
                    torch.autograd.grad(outs, leaves, ones, retain_graph=True, allow_unused=True)
            except (RuntimeError, AttributeError, TypeError):
                return False
        return True


def drawn() -> Upstream:
    """Random upstream gradients, the same ones for the same results."""
    generator = torch.Generator().manual_seed(0)
    return lambda one: torch.randn(one.shape, generator=generator).to(one.dtype)
