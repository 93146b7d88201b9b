"""Cache of result shapes by operation and argument shapes, because meta-device inference is slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from backend.engine.interpret.arithmetic_shapes import of_arithmetic
from backend.engine.language.pytree import storage_of, tensors_in
from backend.engine.language.values import Args, DType, Pair, Values

# How many uses are remembered, and of how many words of about 100 bytes in all; then everything is forgotten.
KEPT, MOST_WORDS = 16_384, 200_000
LONGEST = 64

Outline = tuple[torch.Size, tuple[int, ...], torch.dtype]
_results: dict[tuple[Any, ...], list[Outline] | None] = {}  # nothing for views, which are made anew each time
_words = 0


def on_shapes(compute: Callable[[], Any], key: str, args: Args, kwargs: Values) -> Any:
    """The result of `compute` on the meta device, cached by operation and argument shapes."""
    use = _use(key, args, kwargs)
    if use is None:
        return compute()
    if use in _results:
        known = _results[use]
        return compute() if known is None else _again(known)
    result = of_arithmetic(key, args)
    if result is None:
        result = compute()
    _make_room(len(use))
    fresh = _is_fresh(result, args, kwargs)
    _results[use] = [(part.shape, part.stride(), part.dtype) for part in tensors_in(result)] if fresh else None
    return result


def _make_room(words: int) -> None:
    global _words
    if len(_results) >= KEPT or _words + words > MOST_WORDS:
        _results.clear()
        _words = 0
    _words += words


def zeros_like(tensor: torch.Tensor, device: str) -> torch.Tensor:
    """`torch.zeros_like` of a tensor on the meta device or the CPU."""
    if device != "meta":
        return torch.zeros_like(tensor, device=device)
    made: torch.Tensor = on_shapes(lambda: torch.zeros_like(tensor), "zeros in its shape", (tensor,), {})
    return made


def _again(outlines: list[Outline]) -> Any:
    made = [torch.empty_strided(shape, stride, dtype=dtype, device="meta") for shape, stride, dtype in outlines]
    return made[0] if len(made) == 1 else Pair(*made)


def _use(key: str, args: Args, kwargs: Values) -> tuple[Any, ...] | None:
    """The cache key: everything that a result's shape depends on; None if it is long or depends on values."""
    told: list[Any] = [key, torch.get_default_dtype()]
    for value in args:
        if not _tell(value, told):
            return None
    for name, value in kwargs.items():
        told.append(name)
        if not _tell(value, told):
            return None
    return tuple(told)


def _tell(value: Any, told: list[Any]) -> bool:
    """Add a value's kind and what is needed of it; False where it is not for keeping."""
    kind = type(value)
    told.append(kind)
    if kind is torch.Tensor:
        told += value.shape, value.stride(), value.dtype
        return bool(value.is_meta)
    if kind is tuple or kind is list:
        told.append(len(value))
        return len(value) <= LONGEST and all(_tell(item, told) for item in value) and len(told) <= 2 * LONGEST
    if kind is slice:
        told += value.start, value.stop, value.step
        return True
    told.append(value)
    return kind in _PLAIN and (not isinstance(value, str) or len(value) <= LONGEST)


_PLAIN = frozenset({int, float, bool, str, DType, type(None), type(...), range})


def _is_fresh(result: Any, args: Args, kwargs: Values) -> bool:
    """Whether a result is one tensor or a pair, and shares no storage with another: a view must stay one."""
    if not isinstance(result, torch.Tensor | Pair):
        return False
    made = list(tensors_in(result))
    given = {storage_of(tensor) for tensor in tensors_in((args, tuple(kwargs.values())))}
    return all(type(part) is torch.Tensor and part.is_meta for part in made) and not (
        given & {storage_of(part) for part in made} or len({storage_of(part) for part in made}) < len(made)
    )
