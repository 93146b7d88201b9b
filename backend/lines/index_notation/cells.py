"""Which cells of other tensors one cell of a tensor is computed from, in index notation: for every cell at once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import torch

from backend.engine.language.errors import Refusal
from backend.engine.language.tree import constant
from backend.engine.language.values import Pair, Parameters, Scope
from backend.engine.ops.base import Call
from backend.engine.trace.graph import Graph
from backend.lines.index_notation.formula import ALPHABET
from backend.lines.index_notation.indexed_tensor import MOST_PARTS, ZERO, Index, Indexed, IndexPool, NotExpressible
from backend.lines.index_notation.scalar_expr import fold_of, mapped
from backend.lines.index_notation.symbolic_eval import CellReader, metas

MOST_READS = 48
# An index about which no formula is known: it may be any along its axis.
ANY = ast.Name("·any", ast.Load())
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
Conditions = tuple[str, ...]
Branches = Mapping[int, int]
Term = tuple[Indexed, str]  # a tensor that is read, and letters for its axes


class CellRead(TypedDict):
    """One read of a source: at which index, under which conditions, and which other reads never meet it."""

    of: Annotated[str, "the name of a tensor, or of a picture's part: `operand 0`, `product`"]
    at: Annotated[list[str | None], "the index in the letters; null where it may be any cell along the axis"]
    where: Annotated[list[str], "conditions that hold for the cells that are read, such as `Xb[k, l] == i`"]
    apart: Annotated[list[int], "the reads to which it is added, or that stand in another branch: not its factors"]


class CellReads(TypedDict):
    """The cells that each cell of one tensor comes from, in index notation."""

    of: Annotated[str, "`result`, or `product` where a product is summed"]
    index: Annotated[list[str], "its own letters; `0` for an axis of length 1"]
    sizes: Annotated[dict[str, int], "the range of each letter, those that are summed over among them"]
    reads: list[CellRead]


@dataclass(frozen=True)
class Sources:
    """What a cell may read: the names of the sources by variable, and the tensors whose values an index may hold."""

    names: Mapping[str, str]
    known: Container[str]

    @classmethod
    def of_graph(cls, graph: Graph, names: Mapping[str, str]) -> Sources:
        return cls(names, graph.by_variable)


class LooseReader(CellReader):
    """A reader to whom nothing is inexpressible: what has no formula reads some cells of its inputs, whichever."""

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Parameters, node: ast.expr) -> Any:
        inputs = list(_indexed([*args, *kwargs.values()]))
        try:
            made = super().operation(key, args, kwargs, node)
        except NotExpressible:
            meta = self.shapes.operation(key, metas(args), metas(kwargs), node)
            terms, result = self.terms_of(key, args, kwargs, meta, node)
            return _somewhere(meta, terms or _unlettered(inputs), result)
        return Indexed(made.meta, self.loose(made, inputs)) if isinstance(made, Indexed) else made

    def terms_of(
        self, key: str, args: tuple[Any, ...], kwargs: Parameters, meta: Any, node: ast.expr
    ) -> tuple[list[Term], str]:
        """What an operation reads and the letters of its axes, and those of the result; nothing where it says none."""
        out = meta.values if isinstance(meta, Pair) else meta
        try:
            op, given, _ = self.chosen(key, args, kwargs, node)
        except NotExpressible:
            return [], ""
        inputs = {name: value for name, value in given.items() if isinstance(value, Indexed)}
        parameters = {name: value for name, value in given.items() if name not in inputs}
        shapes = {name: value.shape for name, value in inputs.items()}
        if not isinstance(out, torch.Tensor) or not op.subscripts(call := Call(shapes, parameters, tuple(out.shape))):
            return [], ""
        letters, result = op.terms_of(call)
        return [(one, letters.get(name, "")) for name, value in given.items() for one in _indexed([value])], result

    def loose(self, made: Indexed, inputs: list[Indexed]) -> Callable[[Index], ast.expr]:
        def at(index: Index) -> ast.expr:
            try:
                return made.at(index)
            except NotExpressible:
                if self.letters.steps > MOST_PARTS:
                    raise
                somewhere: Indexed = _somewhere(made.meta, _unlettered(inputs))
                return somewhere.at(index)

        return at


def reads_of(
    of: str, said: Callable[[LooseReader], Indexed], scope: Scope, numbers: Scope, sources: Sources
) -> list[CellReads]:
    """The reads of the tensor that `said` makes of a reader, or none: where they can't be told, or are too many."""
    letters = IndexPool()
    try:
        made = said(LooseReader(dict(scope), numbers, letters))
        own = tuple(ast.Name(f"·own{axis}", ast.Load()) if size != 1 else ZERO for axis, size in enumerate(made.shape))
        found = Collector(sources, numbers)
        found.look(made.at(own), (), {})
    except (NotExpressible, Refusal):
        return []
    if len(found.reads) > MOST_READS:
        return []
    sizes = {part.id: size for part, size in zip(own, made.shape, strict=True) if isinstance(part, ast.Name)}
    return [_lettered(of, own, sizes | letters.sizes, found)]


