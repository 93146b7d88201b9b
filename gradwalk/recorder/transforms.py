"""The transforms of `torch.func` as what they stand for: a batch as a loop, gradients as `torch.autograd.grad`.

PyTorch runs them on tensors that no mode sees. So each is run as it is, then once more as the plain calls that it
stands for, which are recorded; the results have to be the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch._functorch import apis, eager_transforms
from torch._functorch.vmap import _process_batched_inputs
from torch.utils import _pytree as pytree

from gradwalk.recorder.trial import same
from gradwalk.recorder.values import tensors_in

if TYPE_CHECKING:
    from gradwalk.recorder.recorder import Recorder

MOST_RUNS, MOST_ROWS = 1024, 12_000  # of a loop
Act = Callable[..., Any]


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Have the transforms run once more, as plain calls, for as long as the model runs."""
    plain = Plain(recorder)
    swaps: list[tuple[Any, str, Act]] = [
        (apis, "vmap_impl", plain.batch),
        (eager_transforms, "grad_impl", plain.gradient),
        (eager_transforms, "grad_and_value_impl", plain.gradient_and_value),
        (eager_transforms, "_vjp_with_argnums", plain.backwards),
        (eager_transforms, "_jvp_with_argnums", plain.forwards),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in swaps if hasattr(owner, name)]
    for owner, name, act in swaps:
        if hasattr(owner, name):
            setattr(owner, name, told(recorder, plain, name, getattr(owner, name), act))
    branch, torch.cond = torch.cond, chosen
    try:
        yield
    finally:
        torch.cond = branch
        for owner, name, act in before:
            setattr(owner, name, act)


def chosen(pred: Any, true_fn: Act, false_fn: Act, operands: Any = ()) -> Any:
    """The branch that `torch.cond` takes, which Dynamo would compile together with the recorder."""
    return (true_fn if pred else false_fn)(*operands)


def told(recorder: Recorder, ours: Plain, name: str, real: Act, plain: Act) -> Act:
    """A transform that is recorded, where the model itself calls it."""

    def called(*args: Any, **kwargs: Any) -> Any:
        if torch._C._functorch.peek_interpreter_stack() is not None or threading.get_ident() != recorder.thread:
            return real(*args, **kwargs)
        if recorder.depth:
            return plain(*args, **kwargs)
        if name == "_vjp_with_argnums":
            return held_beside(recorder, real(*args, **kwargs), plain(*args, **kwargs))
        state = torch.get_rng_state()
        out, mark = real(*args, **kwargs), len(recorder.rows)
        if any(one.requires_grad for one in tensors_in(out)) and not recorder.found_by(
            lambda: plain(*args, **kwargs), out, state
        ):
            del recorder.rows[mark:]  # what comes of it is out of sight, and refused
            for reason in ours.refused:
                recorder.missing.setdefault(reason, recorder.place.text)
        return out

    return called


def held_beside(recorder: Recorder, real: Sequence[Any], plain: Sequence[Any]) -> Any:
    """What a function makes with the way back from it, as plain calls: each result is held against PyTorch's."""

    def back(cotangents: Any, *args: Any, **kwargs: Any) -> Any:
        made = plain[1](cotangents)
        if torch._C._functorch.peek_interpreter_stack() is None:
            with torch._C.DisableTorchFunction():
                theirs = real[1](cotangents, *args, **kwargs)
            agree(recorder, theirs, made)
        return made

    agree(recorder, real[0], plain[0])
    return (plain[0], back, *plain[2:])


def agree(recorder: Recorder, real: Any, plain: Any) -> None:
    """Refuse a transform whose plain calls make something else."""
    theirs, ours = tensors_in(real), tensors_in(plain)
    if len(theirs) != len(ours) or not all(
        same(one.detach(), other.detach()) for one, other in zip(ours, theirs, strict=True)
    ):
        recorder.lack("torch.func", "func")


