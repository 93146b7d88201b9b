"""The equation behind a forward line: operands with the signs between them, then what becomes of what they make."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import torch

from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.application import key_of, operands
from backend.engine.language.grammar import BINARY
from backend.engine.language.guard import attempted
from backend.engine.language.on_demand import OnDemand
from backend.engine.language.rebuild import rebuilt
from backend.engine.language.tree import is_minus
from backend.engine.language.unparse import printed
from backend.engine.trace.graph import Graph, Node, nodes_in
from backend.lines.equations.drawn import MOVING
from backend.lines.equations.equation import Operand, SummedAxis, operand_of
from backend.lines.equations.factors import Factors, factors_of, product_of
from backend.lines.equations.names import Names

# More operands than this have no room beside each other.
MOST_OPERANDS = 6
SIGNS = {"+": "+", "-": "−", "*": "⊙", "/": "÷", "@": "@"}
# What stands for the tensor before a stage: in its words, and where the places of that tensor's cells are its numbers.
BEFORE, CELLS = "x", "cells before"
# A result of two parts may be taken apart by name or by number.
PARTS = ((".values", "[0]"), (".indices", "[1]"))
# What `cell` texts call a cell's own place, on which some of them depend.
PLACES = {"row", "column"}


@dataclass
class Stage:
    """What becomes of the tensor before it; `moved` is the line with the places of that tensor's cells in it."""

    how: Literal["fold", "move", "apply"]
    words: str
    factor: str = ""
    cellwise: bool = False
    axes: list[SummedAxis] = field(default_factory=list)
    moved: ast.expr | None = None
    before: ast.expr | None = None
    result: Operand | None = None


@dataclass
class ForwardPicture:
    """The equation of one forward line; `met` is what the operands make, where that is folded or moved."""

    signs: list[str]
    operands: list[Operand]
    met: Operand | None
    stages: list[Stage]

    @property
    def tensors(self) -> list[Operand]:
        """All that is drawn but for the step's own tensor."""
        results = [stage.result for stage in self.stages if stage.result]
        return [*self.operands, *([self.met] if self.met else []), *results]


def forward_pictures_of(graph: Graph, names: Names) -> Sequence[ForwardPicture | None]:
    """The picture of each forward line, drawn when it is looked at; None where what it reads and makes is drawn."""
    chunks = graph.primitives()

    def drawn_at(number: int) -> ForwardPicture | None:
        chunk, primitives = chunks[number]
        with DefaultDtype(graph.loss.meta.dtype):
            return _picture_of(chunk.node, _Reader(primitives, names))

    return OnDemand(len(chunks), drawn_at)


def _picture_of(node: Node, reader: _Reader) -> ForwardPicture | None:
    picture = attempted(lambda: _drawn(node, reader), None)
    return picture if picture and 0 < len(picture.operands) <= MOST_OPERANDS else None


def _drawn(node: Node, reader: _Reader) -> ForwardPicture | None:
    try:
        return reader.picture(node.written)
    except NotATensor:  # a part that has no shape of its own, such as a list
        return None


class NotATensor(Exception):  # noqa: N818 - no fault, there is only nothing to draw
    """A part of a line has no shape of its own, as a list has none."""


