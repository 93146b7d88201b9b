"""Tensors of fixed shapes for expressions that no program computes, and the shape of such an expression."""

from __future__ import annotations

import math
from typing import Any

import torch

from backend.engine.interpret.shape_inference import ShapeEvaluator

SHAPES = {"x": (3, 4), "y": (4, 5), "w": (3, 5), "g": (3, 4), "k": (2, 3, 4), "v": (4,), "s": (), "h": (2, 3, 4, 5)}


def drawn(dtype: Any) -> Any:
    """A tensor of each shape, and a number."""
    generator = torch.Generator().manual_seed(5)
    return {name: torch.randn(shape, generator=generator, dtype=dtype) for name, shape in SHAPES.items()} | {"n": 7}


def shape_of(node: Any) -> Any:
    """The shape of an expression over these tensors; () for a number."""
    scope = {name: torch.empty(shape, device="meta") for name, shape in SHAPES.items()}
    value = ShapeEvaluator(scope | {"n": 7}, shares=math.inf).value(node)
    return tuple(value.shape) if isinstance(value, torch.Tensor) else ()
