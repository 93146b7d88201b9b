"""With this module tensors travel: Plotly's typed arrays as base64, or nested lists with words for what JSON lacks."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import torch

Encoder = Callable[[torch.Tensor], Any]
KINDS = {torch.float32: "f4", torch.float64: "f8", torch.int64: "i4", torch.int32: "i4", torch.bool: "u1"}


def typed(tensor: torch.Tensor) -> dict[str, str]:
    """A tensor as `{"dtype", "shape", "bdata"}`; whole numbers as i4, masks as u1."""
    kind = KINDS.get(tensor.dtype, "f4")
    if tensor.dtype is torch.int64:
        tensor = tensor.to(torch.int32)
    data = b64encode(tensor.detach().contiguous().numpy().tobytes()).decode()
    return {"dtype": kind, "shape": ", ".join(map(str, tensor.shape)), "bdata": data}


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


ENCODERS: dict[str, Encoder] = {"typed": typed, "lists": lists}
