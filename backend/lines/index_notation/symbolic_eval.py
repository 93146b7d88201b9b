"""Symbolic evaluation: runs lines on index expressions instead of tensors."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch

from backend.engine.interpret.evaluate import Evaluator, bound
from backend.engine.interpret.interpreter import Interpreter
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.application import operands
from backend.engine.language.expression import expression
from backend.engine.language.tree import constant, names_in, target_of
from backend.engine.language.values import FloatFacts, Pair, Parameters, Scope
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import Call, Op
from backend.engine.trace.graph import Node
from backend.lines.index_notation.gather import GATHERS
from backend.lines.index_notation.indexed_tensor import ZERO, Index, Indexed, IndexPool, NotExpressible
from backend.lines.index_notation.reindex import moved, numbered
from backend.lines.index_notation.scalar_expr import FOLDS, folded, mapped, simple
from backend.lines.index_notation.scatter import SCATTERS
from backend.lines.index_notation.sliding import SLIDING

# What is summed over letters of its own.
SUMMED = SCATTERS | SLIDING


class CellReader(Interpreter):
    """Evaluates lines on tensors in index notation; raises NotExpressible for what can't be expressed.

    `constants` are numbers that a formula may refer to by name. `primitives` are the operations of the chunk that is
    evaluated: properties of their values found while tracing are used here too.
    """

    def __init__(self, scope: Parameters, constants: Scope, letters: IndexPool) -> None:
        super().__init__(scope)
        self.constants, self.letters = constants, letters
        self.primitives: list[Node] = []
        self.shapes = ShapeEvaluator({})

    def tensor(self, node: ast.expr) -> Indexed:
        """The value of an expression that is a tensor."""
        return _tensor(self.value(node))

    def is_tensor(self, value: object) -> bool:
        return isinstance(value, Indexed)

    def dtype_of(self, tensor: Any) -> Any:
        return tensor.meta.dtype

    def as_written(self, value: Any) -> ast.expr:
        return constant(value) if isinstance(value, int | float) else ast.Constant(None)

    def assign(self, statement: ast.Assign, value: Any) -> None:
        self.scope.update(bound(target_of(statement), value, statement))

    def operation(self, key: str, args: tuple[Any, ...], kwargs: Parameters, node: ast.expr) -> Any:
        op, given, words = self.chosen(key, args, kwargs, node)
        meta = self.shapes.operation(key, metas(args), metas(kwargs), node)
        if isinstance(meta, FloatFacts):
            return meta
        if op.index_formula in GATHERS:
            return GATHERS[op.index_formula](given, meta)
        if op.index_formula in SUMMED:
            return SUMMED[op.index_formula](given, meta, self.letters)
        if op.moves:
            return self.moved(key, _shaped(args, given), kwargs, meta, node)
        if isinstance(meta, Pair):
            values, places = (
                self.read(op, given, words, meta.values),
                self.read(op, given, words, meta.indices, op.place_cell),
            )
            return Pair(values, places)
        if isinstance(meta, tuple) and op.has_own("expansion"):
            return self.by_steps(op, given, Call({}, given, ()))
        if not isinstance(meta, torch.Tensor):
            raise NotExpressible
        return self.read(op, given, words, meta)

    def chosen(
        self, key: str, args: tuple[Any, ...], kwargs: Parameters, node: ast.expr
    ) -> tuple[type[Op], Parameters, dict[str, ast.expr]]:
        """The operation, its arguments by parameter name, and their expressions."""
        written_args, written_kwargs = operands(node)
        for op, signature in REGISTRY.get(key, []):
            bound = signature.bind(args, kwargs)
            if bound is not None and op.accepts(bound, self.is_tensor):
                given = {name: bound[name] for name in sorted(bound, key=list(signature.parameters).index)}
                written = signature.bind(written_args, written_kwargs) or {}
                return op, given, {name: self.word(written.get(name), value) for name, value in given.items()}
        raise NotExpressible

    def noticed(self, op: type[Op]) -> Parameters:
        """The traced parameters of the next use of an operation in the chunk."""
        place = next((place for place, node in enumerate(self.primitives) if node.op is op), None)
        return {} if place is None else dict(self.primitives.pop(place).parameters)

    def word(self, written: Any, value: Any) -> ast.expr:
        """A number as it is written, if only numbers and names of numbers occur in it."""
        if isinstance(written, ast.expr) and names_in(written) <= {*self.constants, "math"}:
            return written
        return self.as_written(value)

    def moved(self, key: str, args: tuple[Any, ...], kwargs: Parameters, meta: Any, node: ast.expr) -> Any:
        source = args[0]
        if not isinstance(source, Indexed) or any(isinstance(v, Indexed) for v in [*args[1:], *kwargs.values()]):
            raise NotExpressible
        cells = Evaluator({}).operation(key, (numbered(source.shape), *args[1:]), kwargs, node)
        if isinstance(meta, tuple | list):
            return tuple(moved(source, part, shape) for part, shape in zip(cells, meta, strict=True))
        return moved(source, cells, meta)

    def read(
        self, op: type[Op], given: Parameters, words: dict[str, ast.expr], meta: torch.Tensor, text: str = ""
    ) -> Indexed:
        """The result of an operation with a `cell` formula or a decomposition; raises NotExpressible without both."""
        inputs = {name: value for name, value in given.items() if isinstance(value, Indexed)}
        parameters = self.noticed(op) | {name: value for name, value in given.items() if name not in inputs}
        if op.variadic:
            inputs |= {
                f"t{number}": part for number, part in enumerate(given[op.variadic]) if isinstance(part, Indexed)
            }
        call = Call({name: lens.shape for name, lens in inputs.items()}, parameters, tuple(meta.shape))
        cell = text or op.cell_for(call)
        if not cell:
            return self.inside(op, given, call)
        return Indexed(meta, lambda index: Cell(op, inputs, words, call, self.letters).said(expression(cell), index))

    def inside(self, op: type[Op], given: Parameters, call: Call) -> Indexed:
        """The result of a fused operation, by its decomposition."""
        return _tensor(self.by_steps(op, given, call))

    def by_steps(self, op: type[Op], given: Parameters, call: Call) -> Any:
        """What the small steps of an operation end in."""
        steps = op.inside(call)
        if not steps:
            raise NotExpressible
        reader = CellReader(dict(given), {}, self.letters)
        for step in steps:
            reader.statement(ast.parse(step).body[0])
        return reader.scope["out"]


def _shaped(args: tuple[Any, ...], given: Parameters) -> tuple[Any, ...]:
    """The arguments, with any cells in the tensor that lends the result its shape and nothing else."""
    like = given.get("like")
    return tuple(numbered(like.shape) if isinstance(like, Indexed) and arg is like else arg for arg in args)


def _tensor(value: object) -> Indexed:
    if not isinstance(value, Indexed):
        raise NotExpressible
    return value


class Cell:
    """The formula of one cell of an operation's result: its `cell` text with indices and words filled in."""

    def __init__(
        self,
        op: type[Op],
        inputs: Mapping[str, Indexed],
        words: Mapping[str, ast.expr],
        call: Call,
        letters: IndexPool,
    ) -> None:
        self.inputs, self.words, self.call, self.letters = inputs, words, call, letters
        self.terms, self.out = op.terms_of(call)
        self.op = op

    def said(self, text: ast.expr, index: Index) -> ast.expr:
        """The text at an index of the result."""
        self.letters.step()
        return self.filled(text, dict(zip(self.out, index, strict=True)), index)

    def filled(self, node: ast.expr, at: dict[str, ast.expr], index: Index) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id=kind), args=[body, *over]) if kind in FOLDS and all(map(_is_capital, over)):
                running = {letter: self.letters.fresh(size) for letter, size in self.runs(over).items()}
                return folded(kind, running.values(), self.filled(body, at | running, index))
            case ast.Call(func=ast.Name(id="at"), args=[tensor, ast.Name(id=letter), place]):
                return self.filled(tensor, at | {letter: self.filled(place, at, index)}, index)
            case ast.Name(id=name):
                return self.word(name, at, index)
        return simple(mapped(node, lambda part: self.filled(part, at, index)))

    def word(self, name: str, at: dict[str, ast.expr], index: Index) -> ast.expr:
        if name in self.inputs:
            lens = self.inputs[name]
            if name not in self.terms:
                return lens.stretched(index)
            place = (at.get(letter, ZERO) for letter in self.terms[name])
            return lens.at(tuple(ZERO if n == 1 else p for p, n in zip(place, lens.shape, strict=True)))
        if name in ("row", "column"):
            return index[-2 if name == "row" else -1]
        found = self.words.get(name, at.get(name))
        return self.derived(name, at, index) if found is None else found

    def derived(self, name: str, at: dict[str, ast.expr], index: Index) -> ast.expr:
        """The value of a word that depends on the call, such as the number of cells that a mean is over."""
        words = self.op.derive(replace(self.call, at=next(iter(self.inputs), "x"))) if self.op.differentiable else {}
        if name not in words:
            raise NotExpressible
        return self.filled(expression(words[name]), at, index)

    def runs(self, over: list[ast.expr]) -> dict[str, int]:
        """The indices that a fold is over: those it names, else all capital ones."""
        named = {letter.id for letter in over if isinstance(letter, ast.Name)}
        sizes: dict[str, int] = {}
        for name, term in self.terms.items():
            for letter, size in zip(term, self.inputs[name].shape, strict=True):
                if letter in named or (not named and letter.isupper()):
                    sizes[letter] = sizes.get(letter, 1) if size == 1 else size
        if not sizes and any(lens.shape for lens in self.inputs.values()):
            raise NotExpressible
        return sizes


def _is_capital(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.isupper()


def metas(value: Any) -> Any:
    """The same value with outlines in place of tensors in index notation."""
    if isinstance(value, Indexed):
        return value.meta
    if isinstance(value, tuple | list):
        return type(value)(metas(item) for item in value)
    return {name: metas(item) for name, item in value.items()} if isinstance(value, dict) else value
