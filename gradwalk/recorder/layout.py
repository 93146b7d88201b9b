"""Calls that say where the cells they take lie: each is told by a table of places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F

from gradwalk.recorder.values import cells_of, geometry_of, storage_cells

Tensor = torch.Tensor
_off = torch._C.DisableTorchFunction  # without the modes that watch calls


def movedim_pad(x: Tensor, pad: Sequence[int], mode: str = "constant", *_: Any, **__: Any) -> Tensor:
    """A border that repeats what is inside: each cell from where it is taken."""
    if mode == "constant" or len(pad) // 2 > x.dim():
        raise NotImplementedError(mode)
    with _off(), torch.no_grad():
        cells = torch.arange(x.numel(), dtype=torch.float64).view(x.shape)
        for place in range(len(pad) // 2):
            axis = x.dim() - 1 - place
            moved = cells.movedim(axis, -1)
            flat = moved.reshape(1, -1, moved.shape[-1])
            cells = (
                F.pad(flat, tuple(pad[2 * place : 2 * place + 2]), mode=mode)
                .reshape(*moved.shape[:-1], -1)
                .movedim(-1, axis)
            )
        index = cells.long()
    return x.reshape(-1)[index]


def as_strided(x: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Tensor:
    """Cells wherever they lie in memory, some of them more than once: each from where it is taken."""
    cells = storage_cells(x)
    offset = geometry_of(x)[0] if storage_offset is None else storage_offset
    with _off(), torch.no_grad():
        places = torch.full((cells,), -1)
        places[cells_of(geometry_of(x), cells).reshape(-1)] = torch.arange(x.numel())
        taken = places[cells_of((offset, tuple(size), tuple(stride)), cells)]
    if bool((taken < 0).any()):
        raise NotImplementedError("cells of another tensor")
    return x.reshape(-1)[taken]
