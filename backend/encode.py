"""With this module tensors travel: Plotly's typed arrays as base64, or nested lists with words for what JSON lacks."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as functional

from backend.language.errors import Refusal

LARGEST_WHOLE = 65_536
# A reply holds about 16 MB of cells.
MOST_CELLS = 3_000_000
Encoder = Callable[[torch.Tensor], Any]
KINDS = {torch.float32: "f4", torch.float64: "f8", torch.int64: "i4", torch.int32: "i4", torch.bool: "u1"}


def typed(tensor: torch.Tensor) -> dict[str, str]:
    """A tensor as `{"dtype", "shape", "bdata"}`; whole numbers as i4, or f8 where they are too large, masks as u1."""
    kind = KINDS.get(tensor.dtype, "f4")
    if tensor.dtype is torch.int64:
        kind = "i4" if _fits_int32(tensor) else "f8"
        tensor = tensor.to(torch.int32 if kind == "i4" else torch.float64)
    data = b64encode(tensor.detach().contiguous().numpy().tobytes()).decode()
    return {"dtype": kind, "shape": ", ".join(map(str, tensor.shape)), "bdata": data}


def _fits_int32(tensor: torch.Tensor) -> bool:
    limits = torch.iinfo(torch.int32)
    return not tensor.numel() or (int(tensor.min()) >= limits.min and int(tensor.max()) <= limits.max)


def tile(tensor: torch.Tensor, cells: int) -> dict[str, Any]:
    """A large tensor as its mean, least and greatest value per block; `shape` stays that of the whole."""
    sheet = tensor.detach().float().reshape(1, 1, -1, tensor.shape[-1])
    rows, columns = sheet.shape[2:]
    cells = max(cells // 3, 1)  # a tile is three arrays
    side = max(int(cells**0.5), 1)
    size = (min(rows, max(side, cells // columns)), min(columns, max(side, cells // rows)))
    pooled = {
        "mean": functional.adaptive_avg_pool2d(sheet, size),
        "min": -functional.adaptive_max_pool2d(-sheet, size),
        "max": functional.adaptive_max_pool2d(sheet, size),
    }
    blocks = {name: typed(part.reshape(size))["bdata"] for name, part in pooled.items()}
    block = [-(-rows // size[0]), -(-columns // size[1])]
    shape = ", ".join(map(str, tensor.shape))
    return {"dtype": "f4", "shape": shape, "pooled": {"block": block, "shape": f"{size[0]}, {size[1]}", **blocks}}


def typed_within(cells: int) -> Encoder:
    """An encoder that sends tensors of up to `cells` cells whole, and larger ones as tiles."""
    return lambda tensor: typed(tensor) if tensor.numel() <= cells else tile(tensor, cells)


def lists(tensor: torch.Tensor) -> Any:
    """A tensor as nested lists; non-finite values are the words NaN, Infinity and -Infinity."""
    values = tensor.detach().tolist()
    return values if bool(torch.isfinite(tensor).all()) else _worded(values)


def _worded(value: Any) -> Any:
    return [_worded(item) for item in value] if isinstance(value, list) else number(value)


def number(value: Any) -> Any:
    """A number as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def encoder(arrays: str, cells: Sequence[int]) -> Encoder:
    """The encoder for a walk that sends tensors of so many cells each: many or large ones are sent as tiles.

    Raises Refusal where nested lists were asked for and would not fit into a reply.
    """
    if arrays != "lists":
        return typed_within(min(LARGEST_WHOLE, largest_whole(cells, MOST_CELLS)))
    if sum(cells) > MOST_CELLS:
        raise Refusal("reply-too-large", found=f"{sum(cells):,}")
    return lists


def largest_whole(cells: Sequence[int], most: int) -> int:
    """How many cells each tensor may send so that all together send at most so many."""
    left, waiting = most, sorted(cells)
    for number, count in enumerate(waiting):
        share = left // (len(waiting) - number)
        if count > share:
            return share
        left -= count
    return most
