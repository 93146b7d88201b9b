"""Shape without arithmetic: copies going forward are sums going back, rearrangements are undone."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from backend.engine.language.errors import Refusal
from backend.engine.ops.base import Call, Op, Shape

EXPANDED = re.compile(r"size of the tensor \((\d+)\) must match the existing size \((\d+)\).*Target sizes: \[(.*?)\]")
TOO_FEW = ("greater or equal to the number of dimensions", "can not be smaller than number of dimensions")


def too_few(key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
    """The refusal of fewer sizes than a tensor has axes; None where torch says something else."""
    is_so = any(words in str(error) for words in TOO_FEW)
    return Refusal("operation-fails/sizes", name=key, shapes=str(shapes[0]), at=at) if is_so else None


def stretched_axes(small: Shape, large: Shape) -> list[tuple[int, bool]]:
    """Axes of `large` along which `small` is copied, each with whether it must stay as length 1."""
    lead = len(large) - len(small)
    new = [(axis, False) for axis in range(lead)]
    return new + [(lead + i, True) for i, size in enumerate(small) if size == 1 and large[lead + i] != 1]


class Expand(Op):
    """A tensor copied along the axes where a larger shape needs it: a broadcast, made visible."""

    written: ClassVar[tuple[str, ...]] = "x.expand(*shape)", "x.broadcast_to(*shape)", "torch.broadcast_to(x, shape)"
    backward = {"x": "collapsed"}
    because = {"x": "{x} was copied, and every copy sends a gradient back: they add up."}
    does = "{it} copies {x} along the axes where the larger shape needs it."
    is_free = True
    copies = True
    drawn = "spread"
    samples: ClassVar[tuple[str, ...]] = (
        "(3,) shape=(2,3)",
        "(2,1) shape=(2,3)",
        "() shape=(2,3)",
        "(1,3) shape=(4,2,3)",
    )
    moves = True
    shaped_by = "shape"

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        """Torch's "expanded size of the tensor (5) must match the existing size (7)", with both shapes."""
        told = EXPANDED.search(str(error))
        if told is None:
            return too_few(key, shapes, error, at)
        n, m, wanted = int(told[1]), int(told[2]), f"({told[3]})"
        return Refusal("shapes-do-not-fit/expand", name=key, shapes=f"{shapes[0]} and {wanted}", m=m, n=n, at=at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"collapsed": collapse("g", call.shapes["x"], call.out)}


BROADCAST: type[Op] = Expand  # what the tracer puts in where a shape is stretched to another


class ExpandAs(Expand):
    """A tensor copied along the axes where another one is longer."""

    written = ("x.expand_as(like)",)
    does = "{it} copies {x} along the axes where the other tensor is longer."
    samples = "(3,) like=ints(2,3)<4", "(2,1) like=ints(2,3)<4"
    others = frozenset({"like"})


def collapse(word: str, small: Shape, large: Shape) -> str:
    """`word` of shape `large`, summed over the axes along which `small` was copied to fill it."""
    axes = stretched_axes(small, large)
    if not axes:
        return word
    if not small:
        return f"{word}.sum()"
    numbers = tuple(axis for axis, _ in axes)
    dim = str(numbers[0]) if len(numbers) == 1 else str(numbers)
    keeps = [keep for _, keep in axes]
    if not any(keeps):
        return f"{word}.sum({dim})"
    dropped = keeps.count(False)
    return f"{word}.sum({dim}, keepdim=True)" + "".join("[0]" for _ in range(dropped))


class Rearranged(Op):
    """What every change of shape shares: the same cells, so the gradient only goes back to its old places."""

    copies = True
    because = {"x": "Only the shape changed; the gradient takes the old shape back."}
    moves = True

    @classmethod
    def is_light(cls, call: Call) -> bool:
        return True


class View(Rearranged):
    """The same cells in the same order under another shape."""

    written: ClassVar[tuple[str, ...]] = "x.view(*shape)", "x.reshape(*shape)", "torch.reshape(x, shape)"
    backward = {"x": "g.view(x.shape)"}
    does = "{it} lays out the same cells in the shape {made}."
    is_free = True
    drawn = "rearrange"
    samples: ClassVar[tuple[str, ...]] = "(2,3) shape=(3,2)", "(2,3) shape=(-1,)", "(4,) shape=(2,2)"
    shaped_by = "shape"
    # Strides on the meta device are not always those of a run, and only a view minds: the run itself decides.
    shapes_as = {".view": ".reshape"}

    @classmethod
    def facts(cls, call: Call) -> dict[str, str]:
        return {"made": str(tuple(call.out))}

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        if key == ".view" and "stride" in str(error):
            return Refusal("view-apart", shape=str(shapes[0]), at=at)
        if key in (".view", ".reshape", "torch.reshape") and shapes:
            wanted = (
                str(error).partition("[")[2].partition("]")[0]
            )  # of "shape '[-1, 8]' is invalid for input of size 35"
            return Refusal("reshape-mismatch", shape=str(shapes[0]), count=math.prod(shapes[0]), wanted=wanted, at=at)
        return None

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return merged_names(dims["x"], call.shapes["x"], call.out)


