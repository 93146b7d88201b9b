"""A custom function of PyTorch's: the class behind an `apply`, and its forward pass as a plain function."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

Function = type[torch.autograd.Function]


def function_of(called: Any) -> Function | None:
    """The class whose `apply` this is; None of anything else."""
    owner = getattr(called, "__self__", None)
    if getattr(called, "__name__", "") == "apply" and isinstance(owner, type):
        return owner if issubclass(owner, torch.autograd.Function) else None
    return None


class Context:
    """Stands where PyTorch keeps what `forward` saves for the way back: there is none here."""

    needs_input_grad: tuple[bool, ...] = ()

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


class Inside(threading.local):
    """How many forward passes of custom functions are being looked into: in them autograd plays no part, so that
    `no_grad`, `detach` and `data` change nothing."""

    depth = 0


INSIDE = Inside()


@contextmanager
def looked_into() -> Iterator[None]:
    """For as long as a forward pass runs on its own."""
    INSIDE.depth += 1
    try:
        yield
    finally:
        INSIDE.depth -= 1


def forward_of(cls: Function) -> Callable[..., Any]:
    """The forward pass alone, as a plain function of the arguments."""
    alone = cls.setup_context is not torch.autograd.function._SingleLevelFunction.setup_context
    parameters = list(inspect.signature(cls.forward).parameters.values())

    def forward(*args: Any) -> Any:
        with looked_into():
            return cls.forward(*args) if alone else cls.forward(Context(), *args)

    vars(forward)["__signature__"] = inspect.Signature(parameters if alone else parameters[1:])
    return forward


def saved_as_they_are() -> AbstractContextManager[Any]:
    """For as long as something is computed a second time, whoever packs what a model saves, as a checkpoint does, is
    told nothing of it."""
    if torch._C._autograd._top_saved_tensors_default_hooks(False) is None:
        return nullcontext()
    return torch.autograd.graph.saved_tensors_hooks(lambda one: one, lambda one: one)
