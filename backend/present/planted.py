"""What is said of a planted line: what is wrong with it, what comes of it, and why nothing does where nothing is."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from functools import cached_property

import torch

from backend.engine.execute.planted import Planted
from backend.engine.execute.run import Backward, Contribution, run_backward
from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.unparse import printed
from backend.engine.language.wording import number_text
from backend.engine.verify.compare import NOISE, Verdicts
from backend.present import schema
from backend.present.drawings import drawings_of
from backend.present.questions import consequence, largest_magnitude, same
from backend.program.runs import Run

NOTHING = "It changes nothing here: {why}"
ZERO = "what this line brings is zero in every cell, with the mistake and without."
ROUNDING = (
    "the true gradient is zero. The right line brings at most {right}, this one {wrong}, beside a largest gradient of "
    "{scale}."
)
EMPTY = "before this line, `{place}` is zero in every cell, so nothing is overwritten."
ONCE = "no place is picked twice, so nothing is overwritten."
ONES = "`{code}` is 1 in every cell."
LENGTH = "the summed axis has length 1, so there is nothing to add."
SYMMETRIC = "these numbers are symmetric, and give the same either way."
MASKED = "what arrives is zero already, wherever the mask would stop it."
SAME = "it makes the same numbers as the right line."
WITHIN = "`{variable}` differs by at most {difference}, which is rounding beside a largest gradient of {scale}."
UNSEEN = "It changes `{variable}` by up to {difference}, but nothing of that reaches a gradient that is checked."
SUMS, TURNS = ("missing-sum", "wrong-axis", "keepdim", "scale"), ("wrong-axis", "transposed")


def planted(run: Run, verdicts: Verdicts) -> schema.Planted | None:
    """The planted line of a run and what comes of it; None where none is planted."""
    known = run.plan.planted
    if known is None:
        return None
    # in the order in which they are complete
    order = dict.fromkeys(line.target.variable for line in reversed(run.plan.lines))
    bad = [name for name in reversed(order) if name in verdicts and verdicts[name].level in ("wrong", "shape")]
    damage = Damage(run, known)
    return {
        "step": run.plan.first_backward + known.number,
        "mistake": known.mistake.code if known.mistake else None,
        "label": known.mistake.label if known.mistake else "",
        "code": known.line.code,
        "right": known.right.code,
        "why": known.mistake.why if known.mistake else "",
        "outcome": damage.outcome() if bad else damage.nothing(),
        "wrong": [f"d{name}" for name in bad],
        "lost": [f"d{name}" for name in bad if f"d{name}" in run.lost],
    }


@dataclass(frozen=True)
class Damage:
    """A run with a planted line beside one with the right line, on the same values."""

    run: Run
    planted: Planted

    @cached_property
    def right(self) -> Backward:
        """The lines where all are right."""
        origin = self.run.plan.origin
        assert origin is not None
        return run_backward(origin.lines, self.run.forward.values, self.run.material.dtype)

    @property
    def contribution(self) -> Contribution:
        """What the planted line makes."""
        return self.run.contributions[self.planted.number]

    @property
    def wanted(self) -> Contribution:
        """What the right line makes."""
        return self.right.contributions[self.planted.number]

    @cached_property
    def scale(self) -> float:
        """The largest gradient of the walk."""
        return max((largest_magnitude(gradient) for gradient in self.run.forward.autograd.values()), default=0.0)

    def outcome(self) -> str:
        """What comes of it: why the line can't be run, or how its numbers differ."""
        if self.contribution.lost:
            return f"PyTorch stops here. {self.contribution.lost}"
        value, right = self.contribution.accumulated, self.wanted.accumulated
        if value.shape == right.shape and same(value, right, 0.0):
            return f"The numbers are off by up to {number_text(largest_magnitude(value - right), 2)}."
        return consequence(value, right, 0.0)

    def nothing(self) -> str:
        """Why the mistake changes nothing on this walk."""
        wrong, right = self.contribution.accumulated, self.wanted.accumulated
        apart = largest_magnitude(wrong - right) if wrong.shape == right.shape else math.inf
        facts = {"variable": self.planted.line.variable, "difference": number_text(apart, 2)}
        if apart > NOISE * self.scale:
            return UNSEEN.format(**facts)
        reasons = (self._of_zeros, self._of_paths, self._of_factors, self._of_axes)
        found = next(filter(None, (reason() for reason in reasons)), "")
        within = WITHIN.format(**facts, scale=number_text(self.scale, 2)) if apart else SAME
        return NOTHING.format(why=found or within)

    def _of_zeros(self) -> str:
        """What the line brings is zero, or no more than rounding."""
        wrong, right = largest_magnitude(self.contribution.value), largest_magnitude(self.wanted.value)
        if not (wrong or right):
            return ZERO
        if max(wrong, right) >= NOISE * self.scale or self._code == "overwritten-path":
            return ""
        sizes = {"wrong": wrong, "right": right, "scale": self.scale}
        return ROUNDING.format(**{name: number_text(size, 2) for name, size in sizes.items()})

    @property
    def _code(self) -> str:
        return self.planted.mistake.code if self.planted.mistake else ""

    def _of_paths(self) -> str:
        if self._code != "overwritten-path":
            return ""
        if self.planted.right.mode == "=":
            return ONCE
        variable, lines = self.planted.line.variable, self.run.plan.lines[: self.planted.number]
        earlier = [number for number, line in enumerate(lines) if line.variable == variable]
        if not earlier:
            return ""
        scope = {**self.run.forward.values, variable: self.right.contributions[earlier[-1]].accumulated}
        before, place = Evaluator(scope).tensor(self._place(ast.Load())), printed(self._place(ast.Store()))
        return "" if before.any() else EMPTY.format(place=place)

    def _place(self, context: ast.expr_context) -> ast.expr:
        """What the right line writes to: its gradient, or some of its cells."""
        place = self.planted.right.writes_to
        return ast.Subscript(place.value, place.slice, context) if isinstance(place, ast.Subscript) else place

    def _of_factors(self) -> str:
        """A factor that was left out is 1 everywhere."""
        origin = self.run.plan.origin
        picture = drawings_of(origin).pictures[self.planted.number] if origin else None
        role = {"missing-local": "local", "missing-upstream": "arrives"}.get(self._code)
        if picture is None or role is None:
            return ""
        if picture.then == "mask":
            return MASKED
        values = self.right.values_after(self.planted.number, [operand.expr for operand in picture.operands])
        for operand, value in zip(picture.operands, values, strict=True):
            known = operand.role == role or (role == "arrives" and operand.role == "upstream")
            if known and bool((torch.as_tensor(value) == 1).all()):
                return ONES.format(code=operand.code)
        return ""

    def _of_axes(self) -> str:
        origin = self.run.plan.origin
        picture = drawings_of(origin).pictures[self.planted.number] if origin else None
        if self._code in SUMS and picture and picture.axes and all(axis.size == 1 for axis in picture.axes):
            return LENGTH
        return SYMMETRIC if self._code in TURNS else ""
