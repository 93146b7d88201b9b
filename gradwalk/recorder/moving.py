"""Calls that only move cells: each cell of the result is one of the arguments', and a table tells which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from gradwalk.recorder.values import tensors_in


def moved(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> torch.Tensor:
    """What a call makes, as cells of its arguments; raises NotImplementedError where it makes new numbers."""
    given = [one for one in tensors_in([args, kwargs]) if one.is_floating_point()]
    count = sum(one.numel() for one in given)
    with torch._C.DisableTorchFunction(), torch.no_grad():
        places, mirrored = (
            numbered(function, args, kwargs, numbers) for numbers in (torch.arange(count), torch.arange(count).flip(0))
        )
        if places.shape != mirrored.shape or not bool((places + mirrored == count - 1).all()):
            raise NotImplementedError("it does not only move cells")
        cells = places.long()
    return torch.cat([one.reshape(-1) for one in given])[cells]


def numbered(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], numbers: torch.Tensor
) -> torch.Tensor:
    """What a call makes of cells that are numbers of ours, one after another."""
    rest = numbers.double()

    def swapped(value: Any) -> Any:
        nonlocal rest
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            mine, rest = rest[: value.numel()], rest[value.numel() :]
            return mine.view(value.shape).clone()
        if type(value) in (list, tuple):
            return type(value)(swapped(one) for one in value)
        return value

    made = function(*swapped(tuple(args)), **{key: swapped(one) for key, one in kwargs.items()})
    if not isinstance(made, torch.Tensor):
        raise NotImplementedError("several results")
    return made
