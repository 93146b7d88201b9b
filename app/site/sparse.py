"""Tensors that are mostly zeros, such as local Jacobians: which cells hold more, and what stands there."""

import base64
from itertools import groupby
from typing import Any

LEAST = 64  # bytes of a tensor that is worth it
WORD = 4  # bytes of float32
NOTHING = bytes(WORD)


def thin(value: Any) -> Any:
    """A document in which such tensors have `mask` and `cells` in the place of `bdata`: a bit for each cell, and the
    numbers of those that aren't zero."""
    if isinstance(value, list):
        return [thin(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.get("dtype") == "f4" and "bdata" in value:
        return _thin_tensor(value)
    return {key: thin(one) for key, one in value.items()}


def _thin_tensor(tensor: dict[str, str]) -> dict[str, str]:
    raw = base64.b64decode(tensor["bdata"])
    words = [raw[at : at + WORD] for at in range(0, len(raw), WORD)]
    filled = [word for word in words if word != NOTHING]
    if len(raw) < LEAST or 2 * len(filled) > len(words):
        return tensor
    bits = int("".join("01"[word != NOTHING] for word in reversed(words)), 2)
    told = {"mask": bits.to_bytes(-(-len(words) // 8), "little"), "cells": b"".join(filled)}
    letters = {key: base64.b64encode(content).decode() for key, content in told.items()}
    return {key: one for key, one in tensor.items() if key != "bdata"} | letters


def filled_shape(tensor: dict[str, str]) -> tuple[int, ...]:
    """The cells of a thin matrix as blocks of rows that are filled in the same places; one after the other, where
    these aren't alike."""
    raw = base64.b64decode(tensor["cells"])
    plain = (len(raw) // WORD,)
    sizes = [int(size) for size in tensor["shape"].split(",")]
    if len(sizes) != 2:
        return plain
    bits = int.from_bytes(base64.b64decode(tensor["mask"]), "little")
    rows = [(bits >> at * sizes[1]) & (1 << sizes[1]) - 1 for at in range(sizes[0])]
    blocks = {(row.bit_count(), len(list(some))) for row, some in groupby(rows)}
    if len(blocks) != 1:
        return plain
    ((width, height),) = blocks
    return tuple(size for size in (sizes[0] // height, height, width) if size > 1) or plain
