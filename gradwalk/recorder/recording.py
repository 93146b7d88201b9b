"""One recorded run: the model is run as it is, its loss differentiated by its owner's PyTorch, and all put back."""

from __future__ import annotations

import ast
import inspect
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.parameter import is_lazy

from backend.engine.execute.run import dense
from gradwalk.recorder import custom, scripted, transforms
from gradwalk.recorder.complex_pairs import as_pairs
from gradwalk.recorder.function import Function
from gradwalk.recorder.modules import Modules
from gradwalk.recorder.places import calling
from gradwalk.recorder.program import WIDEST, Written, program_of
from gradwalk.recorder.recorder import Recorder
from gradwalk.recorder.values import Value, cells_of, geometry_of, storage_cells, tensors_in

NO_GRADIENT = "not differentiable with respect to argument"  # says PyTorch of a call that was asked for one


class WalkError(Exception):
    """A model that can't be walked; `missing` has every call that is in the way, with the line it stands in."""

    def __init__(self, message: str, missing: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.missing = dict(missing or {})


@dataclass
class Recording:
    """What a model did: the program that computes its loss, and the gradients that its own backward pass gives.

    `functions` are the custom functions that it called, with the arguments of the first time.
    """

    program: Written
    loss: torch.Tensor
    own: dict[str, torch.Tensor]
    notes: list[str]
    unused: list[str] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    functions: dict[Function, list[Any]] = field(default_factory=dict)
    half: bool = False  # whether anything is computed in half precision, as under autocast


def recorded(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], loss: Callable[[Any], Any] | None
) -> Recording:
    """Run a model and write down what it does; raises WalkError where that can't be done as a whole.

    Where PyTorch has no gradient for one of the arguments, as for a loss's targets, that one is data.
    """
    asked = [one for one in tensors_in([args, kwargs]) if one.is_floating_point() and not one.requires_grad]
    try:
        return recorded_once(function, args, kwargs, loss, None)
    except RuntimeError as error:
        if NO_GRADIENT not in str(error):
            raise
        for place in range(len(asked)):
            with suppress(RuntimeError):
                return recorded_once(function, args, kwargs, loss, place)
        raise WalkError(f"PyTorch has no gradient for one of the inputs: {error}") from error


def recorded_once(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    loss: Callable[[Any], Any] | None,
    data: int | None,
) -> Recording:
    """The same in one run; `data` is the place of one that doesn't ask, among the tensors that could."""
    modules = Modules(function, *([loss] if loss is not None else []))
    refuse_lazy(modules)
    refuse_meta([*tensors_in([args, kwargs]), *(function.parameters() if isinstance(function, nn.Module) else ())])
    recorder = Recorder(modules, calling())
    recorder.memory.combine = lambda old, new, cells, shape: combined(recorder, old, new, cells, shape)
    recorder.memory.view = lambda value, base, tensor: viewed(recorder, value, base, tensor)
    recorder.memory.shift = lambda value, tensor: shifted(recorder, value, tensor)
    recorder.memory.overwritten = lambda value, lost: overwritten(recorder, value, lost)
    with as_it_was(recorder), uncompiled(), torch.enable_grad():
        given, known = taken_in(recorder, function, args, kwargs, data)
        with watched(recorder), recorder, failing(modules):
            out = function(*given[0], **given[1])
            scalar = scalar_of(out if loss is None else loss(out), recorder)
        if not scalar.requires_grad:
            raise WalkError("No gradient reaches the loss: nothing that it is made of asks for one.")
        end, value = recorder.memory.value(scalar), scalar.detach().clone()
        recorder.memory.look()
        if recorder.missing:
            raise WalkError(told(recorder.missing), recorder.missing)
        program = program_of(recorder.rows, recorder.memory.inputs, end)
        own, unused = own_gradients(scalar, program, modules, recorder.memory.inputs, known)
    notes = [*recorder.notes, *hooks_in(recorder), *compiled_in(function, modules)]
    half = recorder.memory.half
    return Recording(program, value, own, notes, unused, program.named, recorder.functions, half)


