"""Picking cells: what was picked gets the gradient, what was not gets zero, what was picked twice gets it twice."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch.autograd.forward_ad as forward_ad
import torch.nn.functional as functional

from backend.engine.language.errors import Refusal
from backend.engine.language.values import DType
from backend.engine.ops.base import Call, Op, Shape
from backend.engine.ops.stretch import collapse

ONCE = "Only the picked cells went into {out}. They receive its gradient; every other cell gets zero."
OFTEN = "Each picked part of {x} gets its gradient back; where a part was picked several times, these add up."
ONE = "{it} reads a part of {x}."
ROWS = "Each number in {index} picks a part of {x}: {it}."
PAIRS = "{it} picks one cell of {x} for each pair of numbers."


def placed(dim: int, place: str) -> dict[str, str]:
    """The word that writes a gradient back to one place along an axis, zeros around it."""
    return {"placed": f"torch.zeros_like(x)[{':, ' * dim}{place}].put(g)"}


def parts_of(index: Any) -> tuple[Any, ...]:
    """An index as a tuple, one part an axis."""
    return index if isinstance(index, tuple) else (index,)


def is_basic(part: Any) -> bool:
    """Whether a part picks by number, slice, `...` or `None`."""
    number = getattr(part, "shape", None) == () and not is_mask(part)
    return number or part is None or part is ... or isinstance(part, int | slice)


def _end_of_range(part: ast.expr) -> ast.expr | None:
    """`n` for `range(n)` and for `torch.arange(n)`."""
    match part:
        case ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="arange"), args=[end], keywords=[]):
            return end
    return None


def is_whole(index: Any) -> bool:
    """Whether an index leaves every cell in its place, and at most puts in axes of length 1."""
    return all(
        part is None or part is ... or part == slice(None) for part in parts_of(index) if is_basic(part)
    ) and all(map(is_basic, parts_of(index)))


def picks_once(index: Any) -> bool:
    """Whether an index can't pick the same cell twice: no list of places, a mask alone, or a range as long as any."""
    lists = [part for part in parts_of(index) if not is_basic(part)]
    if len(lists) <= 1 and all(is_mask(part) or isinstance(part, range) for part in lists):
        return True
    lengths = [_length(part) for part in lists]
    longest = max(length for length in lengths if length is not None) if None not in lengths else None
    return longest is not None and any(isinstance(part, range) and len(part) == longest for part in lists)


def _length(part: Any) -> int | None:
    """How many places a part lists; None where they are not in one line, or a mask decides."""
    if isinstance(part, range):
        return len(part)
    if isinstance(part, list | tuple):
        return None if any(isinstance(item, list | tuple) for item in part) else len(part)
    shape = part.shape
    return None if is_mask(part) or len(shape) != 1 else int(shape[0])


def is_mask(part: Any) -> bool:
    """Whether a traced tensor holds truth values."""
    meta = getattr(part, "meta", None)
    return meta is not None and not meta.dtype.is_floating_point and str(meta.dtype) == "torch.bool"


def unpicked(places: tuple[Any, ...], rank: int) -> str:
    """The rule for an index of numbers, slices, `...` and `None`: axes that `None` made are taken away again."""
    named = [part for part in places if part is not None and part is not ...]
    new, axis = [], 0
    for part in places:
        new += [axis] if part is None else []
        axis += rank - len(named) if part is ... else int(part is None or isinstance(part, slice))
    arriving = f"g.squeeze({new[0] if len(new) == 1 else tuple(new)})" if new else "g"
    return arriving if all(part == slice(None) for part in named) else f"torch.zeros_like(x)[kept].put({arriving})"


class Picking(Op):
    """What every way of picking cells shares."""

    copies = True
    because = {"x": OFTEN}


