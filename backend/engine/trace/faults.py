"""All faults of a program at once, in the order of its text: what follows from a fault is not one of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch

from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.interpret.precheck import Precheck
from backend.engine.language.errors import Refusal, joined
from backend.engine.language.guard import attempted
from backend.engine.language.parse import MOST_FAULTS, Program, parse_around
from backend.engine.language.tree import Fault, Growth, loaded_in, stored_in
from backend.engine.language.values import Scope
from backend.engine.trace.graph import Chunk
from backend.engine.trace.inputs import Input
from backend.engine.trace.tracer import Tracer

# Behind these nothing more can be worked out.
EXHAUSTED = {"memory-budget", "arithmetic-budget", "too-many-steps", "memory"}


class Survey(Tracer):
    """Traces the statements that have no fault and read nothing that a faulty one makes; keeps what each refuses."""

    def survey(self, faulty: Sequence[ast.stmt], lost: Iterable[str]) -> None:
        """Find the faults of shapes and kinds, but for those of the statements that are `faulty` already.

        `lost` are names without a value, as is every name made of them.
        """
        self.found: list[Refusal] = []
        self.faulty, self.lost, self.exhausted = set(faulty), set(lost), False
        # Faults are told by line: behind so many there is nothing left to look for.
        self.final = faulty[-1] if len(faulty) >= MOST_FAULTS else None
        with DefaultDtype(self.precision):
            try:
                self.run(self.program.statements)
            except Refusal as refusal:  # too many steps in all
                self.found += [] if self.exhausted else [refusal]

    def statement(self, statement: ast.stmt) -> None:
        names = statement.names if isinstance(statement, Fault) else stored_in(statement)
        self.exhausted |= statement is self.final
        if self.exhausted or statement in self.faulty or self.lost.intersection(_read(statement)):
            return self.lost.update(names)
        loops = len(self.loops)
        kept = set(self.lost)
        try:
            super().statement(statement)
        except Refusal as refusal:
            del self.loops[loops:]
            if not self.exhausted:
                self.found.append(refusal.locate(statement, self.program.pasted))
            self.exhausted |= refusal.code in EXHAUSTED or len(self.found) >= MOST_FAULTS
            self.faulty.add(statement)
            return self.lost.update(names)
        if not isinstance(statement, ast.For):
            self.lost = kept.difference(names)
        return None


def _read(statement: ast.stmt) -> list[str]:
    """The names that a statement reads before anything else: of a loop those of its range."""
    if isinstance(statement, Fault):
        return []
    grown = [statement.steps.id] if isinstance(statement, Growth) else []
    return [*loaded_in(statement.iter if isinstance(statement, ast.For) else statement), *grown]


@dataclass
class Findings:
    """What can be told of a program with faults: these, at most MOST_FAULTS and by line, and the lines without one.

    `missing` are the names that nothing gives a value.
    """

    faults: list[Refusal]
    chunks: list[Chunk] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def survey(
    source: str,
    inputs: Mapping[str, Input],
    constants: Scope,
    tensors: Mapping[str, torch.Tensor],
    unfinished: Iterable[str] | None = None,
) -> Findings:
    """All faults that have a place in the program's text.

    With `unfinished` the tables are still being filled: these names are no faults, nor are any that are missing.
    """
    try:
        program = parse_around(source)
    except Refusal as refusal:
        return Findings([refusal] if refusal.where else [])
    pre = Precheck([*inputs, *constants, *(unfinished or ())])
    told = list(islice(pre.faults(program.statements), MOST_FAULTS))
    found = [refusal for _, refusal in told]
    if unfinished is None:
        found += [Refusal("name-unknown", found=name, at=node) for name, node in pre.missing.items()]
    lost = [*pre.missing, *(unfinished or ())]
    faulty = [statement for statement, _ in told]
    traced = attempted(lambda: _surveyed(Survey(program, inputs, constants, tensors), faulty, lost), None)
    found += traced.found if traced else []
    return Findings(_by_line(found, program), traced.chunks if traced else [], list(pre.missing))


def _surveyed(survey: Survey, faulty: Sequence[ast.stmt], lost: Iterable[str]) -> Survey:
    survey.survey(faulty, lost)
    return survey


def _by_line(found: list[Refusal], program: Program) -> list[Refusal]:
    """In the order of the text, each once; a loop meets the same fault at every turn."""
    for refusal in found:
        if program.statements:
            refusal.locate(program.statements[0], program.pasted)
    placed = {_place(refusal): refusal for refusal in reversed(found) if refusal.where}
    return [placed[place] for place in sorted(placed)][:MOST_FAULTS]


def _place(refusal: Refusal) -> tuple[Any, ...]:
    where = refusal.where or {}
    return where["line"], where.get("column", 0), refusal.message


def together(first: Refusal, found: list[Refusal]) -> Refusal:
    """One refusal that carries all: the first fault by line, the others with it; `first` where none was found."""
    return joined(found) if found else first
