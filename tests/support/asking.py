"""Requests in short: programs whose tensors are given by their values, and questions about them."""

from __future__ import annotations

from typing import Any

from backend import numeric


def program(source: Any, dtype: str = "float32", **tensors: Any) -> Any:
    given = {n: v if isinstance(v, dict) else {"role": "parameter", "values": v} for n, v in tensors.items()}
    return {"source": source, "tensors": given, "dtype": dtype}


def along(walk: Any, node: Any, **rest: Any) -> Any:
    return numeric({"walk": walk, "node": node, **rest})
