"""A call that nothing tells step by step, told by its tangent: its value here, and the slopes that PyTorch gives it.

The slopes are PyTorch's own, so that they are held against central differences of the call before they are taken.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from gradwalk.recorder.complex_pairs import as_pairs
from gradwalk.recorder.trial import same
from gradwalk.recorder.values import tensors_in

Tensor = torch.Tensor
MOST_OUTPUTS = 512  # cells of a result: for each of them PyTorch goes back once
MOST_CELLS = 2**20  # of a table of slopes
NEAR, CLOSE = 1e-5, 1e-3  # how far central differences go, and how well they have to agree


@dataclass(frozen=True)
class Slopes:
    """How one result depends on one input: a number for each cell of both, or a row for each cell of the result."""

    table: Tensor
    rows: bool


@dataclass(frozen=True)
class Tangent:
    """One result with its inputs, and a table of slopes for each of these; None where it doesn't depend on one."""

    out: Tensor
    inputs: Sequence[Tensor]
    slopes: Sequence[Slopes | None]

    def along(self, moves: Sequence[Tensor]) -> Tensor:
        """How the result goes where the inputs go so."""
        told = torch.zeros(as_pairs(self.out).shape, dtype=torch.float64)
        for slopes, move in zip(self.slopes, moves, strict=True):
            if slopes is not None and slopes.rows:
                told += (slopes.table.double() @ move.double().reshape(-1)).reshape(told.shape)
            elif slopes is not None:
                told += slopes.table.double() * move.double()
        return told


def told_by_tangent(recorder: Any, func: Callable[..., Any], name: str, args: Any, kwargs: Any, out: Any) -> bool:
    """Write a call down by its tangent; false where its slopes are too many, or aren't those of central differences.

    Of a call that draws random numbers, and so has no differences, the slopes are taken as PyTorch gives them.
    """
    if any(one.is_nested or one.layout is not torch.strided for one in tensors_in([args, kwargs, out])):
        return False
    with torch._C.DisableTorchFunction():
        drawn = draws(func, args, kwargs)
        inputs = [one for one in tensors_in([args, kwargs]) if one.requires_grad]
        tangents = [tangent_of(one, inputs) for one in tensors_in(out) if one.requires_grad]
        if not inputs or any(one is None for one in tangents):
            return False
        found = [one for one in tangents if one is not None]
        if not drawn and not confirmed(func, args, kwargs, found, [one.requires_grad for one in tensors_in(out)]):
            return False
    for one in found:
        write(recorder, one)
    how = "" if drawn else ", as central differences confirm"
    recorder.notes.setdefault(
        f"`{name}` is told by its value and the slopes that PyTorch gives it at these numbers{how}."
    )
    return True


def draws(func: Callable[..., Any], args: Any, kwargs: Any) -> bool:
    """Whether a call takes random numbers."""
    state = torch.get_rng_state()
    try:
        with torch.no_grad():
            func(*args, **kwargs)
        return not torch.equal(state, torch.get_rng_state())
    finally:
        torch.set_rng_state(state)


def tangent_of(out: Tensor, inputs: Sequence[Tensor]) -> Tangent | None:
    """The tangent of one result; None where it would have too many slopes."""
    real = torch.view_as_real(out.resolve_conj()) if out.is_complex() else out
    upstream = torch.randn(real.shape, generator=torch.Generator().manual_seed(0)).to(real.dtype)
    ones, others = backwards(real, inputs, torch.ones_like(real)), backwards(real, inputs, upstream)
    pairs = list(zip(ones, others, strict=True))
    if all(one is None or (one.shape == real.shape and apart(one, two, upstream)) for one, two in pairs):
        return Tangent(out, inputs, [None if one is None else Slopes(one, rows=False) for one in ones])
    if real.numel() > MOST_OUTPUTS or real.numel() * max(one.numel() for one in inputs) > MOST_CELLS:
        return None
    units = torch.eye(real.numel(), dtype=real.dtype).reshape(-1, *real.shape)
    rows = [backwards(real, inputs, unit) for unit in units]
    return Tangent(out, inputs, [joined([row[place] for row in rows]) for place in range(len(inputs))])


