"""Converts a lesson into a request: the same program, with its tensors as plain values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from backend.encode import Document
from backend.program.request import find_lesson


def program(name: str, seed: int | None = None, names: Path | None = None) -> Document:
    """The request that walks a lesson without being one; raises Refusal (404) for an unknown lesson."""
    lesson = find_lesson(name)
    made = lesson.material(lesson.seed if seed is None else seed, names)
    request: Document = {
        "source": lesson.source,
        "tensors": {
            key: {"role": lesson.roles.get(key, "parameter"), "values": _values(tensor)}
            for key, tensor in made.tensors.items()
        },
    }
    if lesson.constants:
        request["constants"] = dict(lesson.constants)
    if lesson.dims:
        request["dims"] = {key: list(axes) for key, axes in lesson.dims.items()}
    return {"name": lesson.name, "title": lesson.title, "about": lesson.about, "request": request}


def _values(tensor: torch.Tensor) -> Any:
    """Nested lists with as many digits as the numbers have: the shortest texts that are read back to the very bit."""
    array = tensor.numpy()
    if not tensor.is_floating_point():
        return array.tolist()
    short = np.array([float(str(cell)) for cell in array.reshape(-1)]).reshape(array.shape)
    return short.tolist()
