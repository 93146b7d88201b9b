"""Finds the node of a plan by name, or refuses with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

import torch

from backend.engine.execute.plan import Plan
from backend.engine.execute.session import ProgramRun
from backend.engine.interpret.evaluate import shape_text
from backend.engine.language.errors import Refusal
from backend.engine.trace.graph import Node

Found = TypeVar("Found")


def node_of(plan: Plan, name: str) -> Node:
    """The node with this name or alias; raises Refusal if there is none."""
    aliases = {alias: node for alias, (_, node) in plan.graph.aliases.items()}
    return known(aliases | plan.by_name, name)


def known(nodes: Mapping[str, Found], name: str) -> Found:
    """What goes by this name; raises Refusal, with the nearest name, if nothing does."""
    if name not in nodes:
        near = get_close_matches(name, nodes, n=1)
        raise Refusal("tensor-near" if near else "tensor-unknown", found=name, near=near[0] if near else "")
    return nodes[name]


def sound(run: ProgramRun, node: Node) -> torch.Tensor:
    """The gradient of a node; raises Refusal where a line planted before it gives it another shape, or no numbers."""
    gradient = run.gradients["d" + node.variable]
    if "d" + node.variable in run.lost:
        raise Refusal("gradient-lost", found=node.variable, why=run.lost["d" + node.variable].rstrip("."))
    if tuple(gradient.shape) != node.shape:
        shape = shape_text(tuple(gradient.shape))
        raise Refusal("gradient-misshapen", found=node.variable, shape=shape, wanted=shape_text(node.shape))
    return gradient


def with_gradient(plan: Plan, name: str) -> Node:
    """The node with this name; raises Refusal, with the reason, if it is unknown or has no gradient."""
    node = node_of(plan, name)
    if not node.needs:
        raise Refusal("gradient-none", found=name)
    if all(line.target is not node for line in plan.lines):
        raise Refusal("gradient-unreached", found=name, loss=plan.graph.loss.name)
    return node
