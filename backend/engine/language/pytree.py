"""Finds and maps the tensors in nested tuples, lists and pairs (a pytree)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

import torch

from backend.engine.language.values import Pair


def as_tensor(value: object) -> torch.Tensor:
    """A value that is a tensor."""
    assert isinstance(value, torch.Tensor)
    return value


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in a value."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Pair):
        yield from (value.values, value.indices)
    elif isinstance(value, tuple | list):
        for item in value:
            if isinstance(item, torch.Tensor):
                yield item
            else:
                yield from tensors_in(item)


def holds_tensors(value: Any) -> bool:
    """Whether there is a tensor in a value."""
    return next(tensors_in(value), None) is not None


def with_tensors(value: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """The value with each of its tensors changed; everything else as it is."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, Pair):
        return Pair(change(value.values), change(value.indices))
    if isinstance(value, tuple | list):
        return type(value)(with_tensors(item, change) for item in value)
    return value


def is_decimal(value: object) -> TypeGuard[torch.Tensor]:
    """Whether a value is a tensor of floating-point numbers."""
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def largest_finite(tensor: torch.Tensor) -> float:
    """The largest finite size of a cell, 0 of nothing."""
    return float(tensor.abs().nan_to_num(0.0, 0.0, 0.0).max()) if tensor.numel() else 0.0


def storage_of(tensor: torch.Tensor) -> int:
    """By what a storage is known."""
    return int(tensor.untyped_storage()._cdata)


def told_apart(made: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
    """What a call has made of a tensor, as a tensor of its own where a gradient is wanted: autograd then tells the two
    apart, also where PyTorch hands back the very tensor."""
    return given.view_as(given) if made is given and given.requires_grad and not given.is_meta else made
