"""One part of a large model: the whole is run once, and the part is walked against the gradient that arrives at it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

from gradwalk.recorder.recording import WalkError
from gradwalk.recorder.values import tensors_in

ATOMS = (type(None), bool, int, float, str, bytes, type, FunctionType, ModuleType)
Loss = Callable[[Any], torch.Tensor]


class Part:
    """What goes into a submodule and comes out of it while the whole runs."""

    def __init__(self) -> None:
        self.args: Sequence[Any] = ()
        self.kwargs: Mapping[str, Any] = {}
        self.out: Any = None
        self.state: torch.Tensor | None = None
        self.calls = 0

    def before(self, _: nn.Module, args: Any, kwargs: Any) -> None:
        """Note what it is given, and where the random numbers stand."""
        self.args, self.kwargs = apart((args, kwargs))
        self.state = torch.get_rng_state()
        self.calls += 1

    def after(self, _: nn.Module, __: Any, out: Any) -> None:
        """Note what it makes."""
        self.out = out


def part_of(
    model: Any, args: Sequence[Any], kwargs: Mapping[str, Any], loss: Callable[[Any], Any] | None, path: str
) -> tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any], Loss]:
    """The submodule of this path with its inputs, and a loss whose gradient is the one that truly arrives at it.

    Raises WalkError where there is no such part, where it runs more than once, or no gradient comes to it.
    """
    modules = dict(model.named_modules()) if isinstance(model, nn.Module) else {}
    if path not in modules or not path:
        raise WalkError(f"There is no part {path}; there are {', '.join(name for name in modules if name)}.")
    chosen, seen = modules[path], Part()
    state = torch.get_rng_state()
    kept = [(one, one.detach().clone()) for one in model.buffers()]
    with hooked(chosen, seen):
        whole = model(*args, **kwargs)
    whole = whole if loss is None else loss(whole)
    scalar = tensors_in(getattr(whole, "loss", whole))[0].sum()
    made = [one for one in tensors_in(seen.out) if one.requires_grad]
    if seen.calls != 1 or not made:
        raise WalkError(f"{path} runs {seen.calls} times, and no single gradient arrives at it.")
    upstream = torch.autograd.grad(scalar, made, allow_unused=True)
    with torch.no_grad():
        for one, before in kept:
            one.copy_(before)
    torch.set_rng_state(state)
    arriving = [torch.zeros_like(one) if g is None else g.detach() for one, g in zip(made, upstream, strict=True)]

    def towards(out: Any) -> torch.Tensor:
        parts = [one for one in tensors_in(out) if one.requires_grad]
        total = (parts[0] * arriving[0]).sum()
        for one, upstream in zip(parts[1:], arriving[1:], strict=True):
            total = total + (one * upstream).sum()
        return total

    def again(*given: Any, **named: Any) -> Any:
        assert seen.state is not None
        torch.set_rng_state(seen.state)
        return chosen(*given, **named)

    return Renamed(again, path, chosen), seen.args, seen.kwargs, towards


class Renamed:
    """A submodule run from where the random numbers stood; its parameters and arguments go by their own names."""

    def __init__(self, run: Callable[..., Any], path: str, module: nn.Module) -> None:
        self.run, self.forward, self.gradwalk_parts = run, module.forward, {path: module}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it."""
        return self.run(*args, **kwargs)


def apart(given: Any) -> Any:
    """What a part is given, as it is now: a cache is filled while the part runs. Tensors have no history there."""
    known: dict[int, torch.Tensor | nn.Module] = {}
    note(given, known, set())
    try:
        return copy.deepcopy(given, known)
    except (TypeError, ValueError, RuntimeError, AttributeError) as error:
        raise WalkError(f"What the part is given can't be copied: {error}") from None


def note(one: Any, known: dict[int, torch.Tensor | nn.Module], seen: set[int]) -> None:
    """Note what stands for each tensor in a copy, and that modules are the same there."""
    if id(one) in seen or isinstance(one, ATOMS):
        return
    seen.add(id(one))
    if isinstance(one, torch.Tensor | nn.Module):
        known[id(one)] = one if isinstance(one, nn.Module) else one.detach().clone()
        return
    inner = one.values() if isinstance(one, dict) else one if isinstance(one, list | tuple | set) else ()
    for each in (*inner, *vars(one).values()) if hasattr(one, "__dict__") else inner:
        note(each, known, seen)


@contextmanager
def hooked(module: nn.Module, part: Part) -> Any:
    """Watch a submodule for as long as the whole runs."""
    handles = [
        module.register_forward_pre_hook(part.before, with_kwargs=True),
        module.register_forward_hook(part.after),
    ]
    try:
        yield
    finally:
        for one in handles:
            one.remove()
