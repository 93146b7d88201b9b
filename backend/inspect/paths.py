"""Paths in the graph along which gradients reach a tensor, each with its backward line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from backend.engine.differentiate.lines import Hop, Line
from backend.engine.trace.graph import Graph, Node

Users = dict[Node, list[Hop]]


@dataclass(frozen=True)
class Path:
    """A path from one use of a tensor to the next named tensor, `end`; `line` is its backward line, or None.

    `hops` are the operations on the path in order of execution, the use first; `place` is the line's index.
    """

    end: Node
    hops: tuple[Hop, ...]
    place: int | None = None
    line: Line | None = None


def paths_to(node: Node, graph: Graph, lines: list[Line]) -> list[Path]:
    """Every path along which gradients reach a node, the loss's seed included, in the order of their lines."""
    users, order = _users(graph), {node: place for place, node in enumerate(graph.nodes)}
    by_use = {use: place for place, line in enumerate(lines) if line.target is node for use in line.uses}
    found = [Path(node, (), place, line) for place, line in enumerate(lines) if line.target is node and not line.path]
    for use in users.get(node, []):
        place = by_use.get(use)
        line = None if place is None else lines[place]
        found += [Path(end, hops, place, line) for end, hops in _ends(use, users, order)]
    found = _of_lines(found, order)
    return sorted(found, key=lambda way: len(lines) if way.place is None else way.place)


def _of_lines(ways: list[Path], order: Mapping[Node, int]) -> list[Path]:
    """Merges paths to one end that share a backward line, as both factors of x * x do."""
    made: dict[tuple[object, ...], Path] = {}
    for number, way in enumerate(ways):
        key = way.end, number if way.place is None else None, way.place
        before = made.get(key)
        hops = dict.fromkeys(way.hops if before is None else (*before.hops, *way.hops))
        made[key] = replace(way, hops=tuple(sorted(hops, key=lambda hop: order[hop.node])))
    return list(made.values())


def _users(graph: Graph) -> Users:
    """The differentiable uses of each tensor, in order of execution."""
    users: Users = {}
    for node in graph.nodes:
        for name, source in node.inputs.items():
            if node.needs and source.needs:
                users.setdefault(source, []).append(Hop(node, name))
    return users


def _ends(use: Hop, users: Users, order: Mapping[Node, int]) -> Iterator[tuple[Node, tuple[Hop, ...]]]:
    """The named tensors reached from a use through unnamed ones, each with the operations between."""
    behind: dict[Node, list[Hop]] = {use.node: [use]}
    pending = [use.node]
    for node in pending:
        for hop in users.get(node, []) if node.name is None else []:
            pending += [hop.node] if hop.node not in behind else []
            behind.setdefault(hop.node, []).append(hop)
    backwards = sorted(behind, key=order.__getitem__, reverse=True)
    for end in (node for node in behind if node.name is not None):
        needed = {end}
        for node in backwards:
            needed |= {hop.node.inputs[hop.input_name] for hop in behind[node]} if node in needed else set()
        yield end, tuple(hop for node in reversed(backwards) if node in needed for hop in behind[node])
