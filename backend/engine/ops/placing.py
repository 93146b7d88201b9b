"""Writing into a tensor: what was overwritten gets no gradient, and what was written gets that of its place."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

import torch

from backend.engine.language.errors import Refusal
from backend.engine.ops.base import Call, Op, Shape, broadcast_shape
from backend.engine.ops.index import is_mask
from backend.engine.ops.stretch import collapse

OVERWRITTEN = "A cell that was overwritten no longer counts and gets zero; the gradient of the others passes unchanged."
WRITTEN = "Each cell was written somewhere into {out}; it gets the gradient of that place."
ADDED = "{out} starts as {x}, and what is added doesn't change its slope: the gradient passes unchanged."


class Placing(Op):
    """What writes or adds cells of one tensor into another, at the places that an index names along an axis."""

    others = frozenset({"index"})

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Cells that find no place have no gradient in torch either: there must be an index for each."""
        src = bound["src"]
        fits = not is_tensor(src) or not is_tensor(bound["index"]) or src.shape == bound["index"].shape
        return fits and super().accepts(bound, is_tensor)


class IndexAdd(Op):
    """Slices added to a tensor at the places that an index names along an axis."""

    written = "x.index_add(dim, index, source)", "torch.index_add(x, dim, index, source)"
    backward = {"x": "g", "source": "g.index_select(dim, index)"}
    because = {
        "x": ADDED,
        "source": "Each slice was added somewhere into {out}; it gets the gradient of that place.",
    }
    does = "{it} adds slices to {x} at the places that an index names."
    helper_word = "scattered"
    drawn = "scatter"
    index_formula = "add"
    others = frozenset({"index"})
    samples = "(3,4) (5,4) dim=0 index=ints(5)<3", "(2,3) (2,4) dim=1 index=ints(4)<3"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        into, slices, dim = list(bound["x"].shape), list(bound["source"].shape), bound["dim"]
        into[dim] = bound["index"].shape[0]
        return super().accepts(bound, is_tensor) and into == slices


class Scatter(Placing):
    """A tensor with cells of another, or a number, written at the places that an index names."""

    called = {"value": "src"}
    written = "x.scatter(dim, index, src)", "torch.scatter(x, dim, index, src)"
    backward = {"x": "g.scatter(dim, index, 0.0)", "src": "g.gather(dim, index)"}
    because = {
        "x": OVERWRITTEN,
        "src": WRITTEN,
    }
    does = "{it} writes cells into {x} at the places that an index names."
    helper_word = "scattered"
    drawn = "scatter"
    index_formula = "overwrite"
    samples = "(2,4) (2,1) dim=1 index=ints(2,1)<4", "(3,4) number dim=0 index=ints(2,3)<3"


class ScatterAdd(Placing):
    """A tensor with cells of another added at the places that an index names."""

    written = "x.scatter_add(dim, index, src)", "torch.scatter_add(x, dim, index, src)"
    backward = {"x": "g", "src": "g.gather(dim, index)"}
    because = {
        "x": ADDED,
        "src": "Each cell was added somewhere into {out}; it gets the gradient of that place.",
    }
    does = "{it} adds cells to {x} at the places that an index names."
    helper_word = "scattered"
    drawn = "scatter"
    index_formula = "scatter and add"
    samples = "(4,) (6,) dim=0 index=ints(6)<4", "(3,4) (2,3) dim=0 index=ints(2,3)<3"


class IndexCopy(Op):
    """Slices written into a tensor at the places that an index names along an axis."""

    written = "x.index_copy(dim, index, source)", "torch.index_copy(x, dim, index, source)"
    called = {"tensor": "source"}
    backward = {"x": "g.index_fill(dim, index, 0.0)", "source": "g.index_select(dim, index)"}
    because = {"x": OVERWRITTEN, "source": WRITTEN}
    does = "{it} writes slices into {x} at the places that an index names."
    helper_word = "scattered"
    others = frozenset({"index"})
    samples = "(4,3) (2,3) dim=0 index=torch.tensor([2,0])", "(2,4) (2,3) dim=1 index=torch.tensor([3,1,0])"


class IndexFill(Op):
    """One number written into whole slices of a tensor, at the places that an index names along an axis."""

    written = "x.index_fill(dim, index, value)", "torch.index_fill(x, dim, index, value)"
    backward = {"x": "g.index_fill(dim, index, 0.0)", "value": "(g - g.index_fill(dim, index, 0.0)).sum()"}
    because = {"x": OVERWRITTEN, "value": "{value} was written into every one of these slices: their gradients add up."}
    does = "{it} writes one number into whole slices of {x}."
    helper_word = "masked"
    others = frozenset({"index"})
    samples = "(4,3) number dim=0 index=torch.tensor([2,0])", "(2,4) () dim=1 index=torch.tensor([3,1,1])"


