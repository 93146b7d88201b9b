"""Instances of a program: the one that is shown, the same with other numbers, and with other sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.guard import attempted
from backend.engine.trace.graph import Graph
from backend.engine.trace.inputs import Input
from backend.pipeline import traced_to_a_fault
from backend.program.request import Material

# Lengths that other sizes are drawn from, all different and none of them a small multiple of another.
LENGTHS = (7, 5, 11, 13, 9, 17, 19, 23, 25, 29)
OTHERS = (11, 7, 5, 9, 13, 19, 17, 25, 23, 31)
LOOP = re.compile(r"\brange\((\d+)\)")
Sizes = dict[int, int]


@dataclass(frozen=True)
class Resized:
    """A program at other sizes: the material, its graph, and what each length became."""

    material: Material
    graph: Graph
    sizes: Sizes


def lengths_of(material: Material) -> list[int]:
    """The lengths of the inputs' axes beyond 1, each once."""
    return sorted({length for given in material.inputs.values() for length in given.shape if length > 1})


def resized(material: Material, drawn: tuple[int, ...], seed: int) -> Resized | None:
    """The program with other lengths and other numbers; None where no other lengths fit it."""
    lengths = lengths_of(material)
    if not lengths or len(lengths) > len(drawn):
        return None
    # how often a loop runs is written as a number: where that many stay, the lines for each pass hold
    loops = frozenset(int(times) for times in LOOP.findall(material.source)) & frozenset(lengths)
    for fixed, products in [*([(loops, False), (loops, True)] if loops else []), *_attempts(lengths)]:
        sizes = _sizes(lengths, drawn, fixed, products)
        made = attempted(partial(_with_sizes, material, sizes, seed), None)
        if made is not None:
            return made
    return None


def _attempts(lengths: list[int]) -> Iterator[tuple[frozenset[int], bool]]:
    """Which lengths stay, and whether products stay products: a program may name some of its sizes by numbers."""
    kept = [frozenset[int](), *(frozenset({one}) for one in lengths)]
    kept += [frozenset({one, other}) for one in lengths for other in lengths if one < other]
    for fixed in kept:
        yield fixed, False
        if any(_pair(length, lengths) for length in lengths):
            yield fixed, True


def _pair(length: int, lengths: Sequence[int]) -> tuple[int, int] | None:
    """Two different lengths that this one is the product of."""
    pairs = ((a, length // a) for a in lengths if length % a == 0 and length // a in lengths)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def _sizes(lengths: list[int], drawn: tuple[int, ...], fixed: frozenset[int], products: bool) -> Sizes:
    """Another length for each; with `products` one that is a product of two others becomes their product."""
    made: Sizes = {}
    free = iter(length for length in drawn if length not in lengths)
    for length in lengths:
        pair = _pair(length, list(made)) if products else None
        made[length] = length if length in fixed else made[pair[0]] * made[pair[1]] if pair else next(free, length + 1)
    return made


def _with_sizes(material: Material, sizes: Sizes, seed: int) -> Resized | None:
    inputs = {
        name: Input(given.role, tuple(sizes.get(length, length) for length in given.shape), given.dtype)
        for name, given in material.inputs.items()
    }
    constants = {
        name: sizes.get(value, value) if isinstance(value, int) else value for name, value in material.constants.items()
    }
    tensors = {
        name: redrawn(tensor, inputs[name].shape, sizes, seed + place)
        for place, (name, tensor) in enumerate(material.tensors.items())
    }
    made = replace(material, inputs=inputs, constants=constants, tensors=tensors, lesson=None)
    try:
        graph = traced_to_a_fault(made)
    except Refusal:
        return None
    return Resized(made, graph, sizes)


def with_other_numbers(material: Material, seed: int, places: bool) -> Material:
    """The same program at its own sizes, with other numbers of the same kind; whole numbers stay, unless `places`."""
    tensors = {
        name: redrawn(tensor, tuple(tensor.shape), {}, seed + place) if places or tensor.is_floating_point() else tensor
        for place, (name, tensor) in enumerate(material.tensors.items())
    }
    return replace(material, tensors=tensors, lesson=None)


def redrawn(tensor: torch.Tensor, shape: tuple[int, ...], sizes: Mapping[int, int], seed: int) -> torch.Tensor:
    """Other numbers of the same kind, in a shape: shares, positive numbers, masks and places stay what they are."""
    g = torch.Generator().manual_seed(seed)
    if tensor.dtype is torch.bool or _is_mask(tensor):
        return _mask(tensor, shape, g)
    if not tensor.is_floating_point():
        low, high = int(tensor.min()), int(tensor.max()) + 1
        limit = next((new for old, new in sorted(sizes.items()) if old >= high), high)
        return torch.randint(min(low, limit - 1), max(limit, 1), shape, generator=g).to(tensor.dtype)
    drawn = torch.randn(shape, generator=g, dtype=torch.float64)
    if not tensor.numel():  # no numbers that others could be like
        return drawn.to(tensor.dtype)
    spread, middle = float(tensor.double().std(unbiased=False)), float(tensor.double().mean())
    spread = (
        spread if math.isfinite(spread) and spread > 1e-3 * abs(middle) and spread > 1e-6 else 0.3 * (abs(middle) or 1)
    )
    made = middle + spread * drawn
    if bool((tensor > 0).all()):
        made = middle * torch.exp(0.3 * drawn.clamp(-2, 2))
        if bool((tensor <= 1).all()):
            made = torch.sigmoid(drawn)
            if tensor.ndim and torch.allclose(tensor.sum(-1), torch.ones(()).to(tensor.dtype)):
                made = made / made.sum(-1, keepdim=True)
    elif bool((tensor >= 0).all()) and bool((tensor <= 1).all()) and bool(tensor.any()):
        made = torch.sigmoid(drawn)
    return made.to(tensor.dtype)


def _is_mask(tensor: torch.Tensor) -> bool:
    """Noughts and ones only, of both kinds."""
    return bool(((tensor == 0) | (tensor == 1)).all()) and bool(tensor.any()) and not bool(tensor.all())


def _mask(tensor: torch.Tensor, shape: tuple[int, ...], g: torch.Generator) -> torch.Tensor:
    """A triangle stays one; of any other mask some are drawn, with something in every row."""
    if tensor.ndim >= 2 and torch.equal(tensor, tensor.tril()):
        return torch.ones(shape).tril().to(tensor.dtype)
    if shape == tuple(tensor.shape):
        return tensor
    share = float(tensor.double().mean())
    made = torch.rand(shape, generator=g) < share
    if made.ndim:
        made[..., 0] = True
    return made.to(tensor.dtype)
