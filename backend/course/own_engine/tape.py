"""A run of the engine by our interpreter: its text is walked, never executed, and leaves straight lines behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guard
from backend.lowering.calls import Returned
from backend.lowering.guesses import Guesser
from backend.lowering.lower import Lowering
from backend.lowering.reading import Reading
from backend.lowering.statements import Broken, Continued
from backend.lowering.values import Instance, Tensor
from backend.lowering.written import Row


@dataclass(frozen=True)
class Received:
    """An object of the engine got a gradient; `rows` lines were written before."""

    by: Instance
    variable: str
    rows: int


class Tape(Lowering):
    """The engine with a program behind it, gone through line by line."""

    def __init__(self, source: str, tensors: Mapping[str, torch.Tensor]) -> None:
        super().__init__(Reading(source), tensors, {}, Guesser())
        self.received: list[Received] = []

    def outcome(self, loss: str | None) -> None:  # noqa: ARG002 - the lines themselves ask for the gradients
        try:
            self.block(self.found.tree.body)
        except (Returned, Broken, Continued):
            raise Refusal("found-jump", at=self.found.tree.body[-1]) from None

    def set_attribute(self, one: Instance, name: str, value: Any) -> None:
        super().set_attribute(one, name, value)
        if name == "grad" and isinstance(value, Tensor):
            self.received.append(Received(one, str(value.variable), len(self.writer.rows)))

    def gradient_of(self, name: str) -> torch.Tensor | None:
        """The numbers that are in `.grad` of what has this name; None where nothing is."""
        one = self.root.names.get(name)
        found = one.attributes.get("grad") if isinstance(one, Instance) else None
        return self.numbers(found) if isinstance(found, Tensor) else None


@dataclass(frozen=True)
class Outcome:
    """What a run came to: the gradients by name, or the fault that stopped it; and the lines that it left."""

    gradients: Mapping[str, torch.Tensor | None]
    fault: Refusal | None
    rows: list[Row]
    received: list[Received]
    named: Mapping[str, Instance]


def outcome_of(source: str, tensors: Mapping[str, torch.Tensor], asked: list[str]) -> Outcome:
    """Run a text, and look up the gradients that are asked for."""
    dtype = next(one.dtype for one in tensors.values() if one.is_floating_point())
    gradients: dict[str, torch.Tensor | None] = {}
    try:
        with DefaultDtype(dtype), guard():
            tape = Tape(source, tensors)
            tape.finished(None)
            if tape.table.needs:
                raise Refusal("chapter-blank", found=tape.table.needs[0]["name"])
            if not tape.faults:
                gradients = {name: tape.gradient_of(name) for name in asked}
    except Refusal as refusal:
        return Outcome({}, refusal, [], [], {})
    named = {name: one for name, one in tape.root.names.items() if isinstance(one, Instance)}
    return Outcome(gradients, next(iter(tape.faults), None), tape.writer.rows, tape.received, named)
