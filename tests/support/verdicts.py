"""Small programs walked for their verdicts."""

from __future__ import annotations

import json
from typing import Any

import backend

X = {"role": "parameter", "values": [[-1.0, 2.0], [3.0, 4.0], [0.5, -0.25]]}
B = {"role": "parameter", "values": [0.5, -1.5]}


def walked(source: Any, **tensors: Any) -> Any:
    """A walk as a document, and its nodes by name."""
    request = {"source": source, "tensors": {"x": X} | tensors, "arrays": "lists"}
    document = json.loads(backend.walk(request))
    return document, {node["name"]: node for node in document["nodes"]}
