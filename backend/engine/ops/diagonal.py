"""Triangles and diagonals of matrices: what was cut away gets no gradient, the rest passes it on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import Call, Op


class Tril(Op):
    """The lower triangle of a matrix, zeros above it."""

    written = "x.tril(diagonal=0)", "torch.tril(x, diagonal=0)"
    backward = {"x": "g.tril(diagonal)"}
    because = {"x": "Cells above the diagonal were cut to zero and get no gradient; the others pass it unchanged."}
    does = "{it} keeps the lower triangle of {x} and puts zeros above it."
    cell = "x if column <= row + diagonal else 0"
    samples = "(3,3)", "(2,4,3) diagonal=-1"


class Triu(Op):
    """The upper triangle of a matrix, zeros below it."""

    written = "x.triu(diagonal=0)", "torch.triu(x, diagonal=0)"
    backward = {"x": "g.triu(diagonal)"}
    because = {"x": "Cells below the diagonal were cut to zero and get no gradient; the others pass it unchanged."}
    does = "{it} keeps the upper triangle of {x} and puts zeros below it."
    cell = "x if column >= row + diagonal else 0"
    samples = "(3,3)", "(2,4,3) diagonal=1"


class DiagonalMatrix(Op):
    """A matrix with a vector on one of its diagonals, zeros elsewhere."""

    written = "torch.diag(x, diagonal=0)", "x.diag(diagonal=0)"
    backward = {"x": "torch.diag(g, diagonal)"}
    because = {"x": "{x} became a diagonal of {out}: its gradient is that diagonal of the upstream gradient."}
    does = "{it} puts {x} on a diagonal of a matrix of zeros."
    samples = "(3,)", "(3,) diagonal=-1", "(2,) diagonal=1"
    cell = "x if column == row + diagonal else 0"

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        return is_tensor(bound["x"]) and len(bound["x"].shape) == 1

    @classmethod
    def subscripts(cls, call: Call) -> str:
        return "a->ab" if call.parameters["diagonal"] >= 0 else "b->ab"


class DiagonalMatrices(Op):
    """A matrix for each row, with that row on one of its diagonals."""

    written = (
        "torch.diag_embed(x, offset=0, dim1=-2, dim2=-1)", "x.diag_embed(offset=0, dim1=-2, dim2=-1)",
    )  # fmt: skip
    backward = {"x": "g.diagonal(offset, dim1, dim2)"}
    because = {"x": "Each row became a diagonal of {out}: its gradient is that diagonal of the upstream gradient."}
    does = "{it} puts each row of {x} on a diagonal of a matrix of its own."
    samples = "(3,)", "(2,3)", "(2,3) offset=-1", "(2,3) offset=1 dim1=0 dim2=2"


class Diagonal(Op):
    """One of the diagonals of a matrix, or of each matrix in a stack."""

    written = (
        "torch.diag(x, diagonal=0)", "x.diag(diagonal=0)", "x.diagonal(offset=0, dim1=0, dim2=1)",
        "torch.diagonal(x, offset=0, dim1=0, dim2=1)",
    )  # fmt: skip
    backward = {"x": "placed"}
    because = {"x": "Only the diagonal was read: it gets the gradient, every other cell gets zero."}
    does = "{it} reads a diagonal of {x}."
    samples = (
        "(3,3)", "(2,3)", "(3,3) diagonal=1", "(4,3) diagonal=-2", "(3,3) offset=1", "(4,3) offset=-2",
        "(2,3,3) dim1=-2 dim2=-1", "(3,2,3) dim1=0 dim2=2", "(2,3,4) offset=1 dim1=2 dim2=1",
    )  # fmt: skip
    moves = True

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        right = super().accepts(bound, is_tensor) and is_tensor(bound["x"])
        return right and (len(bound["x"].shape) == 2 if "diagonal" in bound else len(bound["x"].shape) >= 2)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, parameters = call.shapes["x"], call.parameters
        down, across = (parameters.get(name, axis) % len(shape) for axis, name in enumerate(("dim1", "dim2")))
        offset: int = parameters["diagonal"] if "diagonal" in parameters else parameters.get("offset", 0)
        count = call.out[-1]
        places = [":"] * len(shape)
        places[down], places[across] = _steps(max(-offset, 0), count), _steps(max(offset, 0), count)
        # torch puts the places of two ranges first where they do not stand side by side.
        moved = (
            ""
            if len(shape) == 2
            else ".movedim(-1, 0)"
            if abs(down - across) > 1
            else f".movedim(-1, {min(down, across)})"
        )
        return {"placed": f"torch.zeros_like(x)[{', '.join(places)}].put(g{moved})"}


def _steps(start: int, count: int) -> str:
    return f"range({start}, {start + count})" if start else f"range({count})"


class Trace(Op):
    """The sum of a matrix's diagonal."""

    written = "torch.trace(x)", "x.trace()"
    backward = {"x": "g * torch.eye(rows, columns)"}
    because = {"x": "Each cell of the diagonal was added once and gets the gradient; every other cell gets zero."}
    does = "{it} adds up the diagonal of {x}."
    samples = "(3,3)", "(2,3)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rows, columns = call.shapes["x"]
        return {"rows": str(rows), "columns": str(columns)}