@dataclass
class Collector:
    """Collects the reads of a scalar expression."""

    sources: Sources
    numbers: Scope
    reads: list[tuple[str, tuple[str | None, ...], Conditions]] = field(default_factory=list)
    branches: list[Branches] = field(default_factory=list)
    forks: int = 0

    def look(self, node: ast.expr, where: Conditions, branch: Branches) -> None:
        """Find the reads in an expression under conditions, in one branch of each fork above it."""
        fold = fold_of(node)
        match node if fold is None else fold[2]:
            case body if fold is not None:
                self.look(body, where, branch)
            case ast.Name(id=name) if name in self.sources.names:
                self.add(name, (), where, branch)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=index)):
                if name in self.sources.names:
                    self.add(name, tuple(self.text(part) for part in index), where, branch)
                self.each(index, where, branch)
            case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
                self.fork([(left, where), (right, where)], branch)
            case ast.IfExp(test=test, body=body, orelse=other):
                said = self.condition(test)
                then, otherwise = ([said], [f"not ({said})"]) if said else ([], [])
                self.fork([(test, where), (body, (*where, *then)), (other, (*where, *otherwise))], branch)
            case _:
                self.each([part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)], where, branch)

    def each(self, parts: Sequence[ast.expr], where: Conditions, branch: Branches) -> None:
        for part in parts:
            self.look(part, where, branch)

    def fork(self, ways: Sequence[tuple[ast.expr, Conditions]], branch: Branches) -> None:
        self.forks += 1
        fork = self.forks
        for number, (part, where) in enumerate(ways):
            self.look(part, where, {**branch, fork: number})

    def add(self, name: str, at: tuple[str | None, ...], where: Conditions, branch: Branches) -> None:
        self.reads.append((name, at, where))
        self.branches.append(branch)

    def text(self, node: ast.expr) -> str | None:
        """An index as text; None where it is more than letters, whole numbers, and cells of tensors of the walk."""
        return ast.unparse(self.plain(node)) if self.is_plain(node) else None

    def condition(self, test: ast.expr) -> str:
        """A condition as text; "" where it can't be told from indices and cells of tensors of the walk."""
        parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        good = all(
            isinstance(part, ast.Compare) and all(map(self.is_plain, [part.left, *part.comparators])) for part in parts
        )
        return " and ".join(ast.unparse(self.plain(part)) for part in parts) if good else ""

    def is_plain(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int) and not isinstance(value, bool)
            case ast.Name(id=name):
                mark = name.startswith("·") and name != ANY.id
                return mark or name in self.sources.known or isinstance(self.numbers.get(name), int)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self.is_plain(inner)
            case ast.BinOp(op=op, left=left, right=right):
                return isinstance(op, ARITHMETIC) and self.is_plain(left) and self.is_plain(right)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=index)):
                return name in self.sources.known and all(map(self.is_plain, index))
        return False

    def plain(self, node: ast.expr) -> ast.expr:
        """The expression with the program's numbers filled in."""
        value = self.numbers.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(value, int):
            return constant(value)
        return mapped(node, self.plain)


