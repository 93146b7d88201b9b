"""Which value each tensor of a recorded run holds, followed through views, aliases and writes in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import torch

from backend.engine.language.pytree import storage_of
from backend.engine.trace.inputs import InputRole
from gradwalk.recorder.complex_pairs import as_pairs
from gradwalk.recorder.shared import Shared
from gradwalk.recorder.values import (
    Known,
    Value,
    Write,
    Written,
    cells_of,
    equal,
    geometry_of,
    storage_cells,
    tensors_in,
)

Combine = Callable[[Value, Value, torch.Tensor, tuple[int, ...]], Value]
View = Callable[[Value, torch.Tensor, torch.Tensor], Value]
Shift = Callable[[Value, torch.Tensor], Value]
HALF = torch.float16, torch.bfloat16
MAX_NORM = 3  # where an embedding has it
STATISTICS = {"batch_norm": slice(1, 3), "instance_norm": slice(1, 3)}  # which arguments are written into


class Memory:
    """The tensors of one run; it keeps all that it knows, so that no identity is used twice."""

    def __init__(self, unseen: Callable[[torch.Tensor], None]) -> None:
        self.unseen = unseen
        self.known: dict[int, Known] = {}
        self.by_history: dict[tuple[Any, int], Value] = {}  # keeps the step itself: an identity would be given again
        self.written_to: dict[int, Written] = {}
        self.spared: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        self.inputs: list[Value] = []
        self.data: dict[tuple[int, int, int], Value] = {}
        self.shared = Shared()
        self.names: dict[int, str] = {}
        self.touched: dict[int, int] = {}  # by storage, how often
        self.by_storage: dict[int, list[tuple[Value, torch.Tensor]]] = {}  # with a tensor that holds it there
        self.alive: list[torch.Tensor] = []  # so that no identity is another tensor's
        self.label: Callable[[torch.Tensor], str] = self.called
        self.count, self.half = 0, False
        self.combine: Combine | None = None
        self.view: View | None = None
        self.shift: Shift | None = None
        self.overwritten: Callable[[Value, bool], None] | None = None

    # Values.
    def new(self, tensor: torch.Tensor) -> Value:
        """A value for what a tensor holds now."""
        self.count += 1
        self.half = self.half or (tensor.requires_grad and tensor.dtype in HALF)
        value = Value(self.count, tensor)
        self.lies(value, tensor)
        return value

    def lies(self, value: Value, tensor: torch.Tensor) -> None:
        """Note in which storage a value lies."""
        if tensor.layout is torch.strided:
            self.by_storage.setdefault(storage_of(tensor), []).append((value, tensor))
        if self.shared.has(tensor):
            self.shared.keep(tensor)

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether it is known how a tensor came about."""
        known = self.known.get(id(tensor))
        return (known is not None and known.tensor is tensor) or (
            tensor.grad_fn,
            tensor.output_nr,
        ) in self.by_history

    def holds(self, tensor: torch.Tensor, value: Value) -> None:
        """From now on this tensor holds this value."""
        self.known[id(tensor)] = Known(tensor, value, tensor._version, self.writes_into(tensor))
        if tensor.grad_fn is not None:
            self.by_history[tensor.grad_fn, tensor.output_nr] = value

    def input(self, tensor: torch.Tensor, role: InputRole, name: str, label: str = "") -> Value:
        """An input of the program."""
        value = self.new(tensor)
        value.role, value.label, value.leaf = role, label, tensor
        if name:
            value.names.append(name)
        self.inputs.append(value)
        return value

    def unknown(self, tensor: torch.Tensor) -> Value:
        """A value that nobody can tell how it came about: what follows is recorded all the same."""
        value = self.input(as_pairs(tensor.detach()).clone(), "data", "")
        self.holds(tensor, value)
        return value

    def value(self, tensor: torch.Tensor) -> Value:
        """What a tensor holds now."""
        if not self.shared.has(tensor):
            return self.now(tensor)
        self.look(storage_of(tensor))
        value = self.now(tensor)
        if tensor.requires_grad:
            self.shared.keep(tensor)
        return value

    def now(self, tensor: torch.Tensor) -> Value:
        """The same, where nobody else has written into it."""
        known = self.known.get(id(tensor))
        if known is None or known.tensor is not tensor:
            return self.first(tensor)
        if (known.version, known.writes) != (tensor._version, writes := self.writes_into(tensor)):
            known.value = self.renewed(tensor, known)
            known.version, known.writes = tensor._version, writes
        return known.value

    def first(self, tensor: torch.Tensor) -> Value:
        """The value of a tensor that is seen for the first time."""
        written = self.written_to.get(storage_of(tensor))
        if written is not None and (not tensor.requires_grad or tensor.grad_fn is not None):
            base = written.before.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
            value = self.replayed(tensor, self.input(base.clone(), "constant", self.called(tensor)), written.version)
        elif not tensor.requires_grad:
            return self.constant(tensor)
        elif tensor.is_leaf:
            value = self.input(tensor, "parameter", self.called(tensor), self.label(tensor))
            if tensor.is_complex():
                value.kept = as_pairs(tensor)
        elif (tensor.grad_fn, tensor.output_nr) in self.by_history:
            value = self.by_history[tensor.grad_fn, tensor.output_nr]
        elif (seen := self.beside(tensor)) is not None and self.view is not None:
            value = self.view(*seen, tensor)
        else:
            self.unseen(tensor)
            return self.unknown(tensor)
        self.holds(tensor, value)
        return value

    def beside(self, tensor: torch.Tensor) -> tuple[Value, torch.Tensor] | None:
        """A value whose cells this tensor looks at, and a tensor that holds it: PyTorch makes views inside its calls,
        and unpacks what it saved."""
        if isinstance(tensor._base, torch.Tensor):
            self.value(tensor._base)
        size = storage_cells(tensor)
        mine = cells_of(geometry_of(tensor), size).reshape(-1)
        for value, kept in self.by_storage.get(storage_of(tensor), ()):
            alike = value.row is not None or (kept.dtype is tensor.dtype and kept.requires_grad)
            if alike and bool(torch.isin(mine, cells_of(geometry_of(kept), size)).all()):
                return value, kept
        return None

    def constant(self, tensor: torch.Tensor) -> Value:
        """Data: as it is now, since it may be written into later."""
        key = id(tensor), tensor._version, self.writes_into(tensor)
        if key not in self.data or (self.shared.has(tensor) and not equal(self.data[key].kept, as_pairs(tensor))):
            name = self.label(tensor) or self.called(tensor)
            self.data[key] = self.input(as_pairs(tensor.detach()).clone(), "constant", name)
            self.alive.append(tensor)
        return self.data[key]

    # Writes in place.
    def writes_into(self, tensor: torch.Tensor) -> int:
        """How often a tensor's storage was written into in this run."""
        return self.touched.get(storage_of(tensor), 0) if self.touched and tensor.layout is torch.strided else 0

    def keep_before(self, target: torch.Tensor) -> None:
        """Keep what a tensor held before it is written into: for values that share its cells, and to put it back."""
        if self.shared.has(target):
            self.look(storage_of(target))
            self.shared.copies.pop(storage_of(target), None)
        fixed = not target.requires_grad and id(target) not in self.known
        if id(target) not in self.spared and (fixed or (target.requires_grad and target.is_leaf)):
            self.spared[id(target)] = (target, target.detach().clone())
        storage = storage_of(target)
        self.touched[storage] = self.touched.get(storage, 0) + 1
        for value, kept in self.by_storage.pop(storage, ()):
            if value.kept is kept:
                value.kept = value.kept.detach().clone().requires_grad_(value.kept.requires_grad)

    def give(self, tensor: torch.Tensor) -> None:
        """Somebody who is not PyTorch has a tensor's memory from now on."""
        if tensor.layout is not torch.strided:
            return
        self.shared.give(tensor)
        self.spared.setdefault(id(tensor), (tensor, tensor.detach().clone()))
        lying = [one for _, one in self.by_storage.get(storage_of(tensor), ())]
        for one in [*lying, *(known.tensor for known in self.known.values() if known.tensor.layout is torch.strided)]:
            if self.shared.has(one):
                self.shared.keep(one)

    def look(self, *storages: int) -> None:
        """Look whether somebody has written into these storages, or any, without PyTorch's knowing."""
        for storage in storages or [*self.shared.copies]:
            if written := self.shared.written(storage):
                self.was_written(storage, {id(one): before for one, before in written})
                self.spared = {id(one): pair for pair in written if (one := pair[0]).is_leaf} | self.spared
                for one, _ in self.shared.copies.pop(storage).values():
                    self.shared.keep(one)

    def was_written(self, storage: int, before: Mapping[int, torch.Tensor]) -> None:
        """A storage was written into: its values are what they were."""
        self.touched[storage] = self.touched.get(storage, 0) + 1
        for value, one in self.by_storage.pop(storage, ()):
            if value.kept is one and id(one) in before:
                value.kept = before[id(one)].clone().requires_grad_(one.requires_grad)
        for identity in before:
            if (known := self.known.get(identity)) is not None and self.overwritten is not None:
                self.overwritten(known.value, storage in self.written_to)

    def spare(self, func: Any, word: str, args: Any, kwargs: Any) -> None:  # noqa: ARG002 - as it was called
        """Keep the statistics that a normalisation is about to renew, and a table that is about to be shortened."""
        if word == "embedding" and (args[MAX_NORM] if len(args) > MAX_NORM else kwargs.get("max_norm")) is not None:
            self.spare_table(args[1] if len(args) > 1 else kwargs["weight"])
        if word not in STATISTICS:
            return
        for one in (
            *tensors_in(list(args[STATISTICS[word]])),
            *tensors_in([kwargs.get("running_mean"), kwargs.get("running_var")]),
        ):
            if id(one) not in self.spared:
                self.spared[id(one)] = (one, one.detach().clone())

    def spare_table(self, table: torch.Tensor) -> None:
        """Keep a table whose rows are about to be shortened, which nobody is told of."""
        if table.is_leaf:
            self.spared.setdefault(id(table), (table, table.detach().clone()))
        if table.requires_grad:
            self.value(table)
        self.keep_before(table)

    def open(self, target: torch.Tensor) -> None:
        """A storage is about to be written into with a gradient for the first time."""
        storage = storage_of(target)
        if storage not in self.written_to:
            flat = target.detach().as_strided((storage_cells(target),), (1,), 0).clone()
            self.written_to[storage] = Written(flat, target._version)

    def written(self, target: torch.Tensor, value: Value) -> None:
        """A tensor was written into, and holds this value now."""
        written = self.written_to[storage_of(target)]
        written.writes.append(Write(target._version, geometry_of(target), value))
        self.holds(target, value)
        if self.shared.has(target):
            self.shared.copies.pop(storage_of(target), None)
            self.shared.keep(target)

    def renewed(self, tensor: torch.Tensor, known: Known) -> Value:
        """The value of a tensor whose cells were written into since it was last looked at."""
        if storage_of(tensor) in self.written_to:
            return self.replayed(tensor, known.value, known.version)
        if storage_of(tensor) not in self.touched:
            return known.value  # a view has the count of what it looks at once PyTorch has said that it is one
        if torch.equal(known.value.kept.detach(), tensor.detach()):
            return known.value  # written with what was there, as a clamp does that bounds nothing
        made = known.value.role != "constant" or known.value.row is not None
        if made and self.shift is not None and self.could_move(known.value, tensor):
            return self.shift(known.value, tensor)
        self.unseen(tensor)
        known.value.kept = tensor.detach().clone().requires_grad_(tensor.requires_grad)
        return known.value

    def could_move(self, value: Value, tensor: torch.Tensor) -> bool:
        """Whether what a tensor holds now is what it held and a number more in each cell."""
        with torch._C.DisableTorchFunction():
            return value.kept.shape == tensor.shape and bool((tensor - value.kept).isfinite().all())

    def replayed(self, tensor: torch.Tensor, value: Value, version: int) -> Value:
        """A value with all that was written into its cells since that version."""
        size, own = storage_cells(tensor), geometry_of(tensor)
        mine = cells_of(own, size)
        for write in self.written_to[storage_of(tensor)].writes:
            if write.version <= version:
                continue
            if write.geometry == own:
                value = write.value
                continue
            places = torch.full((size,), -1)
            theirs = cells_of(write.geometry, size)
            places[theirs.reshape(-1)] = torch.arange(theirs.numel())
            found = places[mine]
            if bool((found >= 0).any()):
                cells = torch.where(found >= 0, found + mine.numel(), torch.arange(mine.numel()).view(mine.shape))
                assert self.combine is not None
                value = self.combine(value, write.value, cells, tuple(tensor.shape))
        return value

    def put_back(self) -> None:
        """Give every tensor of the user's what it held before."""
        with torch.no_grad():
            for tensor, before in self.spared.values():
                if tensor.shape != before.shape:
                    tensor.resize_(before.shape)  # PyTorch makes room in a tensor that it is given for its result
                tensor.copy_(before)

    # Names.
    def named_by(self, frame: FrameType) -> None:
        """Learn what the user calls the tensors of a frame."""
        for name, one in frame.f_locals.items():
            if isinstance(one, torch.Tensor):
                known = self.known.get(id(one))
                if known is not None and name not in known.value.names:
                    known.value.names.append(name)
                else:
                    self.names.setdefault(id(one), name)

    def called(self, tensor: torch.Tensor) -> str:
        """What the user calls a tensor."""
        return self.names.get(id(tensor), "")
