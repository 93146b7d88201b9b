"""Tensors that carry no gradient: made from nothing, compared, or made to help a backward line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from backend.engine.language.pytree import told_apart
from backend.engine.language.values import DType, Parameters
from backend.engine.ops.base import LETTERS, Call, Op, folding


class Helper(Op):
    """An operation that backward lines and answers may use, and forward programs where no gradient flows."""

    differentiable = False

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return True


class Stop(Helper):
    """An operation through which no gradient flows, in torch either: it may be used anywhere."""

    stops = True


class Made(Stop):
    """A tensor made from nothing."""

    creates = True

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # A number in the place of the type belongs to the spelling with one argument more: `torch.arange(0, 6, 2)`.
        return bound.get("device") in (None, "cpu") and not isinstance(bound.get("dtype"), int | float)


class Zeros(Made):
    """Zeros of a given shape."""

    written = "torch.zeros(*size, dtype=None, device=None)", "x.new_zeros(*size, dtype=None, device=None)"
    shaped_by = "size"
    cell = "0"
    is_free = True


class Ones(Made):
    """Ones of a given shape."""

    written = "torch.ones(*size, dtype=None, device=None)", "x.new_ones(*size, dtype=None, device=None)"
    shaped_by = "size"
    cell = "1"
    is_free = True


class Full(Made):
    """One number in every cell of a given shape."""

    written = (
        "torch.full(size, fill_value, dtype=None, device=None)", "x.new_full(size, fill_value, dtype=None, device=None)",
    )  # fmt: skip
    cell = "fill_value"
    is_free = True


class Tensor(Made):
    """The numbers given."""

    written = ("torch.tensor(data, dtype=None, device=None)",)
    is_free = True

    @classmethod
    def cell_for(cls, call: Call) -> str:
        return "" if call.out else "data"


class Arange(Made):
    """Numbers in even steps."""

    helper_word = "range"

    is_free = True

    written = (
        "torch.arange(end, dtype=None, device=None)", "torch.arange(start, end, dtype=None, device=None)",
        "torch.arange(start, end, step, dtype=None, device=None)",
    )  # fmt: skip

    @classmethod
    def cell_for(cls, call: Call) -> str:
        step = "step * column" if "step" in call.parameters else "column"
        return f"start + {step}" if "start" in call.parameters else step


class LinSpace(Made):
    """Evenly spaced values, a given number from start to end."""

    written = ("torch.linspace(start, end, steps, dtype=None, device=None)",)


class Eye(Made):
    """Ones on the diagonal, zeros elsewhere."""

    written = "torch.eye(n, dtype=None, device=None)", "torch.eye(n, m, dtype=None, device=None)"
    cell = "1 if row == column else 0"


class TriangleIndices(Made):
    """Rows and columns of a matrix's lower, or upper, triangle."""

    written = (
        "torch.tril_indices(row, col, offset=0, device=None)", "torch.triu_indices(row, col, offset=0, device=None)",
    )  # fmt: skip


def of_this_run(kind: Any) -> torch.finfo:
    """torch.finfo(…) of a tensor's own type; one that is written out stands for the floating point of this run."""
    if not isinstance(kind, DType):
        return torch.finfo(kind)
    named = getattr(torch, kind)
    return torch.finfo(torch.get_default_dtype() if named.is_floating_point else named)


class FloatInfo(Made):
    """Facts about a floating-point type: `torch.finfo(x.dtype).eps` is the distance from 1 to the next number."""

    written = ("torch.finfo(dtype)",)
    runs = {"torch.finfo": of_this_run}
    of_precision = True


class ZerosLike(Stop):
    """Zeros in the shape of a given tensor."""

    written = ("torch.zeros_like(x, dtype=None)",)
    does = "{it} is all zeros, in the shape of {x}."
    is_free = True
    drawn = "shape"
    helper_word = "zeros"
    cell = "0"


class OnesLike(Stop):
    """Ones in the shape of a given tensor."""

    written = ("torch.ones_like(x, dtype=None)",)
    does = "{it} is all ones, in the shape of {x}."
    is_free = True
    drawn = "shape"
    helper_word = "ones"
    cell = "1"


class FullLike(Stop):
    """One number in every cell, in the shape of a given tensor."""

    written = ("torch.full_like(x, fill_value, dtype=None)",)
    does = "{it} holds one number in every cell, in the shape of {x}."
    drawn = "shape"
    cell = "fill_value"


class Detach(Stop):
    """The same numbers, through which no gradient flows."""

    written = ("x.detach()",)
    detaches = True
    does = "{it} holds the same numbers, through which no gradient flows."
    is_free = True
    cell = "x"


class Whole(Stop):
    """The numbers cut to whole ones, or to truth values."""

    written = "x.long()", "x.int()", "x.bool()", "x.to(dtype)", "x.type(dtype)"
    does = "{it} cuts the numbers to whole ones, or to truth values."

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return "dtype" not in bound or bound["dtype"] in WHOLE


WHOLE = ("int64", "long", "int32", "int", "bool", torch.int64, torch.int32, torch.bool)


class Marks(Stop):
    """What is true or false of each cell."""

    does = "{it} marks the cells where this holds."