class Flatten(View):
    """The axes from `start_dim` to `end_dim` laid end to end."""

    written = (
        "x.flatten(start_dim=0, end_dim=-1)", "torch.flatten(x, start_dim=0, end_dim=-1)", "x.ravel()", "torch.ravel(x)",
    )  # fmt: skip
    backward = {"x": "g.view(x.shape)"}
    does = "{it} lays axes of {x} end to end."
    samples = "(2,3,2)", "(2,3,2) start_dim=1", "(2,3,2) start_dim=0 end_dim=1", "()"


class Unflatten(View):
    """One axis cut into several."""

    written = "x.unflatten(dim, sizes)", "torch.unflatten(x, dim, sizes)"
    does = "{it} cuts one axis of {x} into several."
    samples = "(2,6) dim=1 sizes=(2,3)", "(4,3) dim=0 sizes=(2,-1)"


class ViewAs(View):
    """The same cells in the same order, in the shape of another tensor."""

    written = "x.view_as(like)", "x.reshape_as(like)"
    does = "{it} gives {x} the shape of the other tensor."
    samples = ("(2,3) like=ints(3,2)<4",)
    others = frozenset({"like"})


class Squeeze(Rearranged):
    """Axes of length 1 taken away."""

    written = "x.squeeze()", "torch.squeeze(x)", "x.squeeze(dim)", "torch.squeeze(x, dim)"
    backward = {"x": "g.view(x.shape)"}
    does = "{it} takes axes of length 1 away."
    is_free = True
    drawn = "rearrange"
    samples = "(2,1,3)", "(2,1,3) dim=1", "(2,1,3) dim=0"


class Unsqueeze(Rearranged):
    """An axis of length 1 put in."""

    written = "x.unsqueeze(dim)", "torch.unsqueeze(x, dim)"
    backward = {"x": "g.squeeze(dim)"}
    does = "{it} puts in an axis of length 1."
    adds_axis = True
    helper_word = "wide"
    is_free = True
    drawn = "rearrange"
    samples = "(2,3) dim=0", "(2,3) dim=-1", "(3,) dim=1"


class Transpose(Rearranged):
    """Rows and columns of a matrix exchanged."""

    written = "x.T", "x.t()", "torch.t(x)"
    backward = {"x": "g.T"}
    because = {"x": "Rows became columns going forward; the gradient is transposed back."}
    does = "{it} exchanges rows and columns."
    is_free = True
    drawn = "transpose"
    samples = "(2,3)", "(3,)"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return dims["x"][::-1]


class MatrixTranspose(Rearranged):
    """The last two axes exchanged."""

    written = ("x.mT",)
    backward = {"x": "g.mT"}
    because = {"x": "Rows became columns going forward; the gradient is transposed back."}
    does = "{it} exchanges the last two axes of {x}."
    drawn = "transpose each"
    samples = "(2,3)", "(2,3,4)"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return [*dims["x"][:-2], *dims["x"][-2:][::-1]]


class SwapAxes(Rearranged):
    """Two axes exchanged."""

    written = (
        "x.transpose(dim0, dim1)", "torch.transpose(x, dim0, dim1)", "x.swapaxes(dim0, dim1)", "torch.swapaxes(x, dim0, dim1)",
        "x.swapdims(dim0, dim1)", "torch.swapdims(x, dim0, dim1)",
    )  # fmt: skip
    backward = {"x": "g.transpose(dim0, dim1)"}
    because = {"x": "Two axes changed places going forward; in the gradient they change back."}
    does = "{it} exchanges two axes of {x}."
    is_free = True
    drawn = "swap"
    samples = "(2,3) dim0=0 dim1=1", "(2,3,4) dim0=-2 dim1=-1", "(2,3,4) dim0=0 dim1=2"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        names, (a, b) = list(dims["x"]), (call.parameters["dim0"], call.parameters["dim1"])
        if names:  # a single number has no axes, and torch lets them change places
            names[a], names[b] = names[b], names[a]
        return names


class Permute(Rearranged):
    """All axes put in another order."""

    written = "x.permute(*dims)", "torch.permute(x, dims)"
    backward = {"x": "back"}
    because = {"x": "The axes were reordered going forward; in the gradient they return to their old order."}
    does = "{it} puts the axes of {x} in another order."
    is_free = True
    drawn = "rearrange"
    samples = "(2,3,4) dims=(2,0,1)", "(2,3) dims=(1,0)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        order = [axis % len(call.out) for axis in call.parameters["dims"]]
        back = [str(order.index(axis)) for axis in range(len(order))]
        return {"back": f"g.permute({', '.join(back)})" if back else "g"}

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return [dims["x"][axis] for axis in call.parameters["dims"]]