def refuse_meta(tensors: Sequence[torch.Tensor]) -> None:
    """Name what holds no numbers."""
    if any(one.is_meta for one in tensors):
        raise WalkError("Tensors on the device `meta` have a shape and no numbers: give the model some to walk it.")


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Watch what PyTorch tells no mode of, for as long as the model runs."""
    with custom.watched(recorder), scripted.watched(recorder), transforms.watched(recorder):
        yield


@contextmanager
def failing(modules: Modules) -> Iterator[None]:
    """Name what a run fails on for its being watched: parameters without numbers that nothing stands in for, and calls
    that Dynamo compiles whatever is asked of it."""
    try:
        yield
    except Exception as error:
        refuse_meta([one for _, one in modules.parameters()])
        if type(error).__module__.startswith("torch._dynamo"):
            why = str(error).partition("\n")[0]
            raise WalkError(f"A call that Dynamo compiles can't be watched: {why}") from error
        raise


def refuse_lazy(modules: Modules) -> None:
    """Name what has no size before the model has run."""
    lazy = [label for label, one in modules.parameters() if is_lazy(one)]
    if lazy:
        raise WalkError(f"`{lazy[0]}` has no size yet: run the model once, which gives its lazy layers theirs.")


def hooks_in(recorder: Recorder) -> list[str]:
    """What is said of hooks that a backward pass runs and no line tells."""
    known = [one for one in recorder.memory.known.values() if one.tensor._backward_hooks]
    tensors = [one.value.label or next(iter(one.value.names), "a tensor") for one in known]
    layers = [one for root in recorder.modules.roots for one in root.modules() if one._backward_hooks]
    names = dict.fromkeys([*tensors, *(path_of(one, recorder.modules) for one in layers)])
    return [f"A hook on the gradient of `{name}` is no line of the walk: it may change it." for name in names]


def compiled_in(function: Any, modules: Modules) -> list[str]:
    """What is said where `torch.compile` made something of the model: what it made is not what is walked."""
    every = [one for root in modules.roots for one in root.modules()]
    compiled = hasattr(function, "_torchdynamo_orig_callable") or any(
        hasattr(one, "_orig_mod") or one._compiled_call_impl is not None for one in every
    )
    return ["What `torch.compile` makes was not run: the lines are those of the model as it was written."] * compiled


def path_of(module: nn.Module, modules: Modules) -> str:
    """What a module's owner calls it."""
    return modules.paths.get(id(module)) or type(module).__name__


def told(missing: Mapping[str, str]) -> str:
    """All that is in the way, at once."""
    short = {name: text if len(text) <= WIDEST else f"{text[:WIDEST]}…" for name, text in missing.items()}
    lines = [f"  {name}{f'   in  {text}' if text else ''}" for name, text in short.items()]
    return "gradwalk has no rule for\n" + "\n".join(lines)


@contextmanager
def as_it_was(recorder: Recorder) -> Iterator[None]:
    """Leave random numbers and what the model keeps of its runs as they were."""
    every = [one for root in recorder.modules.roots for one in root.modules()]
    buffers = [(one._buffers, dict(one._buffers)) for one in every if isinstance(one._buffers, dict)]
    for one in every:
        if isinstance(one, torch.jit.ScriptModule):  # which writes into its buffers out of sight
            recorder.memory.spared |= {id(each): (each, each.detach().clone()) for each in one.buffers(recurse=False)}
    state, other, third = torch.get_rng_state(), random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        recorder.memory.put_back()
        for there, before in buffers:
            there.clear()
            there.update(before)
        torch.set_rng_state(state)
        random.setstate(other)
        np.random.set_state(third)


def uncompiled() -> AbstractContextManager[Any]:
    """What `torch.compile` has made runs as it was written; without a compiler there is nothing of the kind."""
    return torch.compiler.set_stance("force_eager") if "torch._dynamo" in sys.modules else nullcontext()


