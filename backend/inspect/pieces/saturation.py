"""Saturation: the cells of an activation that let next to no gradient through, at several scales of a parameter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from backend.engine.encode import number, typed_within
from backend.engine.execute.lookup import known, node_of
from backend.engine.execute.run import Forward
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import guarded
from backend.engine.language.wording import number_text, plural
from backend.engine.trace.graph import Node
from backend.inspect.flat_cells import flat_below, flat_cells
from backend.inspect.pieces.piece_types import Piece, Saturation, SaturationPoint
from backend.inspect.pieces.scaled import SCALES, USUAL, norm, parameters_above, runs
from backend.pipeline import run_of
from backend.program.request import Request
from backend.program.runs import Run

MOST_CELLS = 16_384
SAME = 0.02  # of the largest value: what is kept from 0 in a root lets the smallest scale through a little


@dataclass(frozen=True)
class Slopes:
    """What lets next to nothing through: a mask of cells, and of units that do so for every example."""

    flat: torch.Tensor
    dead: torch.Tensor

    @property
    def share(self) -> float:
        """The share of the cells."""
        return float(self.flat.double().mean())


@guarded
def saturation(request: Request, names: Path | None = None) -> Saturation:
    """Which cells of an activation let next to nothing through, and what the scale of a parameter does to it.

    `request` is the body of POST /api/saturation, with the activation's result as `tensor`. There is one point for
    each scale: the cells, their share, the units that are flat for every example, the norm of the input's gradient and
    the loss. Raises Refusal where the tensor is no such result, or nothing scales it.
    """
    run = run_of(request["walk"], names)
    node = node_of(run.plan, request["tensor"])
    above = parameters_above(run.plan, node, roles_of(run))
    if not node.saturates or not above:
        raise Refusal("saturation-none", found=request["tensor"])
    chosen = request.get("parameter")
    parameter, encode = (
        known({str(one.name): one for one in above}, chosen) if chosen else above[0],
        typed_within(MOST_CELLS),
    )
    points: list[SaturationPoint] = []
    flats, values = [], []
    for scale, forward in runs(request["walk"], parameter, names):
        slopes = slopes_of(node, forward, run.material.dtype)
        flats.append(slopes.flat)
        values.append(forward.tensors[node.variable])
        before = norm(forward.autograd.get(gradient_of(node, run).variable))
        loss = float(forward.tensors[run.plan.graph.loss.variable])
        points.append(
            {
                "scale": scale,
                "flat": encode(slopes.flat),
                "value": encode(forward.tensors[node.variable]),
                "share": slopes.share,
                "dead": [int(unit) for unit in slopes.dead.nonzero().flatten()],
                "units": slopes.dead.numel(),
                "norm": number(before),
                "loss": number(loss),
                "text": flat_sentence(node, parameter, scale, slopes),
            }
        )
    return {
        "tensor": node.variable,
        "parameter": str(parameter.name),
        "parameters": [str(one.name) for one in above],
        "through": gradient_of(node, run).variable,
        "shape": list(node.shape),
        "dims": node.dims,
        "scales": list(SCALES),
        "usual": USUAL,
        "points": points,
        "constant": _constant(parameter, node, flats, values),
        "rule": f"flat: where the slope is below {number_text(flat_below(node), 2)}",
    }


def _constant(parameter: Node, node: Node, flats: list[torch.Tensor], values: list[torch.Tensor]) -> str:
    """What to say where a parameter's scale makes no cell flat: a step between normalises, or only sizes change."""
    if not flats[0].any() or not all(torch.equal(one, flats[0]) for one in flats):
        return ""
    size = float(values[USUAL].abs().max())
    if all(float((one - values[USUAL]).abs().max()) <= SAME * size for one in values):
        return (
            f"The scale of `{parameter.variable}` changes nothing in `{node.variable}`: "
            "a step between normalises it away."
        )
    return f"The scale of `{parameter.variable}` changes the numbers in `{node.variable}`, but not which are flat."


def saturation_offers(run: Run) -> list[Piece]:
    """Offered where an activation is computed, and where its gradient goes back through it."""
    if run.plan.planted is not None:
        return []
    roles = roles_of(run)
    nodes = [chunk.node for chunk in run.plan.graph.chunks if chunk.node.saturates]
    return [
        {"kind": "saturation", "tensor": str(node.name), "steps": [run.plan.graph.step_of[node], *_through(run, node)]}
        for node in nodes
        if parameters_above(run.plan, node, roles)
    ]


def _through(run: Run, node: Node) -> list[int]:
    """The backward steps of its own gradient, and those that go back through the activation."""
    back = [line.target is node or any(hop.node is node for hop in line.path) for line in run.plan.lines]
    return [run.plan.first_backward + place for place, here in enumerate(back) if here]


def roles_of(run: Run) -> dict[str, str]:
    """What each input is for."""
    return {name: given.role for name, given in run.material.inputs.items()}


def gradient_of(node: Node, run: Run) -> Node:
    """The nearest tensor with a name in front of the activation: its input, or what that is computed from."""
    source = node
    while source is node or source.name is None:
        source = max(source.inputs.values(), key=lambda one: (one.needs, one.meta.numel()))
    return source if f"d{source.variable}" in run.gradients else node


def slopes_of(node: Node, forward: Forward, dtype: torch.dtype) -> Slopes:
    """Where the activation's own backward rule gives next to nothing for an upstream gradient of 1."""
    flat = flat_cells(node, forward.values, dtype)
    units = flat.reshape(-1, flat.shape[-1]) if flat.dim() > 1 else flat.unsqueeze(0)
    return Slopes(flat, units.all(0))


def flat_sentence(node: Node, parameter: Node, scale: float, slopes: Slopes) -> str:
    """How many cells and units let nothing through at one scale."""
    flat, cells, dead = int(slopes.flat.sum()), slopes.flat.numel(), int(slopes.dead.sum())
    start = (
        f"With `{parameter.variable}` as it is" if scale == 1 else f"With {number_text(scale)} · `{parameter.variable}`"
    )
    count = f"{start}, {flat} of {cells} cells of `{node.variable}` let next to nothing through."
    if dead:
        unit = f"{plural('column', dead)} {'is' if dead == 1 else 'are'} flat for every example"
        return f"{count} {unit}: hardly any gradient gets back through {'it' if dead == 1 else 'them'}."
    return count
