"""The picture of a planted line beside the numbers of the line that is run: operands, what is left out, what goes in."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import torch

from backend.engine.encode import lists
from backend.engine.execute.plan import Plan
from backend.engine.execute.planting import plant
from backend.engine.execute.run import run_backward
from backend.engine.language.layout import laid_out
from backend.engine.language.tree import Assignment
from backend.lines.mistakes.planting import plant_choice, possible
from backend.present.drawings import drawings_of
from backend.present.pictures import picture
from backend.program.runs import Run
from tests.support.backward_claims import Taught
from tests.support.equation_checks import caption_faults, equation_faults, present, role_faults

FREE = {"torch", "F", "math"}


def run_to(plain: Run, plan: Plan, number: int) -> Run:
    """A run up to the planted line, of the same values; the gradients behind it are those of the right lines."""
    made = run_backward(plan.lines[: number + 1], plain.forward.values, plain.material.dtype, plan.planted)
    return replace(
        plain, plan=plan, backward=replace(made, lines=plan.lines, scope={**plain.backward.scope, **made.scope})
    )


class PlantedStep(Taught):
    """A walk at whose one step another line is run, from there on as the page draws it."""

    def __init__(self, plain: Taught, plan: Plan) -> None:
        vars(self).update(vars(plain))
        known = plan.planted
        assert known is not None
        self.run, self.scopes = run_to(plain.run, plan, known.number), {}
        drawn, kept = drawings_of(plan).pictures[known.number], self.run.contributions[known.number]
        self.lost, self.right = bool(kept.lost), known.right.code
        own = known.line.statements[: -len(ast.parse(known.line.code).body)]
        self.helpers = laid_out([one for one in own if isinstance(one, Assignment)])
        self.broadcasts = known.line.mode == "+="
        self.step: dict[str, Any] = plain.steps[known.number] | {
            "code": known.line.code,
            "mode": known.line.mode,
            "lines": known.line.rows,
            "picture": picture(self.run, known.number, lists),
            "arrives": drawn.arrives if drawn else None,
        }
        self.steps = [*plain.steps[: known.number], self.step]

    def _run(self, step: dict[str, Any], scope: dict[str, Any], gradients: dict[str, torch.Tensor]) -> None:
        """The right line's helper lines, where the text is without them, are run before it."""
        if step is self.step:
            exec(self.helpers, scope)
        super()._run(step, scope, gradients)

    def result(self, seed: int, **instead: Any) -> Any:
        """What the line makes of random gradients, and of other numbers for some names; None where torch refuses."""
        scope = dict(self.scope(self.steps[-1], seed)) | instead
        gradients = {name: scope[name] for name in self.run.gradients}
        try:
            with torch.no_grad():
                self._run(self.step, scope, gradients)
        except (RuntimeError, IndexError, TypeError, ValueError):
            return None
        return scope[self.target(self.step)]


def planted_steps(plain: Taught, every: int = 1, first: int = 0) -> Iterator[tuple[str, PlantedStep]]:
    """Each mistake that can be planted in a walk, or one in so many."""
    plan = plain.run.plan
    mistakes = ((number, one) for number in range(len(plan.lines)) for one in possible(plan, number))
    for number, choice in islice(mistakes, first, None, every):
        made = PlantedStep(plain, plant_choice(plan, number, choice))
        if not made.lost:
            yield f"{choice.mutant.code}: {made.step['code']}", made


def written_step(plain: Taught, text: str) -> PlantedStep:
    """A line of one's own in the place of the last one that makes or adds to the same gradient."""
    plan, target = plain.run.plan, text.split("\n")[-1].split()[0]
    number = max(number for number, line in enumerate(plan.lines) if line.variable == target)
    return PlantedStep(plain, plant(plan, number, text))


