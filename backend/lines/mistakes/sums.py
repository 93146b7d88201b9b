"""Sums mistaken: left out, over another axis, with an axis too many or too few, averaged instead of added."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backend.engine.language.application import operands
from backend.engine.language.tree import constant
from backend.engine.language.wording import listed
from backend.lines.equations.drawn import drawn
from backend.lines.mistakes import wording
from backend.lines.mistakes.edits import Edit, Setting

DIM, KEEP = ("dim", "axis"), ("keepdim", "keepdims")


@dataclass(frozen=True)
class Sum:
    """A sum as it is written: what is added, over which axes, and whether they stay with length 1."""

    of: ast.expr
    axes: tuple[int, ...]
    keep: bool
    all: bool = False

    def written(self, method: str = "sum") -> ast.expr:
        """The sum as a method call."""
        func = ast.Attribute(self.of, method, ast.Load())
        axes: list[ast.expr] = [constant(axis) for axis in self.axes]
        given = [] if self.all else [axes[0] if len(axes) == 1 else ast.Tuple(axes, ast.Load())]
        return ast.Call(func, given, [ast.keyword("keepdim", ast.Constant(True))] if self.keep else [])


def sum_of(expr: ast.expr, setting: Setting) -> Sum | None:
    """The sum that an expression is; None where it is none, or its axes are not written out."""
    if not (isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and drawn(expr.func.attr) == "sum"):
        return None
    (of, *rest), named = operands(expr)
    shape = setting.shape(of)
    if shape is None:
        return None
    dim = next((named[name] for name in DIM if name in named), rest[0] if rest else None)
    keep = next((named[name] for name in KEEP if name in named), rest[1] if len(rest) > 1 else ast.Constant(False))
    try:
        axes, kept = None if dim is None else ast.literal_eval(dim), bool(ast.literal_eval(keep))
    except ValueError:
        return None
    given = range(len(shape)) if axes is None else axes if isinstance(axes, tuple | list) else (axes,)
    if not all(type(axis) is int and -len(shape) <= axis < len(shape) for axis in given):
        return None
    return Sum(of, tuple(sorted(axis % len(shape) for axis in given)), kept, axes is None)


def mistaken_sums(part: ast.expr, setting: Setting) -> Iterator[Edit]:
    """What a sum may be mistaken for."""
    total = sum_of(part, setting)
    shape = None if total is None else setting.shape(total.of)
    if total is None or not shape:
        return
    over, target = spoken(total.axes), setting.target
    uses = " × ".join(str(shape[axis]) for axis in total.axes)
    yield Edit("missing-sum", part, total.of, wording.missing_sum(target, uses))
    if not total.all:
        flipped = replace(total, keep=not total.keep)
        yield Edit("keepdim", part, flipped.written(), wording.keepdim(target, total.keep))
    for axis in range(len(shape)):
        if axis in total.axes and len(total.axes) == 1:
            continue
        other = replace(total, axes=(axis,), all=False)
        label = wording.wrong_axis(target, over, spoken(other.axes), len(total.axes) > 1)
        yield Edit("wrong-axis", part, other.written(), label)
        yield Edit("wrong-axis", part, replace(other, keep=not total.keep).written(), label)
    yield Edit("scale", part, total.written("mean"), wording.AVERAGED)


def spoken(axes: tuple[int, ...]) -> str:
    """`axis 0`, `axes 0 and 1`."""
    return f"{'axis' if len(axes) == 1 else 'axes'} {listed([str(axis) for axis in axes])}"
