"""Runs lines of the language once, on tensors, and notes each call that has to be made again for other numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from backend.engine.interpret.evaluate import Evaluator, functions, taken, wrapped
from backend.engine.interpret.shape_inference import block_of
from backend.engine.language.pytree import tensors_in
from backend.engine.language.tree import target_of
from backend.engine.language.values import Values
from backend.training.compiler.kernels import Kernel, augmenting, copied, kernels, placing


@dataclass(frozen=True)
class Call:
    """One call of a step, with the memory that it reads and writes."""

    run: Kernel
    reads: frozenset[int]
    writes: frozenset[int]


class Recorder(Evaluator):
    """Evaluates lines as they are, and records what depends on tensors that may change.

    Each result keeps the memory that it was first given: a call writes there, and later calls read there. A view needs
    no call, and what depends on nothing that changes is worked out once.
    """

    def __init__(self, scope: Values, changing: Iterable[str], into: Mapping[str, torch.Tensor]) -> None:
        """`changing` are the names of what is written anew before a step; names `into` a tensor are computed there."""
        super().__init__(scope)
        self.into, self.places = dict(into), dict[ast.expr, torch.Tensor]()
        self.calls: list[Call] = []
        self.owners: dict[int, torch.Tensor] = {}  # which keeps their memory from being used again
        for tensor in tensors_in(list(scope.values())):
            self.owners.setdefault(memory(tensor), tensor)
        self.changing = memories([scope[name] for name in changing])

    def varies(self, value: Any) -> bool:
        """Whether anything in a value may be different at the next step."""
        return not self.changing.isdisjoint(memories(value))

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Values, node: ast.expr) -> Any:
        result = super().operation(key, args, kwargs, node)
        fresh = {memory(tensor): tensor for tensor in tensors_in(result)}
        if self.owners.keys() >= fresh.keys() - {0}:
            return result
        self.owners = fresh | self.owners
        reads = self._reads(key, args, kwargs)
        if self.varies(reads):
            place = self.places.get(node)
            if place is not None and isinstance(result, torch.Tensor) and _alike(place, result):
                result = place.copy_(result)
            for run, part in self._kernels(key, args, kwargs, result, node):
                self._record(run, reads, part)
        return result

    def _reads(self, key: str, args: tuple[Any, ...], kwargs: Values) -> list[Any]:
        """The arguments whose numbers decide a result."""
        op, bound = block_of(key, args, kwargs)
        if op.drawn == "shape":
            return [value for name, value in bound.items() if name != "x"]
        return [args, *kwargs.values()]

    def _kernels(
        self, key: str, args: tuple[Any, ...], kwargs: Values, result: Any, node: ast.expr
    ) -> list[tuple[Kernel, Any]]:
        """NumPy's, where they give what torch has given, else torch's own."""
        if (quick := kernels(key, args, kwargs, result)) and all(_gives(run, part) for run, part in quick):
            return quick
        function, keywords = functions()[key]
        named = taken(kwargs, keywords, key, node)
        return [(copied(lambda: wrapped(function(*args, **named)), result), result)]

    def _record(self, run: Kernel, reads: Any, writes: Any) -> None:
        self.calls.append(Call(run, memories(reads), memories(writes)))
        self.changing |= memories(writes)

    # Statements.
    def statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            target = target_of(statement)
            if isinstance(target, ast.Name) and target.id in self.into:
                self.places[statement.value] = self.into.pop(target.id)
        super().statement(statement)

    def write(self, tensor: Any, index: Any, value: Any, at: ast.Subscript) -> None:
        self._begin_again(tensor)
        super().write(tensor, index, value, at)
        self._record(placing(tensor, index, value), [tensor, index, value], tensor)

    def change(self, change: Callable[[Any, Any], Any], target: torch.Tensor, value: Any, at: ast.expr) -> None:
        self._begin_again(target)
        super().change(change, target, value, at)
        self._record(augmenting(change, target, value), [target, value], target)

    def _begin_again(self, tensor: torch.Tensor) -> None:
        """What no call computes, and a call changes, is at the beginning of a step what it is now."""
        if not self.varies(tensor):
            whole = self.owners[memory(tensor)]
            self.calls.insert(0, Call(partial(whole.copy_, whole.clone()), frozenset(), memories(whole)))
            self.changing |= memories(whole)

    def keep(self, value: Any, place: torch.Tensor) -> None:
        """Have a value at a place at the end of each step."""
        if not isinstance(value, torch.Tensor) or not _alike(value, place):
            raise NotImplementedError
        if value.data_ptr() != place.data_ptr() or value.stride() != place.stride():
            place.copy_(value)
            self._record(partial(np.copyto, place.numpy(), value.numpy()), value, place)

    def needed(self, wanted: Any) -> list[Kernel]:
        """The calls that decide what is wanted, in their order."""
        needed, kept = set(memories(wanted)), list[Kernel]()
        for call in reversed(self.calls):
            if not needed.isdisjoint(call.writes):
                needed |= call.reads
                kept.append(call.run)
        return kept[::-1]


def memory(tensor: torch.Tensor) -> int:
    """Where a tensor's numbers are: the same for a tensor and its views; 0 where it has none."""
    return tensor.untyped_storage().data_ptr()


def memories(value: Any) -> frozenset[int]:
    """The same of every tensor in a value."""
    return frozenset(memory(tensor) for tensor in tensors_in(value)) - {0}


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and one.dtype == other.dtype


def _gives(run: Kernel, result: torch.Tensor) -> bool:
    """Whether a call writes what is there already."""
    before = result.clone()
    run()
    return torch.allclose(result, before, rtol=1e-4, atol=1e-6, equal_nan=True)
