"""A program bound to its tensors and constants: all that the engine needs to walk it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from backend.engine.language.values import Values
from backend.engine.trace.inputs import Input


@dataclass
class BoundProgram:
    """A program's text with what it is run on.

    `dims` are the names of axes, by tensor; `loss` is the scalar that is differentiated (None for the last one);
    `dtype` the precision of the run; with `exact` the rules keep autograd's own order of rounding.
    """

    source: str
    tensors: dict[str, torch.Tensor]
    inputs: dict[str, Input]
    constants: Values
    dims: dict[str, list[str]]
    loss: str | None = None
    dtype: torch.dtype = torch.float32
    exact: bool = False

    @property
    def narration(self) -> Mapping[str, str]:
        """What is told of its steps in words, by the names of tensors and gradients."""
        return {}
