"""Predict-first questions: of what could be asked before a step, what this run's numbers can tell apart."""

from __future__ import annotations

import ast
import math
import zlib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, cast

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import PlantedLine
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import attempted
from backend.engine.language.tree import stored_in
from backend.engine.language.wording import number_text
from backend.lines.equations.equation import Picture, contributed
from backend.lines.equations.names import names_of
from backend.present.drawings import drawings_of
from backend.present.explain import shape_words
from backend.present.mistakes import BEFORE, BROUGHT, proposals
from backend.present.question_types import Candidate, Choice, Question
from backend.present.quiz_line import Option, Proposal, QuizLine
from backend.program.runs import Run

MOST_WRONG = 3
Told = tuple[Option, torch.Tensor | None, str]  # an answer, what it computes, and what is wrong with it
# Two answers are told apart by more than this share of the gradient, or of what arrives: the rest may be rounding.
APART, OF_ARRIVING = 1e-3, 1e-6
# From this share of its cells on, a wrong sign is what is said of a result.
OFTEN = 0.1
# Nor is a factor that differs from 1 by less than this.
ALIKE = 5e-3
# From this many times what rounding leaves of a zero on, a number is no rounding.
BEYOND_ROUNDING = 1e3
# No factor beyond this is told as one.
STRIKING = 1e6
# From here on a number is written with a power of ten, and one digit fewer would be too coarse for a ratio.
GREAT = 1e5
# Steps with more numbers than this ask nothing: each answer takes as long to compute as the step itself.
MOST_CELLS = 250_000


def asked_about(plan: Plan, options: list[list[Candidate]]) -> list[list[Proposal]]:
    """What could be asked at each backward line of a plan."""
    pairs = list(zip(plan.lines, drawings_of(plan).pictures, strict=True))
    turns = Counter(line.target for line in plan.lines)
    seen: Counter[Any] = Counter()
    made: list[list[Proposal]] = []
    for (line, picture), products in zip(pairs, options, strict=True):
        turn = seen[line.target]
        seen[line.target] += 1
        if line.through is None or picture is None:
            made.append([])
            continue
        siblings = [
            (other, drawn) for other, drawn in pairs
            if other.through is line.through and other is not line and drawn is not None
        ]  # fmt: skip
        here = QuizLine(line, picture, products, names_of(plan), turn, turns[line.target], siblings)
        made.append(attempted(partial(proposals, here), []))
    return made


@dataclass(frozen=True)
class ComputedQuestion:
    """A question, and what each of its choices computes; None where Python stops."""

    question: Question
    tensors: list[torch.Tensor | None]


