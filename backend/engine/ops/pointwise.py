"""Functions of one cell at a time: the local derivative times what arrives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import torch

from backend.engine.language.pytree import told_apart
from backend.engine.language.values import DType
from backend.engine.ops.base import Call, Op

PLAIN = "(2,3)", "()"
POSITIVE = "(2,3)+", "()+"


class Pointwise(Op):
    """What every function of one cell shares."""

    samples: ClassVar[tuple[str, ...]] = PLAIN
    keeps_axes = True

    @classmethod
    def cell_for(cls, call: Call) -> str:
        plain = len(cls.signatures[0].parameters) == 1
        return cls.cell or (cls.written[0].rpartition(".")[2] if plain else "")


class Exp(Pointwise):
    """Cell-by-cell exponential."""

    written = "torch.exp(x)", "x.exp()"
    symbol = "exp"
    backward = {"x": "out * g"}
    rates = {
        "diagonal": "Exponential: each cell of {node} moves with its own cell of {input}, at the rate {node} itself."
    }
    because = {"x": "The exponential is its own slope: the local derivative is {=out}."}


class Expm1(Pointwise):
    """Cell-by-cell exponential minus 1, accurate near zero."""

    written = "torch.expm1(x)", "x.expm1()"
    backward = {"x": "(out + 1) * g"}
    because = {"x": "Subtracting 1 changes no slope: the local derivative is the exponential, {=out + 1}."}
    cell = "exp(x) - 1"


class Log(Pointwise):
    """Cell-by-cell natural logarithm."""

    written = "torch.log(x)", "x.log()"
    symbol = "log"
    backward = {"x": "g / x"}
    poles = frozenset({"x"})
    rates = {"diagonal": "Logarithm: each cell of {node} moves with its own cell of {input}, at the rate 1/{input}."}
    because = {"x": "The slope of log at {x} is {=1 / x}: steep where it is small, flat where it is large."}
    briefly = {"x": "The slope of log is {=1 / x}."}
    samples = POSITIVE


class Log1p(Pointwise):
    """Cell-by-cell logarithm after adding 1, accurate near zero."""

    written = "torch.log1p(x)", "x.log1p()"
    backward = {"x": "g / (x + 1)"}
    because = {"x": "The slope of log is one over its argument: {=1 / (1 + x)}."}
    cell = "log(1 + x)"
    samples = POSITIVE


class Logit(Pointwise):
    """Cell-by-cell log-odds, the inverse of the logistic function."""

    written = "torch.logit(x)", "x.logit()"
    backward = {"x": "g / (x * (1 - x))"}
    poles = frozenset({"x"})
    because = {"x": "The logit undoes the sigmoid, so its slope is one over the sigmoid's: {=1 / (x * (1 - x))}."}
    cell = "log(x / (1 - x))"
    samples = "(2,3)01", "(4,)01"


class Log2(Pointwise):
    """Cell-by-cell logarithm to base 2."""

    written = "torch.log2(x)", "x.log2()"
    backward = {"x": "g / (x * math.log(2))"}
    poles = frozenset({"x"})
    because = {
        "x": "The slope of log is one over its argument, and base 2 divides it by log 2: {=1 / (x * math.log(2))}."
    }
    samples = POSITIVE


class Sqrt(Pointwise):
    """Cell-by-cell square root."""

    written = "torch.sqrt(x)", "x.sqrt()"
    symbol = "√"
    backward = {"x": "g / (2 * out)"}
    poles = frozenset({"x"})
    rates = {
        "diagonal": "Square root: each cell of {node} moves with its own cell of {input}, at the rate one over twice {node}."
    }
    because = {"x": "The slope of a root is one over twice the root, {=1 / (2 * out)}: steep near zero."}
    samples = POSITIVE


class RSqrt(Pointwise):
    """Cell-by-cell reciprocal of the square root."""

    written = "torch.rsqrt(x)", "x.rsqrt()"
    backward = {"x": "-0.5 * g * out**3"}
    poles = frozenset({"x"})
    because = {"x": "Power rule with the exponent −1/2: the local derivative is {=-0.5 * out**3}."}
    cell = "1 / sqrt(x)"
    samples = POSITIVE


class Square(Pointwise):
    """Cell-by-cell square."""

    written = "torch.square(x)", "x.square()"
    backward = {"x": "2 * x * g"}
    zeros = frozenset({"x"})
    rates = {
        "diagonal": "Square: each cell of {node} moves with its own cell of {input}, at the rate of twice that cell."
    }
    because = {"x": "Power rule: the 2 comes down in front, so the local derivative is {=2 * x}."}
    cell = "x ** 2"


class Reciprocal(Pointwise):
    """Cell-by-cell reciprocal."""

    written = "torch.reciprocal(x)", "x.reciprocal()"
    backward = {"x": "-out**2 * g"}
    poles = frozenset({"x"})
    because = {"x": "Nudge {x} up and its reciprocal falls: the local derivative is {=-out**2}."}
    cell = "1 / x"
    samples = POSITIVE


class Abs(Pointwise):
    """Cell-by-cell distance from zero."""

    builtin = "abs"

    written = "torch.abs(x)", "x.abs()", "torch.absolute(x)", "x.absolute()"
    backward = {"x": "torch.sign(x) * g"}
    zeros = frozenset({"x"})
    because = {
        "x": "Nudge {x} away from zero and its distance grows as much: the local derivative is {=torch.sign(x)}."
    }


class Staircase(Pointwise):
    """What jumps, and is flat between its jumps."""

    passed_straight = True
    backward = {"x": "torch.zeros_like(x)"}


class Sign(Staircase):
    """Cell-by-cell sign, one of −1, 0 and 1."""

    written = "torch.sign(x)", "x.sign()", "torch.sgn(x)", "x.sgn()"
    symbol = "sign"
    because = {"x": "The sign jumps at zero and is flat everywhere else: nothing gets through."}


class Floor(Staircase):
    """Cell-by-cell largest whole number not above."""

    written = "torch.floor(x)", "x.floor()"
    because = {"x": "Rounding down is flat between its jumps at whole numbers: nothing gets through."}


class Ceil(Staircase):
    """Cell-by-cell smallest whole number not below."""

    written = "torch.ceil(x)", "x.ceil()"
    because = {"x": "Rounding up is flat between its jumps at whole numbers: nothing gets through."}


class Trunc(Staircase):
    """Cell-by-cell part before the decimal point."""

    written = "torch.trunc(x)", "x.trunc()"
    because = {"x": "Cutting off decimals is flat between its jumps at whole numbers: nothing gets through."}


class Round(Staircase):
    """Cell-by-cell nearest whole number, halves to the even one."""

    written = "torch.round(x)", "x.round()"
    because = {
        "x": "Rounding is flat between its jumps halfway from one whole number to the next: nothing gets through."
    }


class Log10(Pointwise):
    """Cell-by-cell logarithm to base 10."""

    written = "torch.log10(x)", "x.log10()"
    backward = {"x": "g / (x * math.log(10))"}
    poles = frozenset({"x"})
    because = {
        "x": "The slope of log is one over its argument, and base 10 divides it by log 10: {=1 / (x * math.log(10))}."
    }
    samples = POSITIVE


class Exp2(Pointwise):
    """Cell-by-cell power of 2."""

    written = "torch.exp2(x)", "x.exp2()"
    backward = {"x": "out * math.log(2) * g"}
    why_not_exact = "autograd multiplies by the upstream gradient first, and by the rounded ln 2 then"
    because = {"x": "The slope of a power of 2 is itself times log 2: {=out * math.log(2)}."}
    cell = "2 ** x"


def as_float(tensor: torch.Tensor) -> torch.Tensor:
    """x.float(), in the precision of this run: the same program is also run in float64."""
    return told_apart(tensor.to(torch.get_default_dtype()), tensor)


def converted(tensor: torch.Tensor, to: Any) -> torch.Tensor:
    """x.to(…), x.type(…) or x.type_as(…): floating point is that of this run, and there is one device."""
    kind = dtype_of(to.dtype if isinstance(to, torch.Tensor) else to)
    if not isinstance(kind, torch.dtype):
        return tensor
    return as_float(tensor) if kind.is_floating_point else tensor.to(kind)


def dtype_of(word: Any) -> Any:
    """torch's kind of number for a word such as `torch.float32` in a program; anything else is itself."""
    return getattr(torch, word) if isinstance(word, DType) else word


