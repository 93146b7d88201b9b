"""Functions with a backward pass of their owner's: recorded as the slope that they tell, or as their forward pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.checkpoint import CheckpointFunction

from backend.engine.language.tree import loaded_in
from gradwalk.recorder.asked import Asked
from gradwalk.recorder.function import Function, forward_of
from gradwalk.recorder.kept import Kept
from gradwalk.recorder.tangent import draws, told_by_tangent
from gradwalk.recorder.values import carries, tensors_in

if TYPE_CHECKING:
    from gradwalk.recorder.recorder import Recorder

# `Function.apply` asks this class for its own `apply` at every call, also where it was kept by another name before.
# From PyTorch 2.14 on its own is none of Python's: what was kept before the run goes by unseen there.
OUTER: Any = torch.autograd.Function
INNER: Any = OUTER.__mro__[1] if isinstance(vars(OUTER).get("apply"), classmethod) else OUTER
APPLY = "apply"


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Watch `Function.apply` for as long as the model runs: PyTorch tells no mode of it."""
    before = vars(INNER).get(APPLY)

    def apply(cls: type[torch.autograd.Function], *args: Any, **kwargs: Any) -> Any:
        if cls is CheckpointFunction and carries(tensors_in(args)):
            part, _, *given = args  # computed a second time on the way back, with the same numbers
            return part(*given)
        bound = before.__get__(None, cls) if before is not None else super(INNER, cls).apply
        state, kept = torch.get_rng_state(), Kept.of(recorder, args)
        with torch._C.DisableTorchFunction():
            out = bound(*args, **kwargs)
        if carries(tensors_in([args, kwargs])) and torch.is_grad_enabled() and carries(tensors_in(out)):
            if cls not in recorder.functions and not cls.__module__.startswith("torch."):
                recorder.functions[cls] = [
                    one.detach().clone().requires_grad_(one.requires_grad) if isinstance(one, torch.Tensor) else one
                    for one in args
                ]
            if not kept.changed():
                write(recorder, cls, Asked(bound, args, state), out)
            elif not told_in_place(recorder, cls, kept, out, state):
                refuse(recorder, f"{cls.__name__}.apply, which writes into what it is given", out)
        return out

    setattr(INNER, APPLY, classmethod(apply))
    try:
        yield
    finally:
        if before is not None:
            setattr(INNER, APPLY, before)
        else:
            delattr(INNER, APPLY)


def write(recorder: Recorder, cls: Function, asked: Asked, out: Any) -> None:
    """Write a custom function down by what its backward pass or its forward pass tells; else it is refused."""
    why = "is not cell by cell"
    try:
        with torch._C.DisableTorchFunction():
            done = told_by_slopes(recorder, cls, asked, out)
        if done or told_otherwise(recorder, cls, asked, out):
            return
    except (RuntimeError, AttributeError, TypeError, ValueError) as error:  # it may not be asked on its own
        why = f"says: {str(error).partition('. ')[0]}"
    refuse(recorder, f"{cls.__name__}.apply, whose backward pass {why}", out)


def refuse(recorder: Recorder, what: str, out: Any) -> None:
    """Note what can't be written down."""
    recorder.missing.setdefault(what, recorder.place.text)
    for one in tensors_in(out):
        recorder.memory.unknown(one)


def told_in_place(recorder: Recorder, cls: Function, kept: Kept, out: Any, state: torch.Tensor) -> bool:
    """Write down a custom function that writes into its arguments, as the lines of its forward pass on their copies."""
    recorder.place = recorder.placed()
    stand_ins = kept.stand_ins(recorder)

    kept.before_the_write(recorder)
    mark = len(recorder.rows)
    if not recorder.found_by(partial(forward_of(cls), *stand_ins), out, state):
        del recorder.rows[mark:]
        return False
    for place in kept.changed():
        kept.after_the_write(recorder, place, recorder.memory.value(stand_ins[place]))
    recorder.notes.setdefault(f"`{cls.__name__}` is told by the lines of its forward pass.")
    return True


def told_otherwise(recorder: Recorder, cls: Function, asked: Asked, out: Any) -> bool:
    """Write a custom function down as what its forward pass is made of, or by its tangent.

    Lines that go back another way, as those of a search do, are those of a wrong backward pass, unless central
    differences confirm that pass.
    """
    mark, notes, args = len(recorder.rows), dict(recorder.notes), asked.args

    def by_tangent() -> bool:
        known = cls.__module__.startswith("torch.") or not draws(cls.apply, args, {})
        return known and asked.twice() and told_by_tangent(recorder, cls.apply, cls.__name__, args, {}, out)

    for given in (without(args, asked.ungiven()), args):
        if recorder.found_by(partial(forward_of(cls), *given), out, asked.state):
            lines, told = recorder.rows[mark:], recorder.notes
            del recorder.rows[mark:]
            recorder.notes = notes
            if not asked.agrees(recorder.again) and by_tangent():
                return True
            recorder.rows += lines
            recorder.notes = told
            recorder.notes.setdefault(f"`{cls.__name__}` is told by the lines of its forward pass.")
            return True
        del recorder.rows[mark:]
    return by_tangent()


def without(args: Any, places: set[int]) -> list[Any]:
    """The arguments, those at these places as data."""
    return [one.detach() if place in places else one for place, one in enumerate(args)]


def told_by_slopes(recorder: Recorder, cls: Function, asked: Asked, out: Any) -> bool:
    """Write a custom function down as its value and a slope for each input, where its backward pass is that."""
    name = cls.__name__
    recorder.place = recorder.placed()
    inputs = asked.inputs
    if not isinstance(out, torch.Tensor) or any(one.shape != out.shape for one in inputs):
        return False
    slopes = asked.slopes(out)
    if slopes is None:
        return False
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
    constants = [one for one in memory.inputs if one.key in {*loaded_in(whole)}]
    everything = {one.number: one for one in (*reads, *constants)}
    recorder.write(whole, [everything[n] for n in recorder.numbers_in(whole)], [out], False)
    return True
