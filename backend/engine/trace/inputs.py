"""The inputs of a program, as far as they are known before it runs."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Input:
    """An input tensor without its numbers; `role` is parameter, data or target."""

    role: str
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def needs(self) -> bool:
        """Whether it gets a gradient."""
        return self.dtype.is_floating_point and self.role != "target"
