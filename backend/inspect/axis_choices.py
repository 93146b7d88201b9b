"""Which axis to sum over: every axis that could be chosen for a tensor that was broadcast, and what comes of each."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypedDict

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.lookup import with_gradient
from backend.engine.execute.plan import Plan
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.unparse import printed
from backend.engine.language.wording import listed, plural
from backend.lines.equations.equation import contributed
from backend.lines.equations.names import Names, names_of
from backend.lines.equations.peel import Total, total_of
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

# Beyond so many axes only single ones are offered, beside the right ones and all of them.
MOST_AXES = 3
SAME = 1e-4


class AxisChoice(TypedDict):
    """One way to sum, and what comes of it."""

    code: str
    axes: list[int]
    keepdim: bool
    shape: list[int]
    fits: Annotated[bool, "it has the shape of the tensor"]
    right: bool
    why: str


class AxisChoices(TypedDict):
    """The gradient before it is summed, the shape that is needed, and every way to sum."""

    tensor: str
    code: Annotated[str, "what is summed"]
    shape: list[int]
    dims: Annotated[list[str], "names of its axes"]
    needed: list[int]
    choices: list[AxisChoice]


@dataclass(frozen=True)
class Copied:
    """A tensor that was copied along `axes` of the gradient's shape; `kept` are those that it has with length 1."""

    name: str
    needed: tuple[int, ...]
    shape: tuple[int, ...]
    dims: list[str]
    axes: tuple[int, ...]
    kept: tuple[int, ...]

    def named(self, axes: Sequence[int]) -> str:
        """`axis 0 (example)`, `axes 0 and 1`."""
        if len(axes) > 1:
            return f"axes {listed([str(axis) for axis in axes])}"
        dim = self.dims[axes[0]]
        return f"axis {axes[0]}" + ("" if dim.startswith("axis ") else f" ({dim})")


@guarded
def axis_choices(wanted: Request, names: Path | None = None) -> AxisChoices:
    """Every way to sum the gradient of one tensor: answers POST /api/axes; raises Refusal where it wasn't broadcast."""
    return axis_choices_of(run_of(wanted["walk"], names), wanted["tensor"])


def axis_choices_of(run: Run, name: str) -> AxisChoices:
    """Every way to sum the gradient of a tensor that was broadcast; raises Refusal where it was not."""
    names = names_of(run.plan)
    line, total = _summing(run.plan, name, names)
    return _choices(run, line, total, names)


def axis_step(plan: Plan, name: str) -> int:
    """The step of the walk that the question of a tensor's axis is about, counted from 0; raises Refusal for none."""
    return plan.first_backward + plan.lines.index(_summing(plan, name, names_of(plan))[0])


def _summing(plan: Plan, name: str, names: Names) -> tuple[Line, Total]:
    """The first line that sums a tensor's gradient over the places to which the tensor was copied."""
    node = with_gradient(plan, name)
    for line in plan.lines:
        total = _total(line, names) if line.target is node else None
        if total is not None:
            return line, total
    raise Refusal("axis-none", found=name)


def broadcast_tensors(plan: Plan) -> list[str]:
    """The named tensors of whose gradients the axis can be asked."""
    names = names_of(plan)
    return list(dict.fromkeys(str(line.target.name) for line in plan.lines if not line.inner and _total(line, names)))


def _total(line: Line, names: Names) -> Total | None:
    """The sum that a line is, over the places to which its tensor was copied."""
    total = None if line.through is None or line.is_partial else total_of(contributed(line), names)
    return total if total is not None and total.axes else None


def _choices(run: Run, line: Line, total: Total, names: Names) -> AxisChoices:
    node, of = line.target, total.of
    kept = tuple(axis for axis, keep in zip(total.axes, total.keep, strict=True) if keep)
    copied = Copied(str(node.name), node.shape, names.shape(of), names.dims(of), tuple(total.axes), kept)
    value = _before_the_sum(run, line, of)
    wanted = value.sum(copied.axes, keepdim=bool(kept))
    offered = [_choice(copied, value, wanted, of, chosen, keep) for chosen, keep in _ways(copied)]
    if not any(one["right"] for one in offered):
        offered.append(_own(line, copied))
    return {
        "tensor": copied.name,
        "code": printed(of),
        "shape": list(copied.shape),
        "dims": copied.dims,
        "needed": list(node.shape),
        "choices": offered,
    }


def _before_the_sum(run: Run, line: Line, of: ast.expr) -> torch.Tensor:
    """What a line sums; helpers may stand in lines before it, or in its own."""
    evaluator = Evaluator(dict(run.forward.values))
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        for one in run.plan.lines[: run.plan.lines.index(line)]:
            evaluator.run(one.statements)
        evaluator.run(line.statements[:-1])
        return evaluator.tensor(of)


