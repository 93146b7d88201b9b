"""With this module one operation shows its Jacobian: how each cell of a tensor moves with each cell of an input."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch.autograd import forward_ad

from backend.graph import Node
from backend.language.errors import Refusal
from backend.layout import named_inputs
from backend.lookup import node_of, with_gradient
from backend.replay import Replay, Way
from backend.runs import Run, run_of
from backend.structure import structure_of, words_for
from backend.wire import LARGEST_WHOLE, typed

Document = dict[str, Any]
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


def jacobian(request: Mapping[str, Any], names: Path | None = None) -> Document:
    """The Jacobian [m, n] of a node by one of its inputs, both flattened, whole or for one example.

    `request` is the body of POST /api/jacobian. Raises Refusal where the node or input is unknown, the one does not
    read the other, no gradient arrives, there is no such example, or the matrix has more than 65,536 cells.
    """
    run = run_of(request["walk"], names)
    node, source = with_gradient(run.plan, request["node"]), input_of(run, request["node"], request["input"])
    examples, example = shared_axis(node, source), request.get("example")
    if example is not None and not 0 <= example < (examples or 0):
        raise Refusal("example-unknown", found=example, node=request["node"], count=examples or 0)
    rows, columns = part_shape(node, example), part_shape(source, example)
    cells = rows.numel() * columns.numel()
    if cells > LARGEST_WHOLE:
        raise Refusal("jacobian-too-large", rows=f"{rows.numel():,}", columns=f"{columns.numel():,}")
    local = Local(run, node, source)
    matrix = local.matrix(example)
    arriving = part(run.gradients["d" + node.variable], example).reshape(-1)
    result = (arriving.double() @ matrix.double()).to(matrix.dtype)
    across = example is not None and local.reads_across(example)
    shown = local.shown()
    kind = structure_of(matrix.double(), TOLERANCE[run.material.dtype])
    start = 0 if example is None else 1
    return {
        "node": request["node"],
        "input": request["input"],
        "example": example,
        "examples": examples,
        "rows": {"shape": list(rows), "dims": node.dims[start:]},
        "columns": {"shape": list(columns), "dims": source.dims[start:]},
        "jacobian": typed(matrix),
        "arriving": typed(arriving),
        "result": typed(result),
        "shown": None if across or shown is None else typed(part(shown, example).reshape(-1)),
        "agrees": local.agrees(shown, None if across else result, example),
        "across": across,
        "structure": kind,
        "words": words_for(kind, node, source),
    }


def input_of(run: Run, node: str, name: str) -> Node:
    """The input of that name; raises Refusal where the node does not read it, or it holds whole numbers."""
    source = node_of(run.plan, name)
    read = named_inputs(node_of(run.plan, node))
    if source not in read:
        listed = ", ".join(f"`{other.name}`" for other in read) or "nothing"
        raise Refusal("input-not-read", found=name, node=node, inputs=listed)
    if not source.meta.dtype.is_floating_point:
        raise Refusal("input-whole-numbers", found=name)
    return source


def shared_axis(node: Node, source: Node) -> int | None:
    """The length of the leading axis that both have in common: its entries are the examples."""
    if not node.shape or not source.shape or node.shape[0] != source.shape[0] or node.dims[0] != source.dims[0]:
        return None
    return node.shape[0]


def part_shape(node: Node, example: int | None) -> torch.Size:
    """The shape of a node, or of one example of it."""
    return torch.Size(node.shape if example is None else node.shape[1:])


def part(tensor: torch.Tensor, example: int | None) -> torch.Tensor:
    """A tensor, or one example of it."""
    return tensor if example is None else tensor[example]


class Local:
    """One node as a function of one input, every other named tensor held where it is, in the run's precision."""

    def __init__(self, run: Run, node: Node, source: Node) -> None:
        self.run, self.node, self.source = run, node, source
        replay = Replay(run.plan.graph, run.material.tensors, run.material.dtype)
        self.middle = replay[source.variable]
        self.way: Way = replay.way(source.variable, node.variable, direct=True)

    def pulled(self, arriving: torch.Tensor) -> torch.Tensor:
        """arriving @ J: what the input gets from a gradient that arrives at the node."""
        leaf, out = self.recorded(None)
        return self.back(leaf, out, arriving)

    def recorded(self, example: int | None) -> tuple[torch.Tensor, torch.Tensor]:
        """The input, or one example of it, as a leaf, and the same of the node as computed from it."""
        leaf = part(self.middle, example).detach().clone().requires_grad_()
        with torch.enable_grad():
            return leaf, part(self.way.value(self.placed(leaf, example)), example)

    def placed(self, leaf: torch.Tensor, example: int | None) -> torch.Tensor:
        """The whole input with a leaf in the place of one example."""
        if example is None:
            return leaf
        before, after = self.middle[:example], self.middle[example + 1 :]
        return torch.cat([before, leaf.unsqueeze(0), after])

    def back(self, leaf: torch.Tensor, out: torch.Tensor, arriving: torch.Tensor) -> torch.Tensor:
        """One vector through the recorded computation, from its end to its start."""
        if not out.requires_grad:
            return torch.zeros_like(leaf)
        (found,) = torch.autograd.grad(out, leaf, arriving, retain_graph=True, allow_unused=True)
        return torch.zeros_like(leaf) if found is None else found

    def matrix(self, example: int | None) -> torch.Tensor:
        """The Jacobian [m, n], by rows backwards or by columns forwards, whichever are fewer."""
        leaf, out = self.recorded(example)
        if leaf.numel() < out.numel():
            try:
                return self.by_columns(example)
            except (NotImplementedError, RuntimeError, Refusal):
                pass  # torch has no forward derivative of some operation
        rows = [self.back(leaf, out, unit(out, cell)).reshape(-1) for cell in range(out.numel())]
        return torch.stack(rows) if rows else out.new_zeros(0, leaf.numel())

    def by_columns(self, example: int | None) -> torch.Tensor:
        """The Jacobian by forward derivatives."""
        start, columns = part(self.middle, example), []
        for cell in range(start.numel()):
            with torch.no_grad(), forward_ad.dual_level():
                dual = forward_ad.make_dual(start, unit(start, cell))  # type: ignore[no-untyped-call]
                out = part(self.way.value(self.placed(dual, example)), example)
                tangent = forward_ad.unpack_dual(out).tangent  # type: ignore[no-untyped-call]
                columns.append((torch.zeros_like(out) if tangent is None else tangent).reshape(-1))
        return torch.stack(columns, 1)

    def reads_across(self, example: int) -> bool:
        """Whether other examples of the node read this example of the input."""
        leaf, out = self.recorded_across(example)
        g = torch.Generator().manual_seed(0)
        others = torch.rand(out.shape, generator=g, dtype=out.dtype) + 0.5
        others[example] = 0.0
        return bool((self.back(leaf, out, others) != 0).any())

    def recorded_across(self, example: int) -> tuple[torch.Tensor, torch.Tensor]:
        """One example of the input as a leaf, and the whole node as computed from it."""
        leaf = self.middle[example].detach().clone().requires_grad_()
        with torch.enable_grad():
            return leaf, self.way.value(self.placed(leaf, example))

    def shown(self) -> torch.Tensor | None:
        """What the walk's steps from the node to the input contribute, together; None where no step goes there."""
        lines = zip(self.run.plan.lines, self.run.contributions, strict=True)
        values = [
            kept.value
            for line, kept in lines
            if line.target is self.source and line.through and line.through.node is self.node and not line.inner
        ]
        return torch.stack(values).sum(0) if values else None

    def agrees(self, shown: torch.Tensor | None, result: torch.Tensor | None, example: int | None) -> bool:
        """Whether arriving @ J is what the walk shows, but for rounding; of the whole where examples mix."""
        if shown is None:
            return True
        if result is None:
            arriving = self.run.gradients["d" + self.node.variable]
            return close(self.pulled(arriving), shown, TOLERANCE[self.run.material.dtype])
        return close(result, part(shown, example).reshape(-1), TOLERANCE[self.run.material.dtype])


def close(a: torch.Tensor, b: torch.Tensor, tolerance: float) -> bool:
    """Equal up to a part of the largest value; the same non-finite values count as equal."""
    size = max((float(t[t.isfinite()].abs().max()) for t in (a, b) if bool(t.isfinite().any())), default=0.0)
    return torch.allclose(a.double(), b.double(), rtol=0.0, atol=tolerance * size, equal_nan=True)


def unit(tensor: torch.Tensor, cell: int) -> torch.Tensor:
    """A one in one cell, counted through the flattened tensor, of zeros."""
    made = torch.zeros(tensor.numel(), dtype=tensor.dtype)
    made[cell] = 1.0
    return made.reshape(tensor.shape)
