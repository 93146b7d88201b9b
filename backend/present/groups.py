"""Groups: the chunks below each comment heading of the program."""

from __future__ import annotations

from backend.engine.trace.graph import Graph
from backend.present.schema import Group


def groups_of(graph: Graph) -> list[Group]:
    """Chunks under the same comment heading, in order of the program."""
    found: dict[str, list[str]] = {}
    for chunk in graph.chunks:
        if chunk.heading:
            found.setdefault(chunk.heading, []).append(str(chunk.node.name))
    return [{"name": name, "nodes": nodes} for name, nodes in found.items()]
