"""NaN and infinity among the terms of a gradient's cell: which terms bring them, and where they begin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress

import torch

from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.errors import Refusal
from backend.engine.language.unparse import printed
from backend.engine.language.wording import number_text
from backend.engine.trace.graph import Node
from backend.engine.verify.nonfinite import Origins, finite, origin_text
from backend.inspect.cell.terms import Terms
from backend.inspect.jvp import Function, function_of, jvp, one_hot
from backend.inspect.path_function import COMING, path_of
from backend.inspect.paths import Path
from backend.program.runs import Run

Index = tuple[int, ...]
# How far a cell is moved to see what reads it, and how many derivatives are asked for one by one.
MOVES = (0.1, -0.1, 3.0, -3.0)
MOST = 64
BEGINS = "It begins here: {arriving} arrives at `{code}`, whose local derivative is {local}, and {product}."
BOTH = "Its terms hold both ∞ and −∞, and the sum of these is NaN."
GOES_ON = " Then {arriving} arrives at `{code}`, whose local derivative is {local}, and {product}."


def as_passed_back(
    function: Function, source: torch.Tensor, index: Index, local: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """A Jacobian column as the backward pass meets it, and which cells of the result read the one at `index` at all.

    Torch multiplies by zero what isn't read, and 0 · ∞ is NaN; and forward mode picks a branch before it multiplies.
    """
    with torch.no_grad():
        reads = _readers(function, source, index)
    local = torch.where(reads, local, torch.zeros_like(local))
    open_places = (reads & local.isfinite()).nonzero()[:MOST]
    with torch.enable_grad():
        leaf = source.detach().requires_grad_()
        result = function(leaf)
        for place in map(tuple, open_places.tolist() if result.requires_grad else []):
            (row,) = torch.autograd.grad(result, leaf, one_hot(result.detach(), place), retain_graph=True)
            local[place] = local[place] if row[index].isfinite() else row[index]
    return local, reads


def _readers(function: Function, source: torch.Tensor, index: Index) -> torch.Tensor:
    """The cells that change when the one at `index` does."""
    before = function(source)
    reads = torch.zeros_like(before, dtype=torch.bool)
    size = max(1.0, float(source.abs().nan_to_num(0.0, 0.0, 0.0).max()))
    for move in MOVES:
        moved = source.clone()
        moved[index] += move * size
        after = function(moved)
        reads |= (after != before) & ~(after.isnan() & before.isnan())
    return reads


def because(run: Run, node: Node, index: Index, ways: Sequence[Path], parts: Sequence[Terms]) -> str:
    """Where the NaN or infinity in a gradient's cell comes from, and what makes NaN of terms that are infinite."""
    products = [float(product) for part in parts for product in part.products[~part.products.isfinite()]]
    both = not any(map(math.isnan, products)) and len(set(products)) == 2
    return " ".join(filter(None, [_origin(run, node, index, ways, parts), BOTH * both]))


def _origin(run: Run, node: Node, index: Index, ways: Sequence[Path], parts: Sequence[Terms]) -> str:
    """An earlier number, or an operation of the cell's own line."""
    origins = Origins(run)
    for way, part in zip(ways, parts, strict=True):
        if way.end is not node and not finite(part.arriving):
            origin = origins.of_gradient("d" + way.end.variable)
            return origin_text(origin) if origin else ""
    own = origins.of_gradient("d" + node.variable)
    if own is not None and own.which == "value":
        return origin_text(own)
    told = next(filter(None, ("".join(_beginning(run, node, index, way)) for way in ways)), "")
    return told or (origin_text(own) if own else "")


def _beginning(run: Run, node: Node, index: Index, way: Path) -> Iterator[str]:
    """The operation inside a line, cell by cell, from which infinity or NaN leaves first, and what makes NaN of it."""
    hops = way.line.path if way.line is not None and way.place is not None else []
    if any(one.shape != node.shape for hop in hops for one in (hop.node, hop.node.inputs[hop.input_name])):
        return
    scope = {**run.forward.values, **run.gradients}
    with suppress(Refusal, RuntimeError), torch.no_grad(), DefaultDtype(run.material.dtype):
        for hop in hops:
            alone, source = path_of((hop,)), Evaluator(scope).tensor(hop.node.inputs[hop.input_name].expr)
            if alone is None or hop.arrives is None:
                return
            arriving = float(Evaluator(scope).tensor(hop.arrives).expand(node.shape)[index])
            slopes = jvp(function_of(alone, scope, COMING), source, torch.ones_like(source))
            local = float(slopes[index])
            if math.isnan(arriving):
                return
            if not math.isfinite(arriving * local):
                yield _said(BEGINS if math.isfinite(arriving) else GOES_ON, printed(hop.node.written), arriving, local)


def _said(sentence: str, code: str, arriving: float, local: float) -> str:
    one, other, product = (number_text(value, 3) for value in (arriving, local, arriving * local))
    second = f"({other})" if other.startswith("−") else other
    return sentence.format(arriving=one, code=code, local=other, product=f"{one} · {second} is {product}")
