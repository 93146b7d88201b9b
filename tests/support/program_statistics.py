"""What a long run of random programs went through: how many, how large, which operations, what became of them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from backend.engine.ops import OPS
from backend.engine.trace.graph import Graph

BANDS = (10, 20, 30, 40, 60, 100)


@dataclass
class Tally:
    """Counts over the programs of one run."""

    programs: int = 0
    refused: int = 0
    failed: int = 0
    statements: Counter[int] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Programs a second so far."""
        return self.programs / (time.monotonic() - self.began)

    def count(self, graph: Graph) -> None:
        """Count one program by its graph."""
        names = [node.op.name() for node in graph.nodes if node.op]
        self.statements[len(graph.statements)] += 1
        self.sizes[len(names)] += 1
        self.operations.update(names)

    def report(self) -> str:
        """All of it, for people."""
        used = [f"{name} {times:,}" for name, times in self.operations.most_common()]
        unused = sorted({op.name() for op in OPS} - set(self.operations))
        seconds = time.monotonic() - self.began
        return "\n".join(
            [
                f"{self.programs:,} programs in {seconds:,.0f} s: {self.refused:,} refused, {self.failed:,} failed",
                f"statements in a program: {spread(self.statements)}",
                f"operations in a program: {spread(self.sizes)}",
                f"{len(used)} operations, {self.operations.total():,} uses: {', '.join(used)}",
                f"{len(unused)} operations not used: {', '.join(unused)}",
            ]
        )


def spread(counts: Counter[int]) -> str:
    """The least, the middle and the largest of what was counted, and how many fell between round numbers."""
    values = sorted(counts.elements())
    if not values:
        return "none"
    edges = [0, *BANDS, max(values[-1], BANDS[-1])]
    bands = (
        f"{low + 1}-{high}: {sum(n for size, n in counts.items() if low < size <= high):,}"
        for low, high in pairwise(edges)
        if low < values[-1]
    )
    return f"{values[0]} to {values[-1]}, median {values[len(values) // 2]} ({', '.join(bands)})"
