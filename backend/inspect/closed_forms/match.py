"""Finds patterns in a traced graph: rules written in the language, matched by operation and data flow, not by names.

A rule is one expression, such as `counts / total`. Its names are other meanings, or one of these: `x` is any tensor,
`row` one that is broadcast along the last axis, `gain`, `shift` and `wanted` any that come on top, `mask` one without
a gradient. In the place of a number or a list, `number` is any number, `lowest` one that leaves no share, and `eps` one
that is told of; `along` are the axes of a reduction, `inner` the lengths of the last axes, `channels` stands for all
axes but the second; `rows` lays all axes but the last end to end; `index` and `target` are the places of what is
picked; `anything` is not looked at.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backend.engine.language.application import key_of, operands
from backend.engine.language.expression import expression
from backend.engine.language.tree import constant
from backend.engine.language.unparse import printed
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import widened
from backend.engine.ops.index import parts_of
from backend.engine.ops.reduce import reduced_axes
from backend.engine.trace.graph import Graph, Node
from backend.inspect.closed_forms.pattern import Rule

NEAR = 1e-9
MOST = 12  # meanings of one tensor
FREE = ("row", "gain", "shift", "wanted", "mask")  # any tensor
LOWEST = -1e4  # what is written over a logit that is to have no share


@dataclass(frozen=True)
class Match:
    """A tensor that means something: the tensors of all parts by their meanings, and what was learnt on the way.

    `plain` are words that no tensor stands for, such as the number that keeps a square root from 0.
    """

    meaning: str
    node: Node
    words: dict[str, Node]
    factors: dict[str, float]
    along: tuple[int, ...] | None = None
    number: float | None = None
    picked: Node | None = None  # the operation that picks by index or target
    plain: Mapping[str, str] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """How many cells are along its axes; 0 where `x` hasn't got these, or is not known."""
        shape = self.words["x"].shape if "x" in self.words else ()
        return math.prod(shape[axis] if axis < len(shape) else 0 for axis in self.along or ())

    @property
    def factor(self) -> float:
        """What the pattern's own quantity is multiplied by here."""
        return self.factors.get(self.meaning, 1.0)


