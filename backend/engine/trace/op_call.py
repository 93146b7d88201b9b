"""One application of an operation before its result is known: inputs, parameters, broadcast shapes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch

from backend.engine.language.values import Parameters
from backend.engine.ops.base import Op, Shape
from backend.engine.trace.graph import Node
from backend.engine.trace.rename import holds_tensors


@dataclass(slots=True)
class Use:
    """One application of an operation: inputs, parameters, and their expressions."""

    op: type[Op]
    inputs: dict[str, Node]
    parameters: Parameters
    words: dict[str, ast.expr]
    needs: bool

    def node(self, meta: torch.Tensor, expr: ast.expr, part: int | None = None) -> Node:
        """The node of one result."""
        parameters = self.parameters if part is None else self.parameters | {"part": part}
        needs = self.needs and self.op.differentiable and meta.dtype.is_floating_point
        return Node(self.op, self.inputs, parameters, self.words, meta, expr, needs)


@lru_cache(maxsize=1_024)
def common_shapes(use: tuple[type[Op], tuple[tuple[str, Shape], ...]]) -> dict[str, Shape] | None:
    """The shapes that an operation broadcasts its inputs to, by name; None if they aren't compatible."""
    op, shapes = use
    return op.common_shapes(dict(shapes))


def fits(op: type[Op], bound: Parameters, is_tensor: Callable[[object], bool]) -> bool:
    """Whether an operation takes these arguments; one of them is a tensor, but for what makes tensors from nothing."""
    if not op.creates and not any(is_tensor(value) or holds_tensors(value) for value in bound.values()):
        return False
    try:
        return op.accepts(bound, is_tensor)
    except (AttributeError, TypeError, IndexError):
        return False  # a number was asked for its shape


def divided(op: type[Op], bound: Parameters) -> tuple[dict[str, Node], Parameters]:
    """Differentiable inputs, and everything else."""
    inputs: dict[str, Node] = {}
    parameters: Parameters = {}
    for name, value in bound.items():
        if name == op.variadic:
            inputs |= {f"t{number}": part for number, part in enumerate(value) if isinstance(part, Node)}
            parameters[name] = value
        elif isinstance(value, Node) and _is_input(op, name, value):
            inputs[name] = value
        else:
            parameters[name] = value
    return inputs, parameters


def _is_input(op: type[Op], name: str, value: Node) -> bool:
    """Whether a tensor is a differentiable input here: a mask in the place of numbers is not."""
    if name in op.others and not value.meta.dtype.is_floating_point:
        return False
    return name in op.backward or not op.differentiable
