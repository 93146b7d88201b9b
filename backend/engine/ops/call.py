"""One use of an operation, as its block sees it: shapes of tensors, values of parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from backend.engine.language.values import Parameters

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """One use of an operation, as `derive` sees it: shapes of tensors, values of parameters.

    `named` holds the axes, as (input, axis), whose length the forward text has an expression for.
    """

    shapes: dict[str, Shape]
    parameters: Parameters
    out: Shape
    at: str = "x"
    named: frozenset[tuple[str, int]] = frozenset()

    def length(self, name: str, axis: int) -> str:
        """The length of an input's axis as a rule writes it: its word where the text has one, else its number."""
        return length_word(name, axis) if (name, axis) in self.named else str(self.shapes[name][axis])

    def count(self, name: str, axes: Iterable[int]) -> str:
        """How many cells lie along these axes: the product of their lengths, where the text has words for all."""
        axes = [axis for axis in axes if self.shapes[name][axis] != 1]
        if not axes or any((name, axis) not in self.named for axis in axes):
            return str(math.prod(self.shapes[name][axis] for axis in axes))
        return " * ".join(length_word(name, axis) for axis in axes)


def length_word(name: str, axis: int) -> str:
    """The word that stands in a rule for the length of an input's axis."""
    return f"length_of_{name}_{axis}"
