"""How large gradients are, each by its norm, in few calls: every call costs a training loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

FEW, MANY = 2**15, 10  # up to so few numbers, in so many tensors, putting all in a row costs less than a call for each
FLOATS = torch.float32, torch.float64
NUMBER = torch.Tensor.item
IN_A_ROW = torch._C._nn.flatten_dense_tensors


class Sizes:
    """Measures the gradients of the same parameters at every step."""

    def __init__(self, parameters: Sequence[torch.Tensor]) -> None:
        lengths = [one.numel() for one in parameters]
        kinds = {(one.dtype, one.device.type) for one in parameters}
        together = (
            len(lengths) >= MANY and len(kinds) == 1 and kinds <= {(one, "cpu") for one in FLOATS} and all(lengths)
        )
        self.count = len(lengths) if together and sum(lengths) <= FEW else -1
        self.starts = np.cumsum([0, *lengths[:-1]])

    def __call__(self, gradients: list[torch.Tensor]) -> list[float]:
        """The norm of each, as fast as it can be had: of very small numbers it may be zero, of large ones infinite."""
        try:
            if len(gradients) != self.count:
                return [*map(NUMBER, torch._foreach_norm(gradients))]
            squares = IN_A_ROW(gradients).detach().square().numpy()
        except RuntimeError:  # as of sparse ones
            return [*map(exact, gradients)]
        found: list[float] = np.sqrt(np.add.reduceat(squares, self.starts)).tolist()
        return found


def exact(gradient: torch.Tensor) -> float:
    """The norm of one, of whatever size and kind its numbers are."""
    numbers = gradient.coalesce().values() if gradient.is_sparse else gradient
    return float(numbers.detach().double().norm())