def taken_in(
    recorder: Recorder, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], data: int | None
) -> tuple[tuple[list[Any], Mapping[str, Any]], dict[int, torch.Tensor]]:
    """The arguments as the model is given them: tensors of decimals ask for a gradient, which none of its own does."""
    names = names_of(function, len(args))
    known: dict[int, torch.Tensor] = {}
    asks = asking(recorder, data)

    def given(value: Any, name: str) -> Any:
        if isinstance(value, torch.Tensor):
            return one(value, name)
        if isinstance(value, dict):
            return {key: given(part, f"{name}_{key}") for key, part in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(given(part, f"{name}_{key}") for key, part in zip(value._fields, value, strict=True)))
        if isinstance(value, list | tuple):
            return type(value)(given(part, f"{name}_{place}") for place, part in enumerate(value))
        return value

    def one(value: torch.Tensor, name: str) -> torch.Tensor:
        if not asks(value, name):
            recorder.memory.names.setdefault(id(value), name)
            return value
        leaf = value.detach().clone().requires_grad_()
        copy = leaf.clone()  # which the model may write into
        made = recorder.memory.input(copy, "data", name, name)
        recorder.memory.holds(copy, made)
        known[made.number] = leaf
        return copy

    wrapped = [given(value, name) for value, name in zip(args, names, strict=True)]
    return (wrapped, {key: given(value, key) for key, value in kwargs.items()}), known


def asking(recorder: Recorder, data: int | None) -> Callable[[torch.Tensor, str], bool]:
    """Which arguments are asked for a gradient: decimals that ask for none themselves, but for the one that is data."""
    places = count()

    def asks(value: torch.Tensor, name: str) -> bool:
        if value.requires_grad or not value.is_floating_point():
            return False
        if next(places) != data:
            return True
        recorder.notes.setdefault(f"PyTorch has no gradient for `{name}`: it is data.")
        return False

    return asks


def names_of(function: Any, count: int) -> list[str]:
    """What a function calls its arguments."""
    try:
        function = getattr(function, "_orig_mod", function)  # of what `torch.compile` has made
        parameters = inspect.signature(getattr(function, "forward", function)).parameters.values()
    except (TypeError, ValueError):
        return [f"x{place}" for place in range(count)]
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    rest = next((one.name for one in parameters if one.kind is one.VAR_POSITIONAL), "x")
    return (names + [f"{rest}{place}" for place in range(count)])[:count]


def scalar_of(out: Any, recorder: Recorder) -> torch.Tensor:
    """The number that is differentiated."""
    scalar: torch.Tensor
    if isinstance(getattr(out, "loss", None), torch.Tensor):
        out = out.loss
    if not isinstance(out, torch.Tensor):
        found = [one for one in tensors_in(out) if one.is_floating_point() and one.requires_grad]
        single = [one for one in found if one.numel() == 1]
        if not found:
            raise WalkError("No gradient reaches the result: nothing that it is made of asks for one.")
        out = (single or found)[0]
        recorder.notes.setdefault("Of several results the walk takes " + ("the number." if single else "the first."))
    if out.numel() != 1:
        recorder.notes.setdefault("The result is no number: the loss is the sum of its cells.")
        scalar = out.sum()
    else:
        scalar = out if out.dim() == 0 else out.reshape(())
    return scalar