class _Reader:
    """Reads one line's expression, with the operations that it was traced to."""

    def __init__(self, primitives: list[Node], names: Names) -> None:
        self.names = names
        self.nodes = {printed(node.written): node for node in primitives if not node.is_broadcast}

    def picture(self, expr: ast.expr) -> ForwardPicture:
        stages: list[Stage] = []
        while (found := self._stage(expr)) is not None:
            stage, inner = found
            if stages:
                stage.result = self._operand(expr)
            stages.insert(0, stage)
            if len(inner) != 1:
                return self._picture(self._between(expr, len(inner)), inner, stages)
            expr = inner[0]
        terms = list(self._terms(expr))
        picture = self._picture([sign for sign, _ in terms], [part for _, part in terms], stages)
        if len(terms) > 1 and stages and stages[0].how != "apply":
            picture.met = self._operand(expr)
        return picture

    def _between(self, expr: ast.expr, reads: int) -> list[str]:
        """The signs between what an operation reads: a kernel's, and of what is added at each place."""
        node = self._node(self._scaled(expr)[1])
        slides = node is not None and node.op is not None and node.op.drawn == "convolution"
        return ["", "∗", "+"][:reads] if slides else ["", *[","] * (reads - 1)]

    def _picture(self, signs: list[str], parts: list[ast.expr], stages: list[Stage]) -> ForwardPicture:
        drawn = [self._operand(part) for part in parts]
        for i, (left, right) in enumerate(pairwise(drawn), 1):
            if signs[i] == "⊙" and () in (left.shape, right.shape):
                signs[i] = "·"
        return ForwardPicture(signs, drawn, None, stages)

    def _operand(self, expr: ast.expr) -> Operand:
        if not isinstance(self.names.outline(expr), torch.Tensor | int | float):
            raise NotATensor
        return operand_of("", expr, self.names)

    def _node(self, expr: ast.expr) -> Node | None:
        return None if isinstance(expr, ast.Name) else self.nodes.get(printed(expr))

    def _stage(self, expr: ast.expr) -> tuple[Stage, list[ast.expr]] | None:
        """The outermost thing that is done to a tensor, and the tensors it is done to."""
        factor, core = self._scaled(expr)
        node = self._node(core)
        if node is None or node.op is None or (_symbol(expr) and core is expr):
            return None
        reads = [read.expr for read in _reads(node)]
        if node.op.folds and len(reads) == 1:
            return Stage("fold", _sign_of(node), factor, axes=_folded(node)), reads
        if core is not expr or not reads:
            return None
        if known := _by_its_drawing(node, core, reads):
            return known, reads
        moves = node.op.moves or node.op.index_formula or node.op.drawn in MOVING
        if len(node.inputs) == 1 and moves and node.parameters.keys().isdisjoint(node.op.backward):
            # no number is written in between, as `x.scatter(1, index, 1.0)` does
            words = key_of(core).rpartition(".")[2]
            moved = replaced(core, reads[0], CELLS)
            return Stage("move", "" if words == "[]" else words, moved=moved, before=reads[0]), reads
        if len(reads) == 1 and _is_cellwise(node):
            inner, depth = self._under(node)
            name = node.op.symbol or _function_of(inner, core)
            words = name if name and depth == 1 else printed(replaced(core, inner, BEFORE))
            return Stage("apply", words, cellwise=True), [inner]
        return Stage("apply", node.op.symbol or key_of(core).rpartition(".")[2]), reads

    def _under(self, node: Node) -> tuple[ast.expr, int]:
        """The tensor below a chain of functions that go cell by cell, and how many they are."""
        inner, depth = _reads(node)[0], 1
        while (own := self._node(inner.expr)) is not None and len(_reads(own)) == 1 and _is_cellwise(own):
            inner, depth = _reads(own)[0], depth + 1
        return inner.expr, depth

    def _scaled(self, expr: ast.expr) -> tuple[str, ast.expr]:
        """A number before a fold, and the fold: `1/n` and `x.sum(0)`; nothing for what is no such product."""
        factors = factors_of(expr)
        tensors = [part for part in factors.above if self._is_tensor(part)]
        if len(tensors) != 1 or any(self._is_tensor(part) for part in factors.below):
            return "", expr
        core = tensors[0]
        rest = Factors(factors.negative, [part for part in factors.above if part is not core], factors.below)
        number = product_of(rest)
        node = self._node(core)
        if node is None or node.op is None or not node.op.folds:
            return "", expr
        return ("-1" if factors.negative else "") if number is None else printed(number), core

    def _is_tensor(self, expr: ast.expr) -> bool:
        return isinstance(self.names.outline(expr), torch.Tensor)

    def _terms(self, expr: ast.expr, sign: str = "") -> Iterator[tuple[str, ast.expr]]:
        """The parts of sums and products with the sign before each; what would need brackets is one part."""
        if is_minus(expr) and not sign:
            yield from self._terms(expr.operand, "−") if _symbol(expr.operand) not in "+−" else [("−", expr.operand)]
        elif (symbol := _symbol(expr)) and isinstance(expr, ast.BinOp) and self._is_tensor(expr):
            sums = symbol in "+−"
            bare = sums or _symbol(expr.left) not in ("+", "−")
            yield from self._terms(expr.left, sign) if bare else [(sign, expr.left)]
            inside = _symbol(expr.right)
            yield from self._terms(expr.right, symbol) if sums and inside in ("⊙", "÷", "@") else [(symbol, expr.right)]
        else:
            yield sign, expr


def _by_its_drawing(node: Node, core: ast.expr, reads: list[ast.expr]) -> Stage | None:
    """The stage of what has a drawing of its own; a convolution's signs say what it does."""
    match node.op.drawn if node.op else "":
        case "join":
            return Stage("apply", "joined")
        case "convolution":
            return Stage("apply", "")
        case "pool":
            return _pooled(node, core, reads[0])
    return None


