"""Tensors as JSON has them: Plotly's typed arrays in base64, or nested lists; written, and read back."""

from __future__ import annotations

import math
from base64 import b64decode
from binascii import b2a_base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import torch

from backend.engine.language.errors import Refusal

LARGEST_WHOLE = 65_536
# A reply in nested lists holds about 16 MB of cells; a whole walk about 1.3 MB, and what comes of one at first, 0.8.
MOST_CELLS = 3_000_000
WHOLE_CELLS, FIRST_CELLS = 250_000, 150_000
# What the encoder's buffer takes while it is doubled for the last time: of a walk as typed arrays, and as lists.
ROOM = {"typed": 12 << 20, "lists": 64 << 20}
Cells = npt.NDArray[np.float32]
Encoder = Callable[[torch.Tensor], Any]
Document = dict[str, Any]  # a JSON object on its way out
KINDS = {torch.float32: "f4", torch.float64: "f8", torch.int64: "i4", torch.int32: "i4", torch.bool: "u1"}
READ_AS = {"i4": torch.int64, "u1": torch.bool}  # decimals are of the precision of the run
INT32 = np.iinfo(np.int32)
INFINITIES = {"Infinity": math.inf, "-Infinity": -math.inf}


def typed(tensor: torch.Tensor) -> dict[str, str]:
    """A tensor as `{"dtype", "shape", "bdata"}`; whole numbers as i4, or f8 where they are too large, masks as u1."""
    kind, cells = KINDS.get(tensor.dtype, "f4"), tensor.detach().numpy()
    if tensor.dtype is torch.int64:
        kind = "i4" if _fits_int32(cells) else "f8"
        cells = cells.astype(kind)
    data = b2a_base64(np.ascontiguousarray(cells).data, newline=False).decode("ascii")
    return {"dtype": kind, "shape": ", ".join(map(str, tensor.shape)), "bdata": data}


def _fits_int32(cells: npt.NDArray[Any]) -> bool:
    return not cells.size or bool(INT32.min <= cells.min() and cells.max() <= INT32.max)


def tile(tensor: torch.Tensor, cells: int) -> Document:
    """A large tensor as its mean, least and greatest value per block; `shape` stays that of the whole."""
    sheet = tensor.detach().float().reshape(-1, tensor.shape[-1]).numpy()
    rows, columns = sheet.shape
    coarse = cells < LARGEST_WHOLE
    cells = max(cells // 3, 1)  # a tile is three arrays
    side = max(int(cells**0.5), 1)
    size = (min(rows, max(side, cells // columns)), min(columns, max(side, cells // rows)))
    starts = [-(-np.arange(count) * whole // count) for count, whole in zip(size, sheet.shape, strict=True)]
    lengths = np.outer(*(np.diff(first, append=whole) for first, whole in zip(starts, sheet.shape, strict=True)))
    pooled = {
        "mean": (_blocks(np.add, sheet, starts) / lengths).astype(np.float32),
        "min": _blocks(np.minimum, sheet, starts),
        "max": _blocks(np.maximum, sheet, starts),
    }
    block = [-(-rows // size[0]), -(-columns // size[1])]
    facts = {"block": block, "shape": f"{size[0]}, {size[1]}", "rms": number(_rms(sheet)), "coarse": coarse}
    texts = {name: b2a_base64(part.data, newline=False).decode("ascii") for name, part in pooled.items()}
    return {"dtype": "f4", "shape": ", ".join(map(str, tensor.shape)), "pooled": facts | texts}


def _blocks(combine: np.ufunc, sheet: Cells, starts: list[Any]) -> Cells:
    """The cells of each block combined into one; blocks begin at these rows and columns."""
    return combine.reduceat(combine.reduceat(sheet, starts[0], axis=0), starts[1], axis=1)


def _rms(sheet: Cells) -> float:
    """The root mean square of the finite cells."""
    finite = sheet.ravel() if np.isfinite(sheet).all() else sheet[np.isfinite(sheet)]
    return float(np.sqrt(np.dot(finite, finite.astype(np.float64)) / max(finite.size, 1)))


def typed_within(cells: int) -> Encoder:
    """An encoder that sends tensors of up to `cells` cells whole, and larger ones as tiles."""
    return lambda tensor: typed(tensor) if tensor.numel() <= cells else tile(tensor, cells)


def lists(tensor: torch.Tensor) -> Any:
    """A tensor as nested lists; non-finite values are the words NaN, Infinity and -Infinity."""
    values = tensor.detach().tolist()
    return values if bool(torch.isfinite(tensor).all()) else _worded(values)


def _worded(value: Any) -> Any:
    return [_worded(item) for item in value] if isinstance(value, list) else number(value)


def decoded(values: Any, dtype: torch.dtype) -> torch.Tensor:
    """The tensor that a typed array or nested lists stand for, its decimals of this kind.

    Whole numbers in lists make int64, and truth values masks; a list with a decimal, with an infinity or with nothing
    in it makes decimals. Raises ValueError, TypeError, RuntimeError or OverflowError for what torch doesn't take.
    """
    if isinstance(values, Mapping):
        shape = [int(size) for size in values["shape"].split(", ") if size]
        cells = np.frombuffer(b64decode(values["bdata"]), values["dtype"]).reshape(shape)
        return torch.from_numpy(cells.copy()).to(READ_AS.get(values["dtype"], dtype))
    try:
        made = torch.tensor(values)
    except (TypeError, ValueError):
        values = _unworded(values)
        made = torch.tensor(values)
    return torch.tensor(values, dtype=dtype) if made.is_floating_point() else made


def _unworded(value: Any) -> Any:
    return [_unworded(item) for item in value] if isinstance(value, list) else INFINITIES.get(value, value)


def number(value: Any) -> Any:
    """A number as JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def encoder(arrays: str, cells: Sequence[int], most: int = FIRST_CELLS) -> Encoder:
    """The encoder for an answer with tensors of so many cells each: of more than `most` the large ones are tiles.

    Raises Refusal where nested lists were asked for and would not fit into a reply.
    """
    if arrays != "lists":
        return typed_within(min(LARGEST_WHOLE, largest_whole(cells, most)))
    if sum(cells) > MOST_CELLS:
        raise Refusal("reply-too-large", found=f"{sum(cells):,}")
    return lists


def largest_whole(cells: Sequence[int], most: int) -> int:
    """How many cells each tensor may send so that all together send at most so many."""
    if sum(cells) <= most:
        return most
    left, waiting = most, sorted(cells)
    for number, count in enumerate(waiting):
        share = left // (len(waiting) - number)
        if count > share:
            return share
        left -= count
    return most


def as_json(document: object, arrays: str) -> bytes:
    """A document with its tensors as "typed" arrays or "lists", as compact JSON.

    Raises MemoryError where there is not enough room left to write it: the encoder doubles its buffer as it goes, and
    does not survive one that can't be had. So the room is asked for first, as addresses that nothing is written to.
    """
    np.empty(ROOM[arrays], np.uint8)
    return orjson.dumps(document)