def own_gradients(
    loss: torch.Tensor, program: Written, modules: Modules, inputs: Sequence[Value], known: Mapping[int, torch.Tensor]
) -> tuple[dict[str, torch.Tensor], list[str]]:
    """The gradients of the program's inputs by the model's own backward pass; and parameters that no path leads to."""
    wanted = {name: one for name, one in program.inputs.items() if one.role != "constant"}
    tensors = [known.get(one.number, leaf_of(one)) for one in wanted.values()]
    labels, read = {one.label for one in wanted.values()}, {id(one) for one in tensors}
    unused = [(label, one) for label, one in modules.parameters() if label not in labels and one.requires_grad]
    left = [
        (one.label or one.names[0], known.get(one.number, leaf_of(one)))
        for one in inputs
        if one.role != "constant" and (one.label or one.names)
    ]
    others = unused + [(label, one) for label, one in left if id(one) not in read and one.requires_grad]
    every = [*tensors, *(one for _, one in others)]  # at once: a backward pass may be asked once alone
    found = torch.autograd.grad(loss, every, allow_unused=True, retain_graph=True)
    own = {
        name: as_pairs(torch.zeros_like(tensor) if one is None else dense(one.detach()))
        for name, tensor, one in zip(wanted, tensors, found, strict=False)
    }
    refuse_lost([label for label, _ in others], found[len(tensors) :])
    return own, [label for label, _ in unused]


def refuse_lost(labels: Sequence[str], reached: Sequence[torch.Tensor | None]) -> None:
    """Name the tensors that the model's own backward pass reaches, among those that the program doesn't read."""
    lost = dict.fromkeys(label for label, one in zip(labels, reached, strict=True) if one is not None and one.any())
    if lost:
        raise WalkError(f"A gradient reaches {', '.join(lost)}, and the recorded program doesn't read it.")


def leaf_of(value: Value) -> torch.Tensor:
    """The tensor that an input was taken from."""
    return value.leaf if value.leaf is not None else value.kept


def combined(recorder: Recorder, old: Value, new: Value, cells: torch.Tensor, shape: tuple[int, ...]) -> Value:
    """Cells of two values in one: what was written into a part of a tensor."""
    joined = torch.cat([old.kept.detach().reshape(-1), new.kept.detach().reshape(-1)])
    made = joined[cells].requires_grad_()
    where = recorder.memory.input(cells, "constant", "cells")
    flat = ast.parse(
        f"torch.cat([v{old.number}.reshape(-1), v{new.number}.reshape(-1)])[v{where.number}]", mode="eval"
    ).body
    assert made.shape == shape
    recorder.write(flat, [old, new, where], [made], several=False)
    return recorder.memory.value(made)


def shifted(recorder: Recorder, value: Value, tensor: torch.Tensor) -> Value:
    """What a tensor holds that was written into where autograd doesn't look: the gradient passes it by."""
    more = recorder.memory.constant(tensor.detach() - value.kept.detach())
    made = tensor.detach().clone().requires_grad_()
    recorder.write(ast.BinOp(value.name, ast.Add(), more.name), [value, more], [made], several=False)
    return recorder.memory.value(made)


def overwritten(recorder: Recorder, value: Value, lost: bool) -> None:
    """Say that something other than PyTorch wrote into a tensor; `lost`, that nobody can tell what it holds now."""
    name = value.label or next(iter(value.names), "a tensor")
    if lost:
        recorder.missing.setdefault(f"`{name}`, which NumPy or the like wrote into as well", recorder.place.text)
    else:
        how = "autograd doesn't know, so the gradient ignores it"
        recorder.notes.setdefault(f"NumPy or the like wrote into `{name}`: {how}.")


def viewed(recorder: Recorder, value: Value, base: torch.Tensor, tensor: torch.Tensor) -> Value:
    """A view that PyTorch made inside a call: its cells among those of the tensor that it looks at."""
    if geometry_of(base) == geometry_of(tensor):
        return value
    turned = base.dim() == 2 and geometry_of(base.T) == geometry_of(tensor)
    if turned:
        whole, reads = f"v{value.number}.T", [value]
    else:
        size = storage_cells(base)
        places = torch.full((size,), -1)
        places[cells_of(geometry_of(base), size).reshape(-1)] = torch.arange(base.numel())
        where = recorder.memory.input(places[cells_of(geometry_of(tensor), size)], "constant", "cells")
        whole, reads = f"v{value.number}.reshape(-1)[v{where.number}]", [value, where]
    made = tensor.detach().clone().requires_grad_()
    recorder.write(ast.parse(whole, mode="eval").body, reads, [made], several=False)
    return recorder.memory.value(made)