class Matcher:
    """All that the tensors of a graph mean by the rules of one pattern."""

    def __init__(self, graph: Graph, rules: Sequence[Rule]) -> None:
        self.graph = graph
        self.rules = [(rule, expression(rule.text)) for rule in rules]
        self.meanings = {rule.meaning for rule in rules}
        self.same = numbered(graph)
        self.found: dict[Node, list[Match]] = {}
        for node in graph.nodes:
            self.found[node] = self.matches(node)

    def matches(self, node: Node) -> list[Match]:
        """What a tensor means, those of later rules last; each meaning also where another leads to it without work."""
        if passes(node):
            return self.known(only(node))
        made = [self.base(node)]
        for rule, tree in self.rules:
            if isinstance(tree, ast.Name):
                made += [self.named(rule, match) for match in made if match.meaning == tree.id]
            elif len(made) < MOST:
                made += [self.finished(rule, node, match) for match in self.whole(rule, tree, node)]
        return made

    def known(self, node: Node) -> list[Match]:
        """What was found of a tensor; of an input that it is any tensor."""
        if node not in self.found:
            base = self.base(node)
            units = [rule for rule, tree in self.rules if isinstance(tree, ast.Name) and tree.id == "x"]
            self.found[node] = [base, *(self.named(rule, base) for rule in units)]
        return self.found[node]

    @staticmethod
    def base(node: Node) -> Match:
        return Match("x", node, {"x": node}, {})

    @staticmethod
    def named(rule: Rule, match: Match) -> Match:
        factors = match.factors | ({rule.meaning: match.factor} if match.factor != 1 else {})
        return replace(match, meaning=rule.meaning, words=match.words | {rule.meaning: match.node}, factors=factors)

    def finished(self, rule: Rule, node: Node, match: Match) -> Match:
        times = value_of(rule.times, match.length, only_shape(node), match.number, math.prod(node.shape))
        factors = match.factors | {rule.meaning: match.factors.get(rule.meaning, 1.0) * times}
        words = match.words | {rule.meaning: node}
        return replace(match, meaning=rule.meaning, node=node, words=words, factors=factors, number=None)

    def whole(self, rule: Rule, tree: ast.expr, node: Node) -> Iterator[Match]:
        """The matches of a rule's expression with what a tensor is computed from."""
        for written in orders(tree):
            for match in self.applied(written, node):
                wanted = {part: value_of(text, match.length, (), None) for part, text in rule.wants.items()}
                if all(math.isclose(match.factors.get(p, 1.0), v, rel_tol=1e-6) for p, v in wanted.items()):
                    yield match

    def applied(self, tree: ast.expr, node: Node) -> Iterator[Match]:
        args, kwargs = operands(tree)
        for op, signature in REGISTRY[key_of(tree)]:
            if op is not node.op:
                continue
            bound = signature.bind(args, kwargs)
            if bound is not None and _usual(node, bound):
                yield from self.parts(node, {k: v for k, v in bound.items() if isinstance(v, ast.expr)}, bound)
                return

    def parts(self, node: Node, written: Mapping[str, ast.expr], bound: Mapping[str, Any]) -> Iterator[Match]:
        """Every way in which all operands mean what the rule says, and agree about the tensors they share."""
        plain = [name for name in bound if name in node.parameters and name not in written and name != "keepdim"]
        if not all(_equals(node.parameters[name], bound[name]) for name in plain):
            return
        found = [Match("", node, {}, {})]
        for name, word in written.items():
            found = [both for one in found for both in self.with_operand(one, node, name, word)]
        yield from (match for match in found if match.words)

    def with_operand(self, match: Match, node: Node, name: str, word: ast.expr) -> Iterator[Match]:
        value = node.inputs.get(name, node.parameters.get(name))
        if not isinstance(word, ast.Name):
            if _equals(value, ast.literal_eval(word)):
                yield match
        elif word.id in LEARNT:
            if more := LEARNT[word.id](match, node, value):
                yield more
        elif isinstance(value, Node):
            yield from self.with_tensor(match, value, word.id)

    def with_tensor(self, match: Match, value: Node, meaning: str) -> Iterator[Match]:
        if (meaning == "row" and not is_row(value)) or (meaning == "mask" and value.needs):
            return
        if meaning in FREE:
            yield replace(match, words=match.words | {meaning: bare(value)})
            return
        for other in self.known(bare(value)):
            if other.meaning == meaning and (both := self.joined(match, other)):
                yield both

    def joined(self, one: Match, other: Match) -> Match | None:
        """What two parts know together; None where they speak of different tensors."""
        shared = one.words.keys() & other.words.keys()
        if any(self.same[one.words[word]] != self.same[other.words[word]] for word in shared):
            return None
        if one.along is not None and other.along is not None and one.along != other.along:
            return None
        return replace(
            one,
            words=other.words | one.words,
            factors=other.factors | one.factors,
            along=other.along if one.along is None else one.along,
            picked=one.picked or other.picked,
            plain={**other.plain, **one.plain},
        )


def _number(match: Match, _: Node, value: Any) -> Match | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return replace(match, number=float(value)) if is_number else None


def _eps(match: Match, _: Node, value: Any) -> Match | None:
    told = "torch.finfo({x}.dtype).eps" if value is None else printed(constant(value))
    return replace(match, plain={**match.plain, "eps": told})


def _lowest(match: Match, _: Node, value: Any) -> Match | None:
    return match if isinstance(value, int | float) and value <= LOWEST else None


def _axes(match: Match, axes: tuple[int, ...]) -> Match | None:
    return replace(match, along=axes) if match.along in (None, axes) else None


def _along(match: Match, node: Node, value: Any) -> Match | None:
    return _axes(match, reduced_axes(node.inputs["x"].shape, value))


def _inner(match: Match, node: Node, value: Any) -> Match | None:
    rank = len(node.shape)
    return _axes(match, tuple(range(rank - len(value), rank)))


def _channels(match: Match, node: Node, _: Any) -> Match | None:
    rank = len(node.shape)
    wide = {"tail": widened("", range(1, rank - 1))} if rank > 2 else {}
    return _axes(replace(match, plain={**match.plain, **wide}), (0, *range(2, rank)))


def _rows(match: Match, node: Node, _: Any) -> Match | None:
    source = only_shape(node)
    laid = len(node.shape) == 2 < len(source) and node.shape[-1] == source[-1]
    return replace(match, plain={**match.plain, "flat": "yes"}) if laid else None


def _picked(match: Match, node: Node, _: Any) -> Match | None:
    return replace(match, picked=node)