class Index(Picking):
    """The cells, rows or slices that an index picks."""

    written = ("x[index]",)
    backward = {"x": "placed"}
    does = "{it} picks cells or slices of {x}."
    index_formula = "by index"
    samples = (
        "(4,3) index=ints(5)<4", "(4,3) index=(range(3),ints(3)<3)", "(4,3) index=1", "(4,3) index=(slice(None),1)",
        "(4,3) index=(...,slice(0,2))", "(4,3) index=(None,2)", "(4,3) index=mask(4,3)", "(4,3,2) index=(slice(None),ints(5)<3)",
        "(4,3) index=(ints(6)<4,ints(6)<3)", "(4,3) index=ints(2,3)<4", "(4,3,2) index=(ints(3)<4,slice(None),1)",
        "(5,) index=slice(0,5,2)",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return bool(is_tensor(bound["x"]))

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Refuse more parts than there are axes, and parts that are no places."""
        shape, index = tuple(bound["x"].shape), parts_of(bound["index"])
        taken = sum(part is not None and part is not ... for part in index)
        if taken > len(shape):
            raise Refusal("too-many-indices", shape=str(shape), found=taken, axes=len(shape), at=at)
        if any(isinstance(part, float | str | bool | DType) for part in index):
            raise Refusal("index-kind", at=at)

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        outside = isinstance(error, IndexError)
        return Refusal("index-out-of-range", shape=str(shapes[0]), at=at) if outside else None

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        if is_whole(call.parameters["index"]):
            return "Only the shape changed; the gradient takes the old shape back."
        return ONCE if picks_once(call.parameters["index"]) else OFTEN

    @classmethod
    def does_for(cls, call: Call) -> str:
        index = call.parameters["index"]
        parts = parts_of(index)
        if any(is_mask(part) for part in parts):
            return "{it} picks the cells of {x} where the mask holds."
        lists = [part for part in parts if not is_basic(part)]
        if is_whole(index):
            return "{it} puts in an axis of length 1." if None in parts else "{it} is all of {x}."
        if not lists:
            return ONE
        return PAIRS if len(lists) == len(call.shapes["x"]) > 1 else ROWS if not isinstance(index, tuple) else ONE

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        index = call.parameters["index"]
        places = parts_of(index)
        if all(map(is_basic, places)) and places:
            return {"placed": unpicked(places, len(call.shapes["x"]))}
        if picks_once(index):
            return {"placed": "torch.zeros_like(x)[index].put(g)"}
        if all(not is_basic(part) and not isinstance(part, list | tuple | range) for part in places):
            spelled = "index" if isinstance(index, tuple) else "(index,)"
            return {"placed": f"torch.zeros_like(x).index_put({spelled}, g, accumulate=True)"}
        cells = math.prod(call.shapes["x"])
        numbered = f"torch.arange({cells}).view(x.shape)[index]"
        return {"placed": f"torch.zeros({cells}).index_put(({numbered},), g, accumulate=True).view(x.shape)"}

    @classmethod
    def sizes(cls, words: Mapping[str, ast.expr], call: Call) -> list[ast.expr | None]:
        """Of `x[range(n), y]` the one axis is as long as the range."""
        match words.get("index"):
            case ast.Tuple(elts=parts) if len(call.out) == 1 and len(parts) == len(call.shapes["x"]):
                return [next(filter(None, map(_end_of_range, parts)), None)]
        return []

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        index = call.parameters["index"]
        named = dims.get("index 0")
        if not isinstance(index, tuple):
            return [*named, *dims["x"][1:]] if named is not None else None
        lists = [part for part in index if not is_basic(part)]
        if len(lists) != len(index) or len(index) != len(call.shapes["x"]):
            return None
        return named if named is not None and len(named) == len(call.out) else dims["x"][: len(call.out)]


class MaskedSelect(Picking):
    """The cells where a mask of the same shape holds, in one line."""

    written = "torch.masked_select(x, mask)", "x.masked_select(mask)"
    backward = {"x": "placed"}
    because = {"x": ONCE}
    does = "{it} picks the cells of {x} where the mask holds."
    others = frozenset({"mask"})
    shapes_as = {"torch.masked_select": "[]", ".masked_select": "[]"}
    samples = (
        "(2,3) mask=torch.tensor([[True,False,True],[False,True,True]])",
        "(4,) mask=torch.tensor([True,False,True,True])",
    )

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        whole = super().accepts(bound, is_tensor) and is_tensor(bound["mask"])
        return bool(whole and bound["mask"].shape == bound["x"].shape)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"placed": "torch.zeros_like(x)[mask].put(g)"}


class Gather(Picking):
    """From each line along an axis, the cells that an index of the same rank names."""

    written = "x.gather(dim, index)", "torch.gather(x, dim, index)"
    backward = {"x": "torch.zeros_like(x).scatter_add(dim, index, g)"}
    does = "{it} picks cells of {x} along an axis, by number."
    index_formula = "gather"
    others = frozenset({"index"})
    samples = "(3,4) dim=1 index=ints(3,2)<4", "(3,4) dim=0 index=ints(3,4)<3"


class TakeAlongDim(Picking):
    """From each line along an axis, the cells that an index names; both broadcast along the other axes."""

    written = "torch.take_along_dim(x, indices, dim)", "x.take_along_dim(indices, dim)"
    backward = {"x": "placed"}
    does = "{it} picks cells of {x} along an axis, by number."
    index_formula = "gather"
    others = frozenset({"indices"})
    samples = "(3,4) dim=1 indices=ints(3,2)<4", "(3,4) dim=0 indices=ints(2,4)<3", "(3,1) dim=0 indices=ints(2,4)<3"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        right = super().accepts(bound, is_tensor) and is_tensor(bound["indices"]) and isinstance(bound["dim"], int)
        return bool(right and len(bound["x"].shape) == len(bound["indices"].shape) > 0)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        small, dim = call.shapes["x"], call.parameters["dim"] % len(call.out)
        full = (*call.out[:dim], small[dim], *call.out[dim + 1 :])
        spread = f"torch.zeros{full}.scatter_add({dim}, indices.expand{call.out}, g)"
        return {"placed": collapse(spread, small, full)}


class IndexSelect(Picking):
    """Whole slices along an axis, in the order that an index names."""

    written = "x.index_select(dim, index)", "torch.index_select(x, dim, index)"
    backward = {"x": "torch.zeros_like(x).index_add(dim, index, g)"}
    does = "{it} picks whole slices of {x} along an axis, by number."
    index_formula = "select"
    others = frozenset({"index"})
    samples = "(3,4) dim=1 index=ints(5)<4", "(3,4) dim=0 index=ints(2)<3"


class Unfold(Picking):
    """Windows of a given size along an axis, laid on a new last axis."""

    written = ("x.unfold(dimension, size, step)",)
    backward = {"x": "placed"}
    does = "{it} cuts windows out of {x} along an axis."
    samples = "(6,) dimension=0 size=3 step=1", "(2,5) dimension=1 size=2 step=2", "(4,3) dimension=0 size=2 step=1"
    moves = True

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        cells = math.prod(call.shapes["x"])
        numbered = f"torch.arange({cells}).view(x.shape).unfold(dimension, size, step)"
        return {"placed": f"torch.zeros({cells}).index_put(({numbered},), g, accumulate=True).view(x.shape)"}


class Narrow(Picking):
    """A stretch of an axis, from a start on."""

    written = "x.narrow(dim, start, length)", "torch.narrow(x, dim, start, length)"
    backward = {"x": "placed"}
    because = {"x": ONCE}
    does = "{it} reads a stretch of one axis of {x}."
    samples = "(4,3) dim=0 start=1 length=2", "(2,5) dim=1 start=0 length=3"
    moves = True

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim, start = call.parameters["dim"] % len(call.out), call.parameters["start"]
        start %= call.shapes["x"][dim] or 1
        return placed(dim, f"{start}:{start + call.parameters['length']}")


class Select(Picking):
    """One slice along an axis, which goes away."""

    written = "x.select(dim, index)", "torch.select(x, dim, index)"
    backward = {"x": "placed"}
    because = {"x": ONCE}
    does = "{it} reads one slice of {x}."
    samples = "(4,3) dim=0 index=1", "(2,5) dim=1 index=-1"
    moves = True

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim = call.parameters["dim"] % len(call.shapes["x"])
        return placed(dim, str(call.parameters["index"]))


# torch gives it no type.
_parts: Callable[[torch.Tensor], forward_ad.UnpackedDualTensor] = forward_ad.unpack_dual


def looked_up(
    input: torch.Tensor,  # noqa: A002 - torch's own name, by which it may be given
    weight: torch.Tensor,
    padding_idx: int | None = None,
    **others: Any,
) -> torch.Tensor:
    """F.embedding, but for the slope that torch's forward mode gives the row of the padding, and its gradient doesn't.

    Whoever differentiates forwards has other ways where there is no formula.
    """
    if padding_idx is not None and _parts(weight).tangent is not None:
        raise RuntimeError("torch's forward mode overlooks the padding")
    return functional.embedding(input, weight, padding_idx, **others)


class Embedding(Op):
    """Rows of a table, looked up by number."""

    called = {"input": "index", "weight": "x"}
    written = (
        "F.embedding(index, x, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)",
    )
    backward = {"x": "torch.zeros_like(x).index_put((index,), counted, accumulate=True)"}
    because = {
        "x": "Each row of {out} was copied out of {x}. A row picked several times gets several gradients; they add up."
    }
    does = "{it} looks up rows of {x} by number."
    index_formula = "look up"
    others = frozenset({"index"})
    runs = {"F.embedding": looked_up}
    samples = (
        "(5,3) index=ints(4)<5",
        "(5,3) index=ints(2,3)<5",
        "(3,2) index=ints(6)<3 padding_idx=1",
        "(3,2) index=ints(2,4)<3 padding_idx=-1",
    )

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Not with what changes the table itself, or how much a row counts."""
        usual = bound["max_norm"] is None and not bound["scale_grad_by_freq"]
        return super().accepts(bound, is_tensor) and usual and isinstance(bound["padding_idx"], int | None)

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        padded = call.parameters["padding_idx"] is not None
        return cls.because[name] + (" The row of the padding gets none." if padded else "")

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        padding = call.parameters["padding_idx"]
        if padding is None:
            return {"counted": "g"}
        return {"counted": f"g * (index != {padding % call.shapes['x'][0]}).unsqueeze(-1)"}
