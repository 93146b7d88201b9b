"""PyTorch under another name that needs no import here: `t` where a text calls `t.exp(x)`, and has no tensor `t`."""

from __future__ import annotations

import ast

import torch

from backend.engine.language.tree import nodes_in

ALIAS = "t"
# What `t.exp(x)` would mean of no tensor: its method of this name takes nothing, or fewer.
PLAIN = frozenset({"exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs", "square", "sin", "cos"})
OF_THREE = frozenset({"gather", "where", "lerp", "addmm", "addcmul"})


def named_torch(tree: ast.Module) -> None:
    """Call PyTorch by its own name in a text that was pasted without its import."""
    names = [node for node in nodes_in(tree) if isinstance(node, ast.Name) and node.id in (ALIAS, "torch")]
    owned = {id(node.value): node for node in nodes_in(tree) if isinstance(node, ast.Attribute)}
    given = {node.arg for node in nodes_in(tree) if isinstance(node, ast.arg)}
    if ALIAS in given or any(node.id != ALIAS or id(node) not in owned for node in names):
        return
    calls = [node for node in nodes_in(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    asked = {owned[id(node)].attr for node in names}
    if all(hasattr(torch, name) for name in asked) and any(_is_of_module(one) for one in calls):
        for node in names:
            node.id = "torch"


def _is_of_module(call: ast.Call) -> bool:
    """Whether what is called on `t` is a function of PyTorch, and can't be a method of a tensor."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="t"), attr=name):
            several = len(call.args) + len(call.keywords) > 2
            return (
                not hasattr(torch.Tensor, name) or (name in PLAIN and bool(call.args)) or (name in OF_THREE and several)
            )
    return False
