"""The types of what is drawn in the Walk document: tensors as they are sent, and the pictures of its steps."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from backend.lines.equations.peel import Meeting, Placement

JsonNumber = float | Literal["NaN", "Infinity", "-Infinity"]
Which = Literal["value", "gradient"]


class Pooled(TypedDict):
    """What is sent of a large tensor: mean, least and greatest value of each block, base64."""

    block: Annotated[list[int], "rows and columns of one block"]
    shape: Annotated[str, "blocks down and across"]
    rms: Annotated[JsonNumber, "root mean square of all finite cells"]
    coarse: Annotated[bool, "whether POST /api/step has more of it"]
    mean: str
    min: str
    max: str


class Whole(TypedDict):
    """A tensor cell by cell, in Plotly's typed-array form."""

    dtype: Literal["f4", "f8", "i4", "u1"]
    shape: Annotated[str, 'such as "32, 27"; "" for a single number']
    bdata: Annotated[str, "the cells in row-major order, little-endian, base64"]


class Tile(TypedDict):
    """A large tensor, block by block."""

    dtype: Literal["f4", "f8", "i4", "u1"]
    shape: Annotated[str, "the shape of the whole tensor"]
    pooled: Pooled


Wire = Whole | Tile


class Operand(TypedDict):
    """One tensor on the left of a step's equation; one of the walk's own is named, any other is sent."""

    role: Annotated[
        str,
        "local (the local derivative), arrives (a gradient that an earlier step finished) or upstream (such a gradient "
        "carried on, within this line, to a part of it without a name); of a planted line also ones (1 in every cell), "
        "read (anything else that goes in) and left out (an operand of the right line that does not)",
    ]
    code: str
    node: str | None
    which: Which | None
    shape: list[int]
    dims: list[str]
    tensor: Wire | None


class Product(TypedDict):
    """A tensor without a name on the way to the result, such as what is summed."""

    code: str
    shape: list[int]
    dims: list[str]
    tensor: Wire


class SummedAxis(TypedDict):
    """One axis over which a product is summed."""

    axis: int
    name: str
    size: int
    keepdim: Annotated[bool, "it stays with length 1"]


class Picture(TypedDict):
    """A backward step as an equation of tensors: operands, their product, the axes it is summed over, what follows."""

    kind: Annotated[Meeting, "how the operands meet"]
    then: Annotated[Placement, "what happens to its cells afterwards; empty where nothing does"]
    symbol: str
    operands: list[Operand]
    product: Product | None
    axes: list[SummedAxis]


class Stage(TypedDict):
    """What becomes, one after the other, of the tensor that a forward step's operands make."""

    how: Annotated[
        Literal["fold", "move", "apply"],
        "fold (many cells become one, along `axes`), move (cells are taken as they are: `runs`), or apply (a function)",
    ]
    words: Annotated[str, "what is done: `Σ`, `mean`, `view`, `tanh`; of the tensor before it, `x`"]
    factor: Annotated[str, "of a fold: the number before it, such as `1/n` or `-1`; empty where there is none"]
    cellwise: Annotated[bool, "each cell is computed from the one in its own place alone"]
    axes: list[SummedAxis]
    runs: Annotated[
        list[list[int]],
        "of a move, cells that stay side by side: the first one's place before it, its place after it, and how many; "
        "places are counted in row-major order. Empty where there are very many",
    ]
    result: Annotated[Product | None, "null of the last stage, which makes the step's own tensor"]


class ForwardPicture(TypedDict):
    """A forward step as an equation of tensors: operands with the signs between them, then what becomes of them."""

    signs: Annotated[list[str], "the sign before each operand, such as `@`; empty before a first one without any"]
    operands: list[Operand]
    met: Annotated[Product | None, "what the operands make, where that is folded or moved"]
    stages: list[Stage]
