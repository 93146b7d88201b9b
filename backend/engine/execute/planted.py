"""A line planted in the backward pass in place of the right one, and what a run needs to know of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.interpret.evaluate import Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.pytree import with_tensors
from backend.engine.language.tree import Assignment, loaded_in, names_in, stored_in, target_of
from backend.engine.language.values import Scope


@dataclass(eq=False)
class PlantedLine(Line):
    """A line as somebody wrote it, in place of one that was derived; `gradients` are those made before it."""

    text: str = ""
    gradients: frozenset[str] = frozenset()

    @property
    def last(self) -> Assignment:
        """The last statement that writes to the gradient; of a loop, what it leaves."""
        for statement in reversed(self.statements):
            if isinstance(statement, Assignment) and self.variable in names_in(target_of(statement)):
                return statement
        return ast.Assign([ast.Name(self.variable, ast.Store())], ast.Name(self.variable, ast.Load()))

    @cached_property
    def code(self) -> str:
        """The text itself."""
        return self.text


@dataclass(frozen=True)
class Meant:
    """The usual mistake that a planted line is: its code, how it is offered, and what is wrong with it."""

    code: str
    label: str
    why: str


@dataclass(frozen=True)
class Planted:
    """The number of the planted line, the right one, and the refusals of lines that don't fit what it makes.

    `mistake` is the one that it is; None for a line of one's own.
    """

    number: int
    right: Line
    line: PlantedLine
    mistake: Meant | None = None
    unfit: Mapping[int, Refusal] = field(default_factory=dict)


class Losses:
    """What can't be computed any more behind a planted line, while the lines run one by one."""

    def __init__(self, planted: Planted | None) -> None:
        self.planted = planted
        self.gone: set[str] = set()

    def check(self, number: int, line: Line) -> None:
        """Raise Refusal for a line that doesn't fit what the planted one makes, or that needs what is gone."""
        if self.planted is None:
            return
        needed = [*loaded_in(*line.statements), *([line.variable] if line.mode == "+=" else [])]
        missing = next((name for name in needed if name in self.gone), None)
        if missing is not None:
            raise Refusal("line-needs", found=missing)
        if number in self.planted.unfit:
            raise self.planted.unfit[number]

    def lose(self, line: Line) -> None:
        """What a line makes is gone, and its helpers too."""
        self.gone |= {line.variable, *stored_in(*line.statements)}


def run_planted(evaluator: Evaluator, line: PlantedLine) -> tuple[torch.Tensor, torch.Tensor]:
    """What a planted line brings, and the gradient after it.

    It reads copies: what it writes in place must not reach the walk's own tensors.
    """
    scope, before = evaluator.scope, evaluator.scope.get(line.variable)
    read = {name: scope[name] for name in loaded_in(*line.statements) if name in scope and name not in line.gradients}
    scope |= {name: with_tensors(value, torch.clone) for name, value in read.items()}
    before = before.clone() if line.mode == "+=" and isinstance(before, torch.Tensor) else None
    evaluator.run(line.statements)
    scope[line.variable] = gradient = made_by(line, scope)
    # what later lines add to the gradient must not reach its own helpers, which are drawn after the run
    helpers = {*stored_in(*line.statements)} & scope.keys() - {line.variable}
    scope |= {name: with_tensors(scope[name], torch.clone) for name in helpers}
    if before is None:
        return gradient, gradient
    added = evaluator.last if adds_once(line) else None
    return (added if isinstance(added, torch.Tensor) and added.shape == gradient.shape else gradient - before), gradient


def adds_once(line: PlantedLine) -> bool:
    """Whether what it adds is the value of its last statement."""
    last = line.statements[-1]
    return isinstance(last, ast.AugAssign) and isinstance(last.op, ast.Add) and isinstance(last.target, ast.Name)


def made_by(line: PlantedLine, scope: Scope) -> torch.Tensor:
    """What a planted line made, in the run's precision; raises Refusal for what is no tensor and no number."""
    value = scope[line.variable]
    if isinstance(value, int | float):
        return torch.tensor(float(value))
    if not isinstance(value, torch.Tensor):
        raise Refusal("line-no-tensor", found=line.variable)
    return value.to(torch.get_default_dtype())