def apart(slopes: Tensor, sent: Tensor | None, upstream: Tensor) -> bool:
    """Whether each cell goes back to its own place alone."""
    return sent is not None and same(slopes * upstream, sent)


def backwards(real: Tensor, inputs: Sequence[Tensor], upstream: Tensor) -> list[Tensor | None]:
    """What PyTorch sends back to the inputs; of a complex one a pair for each cell."""
    found = torch.autograd.grad(real, inputs, upstream, retain_graph=True, allow_unused=True)
    return [None if one is None else as_pairs(one.detach()) for one in found]


def joined(rows: Sequence[Tensor | None]) -> Slopes | None:
    """The rows of one input's table."""
    known = [one for one in rows if one is not None]
    if not known:
        return None
    table = torch.stack([torch.zeros_like(known[0]) if one is None else one for one in rows])
    return Slopes(table.reshape(len(rows), -1), rows=True)


def confirmed(
    func: Callable[..., Any], args: Any, kwargs: Any, tangents: Sequence[Tangent], counts: Sequence[bool]
) -> bool:
    """Whether the call's own values go as the tangents say, along a direction; in float64, where it takes that."""
    generator = torch.Generator().manual_seed(1)
    inputs = tangents[0].inputs
    moves = [torch.randn(as_pairs(one).shape, generator=generator, dtype=torch.float64) for one in inputs]
    try:
        ends = [moved(func, args, kwargs, inputs, [sign * NEAR * move for move in moves]) for sign in (1, -1)]
    except (RuntimeError, TypeError, ValueError):
        return False
    ahead, behind = ([one for one, counted in zip(end, counts, strict=True) if counted] for end in ends)
    for tangent, up, down in zip(tangents, ahead, behind, strict=True):
        told, measured = tangent.along(moves), (up - down) / (2 * NEAR)
        if told.shape != measured.shape:
            return False
        size = max((float(one.abs().max()) for one in (told, measured) if one.numel()), default=0.0)
        if told.numel() and not float((told - measured).abs().max()) <= CLOSE * size + NEAR:
            return False
    return True


def moved(
    func: Callable[..., Any], args: Any, kwargs: Any, inputs: Sequence[Tensor], moves: Sequence[Tensor]
) -> list[Tensor]:
    """The results of the call for inputs that have gone some way."""
    there = {id(one): further(one, move) for one, move in zip(inputs, moves, strict=True)}
    with torch.no_grad():
        made = func(*in_float64(args, there), **in_float64(kwargs, there))
    return [as_pairs(one) for one in tensors_in(made)]


def further(one: Tensor, move: Tensor) -> Tensor:
    """A tensor that has gone some way, in float64."""
    went: Tensor = as_pairs(one.detach()).double() + move
    return torch.view_as_complex(went) if one.is_complex() else went


def in_float64(value: Any, there: Mapping[int, Tensor]) -> Any:
    """Arguments with other tensors in the place of some, all in the finer precision."""
    if isinstance(value, Tensor):
        if id(value) in there:
            return there[id(value)]
        wide = torch.complex128 if value.is_complex() else torch.float64
        return value.detach().to(wide) if value.is_complex() or value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: in_float64(one, there) for key, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(in_float64(one, there) for one in value)
    return torch.float64 if value is torch.float32 else value


def write(recorder: Any, tangent: Tangent) -> None:
    """One line: the value here, and for each input its slopes times how far it is from here."""
    memory = recorder.memory
    here: Tensor = as_pairs(tangent.out.detach()).clone()
    start = memory.constant(here)
    parts, reads = [start.key], [start]
    for one, slopes in zip(tangent.inputs, tangent.slopes, strict=True):
        if slopes is None:
            continue
        value, table = memory.value(one), memory.constant(slopes.table)
        there = memory.constant(value.kept.detach().clone())
        far = f"(v{value.number} - v{there.number})"
        shape = tuple(here.shape)
        wide = f"(v{table.number} @ {far}.reshape(-1)).reshape({shape})" if slopes.rows else f"v{table.number} * {far}"
        parts.append(wide)
        reads += [value, table, there]
    made = here.requires_grad_()
    expression = ast.parse(" + ".join(parts), mode="eval").body
    recorder.write(expression, reads, [made], several=False)
    memory.holds(tangent.out, memory.value(made))
    memory.lies(memory.value(made), tangent.out)