class IntoSlot(Op):
    """What writes a tensor into a part of another, which must have exactly its shape: outlines alone don't tell."""

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        x, src, dim = (bound[one] for one in ("x", "src", "dim"))
        if not (hasattr(x, "shape") and hasattr(src, "shape") and type(dim) is int):
            return  # torch refuses it
        whole, found = tuple(x.shape), tuple(src.shape)
        if not -len(whole) <= dim < len(whole):
            raise Refusal("axis-missing", found=dim, axes=len(whole), at=at)
        dim %= len(whole)
        slot = (*whole[:dim], *cls.left(whole[dim], bound, at), *whole[dim + 1 :])
        if slot != found:
            raise Refusal("slot-mismatch", name=name, slot=str(slot), shape=str(found), at=at)

    @classmethod
    def left(cls, length: int, bound: Mapping[str, Any], at: ast.AST) -> Shape:
        """What is left of an axis in the part: its length there, or nothing."""
        return ()


class SliceScatter(IntoSlot):
    """A tensor written into a stretch of another, along an axis: `y = x; y[:, 1:3] = src`, as a new tensor."""

    written = (
        "x.slice_scatter(src, dim=0, start=None, end=None, step=1)",
        "torch.slice_scatter(x, src, dim=0, start=None, end=None, step=1)",
    )
    backward = {"x": "outside", "src": "inside"}
    because = {"x": OVERWRITTEN, "src": WRITTEN}
    does = "{it} writes {src} into a stretch of {x}."
    index_formula = "put into a stretch"
    samples = "(4,3) (2,3) start=1 end=3", "(2,5) (2,3) dim=1 start=0 end=5 step=2", "(3,2) (2,2) start=-2"

    @classmethod
    def left(cls, length: int, bound: Mapping[str, Any], at: ast.AST) -> Shape:
        start, end, step = (bound[name] for name in ("start", "end", "step"))
        if not all(type(one) in (int, NoneType) for one in (start, end)) or type(step) is not int:
            raise Refusal("slice-ends", at=at)
        if step < 1:
            raise Refusal("operation-fails/step", at=at)
        return (len(range(length)[start:end:step]),)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        settings = cls.settings(call)
        start, end, step = (call.parameters[name] for name in ("start", "end", "step"))
        ends = ["" if one is None else str(one) for one in (start, end)]
        place = ":".join(ends + ([str(step)] if step != 1 else []))
        before = ":, " * (call.parameters["dim"] % len(call.out))
        return {"outside": f"g.slice_scatter(torch.zeros_like(src){settings})", "inside": f"g[{before}{place}]"}


class SelectScatter(IntoSlot):
    """A tensor written into one slice of another, along an axis: `y = x; y[i] = src`, as a new tensor."""

    written = "x.select_scatter(src, dim, index)", "torch.select_scatter(x, src, dim, index)"
    backward = {"x": "g.select_scatter(torch.zeros_like(src), dim, index)", "src": "g.select(dim, index)"}
    because = {"x": OVERWRITTEN, "src": WRITTEN}
    does = "{it} writes {src} into one slice of {x}."
    index_formula = "put into a slice"
    samples = "(4,3) (3,) dim=0 index=1", "(2,5) (2,) dim=1 index=-1"


class MaskedScatter(Op):
    """The first cells of a tensor written in order wherever a mask holds."""

    written = "x.masked_scatter(mask, source)", "torch.masked_scatter(x, mask, source)"
    backward = {
        "x": "g.masked_fill(mask, 0.0)",
        "source": "torch.zeros(cells).index_add(0, place, (g * mask).flatten()).view(source.shape)",
    }
    because = {
        "x": OVERWRITTEN,
        "source": "Its cells were written where the mask holds, in order; each gets the gradient of its place.",
    }
    does = "{it} writes cells of {source} into {x} wherever the mask holds, in order."
    helper_word = "masked"
    others = frozenset({"mask"})
    aids = {"place": "(mask.flatten().cumsum(0) - 1).clamp(min=0)"}
    samples = "(2,3) (6,) mask=mask(2,3)", "(4,) (2,2) mask=torch.tensor([True,False,False,True])"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        whole = all(is_tensor(bound[name]) for name in ("x", "mask", "source"))
        return super().accepts(bound, is_tensor) and whole and bound["mask"].shape == bound["x"].shape

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"cells": str(math.prod(call.shapes["source"]))}


