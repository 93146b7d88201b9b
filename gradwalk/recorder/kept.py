"""The arguments of a call as they were before it: it may write into them, with or without PyTorch's knowing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from gradwalk.recorder.values import Value, equal

if TYPE_CHECKING:
    from gradwalk.recorder.recorder import Recorder


@dataclass
class Kept:
    """Arguments, and by their places what the strided tensors of decimals among them held, and how often written."""

    args: Sequence[Any]
    copies: dict[int, torch.Tensor] = field(default_factory=dict)
    values: dict[int, Value] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, recorder: Recorder, args: Sequence[Any]) -> Kept:
        """The arguments as they are now."""
        kept = cls(args)
        for place, one in enumerate(args):
            if isinstance(one, torch.Tensor) and one.is_floating_point() and one.layout is torch.strided:
                if one.requires_grad:
                    kept.values[place] = recorder.memory.value(one)
                with torch._C.DisableTorchFunction():
                    kept.copies[place], kept.versions[place] = one.detach().clone(), one._version
        return kept

    def changed(self) -> list[int]:
        """The places of those that hold something else now."""
        with torch._C.DisableTorchFunction():
            return [
                place
                for place, copy in self.copies.items()
                if self.args[place]._version != self.versions[place] or not equal(self.args[place].detach(), copy)
            ]

    def stand_ins(self, recorder: Recorder) -> list[Any]:
        """The arguments, those that were written into as copies that hold what they did."""
        made, changed = list(self.args), self.changed()
        with torch._C.DisableTorchFunction(), torch.enable_grad():
            for place in changed:
                copy = self.copies[place]
                value = self.values.get(place)
                made[place] = copy.clone().requires_grad_().clone() if value is not None else copy.clone()
                if value is not None:
                    recorder.memory.holds(made[place], value)
        return made

    def before_the_write(self, recorder: Recorder) -> None:
        """Let the memory look at each tensor that was written into as it was."""
        with torch._C.DisableTorchFunction():
            for place in self.changed():
                one = self.args[place]
                now = one.detach().clone()
                one.data.copy_(self.copies[place])
                recorder.memory.keep_before(one)
                recorder.memory.open(one)
                one.data.copy_(now)

    def after_the_write(self, recorder: Recorder, place: int, value: Value) -> None:
        """Let the memory know what a tensor holds now."""
        one = self.args[place]
        if one._version == self.versions[place]:
            recorder.memory.holds(one, value)
        else:
            recorder.memory.written(one, value)