def _lettered(of: str, own: Index, sizes: Mapping[str, int], found: Collector) -> CellReads:
    """The reads, each once, with letters for indices; those of the cell itself come first in the alphabet."""
    once: dict[tuple[str, tuple[str | None, ...], Conditions], list[Branches]] = {}
    for read, branch in zip(found.reads, found.branches, strict=True):
        once.setdefault(read, []).append(branch)
    texts = [text for _, at, where in once for text in (*at, *where) if text]
    marks = [mark for mark in sizes if mark.startswith("·own") or any(mark in _words(text) for text in texts)]
    sources = found.sources
    spare = (f"{letter}{turn or ''}" for turn in range(len(marks) + 1) for letter in ALPHABET)
    free = (letter for letter in spare if letter not in sources.known and letter not in sources.names)
    letters = dict(zip(marks, free, strict=False))

    def named(text: str) -> str:
        return "".join(letters.get(word, word) for word in _words(text))

    branches = list(once.values())
    reads: list[CellRead] = [
        {
            "of": sources.names[name],
            "at": [None if part is None else named(part) for part in at],
            "where": [named(text) for text in where],
            "apart": [other for other in range(len(branches)) if other != me and _apart(branches[me], branches[other])],
        }
        for me, (name, at, where) in enumerate(once)
    ]
    index = [letters[part.id] if isinstance(part, ast.Name) else "0" for part in own]
    return {"of": of, "index": index, "sizes": {letters[mark]: sizes[mark] for mark in marks}, "reads": reads}


def _words(text: str) -> list[str]:
    """A text cut into names and what stands between them."""
    words = [""]
    for character in text:
        inside = character.isalnum() or character in "·_"
        if words[-1] and inside != (words[-1][-1].isalnum() or words[-1][-1] in "·_"):
            words.append("")
        words[-1] += character
    return words


def _apart(mine: Sequence[Branches], theirs: Sequence[Branches]) -> bool:
    """Whether two reads never meet: some fork sends every pair of them different ways."""
    return all(any(one.get(fork, way) != way for fork, way in other.items()) for one in mine for other in theirs)


def _somewhere(meta: Any, terms: list[Term], result: str = "") -> Any:
    """What is made of some cells of each tensor, any along an axis without a letter of the result."""
    if isinstance(meta, Pair):
        return Pair(_somewhere(meta.values, terms, result), _somewhere(meta.indices, terms, result))
    if isinstance(meta, tuple | list):
        return tuple(_somewhere(part, terms) for part in meta)
    if not isinstance(meta, torch.Tensor):
        raise NotExpressible

    def at(index: Index) -> ast.expr:
        own = {letter: part for letter, part in zip(result, index, strict=False) if letter.islower()}
        return ast.Call(ast.Name("some", ast.Load()), [one.at(_place(one, letters, own)) for one, letters in terms], [])

    return Indexed(meta, at)


def _place(tensor: Indexed, letters: str, own: Mapping[str, ast.expr]) -> Index:
    """Where a tensor is read, given the result's own place by letter."""
    if len(letters) != len(tensor.shape):  # they are those of another number of axes
        letters = " " * len(tensor.shape)
    return tuple(ZERO if n == 1 else own.get(letter, ANY) for letter, n in zip(letters, tensor.shape, strict=True))


def _unlettered(inputs: list[Indexed]) -> list[Term]:
    return [(one, "") for one in inputs]


def _indexed(values: Sequence[Any]) -> Iterator[Indexed]:
    for value in values:
        if isinstance(value, Indexed):
            yield value
        elif isinstance(value, tuple | list):
            yield from _indexed(value)
