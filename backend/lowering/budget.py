"""What running code as found may cost: steps, depth of calls, and sizes of what it builds."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from backend.engine.language.errors import Refusal

MOST_STEPS = 16_000  # statements and expressions that are looked at
MOST_DEPTH = 20  # calls inside calls
MOST_PARTS = 2_000  # of one list, dictionary or word
MOST_ROWS = 2_000  # lines that are written


@dataclass
class Budget:
    """Counts what is done; raises Exhausted where it is too much."""

    steps: int = 0
    depth: int = 0

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Exhausted("found-too-long", limit=f"{MOST_STEPS:,}", at=node)

    def parts(self, count: int, node: ast.AST) -> None:
        """So many parts are put together at once."""
        self.steps += count // 4
        if count > MOST_PARTS:
            raise Exhausted("found-too-long/parts", limit=f"{MOST_PARTS:,}", at=node)


class Finished(BaseException):
    """The tensor that is differentiated is known."""

    def __init__(self, loss: Any) -> None:
        super().__init__()
        self.loss = loss


class Exhausted(Refusal):
    """Behind this nothing more is looked at."""
