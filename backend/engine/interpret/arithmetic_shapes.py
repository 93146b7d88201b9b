"""The results of arithmetic by the rules of broadcasting: torch's own inference of them takes thirty times as long."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from backend.engine.language.grammar import COMPARISONS
from backend.engine.language.values import Args

COMPARING = frozenset(COMPARISONS.values())
BY_CELL = COMPARING | {"+", "-", "*", "/", "**"}


def of_arithmetic(key: str, args: Args) -> torch.Tensor | None:
    """The outline of a sum, product, comparison and the like; None where torch itself is to tell, or to refuse."""
    if key == "@":
        return _of_product(*args)
    if key not in BY_CELL or not all(map(_is_usual, args)):
        return None
    pair: Any = args
    kind = torch.bool if key in COMPARING else torch.result_type(*pair)
    if not (key in COMPARING or kind.is_floating_point):
        return None
    try:
        shape = np.broadcast_shapes(*(arg.shape for arg in args if isinstance(arg, torch.Tensor)))
    except ValueError:
        return None
    return torch.empty(shape, dtype=kind, device="meta")


def _is_usual(value: object) -> bool:
    """Whether a value is a number, or a tensor of numbers that follow each other as they do in a new one."""
    if type(value) is torch.Tensor:
        return value.is_meta and value.is_contiguous() and value.dtype is not torch.bool
    return type(value) in (int, float)


def _of_product(left: Any, right: Any) -> torch.Tensor | None:
    """The outline of a product of two matrices."""
    for side in (left, right):
        if type(side) is not torch.Tensor or not side.is_meta or side.ndim != 2 or not side.is_floating_point():
            return None
    if left.dtype is not right.dtype or left.shape[1] != right.shape[0]:
        return None
    return torch.empty((left.shape[0], right.shape[1]), dtype=left.dtype, device="meta")
