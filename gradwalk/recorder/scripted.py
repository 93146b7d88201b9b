"""Functions and modules that TorchScript runs: no mode sees into them, the dispatcher does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch.jit._fuser import optimized_execution

from gradwalk.recorder.values import carries, tensors_in

if TYPE_CHECKING:
    from gradwalk.recorder.recorder import Recorder

KINDS: tuple[Any, ...] = torch._C.ScriptFunction, torch._C.ScriptMethod
CALL = "__call__"


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Watch what TorchScript runs for as long as the model does."""
    before = [getattr(kind, CALL) for kind in KINDS]
    for kind, call in zip(KINDS, before, strict=True):
        setattr(kind, CALL, seen(recorder, call))
    try:
        yield
    finally:
        for kind, call in zip(KINDS, before, strict=True):
            setattr(kind, CALL, call)


def seen(recorder: Recorder, call: Callable[..., Any]) -> Callable[..., Any]:
    """A call of TorchScript's, written down by what the dispatcher sees of it."""

    def called(scripted: Any, *args: Any, **kwargs: Any) -> Any:
        def plainly(*given: Any, **named: Any) -> Any:
            with torch._C.DisableTorchFunction(), optimized_execution(False):  # which fuses calls
                return call(scripted, *given, **named)

        plainly.__name__ = scripted.name
        state, out = torch.get_rng_state(), plainly(*args, **kwargs)
        if torch.is_grad_enabled() and carries(tensors_in(out)):
            recorder.opaque(plainly, f"{scripted.name}, in TorchScript", args, kwargs, out, state)
        return out

    return called