def _ways(copied: Copied) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The axes to sum, and whether they stay: all subsets of a few axes."""
    every = tuple(range(len(copied.shape)))
    most = len(every) if len(every) <= MOST_AXES else 1
    chosen = [one for count in range(1, most + 1) for one in combinations(every, count)]
    for axes in dict.fromkeys([*chosen, copied.axes, every]):
        yield axes, False
        yield axes, True


def _choice(
    copied: Copied, value: torch.Tensor, wanted: torch.Tensor, of: ast.expr, axes: tuple[int, ...], keep: bool
) -> AxisChoice:
    made = value.sum(axes, keepdim=keep)
    fits = tuple(made.shape) == copied.needed
    right = fits and axes == copied.axes
    why = _why_right(copied, keep) if right else _why_not(copied, made, wanted, axes, keep)
    return {
        "code": printed(_summed(of, axes, keep, len(copied.shape))),
        "axes": list(axes),
        "keepdim": keep,
        "shape": list(made.shape),
        "fits": fits,
        "right": right,
        "why": why,
    }


def _summed(of: ast.expr, axes: tuple[int, ...], keep: bool, count: int) -> ast.expr:
    numbers: list[ast.expr] = [ast.Constant(axis) for axis in axes]
    given: list[ast.expr] = numbers if len(axes) == 1 else [ast.Tuple(numbers, ast.Load())]
    given = [] if len(axes) == count and not keep else given
    named = [ast.keyword("keepdim", ast.Constant(True))] if keep else []
    return ast.Call(ast.Attribute(of, "sum", ast.Load()), given, named)


def _own(line: Line, copied: Copied) -> AxisChoice:
    """The line's own sum, where neither keeping all axes nor none gives the shape."""
    kept = _lengths(len(copied.kept))
    why = f"`{copied.name}` was copied along {copied.named(copied.axes)}, and has {kept} of length 1."
    return {
        "code": printed(contributed(line)), "axes": list(copied.axes), "keepdim": True,
        "shape": list(copied.needed), "fits": True, "right": True, "why": why,
    }  # fmt: skip


def _lengths(count: int) -> str:
    return "one axis" if count == 1 else f"{count} axes"


def _why_right(copied: Copied, keep: bool) -> str:
    times = math.prod(copied.shape[axis] for axis in copied.axes)
    used = "it" if not math.prod(copied.needed) > 1 else "each of its numbers"
    text = (
        f"`{copied.name}` was copied along {copied.named(copied.axes)}: "
        f"{used} was used {times} times, so {times} gradients add up."
    )
    return f"{text} The axis stays with length 1, as `{copied.name}` has it." if keep else text


def _why_not(copied: Copied, made: torch.Tensor, wanted: torch.Tensor, axes: tuple[int, ...], keep: bool) -> str:
    shapes = f"The result is {_shape(made.shape)}; `{copied.name}` is {_shape(copied.needed)}."
    if axes == copied.axes:
        many = "axes" if len(axes) > 1 else "axis"
        if 0 < len(copied.kept) < len(axes):
            return f"The right {many}, but only {copied.named(copied.kept)} has to stay with length 1. {shapes}"
        if keep:
            return f"The right {many}, but `{copied.name}` has no such {many}: leave `keepdim=True` out. {shapes}"
        return f"The right {many}, but it has to stay with length 1: `keepdim=True`. {shapes}"
    own = [axis for axis in axes if axis not in copied.axes]
    left = [axis for axis in copied.axes if axis not in axes]
    told = []
    if own:
        numbers = listed([plural(_place(copied, axis), copied.shape[axis]) for axis in own])
        told.append(f"`{copied.name}` wasn't copied along {copied.named(own)}: this adds up its {numbers}.")
    if left:
        told.append(f"It was copied along {copied.named(left)}, and those copies are not added up.")
    if tuple(made.shape) != copied.needed:
        return " ".join([*told, shapes])
    gap = float((made - wanted.reshape(made.shape)).abs().max()) if made.numel() else 0.0
    luck = gap <= SAME * max(float(wanted.abs().max()), 1e-30)
    ending = "The numbers agree here by chance." if luck else "The shape fits by chance; the numbers are others."
    return " ".join([*told, ending])


def _place(copied: Copied, axis: int) -> str:
    dim = copied.dims[axis]
    return "number" if dim.startswith("axis ") else dim


def _shape(shape: Sequence[int]) -> str:
    return f"{tuple(shape)}" if len(shape) else "a single number"