class IndexPut(Op):
    """A tensor with values put, or added, at the places that an index names: `y = x; y[i, j] = v`, as a new tensor."""

    written = "x.index_put(indices, values, accumulate=False)", "torch.index_put(x, indices, values, accumulate=False)"
    backward = {"x": "outside", "values": "inside"}
    because = {"x": OVERWRITTEN, "values": WRITTEN}
    does = "{it} writes cells into {x} at the places that an index names."
    helper_word = "scattered"
    drawn = "scatter"
    index_formula = "put"
    samples = (
        "(4,3) (2,3) indices=(torch.tensor([2,0]),)", "(4,3) (2,) indices=(torch.tensor([2,0]),torch.tensor([1,1]))",
        "(4,3) (3,) indices=(torch.tensor([2,2,0]),torch.tensor([1,1,2])) accumulate=True", "(4,3) () indices=(torch.tensor([3,1]),)",
        "(4,3) (5,1) indices=(ints(5)<4,) accumulate=True",
        "(2,2) () indices=(torch.tensor([[True,False],[True,True]]),) accumulate=True",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """An index is one of tensors of whole numbers; without a gradient it may be anything that torch takes."""
        return isinstance(bound["indices"], tuple | list) and is_tensor(bound["values"])

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Refuse values that don't stretch to the cells that are picked, which outlines alone don't tell."""
        places, values = bound["indices"], getattr(bound["values"], "shape", None)
        shapes: list[Any] = (
            [getattr(part, "shape", None) for part in places] if isinstance(places, tuple | list) else [None]
        )
        if None in shapes or values is None or any(part.dtype == torch.bool for part in places):
            return  # torch refuses it, or numbers decide
        common = broadcast_shape(*map(tuple, shapes))
        picked = None if common is None else (*common, *bound["x"].shape[len(places) :])
        if picked is not None and broadcast_shape(picked, tuple(values)) != picked:
            raise Refusal("shapes-do-not-fit", name=name, shapes=f"{picked} and {tuple(values)}", at=at)

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        if "shape mismatch" in str(error) and len(shapes) > 1:
            return Refusal("shapes-do-not-fit", name=key, shapes=f"{shapes[0]} and {shapes[-1]}", at=at)
        return None

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        adds = name == "x" and call.parameters["accumulate"]
        return ADDED if adds else super().because_for(name, call)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        places = call.parameters["indices"]
        if any(is_mask(part) for part in places):
            is_whole = len(places) == 1 and tuple(places[0].shape) == tuple(call.out)
            if call.at == "values" and not (is_whole and call.shapes["values"] == ()):
                raise Refusal("no-backward-rule/mask", name=".index_put")
            emptied = "g.masked_fill(indices[0], 0.0)" if is_whole else "g.index_put(indices, torch.tensor(0.0))"
            kept = "g" if call.parameters["accumulate"] else emptied
            return {"outside": kept, "inside": "torch.where(indices[0], g, 0.0).sum()"}
        picked = (*(broadcast_shape(*(part.shape for part in places)) or ()), *call.out[len(places) :])
        named = "indices[0]" if len(places) == 1 else "indices"  # as it is written: one index has no comma
        kept = "g" if call.parameters["accumulate"] else "g.index_put(indices, torch.tensor(0.0))"
        return {"outside": kept, "inside": collapse(f"g[{named}]", call.shapes.get("values", ()), picked)}


class ScatterReduce(Placing):
    """Cells of a tensor gathered into another at the places that an index names: their sum, mean or extreme."""

    written = (
        "x.scatter_reduce(dim, index, src, reduce, include_self=True)",
        "torch.scatter_reduce(x, dim, index, src, reduce, include_self=True)",
    )
    by_name = frozenset({"include_self"})
    backward = {"x": "own", "src": "of_sources"}
    because = {
        "x": "A cell counts in the result like each cell that was gathered to its place, unless it is left out.",
        "src": "Each cell was gathered into one cell of {out}, and takes its part of that gradient.",
    }
    does = "{it} gathers cells of {src} into {x} at the places that an index names."
    samples = (
        "(3,4) (2,4) dim=0 index=ints(2,4)<3 reduce='sum'", "(4,) (6,) dim=0 index=ints(6)<4 reduce='mean'",
        "(4,) (6,) dim=0 index=ints(6)<4 reduce='amax'", "(3,4) (3,2) dim=1 index=ints(3,2)<4 reduce='amin' include_self=False",
        "(4,) (6,) dim=0 index=ints(6)<4 reduce='mean' include_self=False", "(7,) (5,) dim=0 index=ints(5)<7 reduce='sum' include_self=False",
    )  # fmt: skip

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return (
            super().accepts(bound, is_tensor)
            and is_tensor(bound["src"])
            and bound["reduce"] in ("sum", "mean", "amax", "amin")
        )

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        keeps = call.parameters["include_self"]
        kept = "g" if keeps else "g.scatter(dim, index, 0.0)"
        if call.parameters["reduce"] == "sum":
            return {"own": kept, "of_sources": "g.gather(dim, index)"}
        ones = "torch.ones_like(x)" if keeps else "torch.ones_like(x).scatter(dim, index, 0.0)"
        if call.parameters["reduce"] == "mean":
            count = f"{ones}.scatter_add(dim, index, torch.ones_like(src))"
            return {"own": f"{kept} / {count}", "of_sources": f"(g / {count}).gather(dim, index)"}
        hits = "(src == out.gather(dim, index))"
        own = (
            "torch.where(x == out, 1.0, 0.0)" if keeps else "((x == out) * torch.ones_like(x).scatter(dim, index, 0.0))"
        )
        count = f"{own}.scatter_add(dim, index, torch.where({hits}, 1.0, 0.0))"
        return {"own": f"{own} * g / {count}", "of_sources": f"{hits} * (g / {count}).gather(dim, index)"}
