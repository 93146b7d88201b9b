"""Axis names: given for the inputs, propagated through the graph by each operation."""

from __future__ import annotations

from collections.abc import Mapping

from backend.engine.trace.graph import Graph, Node


def name_axes(graph: Graph, given: Mapping[str, list[str]]) -> None:
    """Set `dims` of every node; axes nobody named are called `axis 0`, `axis 1`, …"""
    for node in graph.inputs:
        names = list(given.get(node.variable, ()))[: len(node.shape)]
        node.dims = names + [""] * (len(node.shape) - len(names))
    for node in graph.nodes:
        node.dims = _result(node)
        for source in node.inputs.values():
            if source.is_broadcast and source.shape == node.shape:
                source.dims = node.dims
    for node in [*graph.inputs, *graph.nodes]:
        node.dims = [name or f"axis {axis}" for axis, name in enumerate(node.dims)]


def _result(node: Node) -> list[str]:
    assert node.op is not None
    dims = {name: source.dims for name, source in node.inputs.items()}
    for position, part in enumerate(_index_parts(node)):
        dims[f"index {position}"] = part.dims
    known = node.op.axes(dims, node.call)
    return known if known is not None and len(known) == len(node.shape) else _aligned(node)


def _index_parts(node: Node) -> list[Node]:
    index = node.parameters.get("index")
    parts = index if isinstance(index, tuple) else (index,)
    return [part for part in parts if isinstance(part, Node)]


def _aligned(node: Node) -> list[str]:
    """Names by position from the end, from whichever input has that axis at full length."""
    names = [""] * len(node.shape)
    for source in node.inputs.values():
        for back in range(1, min(len(source.shape), len(names)) + 1):
            if source.shape[-back] == node.shape[-back]:
                names[-back] = names[-back] or source.dims[-back]
    return names
