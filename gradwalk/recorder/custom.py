"""Functions with a backward pass of their owner's: recorded as the slope that they tell, cell by cell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from gradwalk.recorder.trial import same
from gradwalk.recorder.values import carries, tensors_in

if TYPE_CHECKING:
    from gradwalk.recorder.recorder import Recorder

APPLY = "apply"


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Watch `Function.apply` for as long as the model runs: PyTorch tells no mode of it."""
    had, before = APPLY in vars(torch.autograd.Function), vars(torch.autograd.Function).get(APPLY)
    true = before or torch.autograd.Function.apply

    def apply(cls: type[torch.autograd.Function], *args: Any, **kwargs: Any) -> Any:
        bound = true.__get__(None, cls) if hasattr(true, "__get__") else true
        with torch._C.DisableTorchFunction():
            out = bound(*args, **kwargs)
        if carries(list(tensors_in([args, kwargs]))) and torch.is_grad_enabled() and carries(list(tensors_in(out))):
            with torch._C.DisableTorchFunction():
                told(recorder, cls, args, out)
        return out

    setattr(torch.autograd.Function, APPLY, classmethod(apply))
    try:
        yield
    finally:
        if had:
            setattr(torch.autograd.Function, APPLY, before)
        else:
            delattr(torch.autograd.Function, APPLY)


def told(recorder: Recorder, cls: type[torch.autograd.Function], args: Any, out: Any) -> None:
    """Write a custom function down: its value, and a slope for each input that has one."""
    name = cls.__name__
    recorder.place = recorder.placed()
    inputs = [one for one in args if isinstance(one, torch.Tensor) and one.requires_grad]
    if not isinstance(out, torch.Tensor) or any(one.shape != out.shape for one in inputs):
        recorder.missing.setdefault(f"{name}.apply", recorder.place.text)
        for one in tensors_in(out):
            recorder.memory.unknown(one)
        return
    slopes = slopes_of(out, inputs)
    if slopes is None:
        recorder.missing.setdefault(f"{name}.apply, whose backward pass is not cell by cell", recorder.place.text)
        recorder.memory.unknown(out)
        return
    recorder.notes.setdefault(
        f"`{name}` has a backward pass of its own: the walk takes the slope that it tells, cell by cell."
    )
    memory = recorder.memory
    whole: ast.expr = memory.constant(out.detach().clone()).name
    reads = []
    for one, slope in zip(inputs, slopes, strict=True):
        there, value = memory.constant(one.detach().clone()), memory.value(one)
        steep = memory.constant(slope)
        reads += [steep, value, there]
        moved = ast.BinOp(value.name, ast.Sub(), there.name)
        whole = ast.BinOp(whole, ast.Add(), ast.BinOp(steep.name, ast.Mult(), moved))
    reads.append(memory.constant(out.detach()))
    constants = [
        one
        for one in memory.inputs
        if one.name.id in {node.id for node in ast.walk(whole) if isinstance(node, ast.Name)}
    ]
    everything = {one.number: one for one in (*reads, *constants)}
    recorder.write(whole, [everything[n] for n in recorder.numbers_in(whole)], [out], False)


def slopes_of(out: torch.Tensor, inputs: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """How each cell moves its own: what the backward pass makes of ones; None where cells meet in it."""
    generator = torch.Generator().manual_seed(0)
    upstream = torch.randn(out.shape, generator=generator).to(out.dtype)
    first = torch.autograd.grad(out, inputs, torch.ones_like(out), retain_graph=True, allow_unused=True)
    second = torch.autograd.grad(out, inputs, upstream, retain_graph=True, allow_unused=True)
    slopes = [torch.zeros_like(out) if one is None else one.detach() for one in first]
    again = [torch.zeros_like(out) if one is None else one.detach() for one in second]
    if all(same(slope * upstream, other) for slope, other in zip(slopes, again, strict=True)):
        return slopes
    return None
