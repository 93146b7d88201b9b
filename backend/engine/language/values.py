"""What a program's names may hold: the types of its values that aren't tensors, such as pairs and dtypes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A tensor or what stands for one (its node, its shape, its cells in index notation), a number, a word, a Record, or a
# tuple, list or range of them: which it is, a program tells no sooner than it runs.
Value = object
Values = dict[str, Value]  # by the names of variables or of keywords
Scope = Mapping[str, Value]
Args = tuple[Value, ...]
# The arguments of one use of an operation, by its parameters: its own block knows what each of them may be.
Parameters = dict[str, Any]


class Record:
    """A value with a few named parts, and no other way in."""

    fields: tuple[str, ...] = ()


class FloatFacts(Record):
    """What `torch.finfo(dtype)` returns: its `.eps`, `.min` and `.max`."""

    fields = ("eps", "min", "max")

    def __init__(self, eps: float, least: float, most: float) -> None:
        self.eps, self.min, self.max = eps, least, most


class Pair(Record):
    """What `x.max(1)` returns: `.values` and `.indices`, as in torch."""

    fields = ("values", "indices")

    def __init__(self, values: Any, indices: Any) -> None:
        self.values, self.indices = values, indices


class DType(str):
    """`torch.float32` and its like, as a word."""


class Device(str):
    """`x.device`, as a word: there is one."""