class Plain:
    """The same by plain calls; tensors that a gradient is taken by are inputs of their own for as long."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.refused = recorder, dict[str, None]()

    def too_long(self, size: int) -> NotImplementedError:
        """The refusal of a batch that is no loop to be read."""
        self.refused[f"vmap over {size} examples, whose loop has too many lines: take fewer"] = None
        return NotImplementedError("a long loop")

    def batch(
        self, func: Act, in_dims: Any, out_dims: Any, randomness: Any, chunk_size: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """A loop along the batch."""
        del chunk_size
        size, dims, flat, spec = _process_batched_inputs(in_dims, args, func)
        if size > MOST_RUNS:
            raise self.too_long(size)
        outs, state, mark = [], torch.get_rng_state(), len(self.recorder.rows)
        for place in range(size):
            if len(self.recorder.rows) - mark > MOST_ROWS:
                raise self.too_long(size)
            if randomness == "same":
                torch.set_rng_state(state)
            given = [one if dim is None else one.select(dim, place) for one, dim in zip(flat, dims, strict=True)]
            outs.append(pytree.tree_flatten(func(*pytree.tree_unflatten(given, spec), **kwargs)))
        leaves, made = [one for one, _ in outs], outs[0][1]
        ends = pytree._broadcast_to_and_flatten(out_dims, made) or [out_dims] * len(leaves[0])
        joined = [
            each[0] if end is None else torch.stack(list(each), end)
            for each, end in zip(zip(*leaves, strict=True), ends, strict=True)
        ]
        return pytree.tree_unflatten(joined, made)

    def gradient_and_value(self, func: Act, argnums: Any, has_aux: bool, args: Any, kwargs: Any) -> Any:
        """The function's gradient, and what it makes."""
        chosen, given = self.asking(args, argnums)
        with torch.enable_grad():
            out = func(*given, **kwargs)
            out, aux = out if has_aux else (out, None)
            found = self.sent_back([out], chosen, None)
        return found, ((out, aux) if has_aux else out)

    def gradient(self, func: Act, argnums: Any, has_aux: bool, args: Any, kwargs: Any) -> Any:
        """The function's gradient."""
        found, out = self.gradient_and_value(func, argnums, has_aux, args, kwargs)
        return (found, out[1]) if has_aux else found

    def backwards(self, func: Act, *primals: Any, argnums: Any = None, has_aux: bool = False) -> Any:
        """What the function makes, and the way back."""
        chosen, given = self.asking(primals, tuple(range(len(primals))) if argnums is None else argnums)
        with torch.enable_grad():
            out = func(*given)
        out, *aux = out if has_aux else (out,)
        flat = pytree.tree_leaves(out)
        return (out, lambda cotangents: self.sent_back(flat, chosen, pytree.tree_leaves(cotangents)), *aux)

    def forwards(
        self, func: Act, primals: Any, tangents: Any, argnums: Any, *, strict: bool = False, has_aux: bool
    ) -> Any:
        """How what the function makes moves along a direction: the way back, differentiated by what arrives there."""
        del strict
        chosen, given = self.asking(primals, tuple(range(len(primals))) if argnums is None else argnums)
        with torch.enable_grad():
            out = func(*given)
            out, *aux = out if has_aux else (out,)
            flat, spec = pytree.tree_flatten(out)
            arriving = [self.input(torch.zeros_like(one)) for one in flat]
            back = pytree.tree_leaves(self.sent_back(flat, chosen, arriving))
            moves = pytree.tree_leaves(tangents)
            total = sum(
                ((one * move).sum() for one, move in zip(back[1:], moves[1:], strict=True)), (back[0] * moves[0]).sum()
            )
            found = self.sent_back([total], arriving, None)
        return (out, pytree.tree_unflatten(list(found), spec), *aux)

    def asking(self, args: Any, argnums: Any) -> tuple[Any, list[Any]]:
        """Some of the arguments, and all of them, where those ask for a gradient."""
        given = list(args)
        for place in [argnums] if isinstance(argnums, int) else argnums:
            given[place] = pytree.tree_map_only(torch.Tensor, self.input, given[place])
        chosen = given[argnums] if isinstance(argnums, int) else tuple(given[place] for place in argnums)
        return chosen, given

    def input(self, one: torch.Tensor) -> torch.Tensor:
        """A tensor that asks for a gradient of its own; in the program it is what it was."""
        if one.requires_grad:
            return one * 1.0
        with torch._C.DisableTorchFunction():
            made = one.detach().clone().requires_grad_()
            self.recorder.memory.value(made).role = "constant"
        return made

    def sent_back(self, outs: Sequence[torch.Tensor], chosen: Any, cotangents: Sequence[torch.Tensor] | None) -> Any:
        """The gradient of what was made by what was chosen; zero where nothing depends on it."""
        flat, spec = pytree.tree_flatten(chosen)
        found = torch.autograd.grad(outs, flat, cotangents, create_graph=True, allow_unused=True)
        filled = [torch.zeros_like(one) if grad is None else grad for one, grad in zip(flat, found, strict=True)]
        return pytree.tree_unflatten(filled, spec)
