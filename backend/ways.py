"""With this module a gradient knows the ways it came: from which named tensors, and by which backward lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.differentiate import Hop, Line
from backend.graph import Graph, Node


@dataclass(frozen=True)
class Way:
    """One use of a tensor on the way to a named one, its `end`; `line` brings its gradient back, or none does."""

    end: Node
    path: tuple[Hop, ...]
    place: int | None = None
    line: Line | None = None


def ways_to(node: Node, graph: Graph, lines: list[Line]) -> list[Way]:
    """Every way on which gradients reach a node, the loss's own start included, in order of their lines."""
    users = _users(graph)
    by_use = {_use(line.path[-1]): place for place, line in enumerate(lines) if line.path and line.target is node}
    found = [Way(node, (), place, line) for place, line in enumerate(lines) if line.target is node and not line.path]
    for use in users.get(node, []):
        place = by_use.get(_use(use))
        line = None if place is None else lines[place]
        found += [Way(end, path, place, line) for end, path in _ends(use, users)]
    return sorted(found, key=lambda way: len(lines) if way.place is None else way.place)


def _use(hop: Hop) -> tuple[int, str]:
    return id(hop.node), hop.input_name


def _users(graph: Graph) -> dict[Node, list[Hop]]:
    """Where each tensor is used by operations that a gradient passes."""
    users: dict[Node, list[Hop]] = {}
    for node in graph.nodes:
        for name, source in node.inputs.items():
            if node.needs and source.needs:
                users.setdefault(source, []).append(Hop(node, name))
    return users


def _ends(use: Hop, users: dict[Node, list[Hop]]) -> Iterator[tuple[Node, tuple[Hop, ...]]]:
    """The named tensors that a use leads to through anonymous ones, each with the path back; once each."""
    seen: set[Node] = set()
    pending: list[tuple[Node, tuple[Hop, ...]]] = [(use.node, (use,))]
    while pending:
        node, path = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.name is not None:
            yield node, path
        else:
            pending += [(hop.node, (hop, *path)) for hop in users.get(node, [])]
