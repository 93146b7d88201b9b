"""Requests in short: programs whose tensors are given by their values, and questions about them."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import torch

from backend import numeric, walk

NUMPY = {"f4": np.float32, "f8": np.float64, "i4": np.int32, "u1": np.uint8}


def program(source: Any, dtype: str = "float32", **tensors: Any) -> Any:
    given = {n: v if isinstance(v, dict) else {"role": "parameter", "values": v} for n, v in tensors.items()}
    return {"source": source, "tensors": given, "dtype": dtype}


def along(walk: Any, node: Any, **rest: Any) -> Any:
    return numeric({"walk": walk, "node": node, **rest})


def whole(request: Any) -> Any:
    """The walk with what belongs to single steps, as typed arrays."""
    return json.loads(walk(request | {"steps": "all"}))


def array(wire: Any) -> Any:
    """A typed array from the wire."""
    shape = [int(size) for size in wire["shape"].split(", ") if size]
    return torch.tensor(np.frombuffer(base64.b64decode(wire["bdata"]), NUMPY[wire["dtype"]]).reshape(shape).copy())


def drawn(*shape: Any, seed: int = 1) -> Any:
    return {"role": "parameter", "shape": list(shape), "init": "randn", "seed": seed}
