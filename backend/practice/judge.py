"""Is an answer right: its shape first, then its numbers, on every instance of the program."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from backend.engine.language.pytree import largest_finite
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.tree import children, copied, number
from backend.practice.answer import Answer, Outcome, run_answer
from backend.practice.trial import ARRIVING, SHOWN, SIZES, Case, Numbers

# Two float64 gradients are the same up to this share of the largest cell; a zero is one up to this share of what
# arrives; what differs by less than the last is close.
SAME, ZERO, CLOSE = 1e-7, 1e-9, 1e-3
# Calls that take lengths, in which a number stands for the size of an axis.
TAKE_LENGTHS = frozenset(
    {
        "view", "reshape", "zeros", "ones", "empty", "full", "one_hot", "expand", "eye", "arange", "unflatten",
        "repeat", "new_zeros", "tile", "split", "chunk", "range",
    }
)  # fmt: skip


@dataclass
class Judged:
    """An answer and what it computed on each case; `right` tells where that is the gradient.

    `of_step`: one step of the walk was asked for, and the gradient's lines before it are written already.
    """

    answer: Answer
    cases: list[Case]
    outcomes: list[Outcome]
    right: list[bool]
    of_step: bool = False

    @property
    def shown(self) -> Outcome:
        """What it computed on the instance that is shown."""
        return self.outcomes[0]

    @property
    def counted(self) -> list[int]:
        """The cases that decide: all but those with random upstream gradients, which a closed form need not meet."""
        return [i for i, case in enumerate(self.cases) if case.trial.kind != ARRIVING]

    @property
    def everywhere(self) -> bool:
        """Whether it is right on all instances."""
        return all(self.right[i] for i in self.counted)

    @property
    def by_rule(self) -> bool:
        """Whether it is right for any upstream gradients too."""
        return all(self.right)


def judged(answer: Answer, cases: list[Case], of_step: bool = False) -> Judged:
    """Run an answer on every case."""
    outcomes = []
    for case in cases:
        adapted = at_sizes(answer, case, cases[0])
        outcomes.append(run_answer(adapted, case.scope, case.trial.precision, weighed=case.trial.kind == SHOWN))
        if outcomes[0].refusal is not None:
            outcomes += [outcomes[0]] * (len(cases) - 1)
            break
    right = [agrees(outcome.value, case) for outcome, case in zip(outcomes, cases, strict=True)]
    return Judged(answer, cases, outcomes, right, of_step)


def agrees(value: torch.Tensor | None, case: Case) -> bool:
    """Whether a tensor is the gradient of a case."""
    if value is None or value.shape != case.truth.shape:
        return False
    if is_zero(case):
        return largest_finite(value) <= max(ZERO * case.scale, 1e-3 * ZERO * case.widest) and bool(
            value.isfinite().all()
        )
    return same(value, case.truth)


def is_zero(case: Case) -> bool:
    """Whether the true gradient is zero: what is left of it is rounding."""
    return largest_finite(case.truth) <= 1e-3 * ZERO * case.scale


def same(a: torch.Tensor, b: torch.Tensor, share: float = SAME) -> bool:
    """Whether two tensors of one shape hold the same numbers, to a share of the largest."""
    return a.shape == b.shape and distance(a, b) <= share * max(largest_finite(a), largest_finite(b))


def distance(a: torch.Tensor, b: torch.Tensor) -> float:
    """The largest difference of two tensors of one shape; infinite where one alone is not finite."""
    if not a.numel():
        return 0.0
    difference = (a - b).abs()
    if bool(difference.isfinite().all()):
        return float(difference.max())
    alike = (a == b) | (a.isnan() & b.isnan())
    return float(torch.where(alike, 0.0, difference.nan_to_num(torch.inf)).max())


def at_sizes(answer: Answer, case: Case, shown: Case, everything: bool = False) -> Answer:
    """The answer at an instance's sizes: lengths that the program has no name for are read as lengths.

    That is what the printed lines do, too: `F.one_hot(y, 27)`. A number that has a name (`n`) stays as it was written,
    unless `everything` is replaced.
    """
    if case.trial.kind not in (SIZES, ARRIVING) or not case.trial.sizes:
        return answer
    named = {value for value in shown.trial.graph.constants.values() if isinstance(value, int | float)}
    lengths: Numbers = {old: new for old, new in case.trial.sizes.items() if everything or old not in named}
    if everything:
        lengths = _worked_out(case.trial.sizes) | lengths
    if case.printed is None:
        case.printed = _numbers_printed(shown, case)
    printed = lengths if everything else case.printed
    statements = [_resized(one, lengths, printed) for one in answer.statements]
    bare = statements[-1].value if answer.bare is not None and isinstance(statements[-1], ast.Expr) else None
    return Answer(answer.source, statements, answer.variable, bare)


def _worked_out(sizes: Mapping[int, int]) -> Numbers:
    """Numbers that people work out from sizes: one less, and how many cells two axes have."""
    fewer: Numbers = {old - 1: new - 1 for old, new in sizes.items() if old > 3}
    cells: Numbers = {a * b: sizes[a] * sizes[b] for a in sizes for b in sizes}
    return cells | fewer


def _numbers_printed(shown: Case, case: Case) -> Numbers:
    """The numbers in the printed lines of a gradient that stand for sizes, and what they are on another instance."""
    found: Numbers = {}
    for one, other in zip(shown.lines, case.lines, strict=False):
        for a, b in zip(one.statements, other.statements, strict=False):
            here, there = ([number(n) for n in ast.walk(s) if isinstance(n, ast.Constant)] for s in (a, b))
            if len(here) == len(there):
                pairs = zip(here, there, strict=True)
                found |= {x: y for x, y in pairs if x is not None and y is not None and x != y}
    return found


def _resized(statement: ast.stmt, lengths: Numbers, numbers: Numbers) -> ast.stmt:
    made = copied(statement)
    for name in ("value", "iter"):
        if isinstance(getattr(made, name, None), ast.expr):
            setattr(made, name, _numbers_resized(getattr(made, name), lengths, numbers, False))
    if isinstance(made, ast.For):
        made.body = [_resized(one, lengths, numbers) for one in made.body]
    if isinstance(made, ast.Assign) and isinstance(made.targets[0], ast.Subscript):
        made.targets = [_numbers_resized(made.targets[0], lengths, numbers, False)]
    if isinstance(made, ast.AugAssign) and isinstance(made.target, ast.Subscript):
        cells = _numbers_resized(made.target, lengths, numbers, False)
        made.target = cells if isinstance(cells, ast.Subscript) else made.target
    return made


def _numbers_resized(node: ast.expr, lengths: Numbers, numbers: Numbers, is_length: bool) -> ast.expr:
    value = number(node) if isinstance(node, ast.Constant) else None
    if value is not None:
        new = (numbers | lengths if is_length else numbers).get(value)
        return node if new is None else ast.copy_location(ast.Constant(new), node)
    if not children(node):
        return node
    inside = is_length if isinstance(node, ast.Tuple | ast.List) else _takes_lengths(node)
    made = rebuilt(node, lambda part: _numbers_resized(part, lengths, numbers, inside))
    return ast.copy_location(made, node)


def _takes_lengths(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in TAKE_LENGTHS
    return False
