"""An exercise: one walk's instances, run once and kept, and the gradients that can be written in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from backend.engine.execute.lookup import node_of
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import attempted
from backend.engine.language.pytree import tensors_in
from backend.engine.language.tree import copied
from backend.engine.trace.graph import Node
from backend.engine.verify.compare import Verdicts, verify
from backend.inspect.closed_forms.derivation import collapses_of
from backend.inspect.closed_forms.find import Occurrence
from backend.pipeline import run_of, traced
from backend.practice.answer import Answer, run_answer
from backend.practice.instances import LENGTHS, OTHERS, resized, with_other_numbers
from backend.practice.judge import agrees, at_sizes
from backend.practice.trial import NUMBERS, SHOWN, SIZES, Case, Trial, case_of, trial, with_random_arriving
from backend.program.request import Material, Request, identity
from backend.program.runs import Run

KEPT, MOST_BYTES = 6, 48 * 2**20
SEED = 20_250_101
LONG, FEWER = 75, 1  # lines, beyond which there is no time for more than one other instance


@dataclass
class Exercise:
    """A walk with its other instances, all in float64 but `own`, which is in the walk's precision."""

    run: Run
    own: Trial
    cases: dict[tuple[str, int | None], list[Case]] = field(default_factory=dict)
    bytes: int = 0

    @cached_property
    def trials(self) -> list[Trial]:
        """The instance that is shown and the others, made for the first answer."""
        plan, material = self.run.plan, self.run.material
        shown = trial(SHOWN, material, plan.graph, plan.lines)
        made = [shown, *islice(_others(material, shown), FEWER if len(plan.lines) > LONG else None)]
        self.bytes += sum(map(_bytes, made))
        return made

    @cached_property
    def verdicts(self) -> Verdicts:
        """The verdicts of the walk's own lines."""
        return verify(self.run)

    @cached_property
    def closed(self) -> dict[Node, Occurrence]:
        """The closed forms that were found in the walk, by the tensor whose whole gradient each gives."""
        return {found.x: found for found in collapses_of(self.run) if not found.readers}

    @property
    def shown(self) -> Trial:
        """The instance that is shown, in float64."""
        return self.trials[0]

    def target(self, name: str) -> Node:
        """The tensor whose gradient goes by this name, with or without its `d`; raises Refusal for none."""
        graph, reached = self.run.plan.graph, {line.target for line in self.run.plan.lines}
        aliases = dict(graph.aliases.values())
        for known in (self.run.plan.by_name, graph.by_variable, graph.by_gradient, aliases):
            if name in known and known[name] in reached:
                return known[name]
        node = node_of(self.run.plan, name)
        if node not in reached:
            raise Refusal("target-unknown", found=name)
        return node

    def of(self, variable: str, last: int | None = None) -> list[Case]:
        """A gradient on every instance: the one shown, other numbers, other sizes, random upstream gradients."""
        key = (variable, last)
        if key not in self.cases:
            random = attempted(lambda: with_random_arriving(self.trials[-1], variable, last, SEED), None)
            found = [case_of(one, variable, last) for one in self.trials]
            self.cases[key] = _telling([*found, *([random] if random else [])])
        return self.cases[key]

    def own_case(self, variable: str, last: int | None = None) -> Case:
        """A gradient on the instance that is shown, in the walk's precision."""
        return case_of(self.own, variable, last)


def _telling(cases: list[Case]) -> list[Case]:
    """The cases on which the printed lines are right at the case's sizes: elsewhere they name a size by its number."""
    shown = cases[0]
    statements = [copied(statement) for line in shown.lines for statement in line.statements]
    printed = Answer("", list(statements), shown.variable, None)
    return [
        case
        for case in cases
        if case is shown
        or agrees(run_answer(at_sizes(printed, case, shown), case.scope, case.trial.precision).value, case)
    ]


_kept: OrderedDict[str, Exercise] = OrderedDict()


def exercise_of(request: Request, names: Path | None = None) -> Exercise:
    """The exercise of a walk's request, kept or made."""
    key = identity(request)
    if key not in _kept:
        made = _made(run_of(request, names))
        _kept[key] = made
        while len(_kept) > KEPT or (len(_kept) > 1 and sum(one.bytes for one in _kept.values()) > MOST_BYTES):
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _made(run: Run) -> Exercise:
    plan, material = run.plan, run.material
    own = trial(SHOWN, material, plan.graph, plan.lines, material.dtype)
    return Exercise(run, own, bytes=_bytes(own))


def _bytes(one: Trial) -> int:
    return sum(tensor.nbytes for tensor in tensors_in(list(one.after.values())))


def _others(material: Material, shown: Trial) -> Iterator[Trial]:
    """Other numbers at the same sizes, then other sizes; where none fit, other numbers once more."""
    wanted = {line.variable for line in shown.lines}
    found = 0
    for number, lengths in enumerate((LENGTHS, OTHERS)):
        other = attempted(partial(resized, material, lengths, SEED + 1_000 * number), None)
        if other is None:  # whichever lengths are drawn
            break
        made = attempted(partial(trial, SIZES, other.material, other.graph, sizes=other.sizes), None)
        if made is not None and _is_sound(made, wanted):
            found += 1
            yield made
    for number in range(3 - found):
        tried = (
            attempted(partial(_with_other_numbers, material, shown, number, places), None) for places in (True, False)
        )
        made = next((one for one in tried if one is not None and _is_sound(one, wanted)), None)
        if made is not None:
            yield made


def _with_other_numbers(material: Material, shown: Trial, number: int, places: bool) -> Trial:
    other = with_other_numbers(material, SEED + 500 + 1_000 * number, places)
    if shown.graph.actual or shown.graph.by_numbers:
        return trial(NUMBERS, other, traced(other))
    return trial(NUMBERS, other, shown.graph, shown.lines)


def _is_sound(one: Trial, wanted: set[str]) -> bool:
    """Whether an instance has the same gradients as the walk, all of them finite."""
    gradients = [one.gradient(line.variable) for line in one.lines]
    return {line.variable for line in one.lines} == wanted and all(bool(g.isfinite().all()) for g in gradients)
