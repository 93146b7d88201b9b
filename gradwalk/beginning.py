"""Where it began: the first line of a step, forward and then back, at which something is no longer as usual."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.language.tree import loaded_in, stored_in
from backend.engine.language.wording import cell_text
from gradwalk.origins import Origin, back, origins
from gradwalk.walking import Walk

ARRIVING = "gradwalk_arriving"  # the gradients that arrive at a model's outputs go by such names
JUMP = 100.0  # times the size that a tensor had in the step before


@dataclass(frozen=True)
class Beginning:
    """A tensor or a gradient with the cell that is first out of the usual; the line of the program, and the user's."""

    name: str
    cell: tuple[int, ...]
    value: float
    what: str
    origin: Origin

    def __str__(self) -> str:
        made = f", made by `{self.origin.line}`" if self.origin.line else ""
        return f"{self.name}{cell_text(self.cell)} = {self.value:.4g}, which {self.what}{made}{self.origin.place}"


@dataclass(frozen=True)
class Made:
    """What one line of a walk makes; `line` is a line of the way back, None going forward."""

    name: str
    tensor: torch.Tensor
    line: Line | None = None


def beginning(walk: Walk, before: Walk | None) -> Beginning | None:
    """The first line that makes something that isn't finite; else that makes nothing, or too much of it, where the step
    before didn't."""
    now = list(made_in(walk))
    for one in now:
        if not bool(one.tensor.isfinite().all()):
            return told(walk, one, first(~one.tensor.isfinite()), "isn't finite")
    for one, other in zip(now, made_in(before) if before is not None else (), strict=False):
        if not one.tensor.numel() or other.name != one.name:
            continue
        size, usual = (float(each.tensor.abs().max()) for each in (one, other))
        if usual and not size:
            return told(walk, one, (0,) * one.tensor.dim(), "is zero, as is every other cell of it")
        if size > JUMP * usual > 0:
            what = f"is {size / usual:.0f} times as large as the largest of the step before"
            return told(walk, one, first(one.tensor.abs() == size), what)
    return None


def made_in(walk: Walk) -> Iterator[Made]:
    """The values going forward in their order, then what arrives at the model's outputs, then the gradients."""
    graph, values = walk.run.plan.graph, walk.run.forward.tensors
    arriving = [node.variable for node in graph.inputs if node.variable.startswith(ARRIVING)]
    behind = {*arriving, *statements_with(walk, arriving)}
    forward = [node.variable for node in graph.named if node.variable not in behind]
    for name in (*forward, *arriving):
        value = values.get(name)
        if value is not None and value.is_floating_point():
            yield Made(name, value)
    for line, kept in zip(walk.run.plan.lines, walk.run.contributions, strict=True):
        yield Made(line.variable, kept.value, line)


def statements_with(walk: Walk, names: Sequence[str]) -> Iterator[str]:
    """What is made of these, directly or not."""
    known = set(names)
    for statement in ast.parse(walk.recording.program.source).body:
        if known & set(loaded_in(statement)):
            made = set(stored_in(statement))
            known |= made
            yield from made


def first(mask: torch.Tensor) -> tuple[int, ...]:
    """The first cell of a mask."""
    return tuple(mask.nonzero()[0].tolist())


def told(walk: Walk, made: Made, cell: tuple[int, ...], what: str) -> Beginning:
    """A beginning with the line that it is made by, and the line of the user's that this is."""
    line, value = made.line, float(made.tensor[cell])
    if made.name.startswith(ARRIVING):
        told_as = "the gradient that arrives at the model's output"
        return Beginning(told_as, cell, value, f"{what}: it comes from behind the model", Origin())
    known = origins(walk.recording.program)
    origin = known.get(made.name, Origin()) if line is None else back(line, known)
    label = walk.recording.program.labels.get(made.name, made.name)
    return Beginning(label, cell, value, what, origin)
