"""Groups: the chunks below each comment heading of the program, or of each layer and function of code as found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backend.engine.trace.graph import Chunk, Graph
from backend.present.schema import Group

Span = Mapping[str, Any]


def groups_of(graph: Graph) -> list[Group]:
    """Chunks under the same comment heading, in order of the program."""
    return _collected((chunk.heading, chunk) for chunk in graph.chunks)


def found_groups(graph: Graph, spans: Sequence[Span]) -> list[Group]:
    """Chunks of the same layer or function, and of what is outside of them those under the same heading."""
    return _collected(_placed(graph.chunks, list(_opened(spans, graph.chunks))))


def _collected(placed: Iterator[tuple[str | None, Chunk]]) -> list[Group]:
    found: dict[str, list[str]] = {}
    for name, chunk in placed:
        if name:
            found.setdefault(name, []).append(str(chunk.node.name))
    return [{"name": name, "nodes": nodes} for name, nodes in found.items()]


def _opened(spans: Sequence[Span], chunks: Sequence[Chunk]) -> Iterator[Span]:
    """The outermost calls of several lines, but for one that is most of the program: the calls in it."""
    for span in spans:
        own = sum(_holds(span, chunk) for chunk in chunks)
        if span["groups"] and 2 * own > len(chunks):
            yield from _opened(span["groups"], chunks)
        elif own > 1:
            yield span


def _holds(span: Span, chunk: Chunk) -> bool:
    return bool(span["first"] <= chunk.source[0] <= span["last"])


def _placed(chunks: Sequence[Chunk], spans: Sequence[Span]) -> Iterator[tuple[str | None, Chunk]]:
    """A heading inside a call says nothing of the lines behind it: they go on below the one before."""
    inside: set[str | None] = set()
    heading: str | None = None
    for chunk in chunks:
        span = next((one for one in spans if _holds(one, chunk)), None)
        if span is not None:
            inside.add(chunk.heading)
            yield f"{span['name']} · {span['title']}", chunk
        else:
            heading = heading if chunk.heading in inside else chunk.heading
            yield heading, chunk
