"""The inputs of a program, as far as they are known before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

InputRole = Literal["parameter", "data", "target", "constant"]
# They are fixed: the loss is not asked how it would move with them.
FIXED = frozenset({"target", "constant"})


@dataclass(frozen=True)
class Input:
    """An input tensor without its numbers; `role` is one of InputRole."""

    role: InputRole
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def needs(self) -> bool:
        """Whether it gets a gradient."""
        return self.dtype.is_floating_point and self.role not in FIXED