class MoveDim(Rearranged):
    """One axis moved to another place."""

    written = (
        "x.movedim(source, destination)", "torch.movedim(x, source, destination)", "x.moveaxis(source, destination)",
        "torch.moveaxis(x, source, destination)",
    )  # fmt: skip
    backward = {"x": "g.movedim(destination, source)"}
    because = {"x": "An axis was moved going forward; in the gradient it moves back."}
    does = "{it} moves one axis of {x} to another place."
    is_free = True
    drawn = "rearrange"
    samples = "(2,3,4) source=0 destination=2", "(2,3,4) source=-1 destination=0"

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        source, destination = (call.parameters[name] for name in ("source", "destination"))
        if not isinstance(source, int) or not call.out:
            return None
        names = list(dims["x"])
        moved = names.pop(source % len(call.out))
        names.insert(destination % len(call.out), moved)
        return names


class Flip(Rearranged):
    """The order along some axes reversed."""

    written = "x.flip(*dims)", "torch.flip(x, dims)"
    backward = {"x": "g.flip(dims)"}
    because = {"x": "The order was reversed going forward; the gradient is reversed back."}
    does = "{it} reverses the order along some axes of {x}."
    samples = "(2,3) dims=(0,)", "(2,3) dims=(0,1)"


class Roll(Rearranged):
    """Cells shifted along an axis; what falls off one end comes in at the other."""

    written = "x.roll(shifts, dims=())", "torch.roll(x, shifts, dims=())"
    backward = {"x": "g.roll(back, dims)"}
    because = {"x": "The cells were shifted going forward; the gradient is shifted back."}
    does = "{it} shifts the cells of {x}; what falls off one end comes in at the other."
    samples = "(2,3) shifts=1 dims=0", "(2,3) shifts=-2 dims=1", "(2,3) shifts=2", "(2,3) shifts=(1,-1) dims=(0,1)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shifts = call.parameters["shifts"]
        return {"back": str(tuple(-shift for shift in shifts) if isinstance(shifts, tuple | list) else -shifts)}


class Repeat(Op):
    """A tensor laid side by side, a given number of times along each axis."""

    written = "x.repeat(*repeats)", "torch.tile(x, repeats)", "x.tile(*repeats)"
    backward = {"x": "collected"}
    why_not_exact = "autograd adds over the copies in another order"
    because = {"x": "{x} was copied side by side, and every copy sends a gradient back: they add up."}
    does = "{it} lays copies of {x} side by side."
    samples = "(2,3) repeats=(2,2)", "(3,) repeats=(2,1)", "(2,3) repeats=(1,2)", "(2,1,3) repeats=(2,3,1,1)"
    moves = True

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        return too_few(key, shapes, error, at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        repeats, small = call.parameters["repeats"], call.shapes["x"]
        repeats = (1,) * (len(small) - len(repeats)) + tuple(repeats)
        padded = (1,) * (len(repeats) - len(small)) + small
        apart: list[int] = []
        copies: list[int] = []
        for times, size in zip(repeats, padded, strict=True):
            copies += [len(apart)] if times != 1 else []
            apart += [size] if times == 1 else [times] if size == 1 else [times, size]
        if not copies:
            return {"collected": "g" if call.out == small else "g.view(x.shape)"}
        cut = "g" if tuple(apart) == call.out else f"g.view({', '.join(map(str, apart))})"
        left = tuple(size for axis, size in enumerate(apart) if axis not in copies)
        added = f"{cut}.sum({copies[0] if len(copies) == 1 else tuple(copies)})"
        return {"collected": added if left == small else f"{added}.view(x.shape)"}


class RepeatInterleave(Op):
    """Each slice copied a number of times, its copies side by side."""

    written = "x.repeat_interleave(repeats, dim)", "torch.repeat_interleave(x, repeats, dim)"
    backward = {"x": "g.view(apart).sum(copies)"}
    because = {"x": "Each slice of {x} was copied, and every copy sends a gradient back: they add up."}
    does = "{it} copies each slice of {x}, its copies side by side."
    samples = "(2,3) repeats=2 dim=0", "(2,3) repeats=3 dim=-1"
    moves = True

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and all(type(bound[name]) is int for name in ("repeats", "dim"))

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, repeats = call.shapes["x"], call.parameters["repeats"]
        dim = call.parameters["dim"] % len(shape)
        return {"apart": str((*shape[: dim + 1], repeats, *shape[dim + 1 :])), "copies": str(dim + 1)}


def merged_names(names: list[str], old: Shape, new: Shape) -> list[str]:
    """Axis names after a view: axes that were laid end to end carry all their names, or none where one has none."""
    result, i = [], 0
    for size in new:
        taken, product = [], 1
        while i < len(old) and product < size:
            product *= old[i]
            taken += [names[i]] if names[i] or old[i] != 1 else []
            i += 1
        if product != size:
            return [""] * len(new)
        result.append(" · ".join(taken) if all(taken) else "")
    return result
