"""Converts a walk's request into one that stands alone: the same program, with its tensors as plain values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from backend.engine.encode import Document
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.pipeline import material_of
from backend.program.request import Request


@guarded
def program(request: Request, names: Path | None = None) -> Document:
    """The request that walks the same without a lesson, without seeds and without changes, as a starting point is.

    `request` is that of POST /api/walk. Raises Refusal for an unknown lesson (404), and where the walk would.
    """
    material = material_of(request, names)
    for name, tensor in material.tensors.items():
        if not tensor.isfinite().all():
            raise Refusal("program-not-finite", found=name)
    lesson = material.lesson
    kept: Document = {
        "source": material.source,
        "tensors": {
            name: {"role": material.inputs[name].role, "values": _values(tensor)}
            for name, tensor in material.tensors.items()
        },
    }
    if material.constants:
        kept["constants"] = dict(material.constants)
    if material.dims:
        kept["dims"] = {name: list(axes) for name, axes in material.dims.items()}
    if material.loss:
        kept["loss"] = material.loss
    if material.dtype is torch.float64:
        kept["dtype"] = "float64"
    told = (lesson.name, lesson.title, lesson.about) if lesson else ("program", material.title, "")
    return dict(zip(("name", "title", "about"), told, strict=True)) | {"request": kept}


def _values(tensor: torch.Tensor) -> Any:
    """Nested lists with as many digits as the numbers have: the shortest texts that are read back to the very bit."""
    array = tensor.numpy()
    if not tensor.is_floating_point():
        return array.tolist()
    short = np.array([float(str(cell)) for cell in array.reshape(-1)]).reshape(array.shape)
    return short.tolist()
