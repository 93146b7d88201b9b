"""What running code as found may cost: steps, depth of calls, and sizes of what it builds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.engine.language.errors import Refusal

MOST_STEPS = 12_000  # statements and expressions that are looked at
OPERATION = 15  # steps that an operation on tensors costs: its shape is worked out, its text put together
SAMPLED = 8  # turns of a loop by which the others are judged
AGAIN = 40  # steps that a call costs for each time that its function is open already
MOST_TURNS = 500  # of one `while`: how many there will be nobody knows before
MOST_DEPTH = 20  # calls inside calls
MOST_PARTS = 2_000  # of one list, dictionary or word
MOST_ROWS = 2_000  # lines that are written


@dataclass
class Budget:
    """Counts what is done; raises Exhausted where it is too much."""

    steps: int = 0
    written: int = 0  # steps that operations on tensors cost besides
    depth: int = 0
    lines: set[int] = field(default_factory=set)  # of the code that were come to

    @property
    def spent(self) -> int:
        """Steps, and those that operations cost besides."""
        return self.steps + self.written

    @property
    def progress(self) -> tuple[int, int]:
        """How far it came: to how many lines, and then in how many steps, of which a longer loop takes more."""
        return len(self.lines), self.steps

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        if self.spent > MOST_STEPS:
            raise Exhausted("found-too-long", limit=f"{MOST_STEPS:,}", at=node)

    def ahead(self, count: int, node: ast.AST) -> None:
        """So many steps are sure to come: what would end in the middle isn't begun."""
        if self.spent + count > MOST_STEPS:
            raise Exhausted("found-too-long", limit=f"{MOST_STEPS:,}", at=node)

    def evenly(self, values: Sequence[Any], node: ast.AST) -> Iterator[Any]:
        """The values of a loop that goes through all of them: by its first turns it is told what it will take."""
        before, least = self.spent, MOST_STEPS
        for turn, value in enumerate(values):
            if 0 < turn <= SAMPLED:
                least = min(least, self.spent - before)
                before = self.spent
            if turn == SAMPLED:
                self.ahead((len(values) - turn) * least // 2, node)
            self.step(node)
            yield value

    def operation(self) -> None:
        """An operation on tensors is written."""
        self.written += OPERATION

    def turn(self, number: int, node: ast.AST) -> None:
        """One more turn of a loop of which nobody knows how many it takes."""
        self.step(node)
        if number > MOST_TURNS:
            raise Exhausted("found-too-long/turns", limit=f"{MOST_TURNS:,}", at=node)

    def again(self, times: int, node: ast.AST) -> None:
        """A function is called inside itself."""
        self.steps += AGAIN * times
        self.step(node)

    def parts(self, count: int, node: ast.AST) -> None:
        """So many parts are put together at once."""
        self.steps += count // 4
        if count > MOST_PARTS:
            raise Exhausted("found-too-long/parts", limit=f"{MOST_PARTS:,}", at=node)

    def nested(self, value: Any, node: ast.AST) -> None:
        """What lists hold in lists, counted as often as it is met: ten lists of two of the same have a thousand."""
        if isinstance(value, list | tuple) and any(isinstance(part, list | tuple) for part in value):
            self.parts(_parts_in(value, {}), node)


def _parts_in(value: Any, known: dict[int, int]) -> int:
    """The parts of a list and of those in it; a list in itself has more than can be counted."""
    if not isinstance(value, list | tuple):
        return 1
    if id(value) not in known:
        known[id(value)] = MOST_PARTS
        known[id(value)] = min(1 + sum(_parts_in(part, known) for part in value), 2 * MOST_PARTS)
    return known[id(value)]


class Finished(BaseException):
    """The tensor that is differentiated is known."""

    def __init__(self, loss: Any) -> None:
        super().__init__()
        self.loss = loss


class Exhausted(Refusal):
    """Behind this nothing more is looked at."""
