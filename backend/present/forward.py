"""Explanations of forward steps."""

from __future__ import annotations

import ast

from backend.engine.language.unparse import printed
from backend.engine.language.wording import filled_in
from backend.engine.ops.stretch import stretched_axes
from backend.engine.trace.graph import Node, nodes_in
from backend.present.brief import items_within
from backend.present.explain import axes_of, code, each_of, phrases_of, shape_words, words_of
from backend.present.schema import Broadcast
from backend.present.schema import Sentence as Item

PLACES = ("first", "second", "third", "fourth")


def forward_story(primitives: list[Node], lesson: str = "") -> tuple[list[Item], list[Broadcast]]:
    """Sentences for a forward step, and its broadcasts; what a lesson tells stands for what the operations do."""
    items: list[Item] = [{"kind": "lesson", "text": lesson}] if lesson else []
    broadcasts: list[Broadcast] = []
    leading = _leading_to(primitives[-1], primitives)
    told = [] if lesson else _worth_telling(leading)
    for node in leading:
        if node.is_broadcast:
            axes = axes_of(node)
            text = _stretched(node)
            broadcasts.append({"input": printed(node.inputs["x"].expr), "axes": axes, "text": text})
            items.append({"kind": "broadcast", "text": text})
        elif node in told:
            items.append({"kind": "local", "text": forward_sentence(node)})
    once = list({item["text"]: item for item in items}.values())
    return items_within([(item["kind"], item["text"], "") for item in once]), broadcasts


def _worth_telling(leading: list[Node]) -> list[Node]:
    """The operations that a line is about: its arithmetic only where there is nothing else in it."""
    used = [node for node in leading if not node.is_broadcast]
    special = [node for node in used if node.op and not (node.op.arithmetic or node.op.stops)]
    return special or used[-1:]


def _leading_to(result: Node, primitives: list[Node]) -> list[Node]:
    """Those operations whose numbers go into a result: not the places of a maximum whose values alone are used."""
    reached = {result}
    for node in reversed(primitives):
        reached |= set(_read_by(node)) if node in reached else set()
    return [node for node in primitives if node in reached]


def _read_by(node: Node) -> list[Node]:
    return list(nodes_in([*node.inputs.values(), *node.parameters.values()]))


def forward_sentence(node: Node) -> str:
    """What one operation computes."""
    assert node.op is not None
    are_places = isinstance(node.written, ast.Attribute) and node.written.attr == "indices"
    does = node.op.does_for_indices if are_places else node.op.does_for
    words = words_of(node)
    as_written = {name: f"`{printed(words[name])}`" for name in ("it", *node.inputs)}
    told = filled_in(does(node.call), words, phrases_of(node) | as_written)
    part = node.parameters.get("part")
    if part is None or node.name is None:
        return told
    which = f"the {PLACES[part]}" if part < len(PLACES) else f"number {part + 1}"
    return f"{told} {code(node)} is {which} of them."


def _stretched(expand: Node) -> str:
    source = expand.inputs["x"]
    if not source.shape:
        shape = shape_words(expand.shape)
        return f"{code(source)} is a single number, copied into every cell of a tensor of shape {shape}."
    axes = [axis for axis, _ in stretched_axes(source.shape, expand.shape)]
    if not axes:
        return f"{code(source)} has shape {shape_words(expand.shape)} already."
    places = each_of(expand, axes) + "," * (len(axes) > 1)
    return f"{code(source)} {shape_words(source.shape)} is copied to {places} to match {shape_words(expand.shape)}."