@dataclass
class Quiz:
    """Asks about the steps of one run in their order, where possible of another kind than the step before.

    `residues` is what rounding leaves of the gradients that are truly zero, by variable.
    """

    run: Run
    planned: list[list[Proposal]]
    residues: Mapping[str, float] = field(default_factory=dict)
    evaluator: Evaluator = field(init=False)
    before: dict[str, torch.Tensor] = field(default_factory=dict)
    last: str = ""

    def __post_init__(self) -> None:
        self.evaluator = Evaluator({**self.run.forward.values, **self.run.gradients})

    def all(self) -> list[ComputedQuestion | None]:
        """The question before each backward step; None where there is nothing hard to ask."""
        with torch.no_grad(), DefaultDtype(self.run.material.dtype):
            return [self._next(number) for number in range(len(self.planned))]

    def _next(self, number: int) -> ComputedQuestion | None:
        plan, kept = self.run.plan, self.run.contributions[number]
        line, picture = plan.lines[number], drawings_of(plan).pictures[number]
        self._with_helpers(line)
        scope = self.evaluator.scope
        scope[BROUGHT.id], scope[BEFORE.id] = kept.value, self.before.get(line.variable)
        self.before[line.variable] = kept.accumulated
        order = sorted(self.planned[number], key=lambda one: one.kind == self.last)
        floor = self._floor(picture)
        for proposal in order:
            asked = self._asked(proposal, number, floor) if kept.value.numel() <= MOST_CELLS else None
            if asked is not None:
                self.last = proposal.kind
                return asked
        return None

    def _with_helpers(self, line: Line) -> None:
        """Run the helper lines that stand before a gradient: it reads them, and so may gradients further down."""
        if isinstance(line, PlantedLine):
            return
        helpers = [one for one in line.statements[:-1] if line.variable not in stored_in(one)]
        with suppress(Refusal, RuntimeError):
            self.evaluator.run(helpers)

    def _floor(self, picture: Picture | None) -> float:
        """Differences below this are rounding: a small share of what arrives."""
        arriving = [self._value(o.expr) for o in (picture.operands if picture else []) if o.role != "local"]
        return OF_ARRIVING * max((largest_magnitude(part) for part in arriving if part is not None), default=0.0)

    def _asked(self, proposal: Proposal, number: int, floor: float) -> ComputedQuestion | None:
        right, truth = self._value(proposal.right.expr), self._truth(proposal, number)
        if right is None or truth is None or not is_said_by(right, truth, floor):
            return None
        copied = right.shape != truth.shape
        right = truth if copied else right
        residue = self._residue(number)
        told: list[Told] = [(proposal.right, right, "")]
        for option in proposal.wrong:
            value = self._value(option.expr) if len(told) <= MOST_WRONG else None
            value = copied_to(value, truth.shape) if copied else value
            stops = option.expr is None
            if len(told) <= MOST_WRONG and (stops or (value is not None and is_new(option, value, told, floor))):
                told.append((option, value, explained(option, value, right, floor, residue)))
        if len(told) < (2 if proposal.kind == "accumulate" else 3):
            return None
        # the same order at every visit, and another at each step
        Random(zlib.crc32(f"{number} {proposal.prompt}".encode())).shuffle(told)  # noqa: S311
        answer = next(i for i, (option, _, _) in enumerate(told) if option is proposal.right)
        choices = [choice_of(*one) for one in told]
        question = {"kind": proposal.kind, "prompt": proposal.prompt, "choices": choices, "answer": answer}
        return ComputedQuestion(cast(Question, question), [value for _, value, _ in told])

    def _residue(self, number: int) -> float:
        return self.residues.get(self.run.plan.lines[number].target.variable, -1.0)

    def _truth(self, proposal: Proposal, number: int) -> torch.Tensor | None:
        """What the right answer must compute, whether it is then copied or placed, or added to what was there."""
        if proposal.kind == "accumulate":
            return self.run.contributions[number].accumulated
        return self._value(contributed(self.run.plan.lines[number]))

    def _value(self, expr: ast.expr | None) -> torch.Tensor | None:
        """The tensor that an expression gives; None where it gives none, or Python stops."""
        if expr is None:
            return None
        try:
            value = self.evaluator.value(expr)
        except (Refusal, RuntimeError):
            return None
        fits = isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel() <= MOST_CELLS
        return value if fits else None


def is_said_by(right: torch.Tensor, truth: torch.Tensor, floor: float) -> bool:
    """Whether the right answer gives the line's own numbers, before they are copied to their places."""
    try:
        return bool(truth.isfinite().all()) and same(right.broadcast_to(truth.shape), truth, floor)
    except RuntimeError:
        return False


def copied_to(value: torch.Tensor | None, shape: torch.Size) -> torch.Tensor | None:
    """A wrong answer copied as the line copies the right one, where it can be."""
    try:
        return None if value is None else value.broadcast_to(shape)
    except RuntimeError:
        return value


def is_new(option: Option, value: torch.Tensor, told: list[Told], floor: float) -> bool:
    """Whether an answer reads otherwise than those before it, and gives other numbers."""
    read = all((option.code, option.words) != (one.code, one.words) for one, _, _ in told)
    return read and all(other is None or not same(value, other, floor) for _, other, _ in told)


