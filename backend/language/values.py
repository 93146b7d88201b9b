"""Types for the values of a program that aren't tensors: pairs, dtypes, devices, `finfo`."""

from __future__ import annotations

from typing import Any


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
