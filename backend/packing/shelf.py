"""The tensors that came before, as far as they can be read in one shape."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from backend.packing.way import Numbers, Place, Shape


@dataclass
class Shelf:
    """What can be read as a tensor of one shape: tensors of as many cells, transposed ones, and such as are copied."""

    shape: Shape
    rows: list[Numbers] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add(self, number: int, values: Numbers) -> None:
        """A tensor in every way in which it can be read."""
        for view in self._views(values):
            self.rows.append(view.reshape(-1))
            self.places.append((number, [stride // view.itemsize for stride in view.strides]))

    def _views(self, values: Numbers) -> Iterator[Numbers]:
        count = int(np.prod(self.shape))
        if values.size == count:
            yield values.reshape(self.shape)
        if len(self.shape) > 1 and values.shape != self.shape and values.shape == self.shape[::-1]:
            yield values.T
        elif values.size < count and _is_copied(values.shape, self.shape):
            yield np.broadcast_to(values, self.shape)

    def matrices(self) -> Iterator[tuple[Numbers, Place]]:
        """Those of which no row and no column is a copy."""
        rows = zip(self.rows, self.places, strict=True)
        yield from ((row.reshape(self.shape), place) for row, place in rows if all(place[1]))

    def copied_rows(self) -> Iterator[tuple[Numbers, Place]]:
        """Those of which every row is the same."""
        rows = zip(self.rows, self.places, strict=True)
        yield from ((row[: self.shape[-1]], place) for row, place in rows if place[1] == [0, 1])


def _is_copied(shape: Shape, over: Shape) -> bool:
    return len(shape) <= len(over) and all(a in (1, b) for a, b in zip(shape[::-1], over[::-1], strict=False))