# What a rule names besides tensors, and what it tells; None where it contradicts what is known.
LEARNT: Mapping[str, Callable[[Match, Node, Any], Match | None]] = {
    "number": _number,
    "eps": _eps,
    "lowest": _lowest,
    "along": _along,
    "inner": _inner,
    "channels": _channels,
    "rows": _rows,
    "index": _picked,
    "target": _picked,
    "anything": lambda match, *_: match,
}


def orders(tree: ast.expr) -> list[ast.expr]:
    """An expression, and for a sum or a product the same with its operands the other way round."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Mult):
        return [tree, ast.BinOp(tree.right, tree.op, tree.left)]
    return [tree]


def numbered(graph: Graph) -> dict[Node, object]:
    """A key for each tensor; those that are computed alike from the same tensors share one."""
    keys: dict[Node, object] = {}
    known: dict[object, int] = {}
    for node in [*graph.inputs, *graph.nodes]:
        if node.op is None or node.op.creates:
            keys[node] = node
            continue
        if passes(node):
            keys[node] = keys.get(only(node), only(node))
            continue
        inputs = tuple((name, keys.get(source, source)) for name, source in node.inputs.items())
        parameters = tuple((name, _key(value, keys)) for name, value in node.parameters.items())
        keys[node] = known.setdefault((node.op, inputs, parameters, node.shape), len(known))
    return keys


def _key(value: Any, keys: Mapping[Node, object]) -> object:
    if isinstance(value, Node):
        return keys.get(value, value)
    return tuple(_key(part, keys) for part in value) if isinstance(value, tuple | list) else repr(value)


def passes(node: Node) -> bool:
    """Whether a tensor is its one input again: broadcast, or with axes of length 1 put in or taken away."""
    if node.op is None or len(node.inputs) != 1:
        return False
    if node.op.stops:
        return False
    if node.is_broadcast or node.op.adds_axis:
        return True
    if [n for n in node.shape if n > 1] != [n for n in only(node).shape if n > 1]:
        return False
    if "index" in node.parameters:
        return all(part is None or part is ... or part == slice(None) for part in parts_of(node.parameters["index"]))
    turned = len([n for n in node.shape if n > 1]) > 1 and not node.parameters.keys() <= {"shape", "dim"}
    return node.op.is_free and node.op.drawn == "rearrange" and not turned


def only(node: Node) -> Node:
    """The one input of a tensor."""
    return next(iter(node.inputs.values()))


def only_shape(node: Node) -> tuple[int, ...]:
    """The shape of a tensor's first input."""
    return only(node).shape if node.inputs else ()


def bare(node: Node) -> Node:
    """A tensor before it was broadcast, and before axes of length 1 were put in."""
    while passes(node):
        node = only(node)
    return node


def is_row(node: Node) -> bool:
    """Whether a tensor is the same along its last axis, because it was broadcast along it."""
    if not node.is_broadcast:
        return bool(node.shape) and node.shape[-1] == 1
    source = only(node)
    return not source.shape or source.shape[-1] == 1


def _usual(node: Node, bound: Mapping[str, Any]) -> bool:
    """Whether what the rule does not speak of is as it usually is."""
    assert node.op is not None
    for name, value in node.parameters.items():
        if name in bound or name == "keepdim" or not value:
            continue
        defaults = [one.parameters[name] for one in node.op.signatures if name in one.parameters]
        if not any(_equals(value, default) for default in defaults):
            return False
    if any(not isinstance(bound.get(name), ast.expr) for name in node.inputs):
        return False
    return all(name in node.inputs or name in node.parameters or bound[name] is None for name in bound)


def _equals(value: Any, other: Any) -> bool:
    if isinstance(value, Node) or isinstance(other, Node):
        return False
    if isinstance(value, float) and isinstance(other, int | float):
        return abs(value - other) < NEAR
    return bool(value == other)


def value_of(word: str, length: int, shape: tuple[int, ...], number: float | None, left: int = 1) -> float:
    """The number that a rule multiplies by: `length` is that of the axes, `shape` that of what goes in.

    `left` is how many cells come out: a mean divides by how many cells go into each.
    """
    cells, rows = math.prod(shape), math.prod(shape[:-1])
    values = {
        "1": 1.0,
        "-1": -1.0,
        "number": number if number is not None else math.nan,
        "1/number": 1 / number if number else math.nan,
        "1/length": 1 / length if length else math.nan,
        "1/(length-1)": 1 / (length - 1) if length > 1 else math.nan,
        "1/cells": left / cells if cells else math.nan,
        "-1/rows": -1 / rows if rows else math.nan,
        "-1/cells": -1 / cells if cells else math.nan,
    }
    return values[word]
