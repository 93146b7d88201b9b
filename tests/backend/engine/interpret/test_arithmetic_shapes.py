"""Outlines of arithmetic by the rules of broadcasting are torch's own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch

from backend.engine.interpret.arithmetic_shapes import BY_CELL, of_arithmetic
from backend.engine.interpret.evaluate import SYMBOLS

SHAPES = [(), (1,), (3,), (2, 3), (2, 1), (1, 3), (3, 1, 1), (4, 2, 3), (0, 3), (1, 1)]
KINDS = [torch.float32, torch.float64, torch.int64, torch.bool]
NUMBERS = [2, 0.5, -1]


def computed(key: str, *args: Any) -> torch.Tensor | None:
    """What torch makes of such numbers; nothing where it refuses them."""
    real = [torch.ones(arg.shape, dtype=arg.dtype) if isinstance(arg, torch.Tensor) else arg for arg in args]
    try:
        made: torch.Tensor = SYMBOLS[key](*real)
    except (RuntimeError, TypeError):
        return None
    return made


def told(tensor: torch.Tensor) -> tuple[Any, ...]:
    return tuple(tensor.shape), tensor.dtype, tensor.is_contiguous()


def outlines() -> list[torch.Tensor]:
    return [torch.empty(shape, dtype=kind, device="meta") for shape in SHAPES for kind in KINDS]


@pytest.mark.parametrize("key", sorted(BY_CELL | {"@"}))
def test_arithmetic_has_the_shape_that_torch_gives_it(key: str) -> None:
    known = 0
    for left, right in [*product(outlines(), outlines()), *product(outlines(), NUMBERS), *product(NUMBERS, outlines())]:
        found = of_arithmetic(key, (left, right))
        if found is not None:
            known += 1
            made = computed(key, left, right)
            assert made is not None
            assert told(found) == told(made), (left, right)
    assert known > (5 if key == "@" else 200)


def test_what_lies_otherwise_in_memory_is_left_to_torch() -> None:
    turned = torch.empty(2, 3, device="meta").T
    assert of_arithmetic("*", (turned, turned)) is None
    assert of_arithmetic("+", (torch.empty(3), 1)) is None
    assert of_arithmetic("+", (torch.empty(2, device="meta"), torch.empty(3, device="meta"))) is None
