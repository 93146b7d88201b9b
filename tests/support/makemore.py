"""The makemore walk as the tests see it: the lesson's gradients in both precisions, ready to be tampered with."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.run import run_backward
from backend.engine.language.tree import Assignment
from backend.engine.verify.compare import Verdict, judge_all
from backend.program.runs import Run
from tests.support.solve import Solution, solve

LESSON = {"lesson": "makemore-mlp"}
TRUE_ZEROS = {"logit_maxes", "b1"}
SEEDS = [2147483647, *range(19)]


@dataclass(frozen=True)
class Pair:
    """The same walk in float32 and in float64."""

    coarse: Solution
    fine: Solution

    def judge(self, lines: list[Line] | None = None) -> dict[str, Verdict]:
        """The verdicts on these backward lines, or on the engine's own."""
        coarse = run_backward(lines or self.coarse.lines, self.coarse.forward.values, torch.float32).gradients
        fine = run_backward(lines or self.fine.lines, self.fine.forward.values, torch.float64).gradients
        return judge_all(coarse, self.coarse.forward.autograd, fine, self.fine.forward.autograd)

    def judge_changed(self, change: Any, names: Any) -> dict[str, Verdict]:
        """The verdicts after `change` was made to the named gradients, in both precisions."""
        changed = [
            gradients | {f"d{name}": change(gradients[f"d{name}"]) for name in names}
            for gradients in (self.coarse.gradients, self.fine.gradients)
        ]
        autograd, fine = self.coarse.forward.autograd, self.fine.forward.autograd
        return judge_all(changed[0], autograd, changed[1], fine)


@cache
def pair(seed: int = 2147483647, exact: bool = False) -> Pair:
    request = LESSON | {"seed": seed}
    return Pair(solve(request, exact, "float32"), solve(request, exact, "float64"))


def names() -> list[str]:
    """The 26 variables with a gradient; the loss's own, 1 by definition, is not among them."""
    return [name for name in pair().coarse.forward.autograd if name != "loss"]


def with_code(line: Line, code: str) -> Line:
    """A copy of a line that says something else."""
    made = copy.copy(line)
    made.statements = [one for one in ast.parse(code).body if isinstance(one, Assignment)]
    made.taken = None
    made.mode = "+=" if any(isinstance(statement, ast.AugAssign) for statement in made.statements) else "="
    return made


def run_of_lines(run: Run, lines: list[Line]) -> Run:
    """The walk as it would be if the engine had written these lines."""
    backward = run_backward(lines, run.forward.values, run.material.dtype)
    return replace(run, plan=replace(run.plan, lines=lines), backward=backward)