def choice_of(option: Option, value: torch.Tensor | None, why: str) -> Choice:
    """An answer as it is sent."""
    shape = None if value is None else list(value.shape)
    return {"code": option.code, "words": option.words, "shape": shape, "why": why}


def largest_magnitude(tensor: torch.Tensor) -> float:
    """The largest absolute value, 0 of nothing."""
    return float(tensor.abs().max()) if tensor.numel() and tensor.is_floating_point() else 0.0


def same(a: torch.Tensor, b: torch.Tensor, floor: float) -> bool:
    """Whether two tensors hold the same numbers, to rounding."""
    if a.shape != b.shape or not a.numel():
        return a.shape == b.shape
    return not float((a - b).abs().max()) > max(APART * min(largest_magnitude(a), largest_magnitude(b)), floor)


def explained(option: Option, value: torch.Tensor | None, right: torch.Tensor, floor: float, residue: float) -> str:
    """What is wrong with an answer, and what comes of it in this run's numbers.

    Where no more than a rounding residue is right, it is no measure of what a mistake does.
    """
    if value is None or (value.shape == right.shape and "sign" in option.mistake and same(value, -right, floor)):
        return option.mistake
    if value.shape == right.shape and largest_magnitude(right) <= residue:
        return f"{option.mistake} {instead_of_zero(value, residue)}".strip()
    return f"{option.mistake} {consequence(value, right, floor)}"


def instead_of_zero(value: torch.Tensor, residue: float) -> str:
    """What a wrong answer gives where the true gradient is zero; nothing where that is rounding too."""
    most = largest_magnitude(value)
    if not BEYOND_ROUNDING * residue < most < math.inf:
        return ""
    given = f"numbers of up to {number_text(most, 3)} in size" if value.numel() > 1 else number_text(float(value), 3)
    return f"That gives {given}; the true gradient is zero."


def consequence(value: torch.Tensor, right: torch.Tensor, floor: float) -> str:
    """How a wrong result differs from the right one, in a sentence."""
    if value.shape != right.shape:
        return f"That gives {shape_words(tuple(value.shape))}; it must be {shape_words(tuple(right.shape))}."
    if not value.isfinite().all():
        return "That gives numbers that are not finite."
    if not value.any():
        return "That gives zeros only."
    ratio = ratio_of(value, right) if largest_magnitude(right) > floor else None
    near = ratio is not None and abs(ratio - 1) < ALIKE  # "1.00 times too large" says nothing
    if ratio is not None and not near and 1 / STRIKING < abs(ratio) < STRIKING:
        return f"{'Every' if value.numel() > 1 else 'The'} number comes out {ratio_text(ratio)}."
    turned = int((value * right < 0).sum()) if largest_magnitude(right) > floor else 0
    if turned > OFTEN * value.numel():
        which = f"{turned} of {value.numel()} numbers get{'s' * (turned == 1)}"
        which = which if turned < value.numel() else "Every number gets"
        return f"{which} the wrong sign."
    gap, most = number_text(largest_magnitude(value - right), 3), number_text(largest_magnitude(right), 3)
    truth = f"the right one is at most {most} in size" if largest_magnitude(right) else "the right one is zero"
    return f"The result is wrong by up to {gap}; {truth}."


def ratio_of(value: torch.Tensor, right: torch.Tensor) -> float | None:
    """The one number by which all cells are too large; None where there is no such number."""
    place = int(right.abs().argmax())
    top = float(right.reshape(-1)[place])
    if top == 0 or not math.isfinite(top):
        return None
    ratio = float(value.reshape(-1)[place]) / top
    return ratio if ratio and same(value, right * ratio, 0.0) else None


def ratio_text(ratio: float) -> str:
    """`31 times too large`, `with the wrong sign`."""
    size, turned = abs(ratio), ratio < 0
    if abs(size - 1) < ALIKE:
        return "with the wrong sign"
    times = max(size, 1 / size)
    text = f"{number_text(times, 3 if times < GREAT else 4)} times too {'large' if size > 1 else 'small'}"
    return f"{text}, and with the wrong sign" if turned else text
