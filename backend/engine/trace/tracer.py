"""Tracer: turns a program into a graph of operations with shapes, each broadcast a node of its own."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any

import torch

from backend.engine.interpret.evaluate import (
    DefaultDtype,
    Evaluator,
    functions,
    shape_text,
    spoken,
    unknown_operation,
    unpacked,
)
from backend.engine.interpret.interpreter import Interpreter
from backend.engine.interpret.shape_inference import ShapeEvaluator
from backend.engine.language.application import operands
from backend.engine.language.errors import Refusal
from backend.engine.language.grammar import UNWANTED
from backend.engine.language.guard import guard
from backend.engine.language.layout import broken
from backend.engine.language.limits import LIMITS
from backend.engine.language.nodes import plain
from backend.engine.language.parse import Program
from backend.engine.language.tree import Growth, attribute, item, literal, names_of
from backend.engine.language.unparse import printed
from backend.engine.language.values import Args, FloatFacts, Pair, Scope, Values
from backend.engine.ops import REGISTRY
from backend.engine.ops.base import Op
from backend.engine.ops.compose import unbound
from backend.engine.ops.signature import Signature
from backend.engine.ops.stretch import BROADCAST
from backend.engine.trace.comments import Comments
from backend.engine.trace.expansion import expanded, outline
from backend.engine.trace.graph import Chunk, Graph, Node, without_gradient
from backend.engine.trace.inputs import Input
from backend.engine.trace.mismatch import mismatch
from backend.engine.trace.op_call import Use, common_shapes, divided, fits
from backend.engine.trace.ssa import Names


class Tracer(Interpreter):
    """Interprets a program on graph nodes instead of tensors."""

    def __init__(
        self,
        program: Program,
        inputs: Mapping[str, Input],
        constants: Scope,
        tensors: Mapping[str, torch.Tensor],
    ) -> None:
        self.names = Names(program, list(inputs), constants)
        super().__init__(self.names.scope)
        self.program = program
        self.heading_lines = sorted(program.headings)
        self.shapes = ShapeEvaluator({})
        self.actual = Evaluator(dict(constants) | dict(tensors))
        self.actual_statements = 0
        self.precision = next((t.dtype for t in tensors.values() if t.is_floating_point()), torch.float32)
        self.nodes: list[Node] = []
        self.chunks: list[Chunk] = []
        self.statements: list[ast.Assign] = []
        self.rewritten = self.data_dependent = self.by_numbers = False
        self.renamer = self.names.renamer()
        self.inputs = [self.input(name, given) for name, given in inputs.items()]
        self.read: list[str] = []
        self.newest: Node | None = None

    def input(self, name: str, given: Input) -> Node:
        if given.needs and "d" + name in self.names.given:
            raise Refusal("name-of-gradient", found="d" + name, tensor=name)
        if given.needs and iskeyword("d" + name):
            raise Refusal("name-of-keyword", found="d" + name, tensor=name)
        meta = torch.empty(given.shape, dtype=given.dtype, device="meta")
        node = Node(None, {}, {}, {}, meta, ast.Name(name, ast.Load()), given.needs, name, name, given.role)
        self.shapes.charge(meta, ast.Pass())
        self.scope[name] = node
        return node

    # What Interpreter asks for.
    def statement(self, statement: ast.stmt) -> None:
        self.renamer = self.names.renamer()
        with guard(statement):
            super().statement(statement)

    def is_tensor(self, value: object) -> bool:
        return isinstance(value, Node)

    def dtype_of(self, tensor: Any) -> Any:
        return tensor.meta.dtype

    def name(self, node: ast.Name) -> Any:
        value = super().name(node)
        if isinstance(value, Node) and value.name and value.name not in self.read:
            self.read.append(value.name)
        return value

    def operation(self, key: str, args: Args, kwargs: Values, node: ast.expr) -> Any:
        """Record one use of an operation: its inputs, its parameters and how they are written, its shape."""
        if key not in REGISTRY:
            raise unknown_operation(key, node)
        op, signature, bound = self.choose(key, args, kwargs, node)
        if steps := op.expansion(bound):
            return expanded(self, steps, bound, self.words(signature, bound, node), node)
        inputs, parameters = divided(op, bound)
        if not op.masks and any(one.meta.dtype is torch.bool for one in inputs.values()):
            raise Refusal("whole-numbers", name=spoken(key), at=node)
        self.pieces += len(inputs) if op.variadic else 0  # a list by name holds more than its statement shows
        if op.broadcasts:
            inputs = self.broadcast(op, key, inputs, parameters, node)
        noticed = op.noticed(bound, self.numbers_of)
        self.by_numbers |= bool(noticed)
        decided = {name: value for name, value in noticed.items() if name in bound}
        self.data_dependent |= bool(decided)
        meta = outline(self, op, key, args, kwargs | decided, node)
        same = next((value for value in inputs.values() if value.meta is meta), None)
        if same is not None and not op.stops:
            # torch hands back the very tensor: x.contiguous(), x.flatten() of a row. A second name for it is an alias.
            return same
        stops = op.stops or not any(value.needs for value in inputs.values())
        if not op.differentiable and not stops:
            raise op.without_rule(spoken(key), node)
        words = self.words(signature, parameters, node) if parameters else {}
        use = Use(op, inputs, parameters | noticed, words, not stops)
        return self.recorded(use, meta, self.renamed(node), node)

    def recorded(self, use: Use, meta: Any, expr: ast.expr, at: ast.AST) -> Any:
        """The nodes of one use: a single tensor, a pair of values and indices, or several parts; facts have none."""
        if isinstance(meta, FloatFacts):
            return meta
        if isinstance(meta, Pair):
            values, indices = ((getattr(meta, name), attribute(expr, name)) for name in meta.fields)
            return Pair(self.add(use.node(*values), at), self.add(use.node(*indices), at))
        if isinstance(meta, tuple | list):
            parts = enumerate(meta)
            return tuple(self.add(use.node(part, item(expr, number), number), at) for number, part in parts)
        return self.add(use.node(meta, expr), at)

    def places(self, index: Any, node: ast.AST) -> Any:
        """An index in which each mask has become the numbers of the places it picks: their count needs real values."""
        parts = index if isinstance(index, tuple) else (index,)
        masks = [isinstance(part, Node) and part.meta.dtype is torch.bool for part in parts]
        if any(is_mask and not part.shape for part, is_mask in zip(parts, masks, strict=True)):
            raise Refusal("index-kind", at=node)
        if not any(masks):
            return index
        picked = ([*self.picked(part)] if is_mask else [part] for part, is_mask in zip(parts, masks, strict=True))
        return tuple(one for part in picked for one in part)

    def picked(self, mask: Node) -> Iterator[torch.Tensor]:
        return (place.to("meta") for place in self.actual_value(mask).nonzero(as_tuple=True))

    def actual_value(self, node: Node) -> torch.Tensor:
        """A node's values, which some shape depends on."""
        self.data_dependent = True
        return self.numbers_of(node)

    def numbers_of(self, node: Node) -> torch.Tensor:
        """A node's numbers, from the input tensors and, where it needs them, the statements so far."""
        if node.op is not None:
            self.catch_up()
        with torch.no_grad(), DefaultDtype(self.precision):
            return self.actual.tensor(node.expr)

    def catch_up(self) -> None:
        """Run the statements so far."""
        with torch.no_grad(), DefaultDtype(self.precision):
            for statement in self.statements[self.actual_statements :]:
                self.actual.statement(statement)
        self.actual_statements = len(self.statements)

    def metas(self, value: Any) -> Any:
        """Nodes as tensors on the meta device, at any depth."""
        if isinstance(value, Node):
            return value.meta
        if isinstance(value, Pair):
            return Pair(value.values.meta, value.indices.meta)
        if isinstance(value, tuple | list):
            return type(value)([item.meta if isinstance(item, Node) else self.metas(item) for item in value])
        return {name: self.metas(item) for name, item in value.items()} if isinstance(value, dict) else value

    def choose(self, key: str, args: Args, kwargs: Values, node: ast.AST) -> tuple[type[Op], Signature, Values]:
        for op, signature in REGISTRY[key]:
            bound = signature.bind(args, kwargs)
            if bound is None or not isinstance(bound.get(op.variadic, ()), tuple | list):
                continue
            if fits(op, bound, self.is_tensor):
                return op, signature, bound
        spelling = next(
            text for op, _ in REGISTRY[key] for text, s in zip(op.written, op.signatures, strict=True) if s.key == key
        )
        if strange := [name for name in kwargs if name not in functions()[key][1]]:
            raise Refusal("arguments/keyword", name=spoken(key), found=strange[0], spelling=spelling, at=node)
        raise Refusal("arguments", name=spoken(key), spelling=spelling, at=node)

    def add(self, node: Node, at: ast.AST) -> Node:
        self.nodes.append(node)
        if len(self.nodes) > LIMITS.graph_nodes:
            raise Refusal("too-many-steps", limit=f"{LIMITS.graph_nodes:,}", at=at)
        return node

    def broadcast(
        self, op: type[Op], key: str, inputs: dict[str, Node], parameters: Values, at: ast.AST
    ) -> dict[str, Node]:
        """Make every broadcast of a smaller input a node of its own (Expand)."""
        tensors = inputs | {name: value for name, value in parameters.items() if isinstance(value, Node)}
        shapes = common_shapes((op, tuple((name, node.shape) for name, node in tensors.items())))
        if shapes is None:
            raise mismatch(key, tensors, at)
        return {name: self.expand(node, shapes[name], at) for name, node in inputs.items()}

    def expand(self, node: Node, shape: tuple[int, ...], at: ast.AST) -> Node:
        if node.shape == shape:
            return node
        meta = torch.empty(shape, dtype=node.meta.dtype, device="meta")
        return self.add(Node(BROADCAST, {"x": node}, {"shape": shape}, {}, meta, node.expr, node.needs), at)

    # Statements.
    def as_written(self, value: Any) -> ast.expr:
        made = value.expr if isinstance(value, Node) else literal(value)
        self.renamer.made[made] = made
        return made

    def name_newest(self, statement: Growth, part: Any) -> None:
        """What is appended without a name gets one, after its place in the list."""
        if isinstance(part, Node) and part.name is None:
            steps = self.scope[statement.steps.id]
            assert isinstance(steps, list)
            name = self.names.free(f"{statement.steps.id}_{len(steps)}")
            self.assign(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], statement.item), statement), part)
            self.renamer.made[statement.item] = part.expr

    def assign(self, statement: ast.Assign, value: Any) -> None:
        if isinstance(statement, Growth):
            self.name_newest(statement, value[-1])
        target = statement.targets[0]
        several = isinstance(target, ast.Tuple)
        if several and isinstance(value, Node) and value.shape:
            statement, value = self.unbound(statement, value)
        first = isinstance(statement, Growth) and len(value) == 1  # `[h]`, and not `[] + [h]`
        right = self.renamed(statement.newest if isinstance(statement, Growth) and first else statement.value)
        names = names_of(target)
        values = unpacked(value, len(names), statement) if several else (value,)
        wanted = [part for name, part in zip(names, values, strict=True) if name != UNWANTED]
        fresh = [part for part in wanted if isinstance(part, Node) and part.name is None]
        bind = self.names.bind_longer if isinstance(statement, Growth) else self.names.bind
        variables = [bind(name, part) for name, part in zip(names, values, strict=True)]
        written: list[ast.expr] = [ast.Name(variable, ast.Store()) for variable in variables]
        made = ast.Assign([ast.Tuple(written, ast.Store()) if several else written[0]], right)
        ast.copy_location(made, statement)
        self.rewritten |= names != variables
        self.statements.append(made)
        source = (statement.lineno, statement.end_lineno or statement.lineno)
        line, heading = len(self.statements), self.heading(statement.lineno)
        self.chunks += [Chunk(line, line, "", node, self.read, heading, source) for node in fresh]
        self.newest = next((part for part in reversed(wanted) if isinstance(part, Node)), self.newest)
        self.read = []

    def unbound(self, statement: ast.Assign, tensor: Node) -> tuple[ast.Assign, Any]:
        """`row, col = edges` as `row, col = edges.unbind()`: a tensor is unpacked into its slices."""
        call, key = unbound(statement.value)
        target = statement.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) != tensor.shape[0]:
            code = "unpack-count/one" if tensor.shape[0] == 1 else "unpack-count"
            raise Refusal(code, names=len(target.elts), found=tensor.shape[0], at=statement)
        parts = self.operation(key, (tensor,), {}, ast.copy_location(call, statement.value))
        return ast.copy_location(ast.Assign(statement.targets, call), statement), parts

    def all_actual(self) -> Values:
        """The program's numbers, where some shape depends on them; nothing otherwise."""
        if self.data_dependent:
            self.catch_up()
        return self.actual.scope if self.data_dependent else {}

    def heading(self, line: int) -> str | None:
        above = bisect_right(self.heading_lines, line)
        return self.program.headings[self.heading_lines[above - 1]] if above else None

    def loop(self, statement: ast.For) -> None:
        self.rewritten = True
        super().loop(statement)

    def instead(self, node: ast.expr, other: ast.expr) -> None:
        """The forward source says what is read: what moves to another device would fail where there is none."""
        self.rewritten = True
        self.renamer.made[node] = self.renamed(other)

    # Text.
    def renamed(self, node: ast.expr) -> ast.expr:
        """The expression with every name as the forward source has it now."""
        return self.renamer.renamed(node)

    def words(self, signature: Signature, parameters: Values, node: ast.expr) -> dict[str, ast.expr]:
        """How the parameters of one use are written."""
        args, kwargs = operands(node)
        written = signature.bind(args, kwargs) or {}
        return {name: self.word(written.get(name), value) for name, value in parameters.items()}

    def word(self, written: Any, value: Any) -> ast.expr:
        """How a parameter is written in the lines that use it: as the person wrote it, where that is still true."""
        if isinstance(written, ast.expr):
            made = self.renamed(written)
        elif isinstance(written, tuple) and all(isinstance(part, ast.expr) for part in written):
            made = ast.Tuple([self.renamed(part) for part in written], ast.Load())
        else:
            made = literal(
                written if isinstance(written, tuple) and not any(isinstance(w, ast.AST) for w in written) else value
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            return plain(made)  # a copy: the statement's own text has it as well, where it is no word of a rule
        return made


def trace(
    program: Program,
    inputs: Mapping[str, Input],
    constants: Scope,
    loss: str | None = None,
    tensors: Mapping[str, torch.Tensor] | None = None,
) -> Graph:
    """Trace a program on the meta device and return its graph.

    `tensors` are read only where a shape depends on their values, as in `x[x > 0]`. Raises Refusal where a shape
    does not fit, a limit is passed, or the loss is not a scalar with a gradient.
    """
    tracer = Tracer(program, inputs, constants, tensors or {})
    try:
        with DefaultDtype(tracer.precision):
            tracer.run(program.statements)
    except Refusal as refusal:
        raise refusal.locate(program.statements[0], program.pasted) from refusal.__cause__
    if not tracer.chunks:
        pair = next((name for name, value in tracer.scope.items() if isinstance(value, Pair)), None)
        raise Refusal("no-tensor-assigned/pair", found=pair) if pair else Refusal("no-tensor-assigned")
    source = _forward_source(tracer)
    named = {node.name: node for node in tracer.inputs + [chunk.node for chunk in tracer.chunks]}
    named |= {name: node for name, (_, node) in tracer.names.aliases.items()}
    end = _loss(named, loss or str(_last(tracer).name))
    return Graph(
        nodes=tracer.nodes,
        inputs=tracer.inputs,
        chunks=tracer.chunks,
        loss=end,
        forward_source=source,
        statements=tracer.statements,
        aliases=tracer.names.aliases,
        constants=tracer.names.numbers(),
        holders=tracer.metas(tracer.names.holders()),
        actual=tracer.all_actual(),
        by_numbers=tracer.by_numbers,
        source=program.pasted,
        unrolled=tracer.rewritten,
    )


def _forward_source(tracer: Tracer) -> str:
    """The pasted text itself, or the program unrolled where loops or re-assignment made names ambiguous."""
    if tracer.rewritten:
        return _written_anew(tracer)
    lines = tracer.program.source.split("\n")
    for chunk in tracer.chunks:
        chunk.line, chunk.end_line = chunk.source
        chunk.code = "\n".join(lines[chunk.line - 1 : chunk.end_line])
    return tracer.program.source


def _written_anew(tracer: Tracer) -> str:
    comments, rows, places = Comments(tracer.program.source), list[str](), list[tuple[int, int]]()
    for statement in tracer.statements:
        code = broken(printed(statement))
        rows += comments.rows(code, statement.lineno, statement.end_lineno or statement.lineno)
        places.append((len(rows) - code.count("\n"), len(rows)))
    for chunk in tracer.chunks:
        chunk.line, chunk.end_line = places[chunk.line - 1]
        chunk.code = "\n".join(rows[chunk.line - 1 : chunk.end_line])
    return "\n".join([*rows, *comments.rest()])


def _last(tracer: Tracer) -> Node:
    """What the last assignment names: `loss = total` too, but no second name of a tensor that can't be a loss."""
    last, computed = tracer.newest, tracer.chunks[-1].node
    return last if last is not None and last.meta.numel() == 1 and last.needs else computed


def _loss(named: Mapping[Any, Node], name: str) -> Node:
    node = named.get(name)
    if node is None:
        raise Refusal("loss-unknown", found=name)
    if node.meta.numel() != 1:
        raise Refusal("loss-not-scalar", found=name, shape=shape_text(node.shape))
    if not node.needs:
        raise without_gradient(node, name)
    return node
