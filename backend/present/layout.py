"""Graph layout: positions from Graphviz's dot, with the main path as a straight spine."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

import pygraphviz  # type: ignore[import-untyped]  # it comes without types

from backend.present import graph_types
from backend.present.graph_types import Box, Edge
from backend.trace.graph import Graph, Node, named_inputs

Point = list[float]
Pair = tuple[str, str]
MOST_CROSSED = 250
# Graphviz keeps global state.
_LOCK = Lock()
NODE_HEIGHT = 34.0
THUMBNAIL = 40.0
LETTER = 7.4


@dataclass(frozen=True)
class Group:
    """A heading of the program and the chunks below it."""

    name: str
    nodes: list[str]


@dataclass
class Layout:
    """Centres and sizes of nodes, paths of edges, boxes of groups; points, y downwards."""

    width: float
    height: float
    nodes: dict[str, Box]
    edges: list[Edge]
    groups: list[graph_types.Group]


def groups_of(graph: Graph) -> list[Group]:
    """Chunks under the same comment heading, in order of the program."""
    found: dict[str, list[str]] = {}
    for chunk in graph.chunks:
        if chunk.heading:
            found.setdefault(chunk.heading, []).append(str(chunk.node.name))
    return [Group(name, nodes) for name, nodes in found.items()]


def drawn(graph: Graph) -> list[Node]:
    """The named tensors that have a place in the picture: all but those given that no line reads."""
    read = {source for chunk in graph.chunks for source in named_inputs(chunk.node)} | {graph.loss}
    return [node for node in graph.named if node not in graph.inputs or node in read]


def lay_out(graph: Graph) -> Layout:
    """Place a graph from top to bottom with dot."""
    spine = _spine(graph)
    picture = pygraphviz.AGraph(directed=True, strict=True)
    picture.graph_attr.update(rankdir="TB", nodesep="0.2", ranksep="0.26", splines="true", newrank="true")
    picture.node_attr.update(shape="box", label="", fixedsize="true", height=str(NODE_HEIGHT / 72))
    picture.edge_attr.update(arrowhead="none")
    for node in drawn(graph):
        picture.add_node(node.name, width=_width(node) / 72, group="spine" if node.name in spine else "")
    for position, group in enumerate(groups_of(graph)):
        picture.add_subgraph(group.nodes, name=f"cluster_{position}", margin="14")
    placing, direct = _divided(graph, spine)
    for source, target in placing:
        picture.add_edge(source, target, weight=200 if source in spine and target in spine else 1)
    with _LOCK:
        picture.layout(prog="dot")
    return _read(picture, graph, spine, direct)


def _divided(graph: Graph, spine: set[str]) -> tuple[list[Pair], list[Pair]]:
    """Edges that dot routes, and long ones drawn straight: what dot does grows steeply with the ranks they cross."""
    ranks: dict[str, int] = {}
    pairs: list[tuple[int, Pair]] = []
    for chunk in graph.chunks:
        name, sources = str(chunk.node.name), [str(source.name) for source in named_inputs(chunk.node)]
        ranks[name] = 1 + max((ranks.get(source, 0) for source in sources), default=0)
        for source in sources:
            if source not in ranks:
                ranks[source] = ranks[name] - 1
            main = source in spine and name in spine
            pairs.append((0 if main else ranks[name] - ranks[source], (source, name)))
    placing: list[Pair] = []
    direct: list[Pair] = []
    crossed = 0
    for span, pair in sorted(pairs, key=lambda entry: entry[0]):
        crossed += span
        (placing if crossed <= MOST_CROSSED else direct).append(pair)
    return placing, direct


def _width(node: Node) -> float:
    return THUMBNAIL + LETTER * len(node.variable) + 24


def _spine(graph: Graph) -> set[str]:
    """The shortest path from the first chunk to the loss: what branches off it stands beside it."""
    paths: dict[str, list[str]] = {}
    for chunk in graph.chunks:
        name = str(chunk.node.name)
        before = [paths[str(source.name)] for source in named_inputs(chunk.node) if str(source.name) in paths]
        if before or not paths:
            paths[name] = [*min(before, key=len, default=[]), name]
    return set(paths.get(str(graph.loss.name), ()))


def _read(picture: Any, graph: Graph, spine: set[str], direct: list[Pair]) -> Layout:
    _, _, width, height = (float(part) for part in picture.graph_attr["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")
        return [round(float(x), 1), round(height - float(y), 1)]

    nodes: dict[str, Box] = {}
    for node in drawn(graph):
        x, y = point(picture.get_node(node.name).attr["pos"])
        nodes[str(node.name)] = {"x": x, "y": y, "width": round(_width(node), 1), "height": NODE_HEIGHT}
    edges: list[Edge] = []
    for edge in picture.edges():
        parts = [part for part in edge.attr["pos"].split() if not part.startswith(("e,", "s,"))]
        main = edge[0] in spine and edge[1] in spine
        edges.append({"from": str(edge[0]), "to": str(edge[1]), "path": [point(part) for part in parts], "main": main})
    edges += [{"from": a, "to": b, "path": _curve(nodes[a], nodes[b]), "main": False} for a, b in direct]
    order: dict[Any, int] = {name: position for position, name in enumerate(nodes)}
    edges.sort(key=lambda edge: (order[edge["to"]], order[edge["from"]]))
    boxes: list[graph_types.Group] = []
    for position, group in enumerate(groups_of(graph)):
        box = picture.get_subgraph(f"cluster_{position}").graph_attr["bb"]
        left, low, right, top = (float(part) for part in box.split(","))
        frame: Box = {
            "x": round(left, 1),
            "y": round(height - top, 1),
            "width": round(right - left, 1),
            "height": round(top - low, 1),
        }
        boxes.append({"name": group.name, "nodes": group.nodes, "box": frame})
    return Layout(width, height, nodes, edges, boxes)


def _curve(source: Box, target: Box) -> list[Point]:
    """A curve from below one node to above another."""
    start, end = source["y"] + NODE_HEIGHT / 2, target["y"] - NODE_HEIGHT / 2
    bend = (end - start) / 3
    return [[source["x"], start], [source["x"], start + bend], [target["x"], end - bend], [target["x"], end]]
