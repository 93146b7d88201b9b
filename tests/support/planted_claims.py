"""The picture of a planted line beside the numbers of the line that is run: operands, what is left out, what goes in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch

from backend.encode import lists
from backend.execute.plan import Plan
from backend.execute.planting import plant_mistake, possible
from backend.execute.session import execute
from backend.present.pictures import holds, picture
from tests.support.backward_claims import Taught, same
from tests.support.equation_checks import caption_faults, equation_faults, present, role_faults

FREE = {"torch", "F", "math"}


class PlantedStep(Taught):
    """A walk at whose one step another line is run, from there on as the page draws it."""

    def __init__(self, plain: Taught, plan: Plan) -> None:
        vars(self).update(vars(plain))
        known = plan.planted
        assert known is not None
        self.run, self.scopes = execute(plan, plain.run.material), {}
        drawn, kept = plan.pictures[known.number], self.run.contributions[known.number]
        self.lost, self.right = bool(kept.lost), known.right.code
        self.broadcasts = known.line.mode == "+="
        self.step: dict[str, Any] = plain.steps[known.number] | {
            "code": known.line.code,
            "mode": known.line.mode,
            "lines": known.line.rows,
            "picture": picture(self.run, drawn, kept, lists) if drawn and holds(drawn, kept) else None,
            "arrives": drawn.arrives if drawn else None,
        }
        self.steps = [*plain.steps[: known.number], self.step]

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
    mistakes = [(n, one.mutant.code) for n in range(len(plan.lines)) for one in possible(plan, n)]
    for number, code in mistakes[first::every]:
        made = PlantedStep(plain, plant_mistake(plan, number, code))
        if not made.lost:
            yield f"{code}: {made.step['code']}", made


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


def tensors_read(walk: PlantedStep, code: str) -> set[str]:
    """Those of them that are tensors of the walk."""
    known = {name for name, value in walk.values.items() if isinstance(value, torch.Tensor)}
    return names_read(code) & (known | set(walk.run.gradients)) - {walk.target(walk.step)}


def operand_faults(walk: PlantedStep) -> list[str]:
    """Operands that are missing, and operands that don't go into the result."""
    read = tensors_read(walk, walk.step["code"])
    drawn = [operand["code"] for operand in present(walk.step["picture"])]
    found = [] if drawn or not read else [f"nothing is drawn of {sorted(read)}"]
    found += [f"{code} goes in, and is not read" for code in drawn if not tensors_read(walk, code) <= read]
    shown = set().union(*map(names_read, drawn), set())
    arriving = {name for name in read if name in walk.run.gradients}
    return [*found, *(f"{name} goes in, and is not drawn" for name in sorted(arriving - shown)), *idle(walk, drawn)]


def idle(walk: PlantedStep, drawn: list[str]) -> list[str]:
    """Gradients that are drawn as operands, and make no difference to the result."""
    found = []
    for name in set(drawn) & set(walk.run.gradients):
        was, other = walk.result(1), torch.rand_like(walk.scope(walk.step, 1)[name]) + 1
        now = walk.result(1, **{name: other})
        if was is not None and now is not None and same(was, now) and was.any():
            found.append(f"{name} makes no difference")
    return found


def struck_faults(walk: PlantedStep) -> list[str]:
    """What is struck through and isn't left out, and what is left out and isn't struck through."""
    struck = [one["code"] for one in walk.step["picture"]["operands"] if one["role"] == "left out"]
    own, right = (code.replace(" ", "") for code in (walk.step["code"], walk.right))
    gone = tensors_read(walk, walk.right) - tensors_read(walk, walk.step["code"])
    told = set().union(*map(names_read, struck), set())
    found = [
        f"{code} is still there" for code in struck if code.isidentifier() and code in names_read(walk.step["code"])
    ]
    found += [f"{code} was never there" for code in struck if not names_read(code) <= names_read(walk.right)]
    found += [
        f"{code} is still there"
        for code in struck
        if code.replace(" ", "") in own and code not in gone and own != right
    ]
    return [*found, *(f"{name} is left out, and not struck through" for name in sorted(gone - told))]


def planted_faults(walk: PlantedStep) -> list[str]:
    """All that is false in the picture of a planted line."""
    if not walk.step["picture"]:
        return ["no picture"]
    checks = (equation_faults, role_faults, caption_faults)
    found = [fault for check in checks for fault in check(walk, walk.step)]
    return [*found, *operand_faults(walk), *struck_faults(walk)]