def _pooled(node: Node, core: ast.expr, read: ast.expr) -> Stage:
    """Of each window the largest cell, which is taken as it is, or what all of them make."""
    call = core.value if isinstance(core, ast.Subscript) else core
    words = key_of(call).rpartition(".")[2]
    if node.op is None or "winners" not in node.op.aids or not isinstance(call, ast.Call):
        return Stage("apply", words)
    return Stage("move", words, moved=_winners(call, words), before=read)


def _winners(call: ast.Call, name: str) -> ast.expr:
    """The places of the cells that are largest in their windows: pooling tells each within its own sheet."""
    told = ast.keyword("return_indices", ast.Constant(True))
    keywords = [*(one for one in call.keywords if one.arg != told.arg), told]
    both = ast.Call(ast.Attribute(ast.Name("F", ast.Load()), name, ast.Load()), call.args, keywords)
    places = ast.Subscript(both, ast.Constant(1), ast.Load())
    axes = ast.Constant(-int(name[-2]))
    cells, within = (_called(one, "flatten", axes) for one in (ast.Name(CELLS, ast.Load()), places))
    picked = _called(cells, "gather", ast.Constant(-1), within)
    return _called(picked, "view", ast.Attribute(places, "shape", ast.Load()))


def _called(expr: ast.expr, name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(expr, name, ast.Load()), list(args), [])


def _symbol(expr: ast.expr) -> str:
    return SIGNS.get(BINARY[type(expr.op)], "") if isinstance(expr, ast.BinOp) else ""


def _reads(node: Node) -> list[Node]:
    """The tensors that an operation reads, without the copies that broadcasting makes of them; each once."""
    found = [*node.inputs.values(), *nodes_in(list(node.parameters.values()))]
    bare = [read.inputs["x"] if _is_unwritten(read) else read for read in found]
    return list(dict.fromkeys(bare))


def _is_unwritten(node: Node) -> bool:
    """Whether a copy is made by broadcasting alone, with no call in the text."""
    return node.is_broadcast and node.written is node.inputs["x"].expr


def _is_cellwise(node: Node) -> bool:
    """Whether each cell is computed from the one in its own place alone."""
    assert node.op is not None
    said = set(re.findall(r"\w+", node.op.cell_for(node.call)))
    alone = said and not said & PLACES and not node.op.subscripts(node.call)
    return bool(alone) and all(read.shape == node.shape for read in _reads(node))


def _sign_of(node: Node) -> str:
    """The sign of a fold; of an extreme's second result, whole numbers, it is where that stands."""
    assert node.op is not None
    decimal = node.meta.dtype.is_floating_point or not _reads(node)[0].meta.dtype.is_floating_point
    return node.op.folds if decimal else f"place of {node.op.folds}"


def _folded(node: Node) -> list[SummedAxis]:
    assert node.op is not None
    read = _reads(node)[0]
    before, after = node.op.terms_of(node.call)
    letters = next(iter(before.values()), "")
    keep = "1" in after
    return [
        SummedAxis(axis, read.dims[axis] if axis < len(read.dims) else f"axis {axis}", read.shape[axis], keep)
        for axis, letter in enumerate(letters)
        if letter.isupper()
    ]


def _function_of(inner: ast.expr, expr: ast.expr) -> str:
    """The name of a function that is given a tensor and nothing else; empty for any other expression."""
    given, named = operands(expr)
    alone = isinstance(expr, ast.Call) and not named and len(given) == 1 and printed(given[0]) in _spellings(inner)
    return key_of(expr).rpartition(".")[2] if alone else ""


def replaced(expr: ast.expr, inner: ast.expr, name: str) -> ast.expr:
    """An expression with another name in the place of a part of it."""
    return _replaced(expr, _spellings(inner), name)


def _replaced(part: ast.expr, texts: set[str], name: str) -> ast.expr:
    if not isinstance(part, ast.Slice) and printed(part) in texts:
        return ast.Name(name, ast.Load())
    return rebuilt(part, lambda inner: _replaced(inner, texts, name))


def _spellings(expr: ast.expr) -> set[str]:
    """A part of a line as it may stand there: `x.max(1).values` is `x.max(1)[0]`, too."""
    text = printed(expr)
    return {text, *(text.removesuffix(name) + number for name, number in PARTS if text.endswith(name))}
