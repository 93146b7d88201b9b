"""A worked example of an operation: a line that uses it, and the backward lines that the engine writes."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Iterator, Mapping

import torch

from backend.engine.differentiate.reverse import differentiate
from backend.engine.language.errors import Refusal
from backend.engine.language.expression import parsed
from backend.engine.language.parse import parse
from backend.engine.ops import Op
from backend.engine.ops.sample import WHOLE_NUMBERS, Sample, is_tensor, read, shape_of
from backend.engine.ops.signature import REQUIRED, Signature
from backend.engine.trace.graph import Graph
from backend.engine.trace.inputs import Input
from backend.engine.trace.tracer import trace
from backend.services.answer_types import OperationExample

# What stands behind a line so that there is one tensor to come back from: of a pair the values, of several the first.
ENDS = "out = {}", "out = {}.values", "out = {}[0]"


def example(op: type[Op]) -> OperationExample | None:
    """A line with shapes from the operation's own samples, and its backward lines; None where none of them fits."""
    return next((made for _, inputs, line in lines_of(op) if (made := _worked(line, inputs))), None)


def lines_of(op: type[Op]) -> Iterator[tuple[Sample, dict[str, Input], str]]:
    """Lines that use the operation on its own samples; whether each can be traced is to be tried.

    First come samples with many tensors, and with an axis where the operation goes along one.
    """
    enough = 2 if op.variadic else len(op.signatures[0].parameters)
    uses = [(sample, *use_of(sample, op)) for sample in map(read, op.samples)]
    for sample, inputs, words in sorted(uses, key=lambda use: (-min(enough, len(use[1])), "dim" not in use[2])):
        for text, signature in zip(op.written, op.signatures, strict=True):
            if fits(signature, words):
                yield from ((sample, inputs, end.format(filled(text, words))) for end in ENDS)


def _worked(line: str, inputs: dict[str, Input]) -> OperationExample | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            graph = traced_with(f"{line}\nloss = out.sum()", inputs)
    except Refusal:
        return None
    lines = [made for made in differentiate(graph, False) if made.target in graph.inputs]
    shapes = {name: list(given.shape) for name, given in inputs.items()}
    return {"line": line, "shapes": shapes, "backward": [text for made in lines for text in made.code.split("\n")]}


def traced_with(source: str, inputs: dict[str, Input]) -> Graph:
    """A program with some numbers in its inputs; raises Refusal where it can't be traced."""
    return trace(parse(source), inputs, {}, tensors={name: _numbers(given) for name, given in inputs.items()})


def _numbers(given: Input) -> torch.Tensor:
    """Some numbers, for shapes and rules that depend on them: decimals in order, first places, every cell of a mask."""
    if given.dtype.is_floating_point:
        return torch.linspace(0.1, 0.9, math.prod(given.shape)).reshape(given.shape)
    return torch.full(given.shape, given.dtype is torch.bool, dtype=given.dtype)


def fits(signature: Signature, words: Mapping[str, str]) -> bool:
    """Whether a spelling takes these arguments, and gets all that it needs."""
    needed = {name for name, default in signature.parameters.items() if default is REQUIRED}
    return needed <= set(words) <= set(signature.parameters)


def use_of(given: Sample, op: type[Op]) -> tuple[dict[str, Input], dict[str, str]]:
    """The tensors that a sample speaks of, and the text of every argument."""
    inputs: dict[str, Input] = {}
    words: dict[str, str] = {}
    names = iter(f"t{number}" for number in range(9)) if op.variadic else iter(op.inputs())
    for word in given.inputs:
        name = next(names, "")
        words[name] = name if is_tensor(word) else "1.5" if word == "number" else word
        if is_tensor(word):
            inputs[name] = Input("parameter", shape_of(word), torch.float32)
    words |= {name: _whole_numbers(name, text, inputs) for name, text in given.named.items()}
    if op.variadic:
        words = {key: text for key, text in words.items() if key not in inputs}
        words[op.variadic] = f"({', '.join(inputs)},)"
    return inputs, words


def _whole_numbers(name: str, value: str, inputs: dict[str, Input]) -> str:
    found = WHOLE_NUMBERS.fullmatch(value)
    if found is None:
        return value
    inputs[name] = Input("target", shape_of(found[2]), torch.int64 if found[1] == "ints" else torch.bool)
    return name


def filled(text: str, words: dict[str, str]) -> str:
    """A spelling with a sample's arguments in their places; what it leaves to its default is left out."""
    tree = parsed(text)
    if isinstance(tree, ast.Call):
        tree.keywords = [ast.keyword(k.arg, parsed(words[str(k.arg)])) for k in tree.keywords if k.arg in words]
        starred = [a.value.id for a in tree.args if isinstance(a, ast.Starred) and isinstance(a.value, ast.Name)]
        spread = [part for name in starred for part in _parts(words[name])]
        tree.args = [a for a in tree.args if not isinstance(a, ast.Starred)] + spread
    return ast.unparse(_Named(words).visit(tree))


def _parts(text: str) -> list[ast.expr]:
    tree = parsed(text)
    return tree.elts if isinstance(tree, ast.Tuple) else [tree]


class _Named(ast.NodeTransformer):
    def __init__(self, words: dict[str, str]) -> None:
        self.words = words

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return parsed(self.words[node.id]) if node.id in self.words else node
