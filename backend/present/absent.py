"""Reasons why a tensor has no gradient: the line that cuts its path to the loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Chunk, Graph, Node
from backend.present.schema import NoGradient

TARGET = "No gradient: `{name}` is a target, and stays as it is."
WHOLE = "No gradient: {kind} can't be nudged a little."
MADE_WHOLE = "No gradient: {cut} gives {kind}, which can't be nudged a little."
CONSTANT = "No gradient: {cut} makes a constant of it."
GIVEN = "No gradient: nothing it is made from has one."
CUT = "No gradient: {cut} passes nothing back, and no other path leads from `{name}` to `{loss}`."
UNREAD = "No gradient: no line reads `{name}`."
ASTRAY = "No gradient: nothing made from `{name}` reaches `{loss}`."


@dataclass(frozen=True)
class Absences:
    """Looks for what keeps gradients from the tensors of one graph."""

    graph: Graph

    def of(self, node: Node) -> NoGradient:
        """The reason for a named tensor that the backward pass does not reach."""
        if not node.meta.is_floating_point():
            return self._whole(node)
        if node.role == "target":
            return {"kind": "target", "line": None, "text": TARGET.format(name=node.name)}
        return self._unreached(node) if node.needs else self._constant(node)

    def _whole(self, node: Node) -> NoGradient:
        kind = "truth values" if node.meta.dtype is torch.bool else "whole numbers"
        cut = self._cut_above(node)
        text = WHOLE.format(kind=kind) if cut is None else MADE_WHOLE.format(cut=self._words(cut), kind=kind)
        return {"kind": "integers", "line": self._line(cut), "text": text}

    def _constant(self, node: Node) -> NoGradient:
        cut = self._cut_above(node)
        text = GIVEN if cut is None else CONSTANT.format(cut=self._words(cut))
        return {"kind": "constant", "line": self._line(cut), "text": text}

    def _unreached(self, node: Node) -> NoGradient:
        names = {"name": node.name, "loss": self.graph.loss.name}
        cut = self._cut_below(node)
        if cut is not None:
            text = CUT.format(cut=self._words(cut), **names)
            return {"kind": "no-path", "line": self._line(cut), "text": text}
        text = (ASTRAY if self._readers.get(node) else UNREAD).format(**names)
        return {"kind": "unused", "line": None, "text": text}

    def _cut_above(self, node: Node) -> Node | None:
        """The operation before a tensor that reads something with a gradient and passes none on."""
        pending, seen = [node], set[Node]()
        while pending:
            made = pending.pop(0)
            seen.add(made)
            if any(source.needs for source in sources(made)):
                return made
            pending += [source for source in sources(made) if source not in seen]
        return None

    def _cut_below(self, node: Node) -> Node | None:
        """The first operation after a tensor that passes nothing back although its result reaches the loss."""
        pending, seen = [node], {node}
        cuts = []
        while pending:
            for reader in self._readers.get(pending.pop(0), ()):
                if reader.needs and reader not in seen:
                    pending.append(reader)
                elif not reader.needs and reader in self._before_loss:
                    cuts.append(reader)
                seen.add(reader)
        return min(cuts, key=self.graph.nodes.index, default=None)

    @cached_property
    def _readers(self) -> dict[Node, list[Node]]:
        found: dict[Node, list[Node]] = {}
        for node in self.graph.nodes:
            for source in sources(node):
                found.setdefault(source, []).append(node)
        return found

    @cached_property
    def _before_loss(self) -> set[Node]:
        pending, seen = [self.graph.loss], set[Node]()
        while pending:
            node = pending.pop()
            if node not in seen:
                seen.add(node)
                pending += sources(node)
        return seen

    @cached_property
    def _chunks(self) -> dict[Node, Chunk]:
        return {node: chunk for chunk, nodes in self.graph.primitives() for node in nodes}

    def _line(self, cut: Node | None) -> int | None:
        return self._chunks[cut].line if cut in self._chunks else None

    def _words(self, cut: Node) -> str:
        line = self._line(cut)
        return f"`{printed(cut.written)}`" + (f" on line {line}" if line else "")


def sources(node: Node) -> list[Node]:
    """Every tensor that an operation reads, indices among them."""
    return [*node.inputs.values(), *_nodes(node.parameters.values())]


def _nodes(values: Any) -> Iterator[Node]:
    for value in values:
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple | list):
            yield from _nodes(value)
