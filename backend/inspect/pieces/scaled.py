"""A walk run again with one parameter scaled: what the pieces with a slider are made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from backend.engine.execute.plan import Plan
from backend.engine.execute.run import Forward, run_forward
from backend.engine.language.expression import expression
from backend.engine.language.rewrite import filled
from backend.engine.language.tree import names_in
from backend.engine.trace.graph import Node
from backend.inspect.closed_forms.match import bare
from backend.pipeline import material_of, planned
from backend.program.changes import changed
from backend.program.request import Request

SCALES = (0.1, 0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
USUAL = SCALES.index(1.0)


def runs(walk: Request, parameter: Node, names: Path | None) -> Iterator[tuple[float, Forward]]:
    """The forward pass, with autograd's gradients, at each scale of a parameter; the scale 1 is the walk as it is."""
    material = material_of(walk, names)
    plan = planned(material)
    for scale in SCALES:
        scaled = (
            changed(material, [{"tensor": parameter.variable, "scale": scale}], planned) if scale != 1 else material
        )
        yield scale, run_forward(plan.graph, scaled.tensors, material.dtype)


def parameters_above(plan: Plan, node: Node, roles: dict[str, str]) -> list[Node]:
    """The parameters that something above a tensor is multiplied by: the nearest first, of two the larger."""
    found: dict[Node, tuple[int, int]] = {}
    level, seen, depth = [node], {node}, 0
    while level:
        for one in level:
            if one.op is None and roles.get(one.variable) == "parameter" and one.needs:
                found[one] = (depth, -one.meta.numel())
        level = [source for one in level for source in one.inputs.values() if source not in seen]
        seen.update(level)
        level = list(dict.fromkeys(level))
        depth += 1
    return sorted((one for one in found if multiplies(one, plan)), key=lambda one: found[one])


def multiplies(parameter: Node, plan: Plan) -> bool:
    """Whether some operation multiplies by a parameter, rather than only adding it: another operand is in its rule."""
    for node in plan.graph.nodes:
        for name, source in node.inputs.items():
            if node.op is None or node.is_broadcast or bare(source) is not parameter or not node.op.differentiable:
                continue
            derived = {word: expression(text) for word, text in node.op.derive(node.call).items() if text}
            if names_in(filled(node.op.rule(name, False), derived)) & (node.inputs.keys() - {name}):
                return True
    return False


def norm(tensor: torch.Tensor | None) -> float:
    """The Euclidean length of a gradient; 0 where there is none."""
    return 0.0 if tensor is None else float(tensor.double().square().sum().sqrt())
