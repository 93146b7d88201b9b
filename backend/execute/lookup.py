"""Finds the node of a plan by name, or refuses with the reason."""

from __future__ import annotations

from difflib import get_close_matches

from backend.execute.plan import Plan
from backend.language.errors import Refusal
from backend.trace.graph import Node


def node_of(plan: Plan, name: str) -> Node:
    """The node with this name or alias; raises Refusal if there is none."""
    aliases = {alias: node for alias, (_, node) in plan.graph.aliases.items()}
    node = plan.by_name.get(name) or aliases.get(name)
    if node is None:
        near = get_close_matches(name, [*plan.by_name, *aliases], n=1)
        raise Refusal("tensor-near" if near else "tensor-unknown", found=name, near=near[0] if near else "")
    return node


def with_gradient(plan: Plan, name: str) -> Node:
    """The node with this name; raises Refusal, with the reason, if it is unknown or has no gradient."""
    node = node_of(plan, name)
    if not node.needs:
        raise Refusal("gradient-none", found=name)
    if all(line.target is not node for line in plan.lines):
        raise Refusal("gradient-unreached", found=name, loss=plan.graph.loss.name)
    return node
