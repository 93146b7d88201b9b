"""What is known of the tensors of a recorded run: which value each holds, and what was written into it in place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from backend.engine.trace.inputs import InputRole
from gradwalk.recorder.places import Place

SEVERAL = (list, tuple, set, dict)
Geometry = tuple[int, tuple[int, ...], tuple[int, ...]]


@dataclass(eq=False)
class Value:
    """One tensor as it was at one moment: an input of the program, or what a row makes.

    `kept` has its numbers; `names` are what the user calls it, the best first; `label` is the path of a parameter,
    and `leaf` the tensor of the user's that it was taken from.
    """

    number: int
    kept: torch.Tensor
    row: Row | None = None
    role: InputRole = "constant"
    names: list[str] = field(default_factory=list)
    label: str = ""
    leaf: torch.Tensor | None = None

    @cached_property
    def key(self) -> str:
        """By what rows refer to it, until the program gives it the name that it is printed by."""
        return f"v{self.number}"

    @cached_property
    def name(self) -> ast.Name:
        """The same as an expression."""
        return ast.Name(self.key, ast.Load())


@dataclass(eq=False)
class Row:
    """One line of the program: an expression over values, and the values that it makes, in their order."""

    expression: ast.expr
    reads: list[Value]
    makes: list[Value]
    place: Place
    several: bool = False  # a call that gives a tuple


@dataclass
class Known:
    """A tensor and the value that it held when it was last looked at; `writes` counts all that wrote into its storage
    by then, as its version doesn't where they go by `.data`."""

    tensor: torch.Tensor
    value: Value
    version: int
    writes: int


@dataclass
class Write:
    """What was written in place into a part of a storage; `version` is the storage's after it."""

    version: int
    geometry: Geometry
    value: Value


@dataclass
class Written:
    """A storage that was written into: its numbers before the first time, and all writes."""

    before: torch.Tensor
    version: int
    writes: list[Write] = field(default_factory=list)


def geometry_of(tensor: torch.Tensor) -> Geometry:
    """Where a tensor's cells lie in its storage."""
    return int(tensor.storage_offset()), tuple(tensor.shape), tuple(tensor.stride())


def cells_of(geometry: Geometry, size: int) -> torch.Tensor:
    """The place in the storage of each of a tensor's cells."""
    offset, shape, stride = geometry
    return torch.arange(size).as_strided(shape, stride, offset)


def storage_cells(tensor: torch.Tensor) -> int:
    """How many numbers of the tensor's kind its storage holds."""
    return tensor.untyped_storage().nbytes() // tensor.element_size()


def tensors_in(value: Any) -> list[torch.Tensor]:
    """The tensors of nested lists, tuples and dictionaries, in their order."""
    found: list[torch.Tensor] = []
    _gather(value, found)
    return found


def _gather(value: Any, found: list[torch.Tensor]) -> None:
    if isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, SEVERAL):
        for one in value.values() if isinstance(value, dict) else value:
            _gather(one, found)
    elif isinstance(value, slice):
        _gather([value.start, value.stop, value.step], found)


def carries(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether a gradient may pass through any of these."""
    return any(one.requires_grad for one in tensors)


def equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors hold the same, what is no number included."""
    return bool(((one == other) | (one.isnan() & other.isnan())).all())
