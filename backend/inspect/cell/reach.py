"""Which cells a number moves whatever stands in the others: a factor that happens to be zero takes no copy away."""

from __future__ import annotations

from contextlib import suppress

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import is_decimal
from backend.engine.language.values import Scope, Values
from backend.engine.trace.statement import Statement
from backend.inspect.jvp import jacobian_column
from backend.inspect.path_function import PathFunction

# Positive numbers, negative ones, and some of both signs: a relu is open for one of them.
SIGNS = (1, -1, 0, 0)


def reached(
    function: Statement | PathFunction, scope: Scope, variable: str, index: tuple[int, ...], dtype: torch.dtype
) -> torch.Tensor | None:
    """A mask of the cells with a local derivative for other numbers than the scope's; None where none can be had."""
    found: torch.Tensor | None = None
    for draw, sign in enumerate(SIGNS):
        with suppress(Refusal, RuntimeError):
            local = jacobian_column(function, _drawn(scope, draw, sign), variable, index, dtype)
            here = (local != 0) & local.isfinite()
            found = here if found is None else found | here
    return found


def _drawn(scope: Scope, draw: int, sign: int) -> Values:
    """The scope with random numbers in every float tensor, of one sign unless `sign` is 0."""
    g = torch.Generator().manual_seed(draw)

    def fresh(tensor: torch.Tensor) -> torch.Tensor:
        drawn = torch.randn(tensor.shape, generator=g, dtype=torch.float64).to(tensor.dtype)
        return sign * drawn.abs() if sign else drawn

    return {name: fresh(value) if is_decimal(value) else value for name, value in scope.items()}