class Float(Pointwise):
    """The same numbers as floating point."""

    written = "x.float()", "x.to(dtype)", "x.type(dtype)", "x.type_as(like)"
    backward = {"x": "g"}
    because = {"x": "Not one number changed: the gradient passes through."}
    samples = *PLAIN, "(2,3) dtype=torch.float32", "(2,3) dtype=torch.float", "(2,3) like=torch.ones(2)"
    others = frozenset({"like"})
    cell = "x"
    device_keys = frozenset({".to"})
    runs = {".float": as_float, ".to": converted, ".type": converted, ".type_as": converted}

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and bound.get("dtype", "cpu") in FLOATS


FLOATS = ("cpu", "float32", "float", "float64", "double", torch.float32, torch.float64)


class Lerp(Op):
    """Cell by cell the point a given share of the way from one tensor to another."""

    called = {"end": "y"}
    written = "torch.lerp(x, y, weight)", "x.lerp(y, weight)"
    backward = {"x": "(1 - weight) * g", "y": "weight * g", "weight": "(y - x) * g"}
    because = {
        "x": "{x} counts for the rest beside {weight}: the local derivative is {=1 - weight}.",
        "y": "{y} counts for the share {weight}: the local derivative is {=weight}.",
        "weight": "A larger share moves the result from {x} towards {y}: the local derivative is {=y - x}.",
    }
    does = "{it} is the point part of the way from {x} to {y}{cellwise}."
    cell = "x + weight * (y - x)"
    samples = "(2,3) (2,3) (2,3)", "(2,3) (3,) 0.3"
    broadcasts = True