def names_read(code: str) -> set[str]:
    """The names whose numbers a text reads, and not their shapes alone."""
    found: set[str] = set()
    pending: list[ast.AST] = [ast.parse(code)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.ones_like", "torch.zeros_like"):
            continue
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        pending += ast.iter_child_nodes(node)
    return found - FREE


def parts_read(code: str) -> Counter[str]:
    """The expressions in a text that go into its result, as Python writes them, and how often."""
    found: Counter[str] = Counter()
    pending: list[ast.AST] = [ast.parse(code)]
    while pending:
        node = pending.pop()
        found.update([ast.unparse(node)] if isinstance(node, ast.expr) else [])
        lends = isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.ones_like", "torch.zeros_like")
        pending += () if lends else ast.iter_child_nodes(node)
    return found


def tensors_read(walk: PlantedStep, code: str) -> set[str]:
    """Those of them that are tensors of the walk."""
    known = {name for name, value in walk.values.items() if isinstance(value, torch.Tensor)}
    return names_read(code) & (known | set(walk.run.gradients)) - {walk.target(walk.step)}


def matters(walk: PlantedStep, name: str) -> bool:
    """Whether some cell of the result is another one, or none, with other numbers for a tensor.

    One without cells has no other numbers, and of a result that is no number in its every cell nothing can be told.
    """
    was, other = walk.result(1), torch.rand_like(walk.scope(walk.step, 1)[name]) + 1
    now = walk.result(1, **{name: other})
    if was is None or now is None or was.shape != now.shape or was.isnan().all():
        return True
    return not (other.numel() and was.any()) or not torch.allclose(was, now, rtol=1e-6, atol=0.0, equal_nan=True)


def operand_faults(walk: PlantedStep) -> list[str]:
    """Operands that are missing, and operands that don't go into the result."""
    read = tensors_read(walk, walk.step["code"])
    drawn = [operand["code"] for operand in present(walk.step["picture"])]
    found = [] if drawn or not read else [f"nothing is drawn of {sorted(read)}"]
    found += [f"{code} goes in, and is not read" for code in drawn if not tensors_read(walk, code) <= read]
    shown = set().union(*map(names_read, drawn), set())
    arriving = {name for name in read if name in walk.run.gradients and matters(walk, name)}
    found += [f"{name} goes in, and is not drawn" for name in sorted(arriving - shown)]
    return [*found, *(f"{name} makes no difference" for name in drawn if name in read - arriving - {*walk.values})]


def struck_faults(walk: PlantedStep) -> list[str]:
    """What is struck through and isn't left out, and what is left out and isn't struck through."""
    struck = [one["code"] for one in walk.step["picture"]["operands"] if one["role"] == "left out"]
    own, right = parts_read(walk.step["code"]), names_read(walk.right)
    gone = tensors_read(walk, walk.right) - tensors_read(walk, walk.step["code"])
    told = _with_helpers(set().union(*map(names_read, struck), set()), walk.right)
    found = [f"{code} is still there" for code in struck if _is_there(walk, code, own)]
    found += [f"{code} was never there" for code in struck if not names_read(code) <= right]
    return [*found, *(f"{name} is left out, and not struck through" for name in sorted(gone - told))]


def _with_helpers(told: set[str], code: str) -> set[str]:
    """Names, and what they are made of in a text: a helper line that is struck through stands for what it reads."""
    for statement in reversed(ast.parse(code).body):
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in told:
            told = told | names_read(ast.unparse(statement.value))
    return told


def _is_there(walk: PlantedStep, code: str, own: Counter[str]) -> bool:
    known = walk.scope(walk.step, 1).get(code)
    if isinstance(known, torch.Tensor) and known.is_floating_point():
        return code in own and matters(walk, code)
    text = ast.unparse(ast.parse(code).body[0])
    return 0 < own[text] >= parts_read(walk.right)[text]


def planted_faults(walk: PlantedStep) -> list[str]:
    """All that is false in the picture of a planted line."""
    if not walk.step["picture"]:
        return ["no picture"]
    checks = (equation_faults, role_faults, caption_faults)
    found = [fault for check in checks for fault in check(walk, walk.step)]
    return [*found, *operand_faults(walk), *struck_faults(walk)]
