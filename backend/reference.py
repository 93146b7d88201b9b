"""With this module the engine describes itself: its lessons and its operations, from their own blocks."""

from __future__ import annotations

from typing import Any

from backend.lessons import LESSONS
from backend.ops import OPS
from backend.request import find_lesson


def lessons() -> list[dict[str, Any]]:
    """Name, title and subject of every lesson, in teaching order."""
    return [{"name": one.name, "title": one.title, "about": one.about} for one in LESSONS.values()]


def lesson(name: str) -> dict[str, Any]:
    """One lesson: what its seed means, its program, tensors, axis names and narration; or a Refusal (404)."""
    one = find_lesson(name)
    made = one.material(one.seed, None)
    tensors = {
        key: {"role": one.roles.get(key, "parameter"), "shape": list(tensor.shape), "dims": list(one.dims.get(key, ()))}
        for key, tensor in made.tensors.items()
    }
    return {
        "name": one.name,
        "title": one.title,
        "about": one.about,
        "seed": {"default": one.seed, "means": one.seed_means},
        "source": one.source,
        "constants": dict(one.constants),
        "tensors": tensors,
        "narration": dict(one.narration),
        "questions": [],
    }


def operations() -> list[dict[str, Any]]:
    """Every operation: what it computes, its spellings, and its rules as text."""
    return [
        {
            "name": op.name(),
            "about": (op.__doc__ or "").strip(),
            "written": list(op.written),
            "backward": dict(op.backward),
            "exact": dict(op.exact),
            "because": dict(op.because),
            "cells": dict(op.cells),
            "differentiable": op.differentiable,
        }
        for op in OPS
    ]
