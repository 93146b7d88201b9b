"""Memory that a tensor shares with NumPy and the like: whoever else has it writes into it without a word to PyTorch."""

from __future__ import annotations

import torch

from backend.engine.language.pytree import storage_of
from gradwalk.recorder.values import equal

GIVING = {"numpy", "__array__", "__dlpack__", "data_ptr"}  # calls after which somebody else may write


class Shared:
    """The storages that others have as well, with what the tensors there held when they were last looked at."""

    def __init__(self) -> None:
        self.given: dict[int, torch.Tensor] = {}  # kept, so that no identity is another storage's
        self.copies: dict[int, dict[int, tuple[torch.Tensor, torch.Tensor]]] = {}

    def give(self, tensor: torch.Tensor) -> None:
        """Somebody else has a tensor's storage from now on."""
        self.given[storage_of(tensor)] = tensor

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether somebody else has a tensor's storage: PyTorch lets none of these be resized."""
        if tensor.layout is not torch.strided or tensor.is_meta:
            return False
        return storage_of(tensor) in self.given or not tensor.untyped_storage().resizable()

    def keep(self, tensor: torch.Tensor) -> None:
        """Keep what a tensor holds now."""
        there = self.copies.setdefault(storage_of(tensor), {})
        if id(tensor) not in there:
            with torch._C.DisableTorchFunction():
                there[id(tensor)] = tensor, tensor.detach().clone()

    def written(self, storage: int) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """The tensors of a storage that hold something else now, with what they held."""
        with torch._C.DisableTorchFunction():
            return [(one, copy) for one, copy in self.copies.get(storage, {}).values() if not equal(one.detach(), copy)]
