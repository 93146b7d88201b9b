"""The mistake of clipping the loss, as a program: each example's loss is clamped before their mean is taken.

Beyond the limit a clamped loss is a constant. Its slope is 0, and nothing is learned from its example.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backend.engine.execute.plan import Plan
from backend.engine.language.errors import Refusal
from backend.engine.ops import REGISTRY
from backend.pipeline import planned
from backend.program.request import Material

FOLDED = {key for key, known in REGISTRY.items() if any(one.parameters.get("reduction") == "mean" for _, one in known)}


@dataclass(frozen=True)
class ClampedLoss:
    """A program whose loss is the mean of clamped ones; `each` is the variable of what they were before."""

    plan: Plan
    each: str
    limit: float


def clamped_loss(material: Material, plan: Plan, limit: float) -> ClampedLoss | None:
    """The program with each example's loss clamped; None where its loss is not a mean over examples."""
    if plan.planted is not None:
        return None
    name = str(plan.graph.loss.name)
    tree = ast.parse(material.source)
    found = next((one for one in reversed(tree.body) if _makes(one, name)), None)
    if not isinstance(found, ast.Assign):
        return None
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | set(material.tensors)
    each, held = (next(_free(word, taken)) for word in ("losses", "clamped"))
    for of_each in _texts(found.value, material.source):
        first = "" if of_each.isidentifier() else f"{each} = {of_each}\n"
        each = each if first else of_each
        lines = f"{first}{held} = {each}.clamp(max={limit!r})\n{name} = {held}.mean()"
        try:
            made = planned(replace(material, source=_replaced(material.source, found, lines), lesson=None))
        except Refusal:
            continue
        node = made.graph.by_variable.get(each)
        if node is not None and len(node.shape) == 1 and node.shape[0] > 1:
            return ClampedLoss(made, each, limit)
    return None


def _makes(statement: ast.stmt, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _free(word: str, taken: set[str]) -> Iterator[str]:
    yield from (name for name in (word, *(f"{word}_{number}" for number in range(2, 99))) if name not in taken)


def _texts(value: ast.expr, source: str) -> Iterator[str]:
    """The loss of each example as it may be written, from the line of their mean."""
    minus = ""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        minus, value = "-", value.operand
    if not isinstance(value, ast.Call):
        return
    called = ast.unparse(value.func).replace("torch.nn.functional.", "F.")
    keywords = {one.arg: one.value for one in value.keywords}
    if called in FOLDED and ast.unparse(keywords.get("reduction", ast.Constant("mean"))) == "'mean'":
        others = [one for one in value.keywords if one.arg != "reduction"]
        each = [*value.args, *others, ast.keyword("reduction", ast.Constant("none"))]
        yield f"{minus}{called}({', '.join(ast.unparse(one) for one in each)})"
    elif called == "torch.mean" and len(value.args) == 1 and not value.keywords:
        yield f"{minus}({ast.get_source_segment(source, value.args[0])})"
    elif isinstance(value.func, ast.Attribute) and value.func.attr == "mean" and not (value.args or value.keywords):
        yield f"{minus}{ast.get_source_segment(source, value.func.value)}"


def _replaced(source: str, statement: ast.stmt, lines: str) -> str:
    """A text with other lines in the place of one statement, which begins a line."""
    text = source.splitlines()
    assert statement.end_lineno is not None
    return "\n".join((*text[: statement.lineno - 1], lines, *text[statement.end_lineno :])) + "\n"
