"""Joining and cutting: each piece of the gradient goes to where its piece of the tensor lay."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from backend.engine.language.errors import Refusal
from backend.engine.language.limits import LIMITS
from backend.engine.language.values import Parameters
from backend.engine.ops.base import Call, Op, Shape
from backend.engine.ops.index import placed

SUM = re.compile(r"to sum exactly to (\d+).*split_sizes=\[([\d, ]+)\]")


class Joined(Op):
    """What joining several tensors shares: each gets the piece of the gradient that lies where it lay."""

    copies = True
    backward = {"tensors": "piece"}
    because = {"tensors": "{x} has its own place in {out}: its gradient is the piece that lies there."}
    variadic = "tensors"


class Cat(Joined):
    """Tensors laid end to end along an axis."""

    written: ClassVar[tuple[str, ...]] = (
        "torch.cat(tensors, dim=0)", "torch.concat(tensors, dim=0)", "torch.concatenate(tensors, dim=0)",
    )  # fmt: skip
    does = "{it} lays tensors end to end."
    drawn = "join"
    index_formula = "join"
    samples: ClassVar[tuple[str, ...]] = "(2,3) (4,3)", "(2,3) (2,1) dim=1", "(2,3) (2,3) (2,2) dim=-1"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        # torch also joins an empty vector to anything, for old programs' sake.
        return len({len(tensor.shape) for tensor in bound["tensors"] if is_tensor(tensor)}) == 1

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim = call.parameters["dim"] % len(call.out)
        lengths = [tensor.shape[dim] if tensor.shape else 1 for tensor in call.parameters["tensors"]]
        number = int(call.at.removeprefix("t"))
        start = sum(lengths[:number])
        if not call.shapes[call.at]:
            return {"piece": f"g[{start}]"}
        return {"piece": f"g[{':, ' * dim}{start}:{start + lengths[number]}]"}

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return next(iter(dims.values()))


class HStack(Cat):
    """Tensors laid side by side."""

    written = ("torch.hstack(tensors)",)
    does = "{it} lays tensors side by side."
    index_formula = "join side by side"
    samples = "(2,3) (2,1)", "(2,) (3,)", "(2,3,2) (2,1,2)", "() ()"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return super().derive(replace(call, parameters=call.parameters | {"dim": min(1, len(call.out) - 1)}))


class VStack(Joined):
    """Tensors laid on top of each other; a vector is one row."""

    written = ("torch.vstack(tensors)",)
    does = "{it} lays tensors on top of each other."
    drawn = "join"
    index_formula = "join as rows"
    samples = "(2,3) (1,3)", "(3,) (3,)", "(3,) (2,3)", "(2,3,2) (1,3,2)", "() ()"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shapes, number = [tensor.shape for tensor in call.parameters["tensors"]], int(call.at.removeprefix("t"))
        start = sum(1 if len(shape) < 2 else shape[0] for shape in shapes[:number])
        own = shapes[number]
        if len(own) < 2:
            return {"piece": f"g[{start}]" if own else f"g[{start}, 0]"}
        return {"piece": f"g[{start}:{start + own[0]}]"}


class Stack(Joined):
    """Tensors of one shape laid on a new axis."""

    written = ("torch.stack(tensors, dim=0)",)
    does = "{it} lays tensors of one shape on a new axis."
    drawn = "join"
    index_formula = "stack"
    samples = "(2,3) (2,3)", "(2,3) (2,3) dim=1", "(3,) (3,) (3,) dim=-1"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim = call.parameters["dim"] % len(call.out)
        return {"piece": f"g[{':, ' * dim}{int(call.at.removeprefix('t'))}]"}


class Meshgrid(Joined):
    """Vectors copied into grids of one shape, each along an axis of its own: the coordinates of every point."""

    written = ("torch.meshgrid(*tensors, indexing='ij')",)
    because = {"tensors": "{x} was copied along every other axis, and every copy sends a gradient back: they add up."}
    does = "{it} copies vectors into grids, each along an axis of its own."
    index_formula = "mesh"
    samples = "(2,) (3,) indexing='ij'", "(2,) (3,) (4,) indexing='xy'"

    @classmethod
    def read_by(cls, inputs: Parameters, part: int) -> Parameters:
        return {f"t{part}": inputs[f"t{part}"]}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        part = call.parameters["part"]
        own = {0: 1, 1: 0}.get(part, part) if call.parameters["indexing"] == "xy" else part
        others = tuple(axis for axis in range(len(call.out)) if axis != own)
        if not call.shapes[call.at]:
            return {"piece": "g.sum()"}
        return {"piece": f"g.sum({others[0] if len(others) == 1 else others})" if others else "g"}


class Piece(Op):
    """What cutting a tensor shares: each part's gradient goes back to where the part was cut out."""

    backward = {"x": "placed"}
    because = {"x": "This part was cut out of {x}: its gradient goes back there, and the rest of that path is zero."}
    moves = True
    together = "torch.cat(parts, dim=dim)"

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Refuse more parts than a program may have, before torch makes a tensor of each."""
        shape, dim = getattr(bound["x"], "shape", ()), bound["dim"]
        is_axis = type(dim) is int and -len(shape) <= dim < len(shape)  # what else there may be, torch refuses
        if is_axis and cls.count(shape[dim], bound) > LIMITS.graph_nodes:
            raise Refusal("too-many-steps", limit=f"{LIMITS.graph_nodes:,}", at=at)

    @classmethod
    def count(cls, length: int, bound: Mapping[str, Any]) -> int:
        """How many parts an axis of this length is cut into; 0 where no single number says so."""
        raise NotImplementedError

    @classmethod
    def size(cls, call: Call) -> list[int]:
        """How long each part is along the axis."""
        raise NotImplementedError

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim, part = call.parameters["dim"] % len(call.shapes["x"]), call.parameters["part"]
        lengths = cls.size(call)
        start = sum(lengths[:part])
        return placed(dim, f"{start}:{start + lengths[part]}")

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return dims["x"]


class Split(Piece):
    """A tensor cut into parts of a given length along an axis."""

    written: ClassVar[tuple[str, ...]] = "x.split(split_size, dim=0)", "torch.split(x, split_size, dim=0)"
    does = "{it} cuts {x} into parts of given lengths."
    is_free = True
    samples: ClassVar[tuple[str, ...]] = (
        "(5,3) split_size=2",
        "(2,4) split_size=2 dim=1",
        "(2,5) split_size=[2,3] dim=1",
    )

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        """Torch's "split_sizes to sum exactly to 7 (…), but got split_sizes=[8, 8]"."""
        told = SUM.search(str(error))
        if told is None:
            return None
        sizes = [int(size) for size in told[2].split(",")]
        return Refusal("shapes-do-not-fit/parts", name=key, m=int(told[1]), n=sum(sizes), at=at)

    @classmethod
    def count(cls, length: int, bound: Mapping[str, Any]) -> int:
        size = bound["split_size"]
        return -(-length // max(size, 1)) if type(size) is int else 0

    @classmethod
    def size(cls, call: Call) -> list[int]:
        sizes = call.parameters["split_size"]
        length = call.shapes["x"][call.parameters["dim"]]
        return list(sizes) if isinstance(sizes, tuple | list) else [sizes] * (length // sizes) + [length % sizes]


class Chunk(Split):
    """A tensor cut into a given number of parts along an axis."""

    written = "x.chunk(chunks, dim=0)", "torch.chunk(x, chunks, dim=0)"
    does = "{it} cuts {x} into a given number of parts."
    samples = "(4,3) chunks=2", "(2,5) chunks=2 dim=1"

    @classmethod
    def count(cls, length: int, bound: Mapping[str, Any]) -> int:
        return min(bound["chunks"], length) if type(bound["chunks"]) is int else 0

    @classmethod
    def size(cls, call: Call) -> list[int]:
        length, chunks = call.shapes["x"][call.parameters["dim"]], call.parameters["chunks"]
        each = -(-length // chunks)
        if not length:
            return [0] * chunks
        return [min(each, length - start) for start in range(0, length, each)]


class TensorSplit(Split):
    """A tensor cut into a given number of parts along an axis, or at given places."""

    written = (
        "torch.tensor_split(x, indices_or_sections, dim=0)", "x.tensor_split(indices_or_sections, dim=0)",
    )  # fmt: skip
    does = "{it} cuts {x} into parts."
    samples = (
        "(5,3) indices_or_sections=2",
        "(2,7) indices_or_sections=3 dim=1",
        "(2,7) indices_or_sections=(3,5) dim=-1",
    )

    @classmethod
    def count(cls, length: int, bound: Mapping[str, Any]) -> int:
        parts = bound["indices_or_sections"]
        return parts if type(parts) is int else 0

    @classmethod
    def size(cls, call: Call) -> list[int]:
        length, cuts = call.shapes["x"][call.parameters["dim"]], call.parameters["indices_or_sections"]
        if isinstance(cuts, int):
            return [length // cuts + (part < length % cuts) for part in range(cuts)]
        ends = [len(range(length)[:cut]) for cut in (*cuts, None)]
        return [end - start for start, end in zip([0, *ends], ends, strict=False)]


class Unbind(Piece):
    """A tensor cut into its slices along an axis, which goes away."""

    written = "x.unbind(dim=0)", "torch.unbind(x, dim=0)"
    does = "{it} cuts {x} into its slices."
    is_free = True
    samples = "(2,3)", "(2,3) dim=1"
    together = "torch.stack(parts, dim=dim)"

    @classmethod
    def count(cls, length: int, bound: Mapping[str, Any]) -> int:
        return length

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        dim = call.parameters["dim"] % len(call.shapes["x"])
        return placed(dim, str(call.parameters["part"]))

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        dim = call.parameters["dim"] % len(call.shapes["x"])
        return dims["x"][:dim] + dims["x"][dim + 1 :]