class NotFinite(Marks):
    """Which cells are NaN, infinite or finite: isnan, isinf and isfinite, cell by cell."""

    written = "torch.isnan(x)", "x.isnan()", "torch.isinf(x)", "x.isinf()", "torch.isfinite(x)", "x.isfinite()"


class AnyOf(Stop):
    """Whether any cell holds, of all or along an axis."""

    written = "x.any()", "torch.any(x)", "x.any(dim, keepdim=False)", "torch.any(x, dim, keepdim=False)"


class AllOf(Stop):
    """Whether every cell holds, of all or along an axis."""

    written = "x.all()", "torch.all(x)", "x.all(dim, keepdim=False)", "torch.all(x, dim, keepdim=False)"


class Compares(Marks):
    """Two numbers compared, as the first spelling does it."""

    @classmethod
    def cell_for(cls, call: Call) -> str:
        return cls.written[0]


class Equal(Compares):
    """Cell by cell whether two numbers are equal."""

    written = "x == y", "torch.eq(x, y)", "x.eq(y)"


class Unequal(Compares):
    """Cell by cell whether two numbers differ."""

    written = "x != y", "torch.ne(x, y)", "x.ne(y)"


class Less(Compares):
    """Cell by cell whether the first number is smaller than the second."""

    written = "x < y", "torch.lt(x, y)", "x.lt(y)"


class LessOrEqual(Compares):
    """Cell by cell whether the first number is not larger than the second."""

    written = "x <= y", "torch.le(x, y)", "x.le(y)"


class Greater(Compares):
    """Cell by cell whether the first number is larger than the second."""

    written = "x > y", "torch.gt(x, y)", "x.gt(y)"


class GreaterOrEqual(Compares):
    """Cell by cell whether the first number is not smaller than the second."""

    written = "x >= y", "torch.ge(x, y)", "x.ge(y)"


class Invert(Stop):
    """A mask with yes and no exchanged."""

    written = "~x", "torch.logical_not(x)", "x.logical_not()"
    does = "{it} exchanges yes and no in a mask."
    cell = "not x"


class LogicalAnd(Marks):
    """Cell by cell whether both hold."""

    written = "x & y", "torch.logical_and(x, y)", "x.logical_and(y)"
    cell = "x and y"


class LogicalOr(Marks):
    """Cell by cell whether either holds."""

    written = "x | y", "torch.logical_or(x, y)", "x.logical_or(y)"
    cell = "x or y"


class LogicalXor(Marks):
    """Cell by cell whether just one of both holds."""

    written = "x ^ y", "torch.logical_xor(x, y)", "x.logical_xor(y)"


class ArgExtreme(Stop):
    """What the places of extremes share: they are numbers along one axis."""

    @classmethod
    def cell_for(cls, call: Call) -> str:
        return cls.cell if call.parameters["dim"] is not None else ""

    @classmethod
    def subscripts(cls, call: Call) -> str:
        shape, parameters = call.shapes["x"], call.parameters
        if parameters["dim"] is None:
            return ""
        return folding(shape, (parameters["dim"] % max(len(shape), 1),), bool(parameters["keepdim"]))


class ArgMax(ArgExtreme):
    """Where the largest value lies along an axis."""

    written = "x.argmax(dim=None, keepdim=False)", "torch.argmax(x, dim=None, keepdim=False)"
    does = "{it} finds the place of the largest value of {x} {over}."
    cell = "argmax(x)"


class ArgMin(ArgExtreme):
    """Where the smallest value lies along an axis."""

    written = "x.argmin(dim=None, keepdim=False)", "torch.argmin(x, dim=None, keepdim=False)"
    does = "{it} finds the place of the smallest value of {x} {over}."
    cell = "argmin(x)"


class OneHot(Stop):
    """A row of zeros for each index, with a single one at its place."""

    written = ("F.one_hot(x, num_classes=-1)",)
    does = "{it} makes a one-hot row for each number."
    is_free = True
    helper_word = "hot"
    cell = "x == column"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return bool(is_tensor(bound["x"]))

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> Parameters:
        """Without a number of classes there are as many as the largest index needs."""
        if bound["num_classes"] != -1 or not math.prod(bound["x"].shape):
            return {}
        return {"num_classes": int(numbers(bound["x"]).max()) + 1}

    @classmethod
    def subscripts(cls, call: Call) -> str:
        letters = LETTERS[: len(call.out)]
        return f"{letters[:-1]}->{letters}" if len(letters) > 1 else ""


def contiguous(x: torch.Tensor) -> torch.Tensor:
    """`x.contiguous()`: PyTorch hands back the very tensor where its cells lie in order already.

    Those of a real tensor may where those of its outline don't: (x + 1).stride() isn't the same on both.
    """
    return told_apart(x.contiguous(), x)


class Clone(Op):
    """A copy that can be changed without changing the original."""

    written = "x.clone()", "torch.clone(x)", "x.contiguous()"
    runs = {".contiguous": contiguous}
    backward = {"x": "g"}
    because = {"x": "A copy has the same numbers: the gradient passes unchanged."}
    does = "{it} is a copy with the same numbers."
    is_free = True
    copies = True
    drawn = "copy"
    keeps_axes = True
    cell = "x"
    samples = ("(2,3)",)
