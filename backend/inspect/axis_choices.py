"""Which axis to sum over: every axis that could be chosen for a tensor that was broadcast, and what comes of each."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, TypedDict

import torch

from backend.differentiate.lines import Line
from backend.differentiate.scope import scope_after
from backend.equations.equation import contributed
from backend.equations.names import Names
from backend.equations.peel import total_of
from backend.execute.lookup import with_gradient
from backend.execute.plan import Plan
from backend.execute.session import Run
from backend.interpret.evaluate import DefaultDtype, Evaluator
from backend.language.errors import Refusal
from backend.language.unparse import printed
from backend.language.wording import listed, plural
from backend.trace.graph import Node

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


def axis_choices(run: Run, name: str) -> AxisChoices:
    """Every way to sum the gradient of a tensor that was broadcast; raises Refusal where it was not."""
    plan = run.plan
    node = with_gradient(plan, name)
    names = Names(plan.graph, plan.lines, scope_after(plan.lines, plan.graph))
    for line in plan.lines:
        if line.target is node and any(one.is_broadcast for one in line.nodes):
            total = total_of(contributed(line), names)
            if total is not None:
                return _choices(run, line, node, names, total.of, tuple(total.axes), names.shape(total.of))
    raise Refusal("axis-none", found=name)


def broadcast_tensors(plan: Plan) -> list[str]:
    """The named tensors of whose gradients the axis can be asked."""
    names = Names(plan.graph, plan.lines, scope_after(plan.lines, plan.graph))
    found = (
        str(line.target.name)
        for line in plan.lines
        if not line.inner and any(one.is_broadcast for one in line.nodes) and total_of(contributed(line), names)
    )
    return list(dict.fromkeys(found))


def _choices(
    run: Run, line: Line, node: Node, names: Names, of: ast.expr, axes: tuple[int, ...], shape: tuple[int, ...]
) -> AxisChoices:
    expand = next(one for one in line.nodes if one.is_broadcast)
    copied = Copied(str(node.name), node.shape, shape, names.dims(of), axes, _kept(expand, axes, shape))
    with torch.no_grad(), DefaultDtype(run.material.dtype):
        value = Evaluator({**run.forward.values, **run.gradients}).tensor(of)
    wanted = value.sum(axes, keepdim=bool(copied.kept)) if axes else value
    offered = [_choice(copied, value, wanted, of, chosen, keep) for chosen, keep in _ways(copied)]
    if not any(one["right"] for one in offered):
        offered.append(_own(line, copied, value, wanted))
    return {
        "tensor": copied.name,
        "code": printed(of),
        "shape": list(shape),
        "dims": copied.dims,
        "needed": list(node.shape),
        "choices": offered,
    }


def _kept(expand: Node, axes: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The summed axes that the tensor has with length 1; those before its own axes it does not have."""
    source = expand.inputs["x"].shape
    missing = len(shape) - len(source)
    return tuple(axis for axis in axes if axis >= missing and source[axis - missing] == 1)


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


def _own(line: Line, copied: Copied, value: torch.Tensor, wanted: torch.Tensor) -> AxisChoice:
    """The line's own sum, where neither keeping all axes nor none gives the shape."""
    return {
        "code": printed(contributed(line)), "axes": list(copied.axes), "keepdim": True,
        "shape": list(copied.needed), "fits": True, "right": bool(wanted.numel() <= value.numel()),
        "why": f"`{copied.name}` was copied along {copied.named(copied.axes)}, "
        f"and has {_lengths(len(copied.kept))} of length 1.",
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
