"""With this module a question about a walk finds the tensor it names."""

from __future__ import annotations

from difflib import get_close_matches

from backend.graph import Node
from backend.language.errors import Refusal
from backend.plan import Plan


def node_of(plan: Plan, name: str) -> Node:
    """The node of that name, or that an alias of that name stands for; raises Refusal where there is none."""
    aliases = {alias: node for alias, (_, node) in plan.graph.aliases.items()}
    node = plan.by_name.get(name) or aliases.get(name)
    if node is None:
        near = get_close_matches(name, [*plan.by_name, *aliases], n=1)
        raise Refusal("tensor-near" if near else "tensor-unknown", found=name, near=near[0] if near else "")
    return node


def with_gradient(plan: Plan, name: str) -> Node:
    """The node of that name; raises Refusal where it is unknown or holds no gradient, with the reason."""
    node = node_of(plan, name)
    if not node.needs:
        raise Refusal("gradient-none", found=name)
    if all(line.target is not node for line in plan.lines):
        raise Refusal("gradient-unreached", found=name, loss=plan.graph.loss.name)
    return node
